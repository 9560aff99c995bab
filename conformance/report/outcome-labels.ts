import type { CheckOutcome } from "../run/result.js";
import { countClausesByState, countResults } from "./count-results.js";
import type { Report, ReportedFailure } from "./report.js";
import { formatCount } from "../../openapi/text/format-count.js";

/** Words for the outcomes of checks and the states of clauses. */
export const outcomeLabels: Readonly<Record<CheckOutcome, string>> = {
  passed: "passed",
  failed: "failed",
  blocked: "blocked",
  "not-run": "not run",
  "not-declared": "not declared",
};

/** Note about a replayed failure that did not recur with its input alone. */
export const replayInputPassedNote =
  "the check passes with only the input in the token; it failed when the whole check ran with the token's seed";

/** A failure and the check that found it. */
export interface NamedFailure {
  /** Undefined for a failure before the first check. */
  readonly id?: string;
  readonly title: string;
  readonly failure: ReportedFailure;
  readonly inputPassed?: true | undefined;
}

/** Lists the failures, in order. */
export function listFailures({ preparation, checks }: Report): readonly NamedFailure[] {
  return [
    ...(preparation === undefined ? [] : [{ title: beforeFirst, failure: preparation }]),
    ...checks.flatMap(({ id, title, failure, inputPassed }) =>
      failure === undefined ? [] : [{ id, title, failure, inputPassed }],
    ),
  ];
}

const beforeFirst = "before the first check";

/** Returns the name of a failure in a list. */
export function getFailureName({ id = beforeFirst }: NamedFailure): string {
  return id;
}

/** Formats a duration for people. */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return seconds < 100
    ? `${seconds.toFixed(1)} s`
    : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** Explains the verdict. */
export function explainVerdict(report: Report): string {
  const { verdict, preparation, errors } = report;
  const { counts, checks } = omitUnselectedChecks(report);
  const broken = new Set(listFailures({ ...report, checks }).map(({ failure }) => failure.clause));
  const notSelected = report.checks.length - checks.length;
  const undeclared = counts["not-declared"];
  const declared =
    undeclared > 0 ? `; ${undeclared} more ${undeclared === 1 ? "is" : "are"} not declared` : "";
  if (verdict === "conformant")
    return `${counts.passed === 1 ? "the only check" : `all ${counts.passed} checks`} passed${declared}`;
  if (verdict === "partial")
    return `the selected checks passed (${counts.passed}${declared}); ${notSelected} ${notSelected === 1 ? "check was" : "checks were"} not selected, so this run cannot show that the deployment conforms`;
  if (preparation !== undefined && counts.failed === 0)
    return `${preparation.clause} was broken before the first check, so no check could run`;
  const failed = checks.length === 1 ? "1 check" : `${counts.failed} of ${checks.length} checks`;
  if (verdict === "not conformant") return `${failed} failed; broken clauses: ${[...broken].join(", ")}`;
  if (errors.length > 0) return errors.join("; ");
  const open = counts["not-run"] + counts.blocked;
  return `no check failed and ${formatCount(counts.passed, "check")} passed, but ${formatCount(open, "check")} could not be run`;
}

/** Formats counts by level, without zeros: `3 passed, 1 failed`. */
export function formatCounts(counts: Readonly<Partial<Record<CheckOutcome, number>>>): string {
  return (Object.keys(outcomeLabels) as CheckOutcome[])
    .flatMap((level) => {
      const count = counts[level] ?? 0;
      return count === 0 ? [] : [`${count} ${outcomeLabels[level]}`];
    })
    .join(", ");
}

/** Groups the checks of a level by reason, in order. */
export function groupByReason(report: Report, level: CheckOutcome): ReadonlyMap<string, readonly string[]> {
  const reasons = new Map<string, string[]>();
  for (const check of report.checks)
    if (check.level === level)
      reasons.set(check.reason ?? "", [...(reasons.get(check.reason ?? "") ?? []), check.id]);
  return reasons;
}

/** Returns the report without the checks that were not selected and without clauses that only these checks exercise. */
export function omitUnselectedChecks(report: Report): Report {
  const checks = report.checks.filter(({ notSelected }) => notSelected !== true);
  if (checks.length === report.checks.length) return report;
  const selectedClauses = new Set([
    ...checks.flatMap(({ clauses, failure }) => [
      ...clauses,
      ...(failure === undefined ? [] : [failure.clause]),
    ]),
    ...(report.preparation === undefined ? [] : [report.preparation.clause]),
  ]);
  const parts = countResults(checks).parts.map((part) => {
    const clauses = part.clauses.filter(({ id }) => selectedClauses.has(id));
    return { ...part, clauses, counts: countClausesByState(clauses) };
  });
  return { ...report, checks, parts: parts.filter(({ clauses }) => clauses.length > 0) };
}
