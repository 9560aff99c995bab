/** A statement about what the specification says or leaves open, and the clauses and gaps that cover it. */
export interface TraceStatement {
  /** Part of the specification, with the number of the rule if there is one: `"4.2 rule 7"`. */
  readonly part: string;
  readonly text: string;
  readonly clauses: readonly string[];
  readonly gaps: readonly string[];
  /** Whether the statement is open but not a gap: any answer passes the checks, and the emulator always gives the same. */
  readonly isOpen: boolean;
  /** Why the statement is not observable, not a requirement for deployments, or not a gap; empty if there is no reason. */
  readonly reason: string;
}

/** Parses the statements in `openapi/TRACE.md`: the rows of the tables under the heading of each part. */
export function parseTrace(markdown: string): readonly TraceStatement[] {
  const statements: TraceStatement[] = [];
  let part = "";
  let columns: readonly string[] = [];
  for (const line of markdown.split("\n")) {
    const heading = /^## (\S+)/.exec(line);
    if (heading !== null) [part, columns] = [heading[1] ?? "", []];
    if (part === "" || !line.startsWith("|") || /^\|[ |:-]+\|$/.test(line)) continue;
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
    if (columns.length === 0) columns = cells;
    else statements.push(readStatement(part, (column) => cells[columns.indexOf(column)] ?? ""));
  }
  return statements;
}

function readStatement(part: string, cell: (column: string) => string): TraceStatement {
  const rule = cell("Rule");
  const gaps = cell("Gaps");
  return {
    part: rule === "" ? part : `${part} rule ${rule}`,
    text: cell("Statement"),
    clauses: cell("Clauses").match(/[A-Z]+-\d+/g) ?? [],
    gaps: gaps.match(/(?<=`)[a-z0-9-]+(?=`)/g) ?? [],
    isOpen: gaps === "_open: any answer passes_",
    reason: cell("Reason"),
  };
}

/** Groups the gaps by the clauses that are listed for the same statements. Clauses without gaps are omitted. */
export function groupGapsByClause(
  statements: readonly TraceStatement[],
): Readonly<Record<string, readonly string[]>> {
  const clauses = [...new Set(statements.flatMap((statement) => statement.clauses))].sort();
  const beside = clauses.map((clause) => {
    const naming = statements.filter((statement) => statement.clauses.includes(clause));
    return [clause, [...new Set(naming.flatMap(({ gaps }) => gaps))]] as const;
  });
  return Object.fromEntries(beside.filter(([, gaps]) => gaps.length > 0));
}
