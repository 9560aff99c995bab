import type { ClauseState } from "../../run/verdict.js";
import type { Report, ReportedPart } from "../report.js";
import { badge, badges } from "./badge.js";
import type { Section } from "./html-report.js";
import { html, type Html } from "./html.js";

/** Every clause by part of the specification, with its state and the checks that exercised it. */
export function clausesSection({ parts, checks }: Report): Section {
  const failed = new Set(checks.filter(({ failure }) => failure !== undefined).map(({ id }) => id));
  return {
    id: "clauses",
    title: "Clauses by part of the specification",
    body: html`${parts.map((part) => partDetails(part, failed))}`,
  };
}

function partDetails({ part, title, counts, clauses }: ReportedPart, failed: ReadonlySet<string>): Html {
  const label = `Clauses of part ${part}`;
  return html`<details class="part" ${counts.failed === undefined ? undefined : html` open`}>
    <summary>
      <h3>${part} ${title}</h3>
      ${badges(counts)}${bar(counts)}
    </summary>
    <div class="scroll" tabindex="0" role="region" aria-label="${label}">
      <table class="clauses">
        <caption class="hidden">
          ${label}
        </caption>
        <thead>
          <tr>
            <th scope="col">Clause</th>
            <th scope="col">Statement</th>
            <th scope="col">State</th>
            <th scope="col">Evidence</th>
          </tr>
        </thead>
        <tbody>
          ${clauses.map(
            ({ id, part: rule, statement, state, checks, reason }) =>
              html`<tr id="clause-${id}">
                <th scope="row">${id}<span class="rule">${rule}</span></th>
                <td>${statement}</td>
                <td>${badge(state)}</td>
                <td>
                  ${
                    reason ??
                    (checks.length === 0
                      ? "no check"
                      : html`<ul class="links">
                          ${checks.map((check) => evidence(check, failed))}
                        </ul>`)
                  }
                </td>
              </tr> `,
          )}
        </tbody>
      </table>
    </div>
  </details> `;
}

function evidence(check: string, failed: ReadonlySet<string>): Html {
  return failed.has(check)
    ? html`<li>
        <a href="#failure-${check}"><code>${check}</code></a> (failed)
      </li> `
    : html`<li>
        <a href="#check-${check}"><code>${check}</code></a>
      </li> `;
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
