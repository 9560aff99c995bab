import type { CheckOutcome } from "../run/result.js";
import type { Report, ReportedCheck, ReportedFailure } from "./report.js";
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

/** A check that failed. */
export interface FailedCheck extends ReportedCheck {
  readonly failure: ReportedFailure;
}

/** Lists the checks that failed, in order. */
export function listFailures({ checks }: Report): readonly FailedCheck[] {
  return checks.filter((check): check is FailedCheck => check.failure !== undefined);
}

/** Formats a duration for people. */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 100) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Explains the verdict. */
export function explainVerdict(report: Report): string {
  const { verdict, errors, counts, checks, run } = report;
  const { notSelected } = run;
  const broken = new Set(listFailures(report).map(({ failure }) => failure.clause));
  const undeclared = counts["not-declared"];
  const declared =
    undeclared > 0 ? `; ${undeclared} more ${undeclared === 1 ? "is" : "are"} not declared` : "";
  const part = run.shard === undefined ? "" : ` in shard ${run.shard.index}/${run.shard.count}`;
  if (verdict === "conformant") {
    const all =
      counts.passed === 1
        ? `the only check${part} passed${declared}`
        : `all ${counts.passed} checks${part} passed${declared}`;
    return part === "" ? all : `${all}; merge the reports from all shards for a verdict`;
  }
  if (verdict === "partial")
    return `the selected checks passed (${counts.passed}${declared}); ${notSelected} ${notSelected === 1 ? "check was" : "checks were"} not selected, so this run cannot show that the deployment conforms`;
  const failed = checks.length === 1 ? "1 check" : `${counts.failed} of ${checks.length} checks`;
  if (verdict === "not conformant")
    return `${failed}${part} failed; broken clauses: ${[...broken].join(", ")}`;
  if (errors.length > 0) return errors.join("; ");
  const open = counts["not-run"] + counts.blocked;
  return `no check failed and ${formatCount(counts.passed, "check")}${part} passed, but ${formatCount(open, "check")} could not be run`;
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
