import type { Report } from "../../report/report.js";
import { dataTable } from "./data-table.js";
import { html, type Html } from "./html.js";
import type { Section } from "./section.js";

type Cell = Report["accessMatrix"][number];

/** Whether a caller was let in where the specification shuts it out, or the other way round. */
function isWrong({ expected, status }: Cell): boolean {
  const isRefused = status >= 400 && status < 500;
  return expected === "allowed" ? status >= 400 : expected === "refused" && !isRefused;
}

const signs = { allowed: "✓", refused: "⊘", open: "○" } as const;
const expectations = {
  allowed: "may, and did",
  refused: "may not, and was refused",
  open: "the specification leaves it open",
} as const;
const surprises = {
  allowed: "may, and was refused",
  refused: "may not, and was not refused",
  open: "",
} as const;

/** Operations by callers: what each may do, and what was seen. */
export function accessSection({ accessMatrix, operations }: Report): Section | undefined {
  if (accessMatrix.length === 0) return undefined;
  const callers = [...new Set(accessMatrix.map(({ caller }) => caller))];
  const cells = new Map<string, Cell[]>();
  for (const cell of accessMatrix) {
    const key = JSON.stringify([cell.operationId, cell.caller]);
    cells.set(key, [...(cells.get(key) ?? []), cell]);
  }
  const tried = operations.filter(({ operationId }) =>
    accessMatrix.some((cell) => cell.operationId === operationId),
  );
  const wrong = accessMatrix.filter(isWrong).length;
  return {
    id: "access",
    title: "Who may do what",
    note: wrong === 0 ? undefined : `${wrong} wrong`,
    body: html`<p>
        ${accessMatrix.length} pairs of an operation and a caller were tried;
        ${wrong === 0 ? "none came out wrong" : html`<b>${wrong} came out wrong</b>`}. Each cell shows the
        status that came.
      </p>
      <ul class="legend">
        <li class="cell allowed"><span aria-hidden="true">${signs.allowed}</span> ${expectations.allowed}</li>
        <li class="cell refused"><span aria-hidden="true">${signs.refused}</span> ${expectations.refused}</li>
        <li class="cell open"><span aria-hidden="true">${signs.open}</span> ${expectations.open}</li>
        <li class="cell wrong"><span aria-hidden="true">✗</span> not as it should be</li>
        <li class="cell">blank: not tried</li>
      </ul>
      ${dataTable({
        label: "Operations by callers: the status that came, and whether it should have",
        kind: "access",
        columns: ["Operation", ...callers.map((caller) => html`<span>${caller}</span>`)],
        rows: tried.map(
          ({ operationId }) =>
            html`<tr>
              <th scope="row"><code>${operationId}</code></th>
              ${callers.map((caller) => cellOf(cells.get(JSON.stringify([operationId, caller])) ?? []))}
            </tr> `,
        ),
      })}`,
  };
}

/** One pair; what came out wrong counts most when it was tried more than once. */
function cellOf(tries: readonly Cell[]): Html {
  const cell = tries.find(isWrong) ?? tries[0];
  if (cell === undefined) return html`<td></td>`;
  const { expected, status } = cell;
  const wrong = isWrong(cell);
  const meaning = wrong ? surprises[expected] : expectations[expected];
  return html`<td class="cell ${wrong ? "wrong" : expected}">
    <span aria-hidden="true">${wrong ? "✗" : signs[expected]}</span> ${status}<span class="hidden">
      ${meaning}</span
    >
  </td>`;
}
