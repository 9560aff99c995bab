/** One thing that the specification says or leaves open, in our words, and what the contract makes of it. */
export interface TraceStatement {
  /** Part of the specification, with the rule's number where it has one: `"4.2 rule 7"`. */
  readonly part: string;
  readonly text: string;
  readonly clauses: readonly string[];
  readonly gaps: readonly string[];
  /** Left open, and no gap: any answer passes the checks, and the emulator has one. */
  readonly isOpen: boolean;
  /** Why nobody can observe it from outside, why it asks nothing of a deployment, or why it is no gap; empty without one. */
  readonly reason: string;
}

/** Reads the statements of `openapi/TRACE.md`: the rows of its tables, below the headings of the parts. */
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

/** The gaps that statements leave beside a clause, for each clause that has some, in the order of the statements. */
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
