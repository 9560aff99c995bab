import type { Report, ReportedCheck } from "../../report/report.js";
import { badge, badges } from "./badge.js";
import { html, type Html } from "./html.js";
import type { Section } from "./section.js";
import { duration } from "./operations-section.js";

/** Every check by area, with how it ended: what the evidence of the clauses leads to. */
export function checksSection({ areas, checks }: Report): Section {
  return {
    id: "checks",
    title: "Checks by area",
    body: html`${areas.map(({ area, counts }) => {
      const label = `Checks of ${area}`;
      return html`<details class="part">
        <summary>
          <h3>${area}</h3>
          ${badges(counts)}
        </summary>
        <div class="scroll" tabindex="0" role="region" aria-label="${label}">
          <table class="checks">
            <caption class="hidden">
              ${label}
            </caption>
            <thead>
              <tr>
                <th scope="col">Check</th>
                <th scope="col">Outcome</th>
                <th scope="col">Clauses</th>
                <th scope="col" class="count">Requests</th>
                <th scope="col" class="count">Took</th>
              </tr>
            </thead>
            <tbody>
              ${checks.filter((check) => check.area === area).map(row)}
            </tbody>
          </table>
        </div>
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
