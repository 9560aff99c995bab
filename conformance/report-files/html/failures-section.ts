import type { Report, ReportedExchange, ReportedFailure } from "../../report/report.js";
import { inLines } from "../../report/reported-comparison.js";
import { inputHeldWords } from "../../report/words.js";
import { afterStart, codeBlock } from "./code-block.js";
import { comparisonView } from "./comparison-view.js";
import { html, type Html } from "./html.js";
import type { Section } from "./section.js";

/** Longer texts are folded. */
const maxOpenLength = 600;
/** Longer texts are cut: `report.json` has them whole. */
const maxTextLength = 20_000;
/** Shorter JSON stands on one line. */
const maxLineLength = 100;
/** Of more exchanges than this, the last ones stand open and those before are folded. */
const maxExchanges = 12;
const openExchanges = 8;

/** What broke: clause, expectation, what came, the exchanges, and how to see it again. */
export function failuresSection(report: Report, command: string): Section | undefined {
  const { preparation, checks } = report;
  const failures: readonly ShownFailure[] = [
    ...(preparation === undefined
      ? []
      : [{ id: undefined, title: "Before the first check", failure: preparation }]),
    ...checks.flatMap(({ id, title, failure, inputHeld }) =>
      failure === undefined ? [] : [{ id, title, failure, inputHeld }],
    ),
  ];
  if (failures.length === 0) return undefined;
  return {
    id: "failures",
    title: "Failures",
    note: String(failures.length),
    body: html`${failures.length < 3 ? undefined : index(failures)}
    ${failures.map((shown, index) =>
      article(shown, { number: index + 1, command, baseUrl: report.target.baseUrl }),
    )}`,
  };
}

interface ShownFailure {
  /** The check that failed; nothing before the first one. */
  readonly id: string | undefined;
  readonly title: string;
  readonly failure: ReportedFailure;
  readonly inputHeld?: true | undefined;
}

function anchor({ id }: ShownFailure): string {
  return id === undefined ? "failure" : `failure-${id}`;
}

/** What failed at a glance, where it does not fit on a screen: one fault of a deployment may fail dozens of checks. */
function index(failures: readonly ShownFailure[]): Html {
  const byClause = new Map<string, ShownFailure[]>();
  for (const shown of failures) {
    const same = byClause.get(shown.failure.clause);
    if (same === undefined) byClause.set(shown.failure.clause, [shown]);
    else same.push(shown);
  }
  return html`<ul class="index">
    ${[...byClause].map(
      ([clause, same]) =>
        html`<li>
          <a href="#clause-${clause}">${clause}</a> ${same[0]?.failure.statement}
          <span class="checks">${same.map(checkLink)}</span>
        </li>`,
    )}
  </ul>`;
}

function checkLink(shown: ShownFailure): Html {
  return html`<a href="#${anchor(shown)}"><code>${shown.id ?? shown.title}</code></a> `;
}

function article(
  shown: ShownFailure,
  {
    number,
    command,
    baseUrl,
  }: { readonly number: number; readonly command: string; readonly baseUrl: string },
): Html {
  const { id: check, title, failure, inputHeld } = shown;
  const { clause, part, statement, expected, seen, counterexample, exchanges, curl, replay } = failure;
  const { comparison, inputs } = failure;
  // values that differ in nothing that can be shown are told in words
  const isCompared = comparison !== undefined && comparison.differenceCount > 0;
  const earlier = exchanges.length > maxExchanges ? exchanges.slice(0, -openExchanges) : [];
  const item = (exchange: ReportedExchange) => exchangeItem(exchange, baseUrl);
  const id = anchor(shown);
  return html`<article class="failure" aria-labelledby="${id}">
    <h3 id="${id}">
      <span class="number">${number}.</span> <a href="#clause-${clause}">${clause}</a> ${statement}
    </h3>
    <p class="source">
      Part ${part}. Check:
      ${title}${
        check === undefined
          ? undefined
          : html` (<a href="#check-${check}"><code>${check}</code></a
              >)`
      }
    </p>
    ${
      failure.sameAs === undefined
        ? undefined
        : html`<p>
            The same answer as in
            <a href="#failure-${failure.sameAs}"><code>${failure.sameAs}</code></a
            >.
          </p>`
    }
    ${inputHeld === undefined ? undefined : html`<p>In this replay, ${inputHeldWords}.</p>`}
    ${isCompared ? comparisonView(comparison) : undefined}
    <dl class="verdicts">
      ${
        isCompared
          ? undefined
          : html`<div>
                <dt>Expected</dt>
                <dd>${text(expected)}</dd>
              </div>
              <div>
                <dt>Seen</dt>
                <dd>${text(seen)}</dd>
              </div>`
      }
      ${inputs === undefined ? undefined : inputList(inputs)}
      ${
        counterexample === undefined || inputs !== undefined
          ? undefined
          : html`<div>
              <dt>Smallest input found</dt>
              <dd>${body(counterexample, "input")}</dd>
            </div>`
      }
    </dl>
    <h4>Exchanges</h4>
    ${
      earlier.length === 0
        ? undefined
        : html`<details>
            <summary>${earlier.length} earlier exchanges</summary>
            <ol class="exchanges">
              ${earlier.map(item)}
            </ol>
          </details>`
    }
    <ol class="exchanges" start="${earlier.length + 1}">
      ${exchanges.slice(earlier.length).map(item)}
    </ol>
    ${
      replay === undefined
        ? undefined
        : html`<h4>The same again</h4>
            ${copyable(`${command} --replay ${replay}`, "Command that replays this failure")}`
    }
    <h4>The same with curl</h4>
    ${curlBlock(curl)}
  </article> `;
}

