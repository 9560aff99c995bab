import type { Level } from "../../run/result.js";
import type { Report } from "../../report/report.js";
import { byReason } from "../../report/words.js";
import { dataTable, reasonList } from "./data-table.js";
import { html, type Html } from "./html.js";
import type { Section } from "./section.js";

/** What says nothing about the deployment, with the reasons: not declared, blocked, not run, unobservable, left behind. */
export function openSection(report: Report): Section {
  const { counts, left, parts } = report;
  const unobservable = parts
    .flatMap(({ clauses }) => clauses)
    .filter(({ state }) => state === "unobservable");
  const open = counts["not-declared"] + counts.blocked + counts["not-run"];
  return {
    id: "open",
    title: "What stays open",
    note: open === 0 ? undefined : String(open),
    body: html` ${
        open > 0
          ? undefined
          : html`<p>Nothing: every selected check was run, and nothing that it needs was missing.</p>`
      }
      ${reasons(report, "not-declared", "Not declared", "The target does not offer what these checks need. That is not held against it.")}
      ${reasons(report, "blocked", "Blocked", "What these checks build on did not hold.")}
      ${reasons(report, "not-run", "Not run", "These checks could not be brought to an end.")}
      ${
        unobservable.length === 0
          ? undefined
          : html`<h3>Cannot be observed</h3>
              <p>Nobody can tell from outside whether these clauses hold.</p>
              ${reasonList(
                unobservable.map(({ id, statement, reason = "" }) => [
                  html`<a href="#clause-${id}">${id}</a> ${statement}`,
                  reason,
                ]),
              )}`
      }
      <h3>Left behind</h3>
      ${
        left.length === 0
          ? html`<p>Nothing: all that the run made was removed.</p>`
          : html`<p>These could not be removed. <code>certify --cleanup LEDGER</code> tries again.</p>
              ${dataTable({
                label: "Left behind",
                columns: ["Kind", "Name", "Reason"],
                rows: left.map(
                  ({ kind, name, reason }) =>
                    html`<tr>
                      <td>${kind}</td>
                      <th scope="row"><code>${name}</code></th>
                      <td>${reason}</td>
                    </tr> `,
                ),
              })}`
      }`,
  };
}

function reasons(report: Report, level: Level, title: string, explanation: string): Html | undefined {
  const found = byReason(report, level);
  if (found.size === 0) return undefined;
  return html`<h3>${title}</h3>
    <p>${explanation}</p>
    ${reasonList([...found].map(([reason, checks]) => [reason, checkList(checks)]))}`;
}

/** Checks as links; many of them are folded. */
function checkList(checks: readonly string[]): Html {
  const links = html`<ul class="links">
    ${checks.map(
      (id) =>
        html`<li>
          <a href="#check-${id}"><code>${id}</code></a>
        </li> `,
    )}
  </ul>`;
  return checks.length <= 6
    ? links
    : html`<details>
        <summary>${checks.length} checks</summary>
        ${links}
      </details>`;
}
