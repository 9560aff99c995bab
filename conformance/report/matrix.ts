import { toOneLine } from "../client/to-one-line.js";
import type { CheckOutcome } from "../run/result.js";
import type { Report } from "./report.js";

/** Certified deployments side by side, with a row for each part of the specification. */
export type Matrix = ReturnType<typeof buildMatrix>;

type MatrixRow = Matrix["rows"][number];

/** Builds a matrix from reports. The state of a clause is undefined if a report, e.g. of another version, lacks the clause. */
export function buildMatrix(reports: readonly Report[]) {
  const columns = reports.map(({ target, verdict, suite, run }) => ({
    title: toOneLine(target.title),
    verdict,
    suite: suite.version,
    date: run.startedAt.slice(0, 10),
  }));
  const states = reports.map(
    ({ parts }) =>
      new Map<string, CheckOutcome>(
        parts.flatMap(({ clauses }) => clauses.map(({ id, state }) => [id, state])),
      ),
  );
  const rows = new Map<string, { part: string; title: string; clauses: Map<string, string> }>();
  for (const { parts } of reports)
    for (const { part, title, clauses } of parts) {
      const row = rows.get(part) ?? { part, title, clauses: new Map<string, string>() };
      rows.set(part, row);
      for (const { id, statement } of clauses) row.clauses.set(id, statement);
    }
  return {
    columns,
    rows: [...rows.values()].map(({ part, title, clauses }) => ({
      part,
      title,
      clauses: [...clauses].map(([id, statement]) => ({
        id,
        statement,
        states: states.map((known) => known.get(id)),
      })),
    })),
  };
}

/** Formats how many clauses of a part passed on a deployment (`12/14`) and how many failed. */
export function formatPassCount({ clauses }: MatrixRow, column: number): string {
  const states = clauses.map((clause) => clause.states[column]);
  const failed = states.filter((state) => state === "failed").length;
  const passed = states.filter((state) => state === "passed").length;
  return `${passed}/${clauses.length}${failed === 0 ? "" : `, ${failed} failed`}`;
}

function listHeadRows({ columns }: Matrix): readonly (readonly string[])[] {
  return [
    ["", ...columns.map(({ title }) => title)],
    ["verdict", ...columns.map(({ verdict }) => verdict)],
    ["suite", ...columns.map(({ suite }) => suite)],
    ["date", ...columns.map(({ date }) => date)],
  ];
}

function listBodyRows({ columns, rows }: Matrix): readonly (readonly string[])[] {
  return rows.flatMap((row) => [
    [`${row.part} ${row.title}`, ...columns.map((_, column) => formatPassCount(row, column))],
    // Clauses whose state differs between deployments, and clauses that failed.
    ...row.clauses
      .filter(({ states }) => new Set(states).size > 1 || states.includes("failed"))
      .map(({ id, states }) => [`  ${id}`, ...states.map((state) => state ?? "-")]),
  ]);
}

/** Formats the matrix for a terminal: the counts of each part, and the clauses that differ. */
export function formatMatrix(matrix: Matrix): string {
  const rows = [...listHeadRows(matrix), ...listBodyRows(matrix)];
  const widths = rows.reduce<readonly number[]>(
    (most, row) => row.map((cell, index) => Math.max(most[index] ?? 0, cell.length)),
    [],
  );
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, index) => cell.padEnd(widths[index] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

/** Formats the matrix as a Markdown table. */
export function formatMatrixMarkdown(matrix: Matrix): string {
  const [head = [], ...rows] = [...listHeadRows(matrix), ...listBodyRows(matrix)];
  const formatRow = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.trim().replaceAll("|", "\\|")).join(" | ")} |\n`;
  return formatRow(head) + formatRow(head.map(() => "---")) + rows.map(formatRow).join("");
}
