import type {
  ComparedOperation,
  ComparedStep,
  CompareReport,
  ReportedCause,
} from "../../compare/compare-report.js";
import { figureText, judgementText, operationsText, verdictText } from "../../compare/comparison-text.js";
import { html, type Html } from "./html.js";
import { pageHead, scriptElement } from "./page-head.js";

/** A comparison as one page that needs nothing else: the operations, the causes, a history for each. */
export function comparedPage(report: CompareReport): string {
  const { suite, verdict, targets, run, causes, leftOut, troubles, figure, gone } = report;
  return html`<!doctype html>
    <html lang="en">
      ${pageHead(`${verdict}: ${targets[0]?.title ?? ""}, and ${targets[1]?.title ?? ""}`)}
      <body>
        <a class="skip" href="#main">Skip to the findings</a>
        <header class="${verdictClass[verdict]}">
          <p class="kicker">${suite.name} ${suite.version}</p>
          <h1>${verdict}</h1>
          <p class="because">${verdictText(report)}; ${figureText(report)}</p>
          <dl class="facts">
            ${targets.map(
              ({ title }, index) =>
                html`<div class="wide">
                  <dt>${index === 0 ? "First" : "Second"}</dt>
                  <dd>${title}</dd>
                </div>`,
            )}
            <div>
              <dt>Histories</dt>
              <dd>${run.histories}, ${run.requests.join(" and ")} requests</dd>
            </div>
            <div>
              <dt>Run</dt>
              <dd><code>${run.id}</code>, seed ${run.seed}, ${run.runs} tries a property</dd>
            </div>
          </dl>
        </header>
        <main id="main">
          ${operationsGrid(report.operations)}
          <section aria-labelledby="causes">
            <h2 id="causes">Causes of differences</h2>
            ${causes.length === 0 ? html`<p>None was found.</p>` : causeTable(causes)}
            ${
              figure.passing === 0
                ? undefined
                : html`<p>${figure.passing} more differences did not come back, and do not count.</p>`
            }
          </section>
          ${reasons(
            "gone",
            "Accepted, and not found any more",
            gone.map((cause) => ({ id: cause, reason: "" })),
          )}
          <section aria-labelledby="histories">
            <h2 id="histories">One history for each cause</h2>
            ${causes.map(article)}
          </section>
          ${reasons("troubles", "Not compared", troubles)}
          ${reasons("left-out", "Left out: a target does not offer what they need", leftOut)}
        </main>
        <footer>
          <p>
            ${suite.name} ${suite.version}. The same findings for machines:
            <code>compared.json</code> (${report.format}). Names of environment variables such as
            <code>$OWNER_TOKEN</code> stand for secrets.
          </p>
        </footer>
        ${scriptElement}
      </body>
    </html> `.text;
}

const verdictClass = {
  same: "passed",
  accepted: "passed",
  different: "failed",
  inconclusive: "not-run",
} as const;

const stateClass = { same: "passed", differs: "failed", "not compared": "not-run" } as const;

/** Operations named for one cause in the table; its history names all of them. */
const maxOperations = 4;

/** Every operation, with the causes that its answers show. */
function operationsGrid(operations: readonly ComparedOperation[]): Html {
  return html`<section aria-labelledby="operations">
    <h2 id="operations">Operations</h2>
    <ul class="legend operations-grid">
      ${operations.map(
        ({ operationId, state, answers, causes }) =>
          html`<li>
            <code>${operationId}</code> <span class="badge ${stateClass[state]}">${state}</span> ${
              answers === 0 ? undefined : `${answers} answers`
            }
            ${causes.map((number) => html`<a href="#cause-${number}">${number}</a> `)}
          </li> `,
      )}
    </ul>
  </section>`;
}

function causeTable(causes: readonly ReportedCause[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="causes">
    <table>
      <thead>
        <tr>
          <th scope="col">Cause</th>
          <th scope="col">Answers that show it</th>
          <th scope="col">Status</th>
          <th scope="col">What the specification says</th>
        </tr>
      </thead>
      <tbody>
        ${causes.map(
          (cause) =>
            html`<tr>
              <td><a href="#cause-${cause.number}">${cause.number}.</a> <code>${cause.cause}</code></td>
              <td>${operationsText(cause, maxOperations)}</td>
              <td>${cause.statuses.join(", ")}</td>
              <td>
                ${
                  cause.accepted === undefined
                    ? cause.breaks.length === 0
                      ? "open or not judged"
                      : `breaks ${cause.breaks.map(({ clause }) => clause).join(", ")}`
                    : `accepted: ${cause.accepted}`
                }
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function article(cause: ReportedCause): Html {
  const { number, first, second, history, title, steps, stepsBefore, script, cameBack, accepted } = cause;
  const id = `cause-${number}`;
  return html`<article class="failure" aria-labelledby="${id}">
    <h3 id="${id}"><span class="number">${number}.</span> <code>${cause.cause}</code></h3>
    <p class="source">
      ${operationsText(cause)}. From <code>${history}</code>: ${title}.
      ${cameBack ? undefined : "It was not looked at again."}
    </p>
    <dl class="verdicts">
      ${
        accepted === undefined
          ? undefined
          : html`<div>
              <dt>Accepted</dt>
              <dd>${accepted}</dd>
            </div>`
      }
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
        <dd>${judgementText(cause)}</dd>
      </div>
    </dl>
    <details>
      <summary>
        ${steps.length}
        requests${stepsBefore === 0 ? undefined : `, the last of ${stepsBefore + steps.length}`}
      </summary>
      <ol class="exchanges" start="${stepsBefore + 1}">
        ${steps.map(step)}
      </ol>
    </details>
    <details>
      <summary>The same with curl</summary>
      ${scriptBlock(script)}
    </details>
  </article> `;
}

function step({ caller, method, url, requestBody, first, second }: ComparedStep): Html {
  const isSame = first.status === second.status && first.body === second.body;
  return html`<li>
    <p class="line"><b>${caller}</b> <code>${method} ${url}</code></p>
    ${requestBody === undefined ? undefined : text(requestBody)}
    ${
      isSame
        ? answer("both", first)
        : html`<div class="both">
            <div>${answer("first", first)}</div>
            <div>${answer("second", second)}</div>
          </div>`
    }
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

function scriptBlock(content: string): Html {
  // prettier-ignore
  return html`<pre class="block copyable" tabindex="0" role="group" aria-label="Script for bash">${content}</pre>`;
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
