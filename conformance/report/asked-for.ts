import type { Report } from "./report.js";
import { countAreas, countLevels, countStates } from "./tally.js";

/** The report without the checks that nobody asked for, and without the clauses that only they are about. */
export function askedFor(report: Report): Report {
  const checks = report.checks.filter(({ leftOut }) => leftOut !== true);
  if (checks.length === report.checks.length) return report;
  const isAsked = new Set([
    ...checks.flatMap(({ clauses, failure }) => [
      ...clauses,
      ...(failure === undefined ? [] : [failure.clause]),
    ]),
    ...(report.preparation === undefined ? [] : [report.preparation.clause]),
  ]);
  const parts = report.parts.map((part) => {
    const clauses = part.clauses.filter(({ id }) => isAsked.has(id));
    return { ...part, clauses, counts: countStates(clauses) };
  });
  return {
    ...report,
    checks,
    counts: countLevels(checks),
    areas: countAreas(checks),
    parts: parts.filter(({ clauses }) => clauses.length > 0),
  };
}
