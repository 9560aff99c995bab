import { contractVersion } from "../document/version.js";
import { serviceOperations } from "../operations/register.js";
import { formatRecipe, renderRecipeCode } from "./recipe.js";
import { listSituations } from "./scenarios.js";
import { type CoverageGroup, coverageGroups, type Situation } from "./situation.js";

export interface ReportedSituation extends Omit<Situation, "recipe"> {
  readonly area: string;
  readonly state: "met" | "unmet" | "ignored";
  /** Requests that cover the situation, with the demo fixture. */
  readonly recipe: readonly string[];
  /** The same requests as JavaScript, for a test that has the fixture `dataService`. */
  readonly code: string;
}

interface CoverageCount {
  readonly met: number;
  readonly total: number;
}

export interface CoverageReport {
  readonly format: "data-service-coverage/1";
  readonly contractVersion: string;
  /** Number of situations in each group, without ignored ones, and how many of them were covered. */
  readonly counts: Readonly<Record<CoverageGroup, CoverageCount>>;
  readonly situations: readonly ReportedSituation[];
}

/**
 * Builds a report of the situations that requests have covered.
 *
 * @param met ids of covered situations; unknown ids are ignored
 * @param ignored situation ids, operations and areas to ignore, in any case
 */
export function buildCoverageReport(met: Iterable<string>, ignored: readonly string[] = []): CoverageReport {
  const metIds = new Set(met);
  const ignoredNames = new Set(ignored.map((name) => name.toLowerCase()));
  const situations = listSituations().map((situation): ReportedSituation => {
    const { id, group, operationId, title, clause, recipe } = situation;
    const area = serviceOperations[operationId].tag;
    const isIgnored = [id, operationId, area].some((name) => ignoredNames.has(name.toLowerCase()));
    return {
      id,
      group,
      area,
      operationId,
      title,
      ...(clause === undefined ? {} : { clause }),
      state: isIgnored ? "ignored" : metIds.has(id) ? "met" : "unmet",
      recipe: formatRecipe(recipe),
      code: renderRecipeCode(recipe),
    };
  });
  const counts = coverageGroups.map((name) => {
    const counted = situations.filter(({ group, state }) => group === name && state !== "ignored");
    const { length } = counted.filter(({ state }) => state === "met");
    return [name, { met: length, total: counted.length }];
  });
  return {
    format: "data-service-coverage/1",
    contractVersion,
    counts: Object.fromEntries(counts) as CoverageReport["counts"],
    situations,
  };
}

/** Returns the names that are neither a situation id nor an operation nor an area. */
export function findUnknownCoverageNames(names: readonly string[]): readonly string[] {
  const known = new Set(
    buildCoverageReport([])
      .situations.flatMap(({ id, operationId, area }) => [id, operationId, area])
      .map((name) => name.toLowerCase()),
  );
  return names.filter((name) => !known.has(name.toLowerCase()));
}

/** Percentages that coverage must reach. */
export type CoverageThresholds = Readonly<Partial<Record<CoverageGroup, number>>>;

/** Whether a group exists and a percentage is a number from 0 to 100. */
export function isCoverageThreshold(group: string, percent: unknown): boolean {
  const isGroup = (coverageGroups as readonly string[]).includes(group);
  return isGroup && typeof percent === "number" && percent >= 0 && percent <= 100;
}

/** Returns a sentence for each group whose coverage is below its threshold. */
export function findShortfalls(
  { counts }: CoverageReport,
  thresholds: CoverageThresholds,
): readonly string[] {
  return (Object.entries(thresholds) as [CoverageGroup, number][]).flatMap(([group, min]) => {
    const percent = getCoveragePercentage(counts[group]);
    return percent >= min ? [] : [`${group}: ${percent}% covered, but ${min}% required`];
  });
}

/** Rounds down, so that 100 means that everything is covered. An empty group is covered. */
export function getCoveragePercentage({ met, total }: CoverageCount): number {
  return total === 0 ? 100 : Math.floor((met / total) * 100);
}

/** Formats a line for each group, such as `refusals   12 of 410   2%`. */
export function formatCounts({ counts }: CoverageReport): string {
  return Object.entries(counts)
    .map(([group, count]) => {
      const figure = `${count.met} of ${count.total}`;
      return `${group.padEnd(11)}${figure.padStart(11)}  ${String(getCoveragePercentage(count)).padStart(3)}%\n`;
    })
    .join("");
}
