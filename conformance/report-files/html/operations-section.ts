import type { Report, ReportedOperation } from "../../report/report.js";
import { dataTable } from "./data-table.js";
import { html, type Html } from "./html.js";
import type { Section } from "./section.js";

/** How often each operation was called, and how long its answers took. */
export function operationsSection({ operations }: Report): Section {
  const uncalled = operations.filter(({ answers }) => answers === 0).length;
  return {
    id: "operations",
    title: "Operations and their latency",
    note: uncalled === 0 ? undefined : `${uncalled} not called`,
    body: html`<p>
        Valid requests are those that were meant to be accepted, and were; invalid ones carry one deliberate
        fault. report.json has the distribution of the latency.
      </p>
      ${dataTable({
        label: "Requests and latency by operation",
        kind: "operations",
        columns: ["Operation", "#Valid", "#Invalid", "#p50", "#p95", "#p99", "#Max"],
        rows: operations.map(row),
      })}`,
  };
}

function row({ operationId, valid, invalid, latencyMs }: ReportedOperation): Html {
  const { median, p95, p99, maximum } = latencyMs ?? {};
  return html`<tr>
    <th scope="row"><code>${operationId}</code></th>
    <td class="count">${valid}</td>
    <td class="count">${invalid}</td>
    ${[median, p95, p99, maximum].map(
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
