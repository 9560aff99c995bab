import { expect, it } from "vitest";
import { renderMatrixPage } from "../report-files/html/matrix-page.js";
import { buildMatrix, formatMatrixMarkdown, formatMatrix } from "./matrix.js";
import type { Report } from "./report.js";

type State = Report["parts"][number]["clauses"][number]["state"];

function report(title: string, version: string, states: Readonly<Record<string, State>>): Report {
  const clauses = Object.entries(states).map(([id, state]) => ({ id, state, statement: `What ${id} says.` }));
  return {
    target: { title },
    verdict: Object.values(states).includes("failed") ? "not conformant" : "conformant",
    suite: { version },
    run: { startedAt: "2026-11-20T08:00:00.000Z" },
    parts: [{ part: "4.2", title: "Items", counts: {}, clauses }],
  } as unknown as Report;
}

const matrix = buildMatrix([
  report("staging|eu", "0.1.0", { "ITEM-01": "passed", "ITEM-02": "passed", "ITEM-03": "failed" }),
  report("<production>", "0.2.0", { "ITEM-01": "passed", "ITEM-02": "not-declared", "ITEM-04": "passed" }),
]);

it("has a line for each part, and for each clause that is broken or differs", () => {
  expect(formatMatrix(matrix).split("\n")).toEqual([
    "           staging|eu      <production>",
    "verdict    not conformant  conformant",
    "suite      0.1.0           0.2.0",
    "date       2026-11-20      2026-11-20",
    "4.2 Items  2/4, 1 failed   2/4",
    "  ITEM-02  passed          not-declared",
    "  ITEM-03  failed          -",
    "  ITEM-04  -               passed",
    "",
  ]);
});

it("is available as a Markdown table", () => {
  const lines = formatMatrixMarkdown(matrix).trimEnd().split("\n");
  expect(lines.slice(0, 2)).toEqual(["|  | staging\\|eu | <production> |", "| --- | --- | --- |"]);
  expect(lines).toHaveLength(9);
});

it("shows every clause on the page, with names escaped", () => {
  const page = renderMatrixPage(matrix);
  for (const id of ["ITEM-01", "ITEM-02", "ITEM-03", "ITEM-04"]) expect(page).toContain(id);
  expect(page).toContain("&lt;production");
  expect(page).not.toContain("<production>");
});
