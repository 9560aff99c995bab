import { toOneLine } from "../client/to-one-line.js";
import type { CheckOutcome } from "../run/result.js";
import type { Report } from "./report.js";

/** One certified deployment: a column of the matrix. */
export interface MatrixColumn {
  readonly title: string;
  readonly verdict: Report["verdict"];
  readonly suite: string;
  readonly date: string;
}

/** The clauses of a part, or one clause, with a state for each deployment; undefined if a report lacks the clause. */
export interface MatrixRow {
  readonly part: string;
  readonly title: string;
  readonly clauses: readonly {
    readonly id: string;
    readonly statement: string;
    readonly states: readonly (CheckOutcome | undefined)[];
  }[];
}

/** Certified deployments side by side, clause by clause. */
export interface Matrix {
  readonly columns: readonly MatrixColumn[];
  readonly rows: readonly MatrixRow[];
}

/** Builds a matrix from reports. The state of a clause that is missing from a report, e.g. from another version, is left open. */
export function buildMatrix(reports: readonly Report[]): Matrix {
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

/** Returns the clauses whose state differs between deployments, and the clauses that fail on all deployments. */
export function selectNotableClauses({ clauses }: MatrixRow): MatrixRow["clauses"] {
  return clauses.filter(({ states }) => new Set(states).size > 1 || states.includes("failed"));
}

/** Formats how many clauses of a part passed on a deployment (`12/14`) and how many failed. */
export function formatPassCount({ clauses }: MatrixRow, column: number): string {
  const states = clauses.map((clause) => clause.states[column]);
  const failed = states.filter((state) => state === "failed").length;
  const passed = states.filter((state) => state === "passed").length;
  return `${passed}/${clauses.length}${failed === 0 ? "" : `, ${failed} failed`}`;
}

function headRows({ columns }: Matrix): readonly (readonly string[])[] {
  return [
    ["", ...columns.map(({ title }) => title)],
    ["verdict", ...columns.map(({ verdict }) => verdict)],
    ["suite", ...columns.map(({ suite }) => suite)],
    ["date", ...columns.map(({ date }) => date)],
  ];
}

function bodyRows({ columns, rows }: Matrix): readonly (readonly string[])[] {
  return rows.flatMap((row) => [
    [`${row.part} ${row.title}`, ...columns.map((_, column) => formatPassCount(row, column))],
    ...selectNotableClauses(row).map(({ id, states }) => [`  ${id}`, ...states.map((state) => state ?? "-")]),
  ]);
}

/** Formats the matrix for a terminal: the counts of each part, and the clauses that differ. */
export function formatMatrix(matrix: Matrix): string {
  const rows = [...headRows(matrix), ...bodyRows(matrix)];
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
  const [head = [], ...rows] = [...headRows(matrix), ...bodyRows(matrix)];
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.trim().replaceAll("|", "\\|")).join(" | ")} |\n`;
  return line(head) + line(head.map(() => "---")) + rows.map(line).join("");
}
