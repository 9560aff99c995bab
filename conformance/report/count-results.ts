import { type ClauseId, clauseIds, clauses } from "../../openapi/clauses/register.js";
import { partTitles } from "../../openapi/clauses/part-titles.js";
import { areas } from "../check/check.js";
import type { CheckOutcome } from "../run/result.js";
import { getClauseStates } from "../run/verdict.js";
import type { ReportedArea, ReportedCheck, ReportedSpecificationPart } from "./report.js";

/** Counts checks by outcome. */
function countLevels(results: readonly { readonly level: CheckOutcome }[]): Record<CheckOutcome, number> {
  const counts: Record<CheckOutcome, number> = {
    passed: 0,
    failed: 0,
    blocked: 0,
    "not-declared": 0,
    "not-run": 0,
  };
  for (const { level } of results) counts[level]++;
  return counts;
}

/** Counts the checks by level and by area, and lists the clauses by part. */
export function countResults(checks: readonly ReportedCheck[]) {
  return {
    counts: countLevels(checks),
    areas: areas.flatMap((area): readonly ReportedArea[] => {
      const ofArea = checks.filter((check) => check.area === area);
      return ofArea.length === 0 ? [] : [{ area, counts: countLevels(ofArea) }];
    }),
    parts: buildReportParts(checks),
  };
}

/** Sets `sameAs` of each failure to the first check that failed because of the same response. */
export function linkIdenticalFailures(checks: readonly ReportedCheck[]): readonly ReportedCheck[] {
  const firsts = new Map<string, string>();
  return checks.map((check) => {
    if (check.failure === undefined) return check;
    const { exchanges, actual } = check.failure;
    const last = exchanges.findLast(({ setUp }) => !setUp);
    // Numbers and ids may differ.
    const what = actual.replace(/[0-9a-f]{8,}|\d+/gi, "#").slice(0, 120);
    const signature = JSON.stringify([last?.operationId, last?.answer?.status, what]);
    const first = firsts.get(signature);
    if (first !== undefined) return { ...check, failure: { ...check.failure, sameAs: first } };
    firsts.set(signature, check.id);
    return check;
  });
}

/** Lists the clauses that the checks exercise or found broken by part of the specification, with their states. */
function buildReportParts(checks: readonly ReportedCheck[]): readonly ReportedSpecificationPart[] {
  const states = getClauseStates(checks);
  const checksOf = new Map<ClauseId, string[]>();
  for (const { id, clauses: ofCheck } of checks)
    for (const clause of ofCheck) checksOf.set(clause, [...(checksOf.get(clause) ?? []), id]);
  const parts = new Map<string, ReportedSpecificationPart["clauses"][number][]>();
  for (const id of clauseIds) {
    const { part, statement } = clauses[id];
    const state = states.get(id);
    if (state === undefined) continue;
    const [chapter = ""] = part.split(/[ ,]/);
    const reported = { id, part, statement, state, checks: checksOf.get(id) ?? [] };
    parts.set(chapter, [...(parts.get(chapter) ?? []), reported]);
  }
  return [...parts]
    .sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }))
    .map(([part, reported]) => ({
      part,
      title: partTitles[part] ?? "",
      counts: countClausesByState(reported),
      clauses: reported,
    }));
}

/** Counts clauses by state. */
export function countClausesByState(
  reported: ReportedSpecificationPart["clauses"],
): ReportedSpecificationPart["counts"] {
  const counts: Record<string, number> = {};
  for (const { state } of reported) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}
