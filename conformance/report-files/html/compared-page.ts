import type {
  ComparedOperation,
  ComparedStep,
  CompareReport,
  ReportedDifference,
} from "../../compare/compare-report.js";
import { figureText } from "../../compare/comparison-text.js";
import { html, type Html } from "./html.js";
import { pageHead } from "./page-head.js";

/** Steps that are shown at once; the ones before are folded. */
const openSteps = 6;

/** A comparison as one page that needs nothing else, like the report of a certification. */
export function comparedPage(report: CompareReport): string {
  const { suite, verdict, sides, run, differences, leftOut, troubles, figure } = report;
  return html`<!doctype html>
    <html lang="en">
      ${pageHead(`${verdict}: ${sides[0].title}, and ${sides[1].title}`)}
      <body>
        <a class="skip" href="#main">Skip to the findings</a>
        <header class="${verdictClass[verdict]}">
          <p class="kicker">${suite.name} ${suite.version}</p>
          <h1>${verdict}</h1>
          <p class="because">${figureText(report)}</p>
          <dl class="facts">
            <div class="wide">
              <dt>First</dt>
              <dd>${sides[0].title}</dd>
            </div>
            <div class="wide">
              <dt>Second</dt>
              <dd>${sides[1].title}</dd>
            </div>
            <div>
              <dt>Histories</dt>
              <dd>${run.histories}, ${run.requests[0]} and ${run.requests[1]} requests</dd>
            </div>
            <div>
              <dt>Run</dt>
              <dd><code>${run.id}</code>, seed ${run.seed}, ${run.runs} tries a property</dd>
            </div>
          </dl>
        </header>
        <main id="main">
          <section aria-labelledby="differences">
            <h2 id="differences">Differences</h2>
            ${
              differences.length === 0
                ? html`<p>None was found.</p>`
                : differences.map((difference, index) => article(difference, index + 1))
            }
            ${
              figure.passing === 0
                ? undefined
                : html`<p>
                    ${figure.passing} more did not come back when their history was run again, and do not
                    count.
                  </p>`
            }
          </section>
          ${operationsGrid(report.operations)} ${reasons("troubles", "Not compared", troubles)}
          ${reasons(
            "given",
            "What the accounts were given before, and does not count",
            report.given.map(({ place, first, second }) => ({ id: place, reason: `${first}, ${second}` })),
          )}
          ${reasons("left-out", "Left out: one of the sides does not offer what they need", leftOut)}
        </main>
        <footer>
          <p>
            ${suite.name} ${suite.version}. The same findings for machines:
            <code>compared.json</code> (${report.format}). Names of environment variables such as
            <code>$OWNER_TOKEN</code> stand for secrets.
          </p>
        </footer>
      </body>
    </html> `.text;
}

const verdictClass = { alike: "passed", different: "failed", inconclusive: "not-run" } as const;

function article(difference: ReportedDifference, number: number): Html {
  const {
    operation,
    place,
    detail,
    first,
    second,
    count,
    judgement,
    history,
    title,
    steps,
    scripts,
    cameBack,
  } = difference;
  const earlier = steps.length > openSteps + 1 ? steps.slice(0, -openSteps) : [];
  const id = `difference-${number}`;
  return html`<article class="failure" aria-labelledby="${id}">
    <h3 id="${id}">
      <span class="number">${number}.</span> <code>${operation}</code>, <code>${place}</code>: ${detail}
    </h3>
    <p class="source">
      ${count === 1 ? "One answer shows it." : `${count} answers show it.`} From <code>${history}</code>:
      ${title}. ${cameBack ? undefined : "It was not looked at again."}
    </p>
    <dl class="verdicts">
      <div>
        <dt>First</dt>
        <dd><code>${first ?? "nothing"}</code></dd>
      </div>
      <div>
        <dt>Second</dt>
        <dd><code>${second ?? "nothing"}</code></dd>
      </div>
      <div>
        <dt>What the specification says</dt>
        <dd>${judgement.text}</dd>
      </div>
    </dl>
    <h4>Requests</h4>
    ${
      earlier.length === 0
        ? undefined
        : html`<details>
            <summary>${earlier.length} earlier requests</summary>
            <ol class="exchanges">
              ${earlier.map(step)}
            </ol>
          </details>`
    }
    <ol class="exchanges" start="${earlier.length + 1}">
      ${steps.slice(earlier.length).map(step)}
    </ol>
    <h4>The same with curl</h4>
    ${script("first", scripts.first)} ${script("second", scripts.second)}
  </article> `;
}

function step({ caller, method, url, requestBody, first, second }: ComparedStep): Html {
  const isSame = first.status === second.status && first.body === second.body;
  return html`<li>
    <p class="line"><b>${caller}</b> <code>${method} ${url}</code></p>
    ${requestBody === undefined ? undefined : text(requestBody)}
    ${isSame ? answer("both", first) : [answer("first", first), answer("second", second)]}
  </li> `;
}

function answer(whose: string, { status, body }: ComparedStep["first"]): Html {
  return html`<p class="line">
      ${whose} →
      ${
        status === undefined
          ? html`<b>no answer</b>`
          : html`<b class="${status < 400 ? "accepted" : "refused"}">${status}</b>`
      }
    </p>
    ${body === undefined || body === "" ? undefined : text(body)}`;
}

function text(content: string): Html {
  // prettier-ignore
  return html`<pre class="text">${content.startsWith("\n") ? `\n${content}` : content}</pre>`;
}

function script(whose: string, content: string): Html {
  // prettier-ignore
  const block = html`<pre class="block copyable" tabindex="0" role="group" aria-label="Script for bash, ${whose} side">${content}</pre>`;
  return html`<details>
    <summary>Script for bash, ${whose} side</summary>
    ${block}
  </details>`;
}

/** Every operation, with how many of its answers were compared. */
function operationsGrid(operations: readonly ComparedOperation[]): Html {
  return html`<section aria-labelledby="operations">
    <h2 id="operations">Operations</h2>
    <ul class="legend operations-grid">
      ${operations.map(({ operationId, answers, differences }) => {
        const [kind, word] =
          answers === 0
            ? (["not-run", "not compared"] as const)
            : differences > 0
              ? (["failed", `${differences} differences in ${answers} answers`] as const)
              : (["passed", `${answers} answers alike`] as const);
        return html`<li><code>${operationId}</code> <span class="badge ${kind}">${word}</span></li> `;
      })}
    </ul>
  </section>`;
}

function reasons(
  id: string,
  title: string,
  list: readonly { readonly id: string; readonly reason: string }[],
): Html | undefined {
  if (list.length === 0) return undefined;
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    <dl class="reasons">
      ${list.map(
        (entry) =>
          html`<div>
            <dt><code>${entry.id}</code></dt>
            <dd>${entry.reason}</dd>
          </div> `,
      )}
    </dl>
  </section>`;
}