function inputList(inputs: NonNullable<ReportedFailure["inputs"]>): Html {
  return html`<div>
    <dt>Smallest input found</dt>
    <dd>
      <dl class="inputs">
        ${inputs.map(
          ({ name, value }) =>
            html`<div>
              <dt><code>${name}</code></dt>
              <dd>${body(value, name)}</dd>
            </div> `,
        )}
      </dl>
    </dd>
  </div>`;
}

function exchangeItem(exchange: ReportedExchange, baseUrl: string): Html {
  const path = exchange.url.startsWith(`${baseUrl}/`) ? exchange.url.slice(baseUrl.length) : exchange.url;
  const { caller, method, setUp, intent, durationMs, requestHeaders, requestBody } = exchange;
  const { status, answerHeaders, answerBody, lost } = exchange;
  const tags = [...(setUp ? ["set-up"] : []), ...(intent === "invalid" ? ["deliberate fault"] : [])];
  return html`<li>
    <p class="line">
      <b>${caller}</b>
      <code>${method} ${path}</code> ${tags.map((tag) => html`<span class="tag">${tag}</span> `)}
    </p>
    ${requestBody === undefined ? undefined : body(requestBody, "request body")}
    <p class="line">
      →
      ${
        status === undefined
          ? html`<b>${lost ?? "no answer"}</b>`
          : html`<b class="${status < 400 ? "accepted" : "refused"}">${status}</b>`
      } <span class="took">after ${durationMs} ms</span>
    </p>
    ${answerBody === undefined || answerBody === "" ? undefined : body(answerBody, "answer")}
    <details class="headers">
      <summary>Headers</summary>
      ${headers("Request", requestHeaders)}${
        answerHeaders === undefined ? undefined : headers("Answer", answerHeaders)
      }
    </details>
  </li> `;
}

function headers(whose: string, given: Readonly<Record<string, string>>): Html {
  const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}`);
  return html`<p>${whose}</p>
    ${codeBlock(lines.length === 0 ? "none" : lines.join("\n"), `${whose} headers`)}`;
}

/** Text as it came, JSON in lines; folded when it is long. */
function body(given: string, what: string): Html {
  const content = given.length > maxTextLength ? given : readable(given);
  if (content.length <= maxOpenLength) return text(content);
  return html`<details class="long">
    <summary>${what}, ${given.length} characters: <code>${given.slice(0, 80)}…</code></summary>
    ${codeBlock(
      content.length <= maxTextLength
        ? content
        : `${content.slice(0, maxTextLength)}…\n(cut here; report.json has all ${content.length} characters)`,
      what,
    )}
  </details>`;
}

/** JSON with a line for each value where it does not fit on one. */
function readable(content: string): string {
  if (content.length < maxLineLength || !/^[[{]/.test(content)) return content;
  return inLines(content);
}

function text(content: string): Html {
  // prettier-ignore
  return html`<pre class="text">${afterStart(content)}</pre>`;
}

/** A block that one click selects whole. */
function copyable(content: string, label: string): Html {
  return codeBlock(content, label, "block copyable");
}

function curlBlock(curl: string): Html {
  if (curl.length > maxTextLength)
    return html`<p>
      The script has ${curl.length} characters; it stands whole in <code>report.json</code>, as
      <code>curl</code> of this failure.
    </p>`;
  return html`<details>
    <summary>Script for bash, ${curl.trimEnd().split("\n").length} lines</summary>
    <p class="hint">A click selects the whole script.</p>
    ${copyable(curl, "Script for bash that sends the same requests")}
  </details>`;
}
