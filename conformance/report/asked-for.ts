import type { Report } from "./report.js";
import { countAreas, countLevels, countStates, reportParts } from "./tally.js";

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
  // a clause is what the checks that were asked for say of it
  const judged = checks.map(({ id, clauses, level, failure }) => ({
    check: { id, clauses },
    level,
    ...(failure === undefined ? {} : { failure }),
  }));
  const parts = reportParts(judged).map((part) => {
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
