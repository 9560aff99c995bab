import { type ClauseId, clauseIds } from "../../openapi/clauses/register.js";
import { unobservableClauses } from "../checks/unobservable.js";
import type { CheckResult, CheckOutcome } from "./result.js";

export type Verdict = "conformant" | "not conformant" | "partial" | "inconclusive";

/** What the checks say about a clause; `unobservable` ones no one can see from outside. */
export type ClauseState = CheckOutcome | "unobservable";

/**
 * The verdict over a run: anything failed is not conformant; anything selected that was blocked or not run leaves it
 * open; what a deployment does not declare is not held against it. "partial" says that the selected checks passed and
 * others were not selected.
 */
export function getVerdict(
  results: readonly Pick<CheckResult, "level" | "leftOut">[],
  troubles: readonly string[],
): Verdict {
  const selected = results.filter(({ leftOut }) => leftOut !== true);
  const levels = new Set(selected.map(({ level }) => level));
  if (levels.has("failed")) return "not conformant";
  const isOpen = troubles.length > 0 || levels.has("blocked") || levels.has("not-run");
  // a run in which nothing was tried proves nothing
  if (isOpen || !levels.has("passed")) return "inconclusive";
  return selected.length < results.length ? "partial" : "conformant";
}

/** Exit codes of `certify`; with `--require-complete`, a partial run ends with that of an inconclusive one. */
export const exitCodes: Readonly<Record<Verdict, number>> = {
  conformant: 0,
  partial: 0,
  "not conformant": 1,
  inconclusive: 2,
};

/** The worst comes first: one failed check fails the clause, one that passed proves it only when none is open. */
export const levelsBySeverity: readonly CheckOutcome[] = [
  "failed",
  "blocked",
  "not-run",
  "passed",
  "not-declared",
];

/** What a check says about its clauses. */
interface ClauseEvidence {
  readonly clauses: readonly ClauseId[];
  readonly level: CheckOutcome;
  readonly failure?: { readonly clause: ClauseId };
}

/** The state of every clause of the register. */
export function getClauseStates(results: readonly ClauseEvidence[]): ReadonlyMap<ClauseId, ClauseState> {
  const levels = new Map<ClauseId, Set<CheckOutcome>>();
  const note = (clause: ClauseId, level: CheckOutcome) => {
    const known = levels.get(clause) ?? new Set();
    levels.set(clause, known.add(level));
  };
  for (const { clauses, level, failure } of results)
    // a failed check says nothing about its other clauses
    if (level === "failed") {
      for (const clause of clauses) note(clause, clause === failure?.clause ? "failed" : "not-run");
      if (failure !== undefined) note(failure.clause, "failed");
    } else for (const clause of clauses) note(clause, level);
  return new Map(
    clauseIds.map((clause): [ClauseId, ClauseState] => {
      const seen = levels.get(clause);
      const state = levelsBySeverity.find((level) => seen?.has(level) === true);
      return [clause, state ?? (clause in unobservableClauses ? "unobservable" : "not-run")];
    }),
  );
}
