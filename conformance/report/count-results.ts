import { type ClauseId, clauseIds, clauses } from "../../openapi/clauses/register.js";
import { partTitles } from "../../openapi/clauses/part-titles.js";
import { type Area, areas } from "../check/check.js";
import type { CheckOutcome } from "../run/result.js";
import { getClauseStates } from "../run/verdict.js";

/** Number of checks of an area by outcome. */
export interface ReportedArea {
  readonly area: Area;
  readonly counts: Readonly<Record<CheckOutcome, number>>;
}

export interface ReportedSpecificationPart {
  /** Part of the specification: `4.2`. */
  readonly part: string;
  /** Title of the part. */
  readonly title: string;
  readonly counts: Readonly<Partial<Record<CheckOutcome, number>>>;
  readonly clauses: readonly {
    readonly id: ClauseId;
    /** Part of the specification with the rule: `4.2 rule 7`. */
    readonly part: string;
    readonly statement: string;
    readonly state: CheckOutcome;
    /** Checks that exercise the clause. */
    readonly checks: readonly string[];
  }[];
}

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

/** The fields of a check in a report that counting needs. */
interface TalliedCheck {
  readonly id: string;
  readonly area: Area;
  readonly clauses: readonly ClauseId[];
  readonly level: CheckOutcome;
  readonly leftOut?: true;
  readonly failure?: {
    readonly clause: ClauseId;
    readonly seen: string;
    readonly exchanges: readonly {
      readonly setUp: boolean;
      readonly operationId?: string | undefined;
      readonly status?: number | undefined;
    }[];
  };
}

/** Counts the selected checks by level and by area, and lists all clauses by part. */
export function countResults(checks: readonly TalliedCheck[]) {
  const selected = checks.filter(({ leftOut }) => leftOut !== true);
  return {
    counts: countLevels(selected),
    areas: areas.flatMap((area): readonly ReportedArea[] => {
      const ofArea = selected.filter((check) => check.area === area);
      return ofArea.length === 0 ? [] : [{ area, counts: countLevels(ofArea) }];
    }),
    parts: buildReportParts(checks, getClauseStates(selected)),
  };
}

/** Sets `sameAs` of each failure to the first check that failed because of the same response. */
export function linkIdenticalFailures<Tallied extends TalliedCheck>(
  checks: readonly Tallied[],
): readonly Tallied[] {
  const firsts = new Map<string, string>();
  return checks.map((check) => {
    if (check.failure === undefined) return check;
    const { exchanges, seen } = check.failure;
    const last = exchanges.findLast(({ setUp }) => !setUp);
    // Numbers and ids may differ.
    const what = seen.replace(/[0-9a-f]{8,}|\d+/gi, "#").slice(0, 120);
    const signature = JSON.stringify([last?.operationId, last?.status, what]);
    const first = firsts.get(signature);
    if (first !== undefined) return { ...check, failure: { ...check.failure, sameAs: first } };
    firsts.set(signature, check.id);
    return check;
  });
}

/** Lists every clause by part of the specification, with its state. */
function buildReportParts(
  checks: readonly TalliedCheck[],
  states: ReturnType<typeof getClauseStates>,
): readonly ReportedSpecificationPart[] {
  const checksOf = new Map<ClauseId, string[]>();
  for (const { id, clauses: ofCheck } of checks)
    for (const clause of ofCheck) checksOf.set(clause, [...(checksOf.get(clause) ?? []), id]);
  const parts = new Map<string, ReportedSpecificationPart["clauses"][number][]>();
  for (const id of clauseIds) {
    const { part, statement } = clauses[id];
    const [chapter = ""] = part.split(/[ ,]/);
    const reported = {
      id,
      part,
      statement,
      state: states.get(id) ?? "not-run",
      checks: checksOf.get(id) ?? [],
    };
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
