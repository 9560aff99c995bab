import type { ClauseState } from "../../run/verdict.js";
import type { Report } from "../../report/report.js";
import type { ReportedPart } from "../../report/tally.js";
import { badge, badges } from "./badge.js";
import { dataTable } from "./data-table.js";
import { html, type Html } from "./html.js";
import type { Section } from "./section.js";

/** Every clause by part of the specification, with its state and the checks that exercised it. */
export function clausesSection({ parts, checks }: Report): Section {
  const broken = new Map(
    checks.flatMap(({ id, failure }): [string, string][] =>
      failure === undefined ? [] : [[id, failure.clause]],
    ),
  );
  return {
    id: "clauses",
    title: "Clauses by part of the specification",
    body: html`${parts.map((part) => partDetails(part, broken))}`,
  };
}

/** @param broken the clause that each failed check found broken */
function partDetails(
  { part, title, counts, clauses }: ReportedPart,
  broken: ReadonlyMap<string, string>,
): Html {
  return html`<details class="part">
    <summary>
      <h3>${part} ${title}</h3>
      ${badges(counts)}${bar(counts)}
    </summary>
    ${dataTable({
      label: `Clauses of part ${part}`,
      kind: "clauses",
      columns: ["Clause", "State", "Statement", "Evidence"],
      rows: clauses.map(
        (clause) =>
          html`<tr id="clause-${clause.id}">
            <th scope="row">
              ${clause.id}${clause.part === part ? undefined : html`<span class="rule">${clause.part}</span>`}
            </th>
            <td>${badge(clause.state)}</td>
            <td>${clause.statement}</td>
            <td>${evidence(clause, broken)}</td>
          </tr>`,
      ),
    })}
  </details>`;
}

/** The checks that exercise a clause, and those that found it broken on their way. */
function evidence(
  { id, checks, reason }: ReportedPart["clauses"][number],
  broken: ReadonlyMap<string, string>,
): Html {
  if (reason !== undefined) return html`${reason}`;
  const others = [...broken.keys()].filter((check) => broken.get(check) === id && !checks.includes(check));
  const all = [...checks, ...others];
  if (all.length === 0) return html`no check`;
  return html`<ul class="links">
    ${all.map((check) => {
      const found = broken.get(check);
      if (found === undefined)
        return html`<li>
          <a href="#check-${check}"><code>${check}</code></a>
        </li>`;
      return html`<li>
        <a href="#failure-${check}"><code>${check}</code></a>
        (${found === id ? "failed" : `failed by ${found}`})
      </li>`;
    })}
  </ul>`;
}

const width = 240;

/** The counts as a bar; the words beside it say the same. */
function bar(counts: ReportedPart["counts"]): Html {
  const states = Object.keys(counts) as ClauseState[];
  const total = states.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
  let x = 0;
  return html`<svg class="bar" viewBox="0 0 ${width} 8" preserveAspectRatio="none" aria-hidden="true">
    ${states
      .sort((a, b) => order.indexOf(a) - order.indexOf(b))
      .map((state) => {
        const share = ((counts[state] ?? 0) / total) * width;
        const rect = html`<rect
          class="${state}"
          x="${x.toFixed(2)}"
          width="${share.toFixed(2)}"
          height="8"
        />`;
        x += share;
        return rect;
      })}
  </svg>`;
}

const order: readonly ClauseState[] = [
  "passed",
  "failed",
  "blocked",
  "not-run",
  "not-declared",
  "unobservable",
];
