import { contractVersion } from "../document/version.js";
import { serviceOperations } from "../operations/register.js";
import { formatRecipe, renderRecipeCode } from "./recipe.js";
import { listSituations } from "./register.js";
import { type CoverageGroup, coverageGroups, type Situation } from "./situation.js";

export interface ReportedSituation extends Omit<Situation, "recipe"> {
  readonly area: string;
  readonly state: "met" | "unmet" | "ignored";
  /** The requests that meet it with the demo fixture, and the same for a test with the fixture `dataService`. */
  readonly recipe: readonly string[];
  readonly code: string;
}

export interface CoverageReport {
  readonly format: "data-service-coverage/1";
  readonly contractVersion: string;
  /** Situations that are not ignored, and how many of them were met. */
  readonly counts: Readonly<Record<CoverageGroup, { readonly met: number; readonly total: number }>>;
  readonly situations: readonly ReportedSituation[];
}

/**
 * Says which situations were met.
 *
 * @param met their ids; others do not count
 * @param ignored ids, operations and areas that are out of scope
 */
export function buildCoverageReport(met: Iterable<string>, ignored: readonly string[] = []): CoverageReport {
  const reached = new Set(met);
  const left = new Set(ignored.map((name) => name.toLowerCase()));
  const situations = listSituations().map((situation): ReportedSituation => {
    const { id, group, operationId, title, clause, recipe } = situation;
    const area = serviceOperations[operationId].tag;
    const isIgnored = [id, operationId, area].some((name) => left.has(name.toLowerCase()));
    return {
      id,
      group,
      area,
      operationId,
      title,
      ...(clause === undefined ? {} : { clause }),
      state: isIgnored ? "ignored" : reached.has(id) ? "met" : "unmet",
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

/** Names that `ignored` does not know: neither ids nor operations nor areas. */
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

/** Whether a group and a percentage are a threshold. */
export function isCoverageThreshold(group: string, percent: unknown): boolean {
  const isGroup = (coverageGroups as readonly string[]).includes(group);
  return isGroup && typeof percent === "number" && percent >= 0 && percent <= 100;
}

/** What is below its threshold, a sentence each. */
export function findShortfalls(
  { counts }: CoverageReport,
  thresholds: CoverageThresholds,
): readonly string[] {
  return (Object.entries(thresholds) as [CoverageGroup, number][]).flatMap(([group, min]) => {
    const percent = getCoveragePercentage(counts[group]);
    return percent >= min ? [] : [`${group}: ${percent}% covered, but ${min}% required`];
  });
}

/** Rounded down, so that 100 means all; nothing to meet is met. */
export function getCoveragePercentage({
  met,
  total,
}: {
  readonly met: number;
  readonly total: number;
}): number {
  return total === 0 ? 100 : Math.floor((met / total) * 100);
}

/** The counts as lines, such as `refusals   12 of 410   2%`. */
export function formatCounts({ counts }: CoverageReport): string {
  return Object.entries(counts)
    .map(([group, count]) => {
      const figure = `${count.met} of ${count.total}`;
      return `${group.padEnd(11)}${figure.padStart(11)}  ${String(getCoveragePercentage(count)).padStart(3)}%\n`;
    })
    .join("");
}
