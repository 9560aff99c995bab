import type { ReportedObservation, ShownExchange } from "../../observe/report-observation.js";
import { dataTable, reasonList } from "./data-table.js";
import { html, type Html } from "./html.js";
import type { Section } from "./section.js";

/** What the deployment answers where the specification is silent; no section where nobody asked. */
export function observedSection(
  observations: readonly ReportedObservation[] | undefined,
): Section | undefined {
  if (observations === undefined) return undefined;
  const of = (kind: ReportedObservation["kind"]) => observations.filter((seen) => seen.kind === kind);
  const others = of("other");
  return {
    id: "observed",
    title: "What this deployment answers where the specification is silent",
    note: others.length === 0 ? undefined : `${others.length} on no list`,
    body: html`<p>None of these answers is right or wrong: the specification leaves the question open.</p>
      ${others.length === 0 ? undefined : html`<h3>On no list of answers</h3>`} ${others.map(otherAnswer)}
      <h3>Answers</h3>
      ${answersTable(of("answer"))} ${reasons("Undecided", of("undecided"))}
      ${reasons("Not declared: the target does not offer what it takes", of("not declared"))}`,
  };
}

function answersTable(answers: readonly ReportedObservation[]): Html {
  if (answers.length === 0) return html`<p>None was found.</p>`;
  return dataTable({
    label: "Answers",
    columns: ["Gap", "Part", "Question", "Answer"],
    rows: answers.map(({ gap, part, question, answer, isDefault }) => {
      const code = html`<code>${JSON.stringify(answer)}</code>`;
      return html`<tr>
        <th scope="row"><code>${gap}</code></th>
        <td>${part}</td>
        <td>${question}</td>
        <td>${isDefault === true ? code : html`<strong>${code}</strong> (not the default)`}</td>
      </tr> `;
    }),
  });
}

function otherAnswer({ gap, question, seen = "", expected = "", exchanges }: ReportedObservation): Html {
  return html`<h4><code>${gap}</code></h4>
    <p>${question}</p>
    ${reasonList([
      ["Seen", seen],
      ["Expected", expected],
    ])}
    <details>
      <summary>${exchanges.length} exchanges</summary>
      <ol>
        ${exchanges.map(
          (exchange) =>
            html`<li><code>${requestLine(exchange)}</code><br /><code>${answerLine(exchange)}</code></li> `,
        )}
      </ol>
    </details>`;
}

function requestLine({ caller, method, url, requestBody = "" }: ShownExchange): string {
  return `${caller}: ${method} ${url} ${requestBody}`.trimEnd();
}

function answerLine({ status, answerBody = "" }: ShownExchange): string {
  return `${status ?? "no answer"} ${answerBody}`.trimEnd();
}

function reasons(title: string, observations: readonly ReportedObservation[]): Html | undefined {
  if (observations.length === 0) return undefined;
  return html`<h3>${title}</h3>
    ${reasonList(observations.map(({ gap, reason = "" }) => [html`<code>${gap}</code>`, reason]))}`;
}
