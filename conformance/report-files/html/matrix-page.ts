import { type Matrix, type MatrixRow, partFigure } from "../../report/matrix.js";
import { badge } from "./badge.js";
import { html, type Html } from "./html.js";
import { pageHead, scriptElement } from "./page-head.js";

/** Certified deployments beside each other, as one page that needs nothing else. */
export function matrixPage(matrix: Matrix): string {
  const { columns, rows } = matrix;
  return html`<!doctype html>
    <html lang="en">
      ${pageHead("Deployments by clause")}
      <body>
        <header>
          <h1>Deployments by clause</h1>
          <p class="because">Clauses that hold, of all clauses of a part. Open a part for its clauses.</p>
        </header>
        <main id="main">
          <div class="scroll" tabindex="0" role="region" aria-label="Deployments">
            <table>
              <thead>
                <tr>
                  <th scope="col">Deployment</th>
                  <th scope="col">Verdict</th>
                  <th scope="col">Suite</th>
                  <th scope="col">Date</th>
                </tr>
              </thead>
              <tbody>
                ${columns.map(
                  ({ title, verdict, suite, date }) =>
                    html`<tr>
                      <th scope="row">${title}</th>
                      <td>${verdict}</td>
                      <td>${suite}</td>
                      <td>${date}</td>
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>
          ${rows.map((row) => partDetails(row, matrix))}
        </main>
        ${scriptElement}
      </body>
    </html> `.text;
}

function partDetails(row: MatrixRow, { columns }: Matrix): Html {
  const figures = columns.map(({ title }, column) => `${title} ${partFigure(row, column)}`).join("; ");
  return html`<details class="part">
    <summary>
      <h3>${row.part} ${row.title}</h3>
      ${figures}
    </summary>
    <div class="scroll" tabindex="0" role="region" aria-label="Clauses of part ${row.part}">
      <table class="clauses">
        <thead>
          <tr>
            <th scope="col">Clause</th>
            ${columns.map(({ title }) => html`<th scope="col">${title}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${row.clauses.map(
            ({ id, statement, states }) =>
              html`<tr>
                <th scope="row"><code>${id}</code> ${statement}</th>
                ${states.map((state) => html`<td>${state === undefined ? "not known" : badge(state)}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}
