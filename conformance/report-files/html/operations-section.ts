import type { Report, ReportedOperation } from "../../report/report.js";
import { html, type Html } from "./html.js";
import { latencyAxis, latencyPlot, latencyScale } from "./latency-plot.js";
import type { Section } from "./section.js";

/** How often each operation was called, and how long its answers took. */
export function operationsSection({ operations }: Report): Section {
  const scale = latencyScale(operations);
  const uncalled = operations.filter(({ answers }) => answers === 0).length;
  return {
    id: "operations",
    title: "Operations and their latency",
    note: uncalled === 0 ? undefined : `${uncalled} not called`,
    body: html`<p>
        Valid requests are those that were meant to be accepted, and were; invalid ones carry one deliberate
        fault. The scale of the plot is logarithmic; the height of a bar is the share of the answers that took
        that long.
      </p>
      <ul class="legend">
        <li>
          <svg class="key" viewBox="0 0 12 16" aria-hidden="true">
            <line class="median" x1="6" x2="6" y1="0" y2="16" />
          </svg>
          median (p50)
        </li>
        <li>
          <svg class="key" viewBox="0 0 12 16" aria-hidden="true">
            <line class="p95" x1="6" x2="6" y1="0" y2="16" />
          </svg>
          p95
        </li>
        <li>
          <svg class="key" viewBox="0 0 12 16" aria-hidden="true">
            <path class="maximum" d="M6 4 L10 8 L6 12 L2 8 Z" />
          </svg>
          maximum
        </li>
      </ul>
      <div class="scroll" tabindex="0" role="region" aria-label="Requests and latency by operation">
        <table class="operations">
          <caption class="hidden">
            Requests and latency by operation
          </caption>
          <thead>
            <tr>
              <th scope="col">Operation</th>
              <th scope="col" class="count">Valid</th>
              <th scope="col" class="count">Invalid</th>
              <th scope="col">
                <span class="hidden">Distribution of the latency</span>${latencyAxis(scale)}
              </th>
              <th scope="col" class="count">p50</th>
              <th scope="col" class="count">p95</th>
              <th scope="col" class="count">Max</th>
            </tr>
          </thead>
          <tbody>
            ${operations.map((operation) => row(operation, latencyPlot(operation, scale)))}
          </tbody>
        </table>
      </div>`,
  };
}

function row({ operationId, valid, invalid, latencyMs }: ReportedOperation, plot: Html | undefined): Html {
  return html`<tr>
    <th scope="row"><code>${operationId}</code></th>
    <td class="count">${valid}</td>
    <td class="count">${invalid}</td>
    <td class="plot">${plot ?? "not called"}</td>
    ${[latencyMs?.median, latencyMs?.p95, latencyMs?.maximum].map(
      (milliseconds) =>
        html`<td class="count">${milliseconds === undefined ? "" : duration(milliseconds)}</td>`,
    )}
  </tr> `;
}

/** Three digits are enough. */
export function duration(milliseconds: number): string {
  if (milliseconds >= 1000) return `${Number((milliseconds / 1000).toPrecision(3))} s`;
  return `${Number(milliseconds.toPrecision(milliseconds < 1 ? 2 : 3))} ms`;
}
