import type { ClauseId } from "../../openapi/clauses/register.js";
import type { CheckResult, CheckOutcome } from "./result.js";

export type Verdict = "conformant" | "not conformant" | "partial" | "inconclusive";

/**
 * Determines the verdict of a run: "not conformant" if a check failed; "inconclusive" if a check was blocked or not run;
 * "partial" if all checks passed but others were not selected. Checks whose requirements the deployment does not declare
 * do not count.
 */
export function getVerdict(
  results: readonly Pick<CheckResult, "level">[],
  errors: readonly string[],
  notSelected: number,
): Verdict {
  const levels = new Set(results.map(({ level }) => level));
  if (levels.has("failed")) return "not conformant";
  const isIncomplete = errors.length > 0 || levels.has("blocked") || levels.has("not-run");
  // A run in which no check passed proves nothing.
  if (isIncomplete || !levels.has("passed")) return "inconclusive";
  return notSelected > 0 ? "partial" : "conformant";
}

/** Exit codes of `certify`; with `--require-complete`, a partial run has the exit code of an inconclusive one. */
export const exitCodes: Readonly<Record<Verdict, number>> = {
  conformant: 0,
  partial: 0,
  "not conformant": 1,
  inconclusive: 2,
};

/** Outcomes, worst first: one failed check fails a clause; a clause passes only if no check is open. */
export const outcomesBySeverity: readonly CheckOutcome[] = [
  "failed",
  "blocked",
  "not-run",
  "passed",
  "not-declared",
];

/** The parts of a check's result that determine the states of its clauses. */
interface ClauseEvidence {
  readonly clauses: readonly ClauseId[];
  readonly level: CheckOutcome;
  readonly failure?: { readonly clause: ClauseId };
}

/** Returns the state of every clause that a check exercises or found broken. */
export function getClauseStates(results: readonly ClauseEvidence[]): ReadonlyMap<ClauseId, CheckOutcome> {
  const levels = new Map<ClauseId, Set<CheckOutcome>>();
  const add = (clause: ClauseId, level: CheckOutcome) =>
    levels.set(clause, (levels.get(clause) ?? new Set()).add(level));
  for (const { clauses, level, failure } of results)
    // A failed check does not test its other clauses.
    if (level === "failed") {
      for (const clause of clauses) add(clause, clause === failure?.clause ? "failed" : "blocked");
      if (failure !== undefined) add(failure.clause, "failed");
    } else for (const clause of clauses) add(clause, level);
  return new Map(
    [...levels].map(([clause, ofClause]): [ClauseId, CheckOutcome] => [
      clause,
      outcomesBySeverity.find((level) => ofClause.has(level)) ?? "not-run",
    ]),
  );
}
