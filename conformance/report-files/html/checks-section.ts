import type { Report, ReportedCheck } from "../../report/report.js";
import { badge, badges } from "./badge.js";
import { dataTable } from "./data-table.js";
import { html, type Html } from "./html.js";
import type { Section } from "./section.js";
import { duration } from "./operations-section.js";

/** Every check by area, with how it ended: what the evidence of the clauses leads to. */
export function checksSection({ areas, checks }: Report): Section {
  return {
    id: "checks",
    title: "Checks by area",
    body: html`${areas.map(({ area, counts }) => {
      return html`<details class="part">
        <summary>
          <h3>${area}</h3>
          ${badges(counts)}
        </summary>
        ${dataTable({ label: `Checks of ${area}`, kind: "checks", columns: ["Check", "Outcome", "Clauses", "#Requests", "#Took"], rows: checks.filter((check) => check.area === area).map(row) })}
      </details> `;
    })}`,
  };
}

function row({ id, title, level, reason, clauses, requests, durationMs, failure }: ReportedCheck): Html {
  return html`<tr id="check-${id}">
    <th scope="row">${title}<span class="rule">${id}</span></th>
    <td>
      ${badge(level)}${
        failure === undefined
          ? reason === undefined
            ? undefined
            : html`<span class="why">${reason}</span>`
          : html` <a href="#failure-${id}">see the failure</a>`
      }
    </td>
    <td>${clauses.map((clause) => html`<a href="#clause-${clause}">${clause}</a> `)}</td>
    <td class="count">${requests}</td>
    <td class="count">${duration(durationMs)}</td>
  </tr> `;
}
