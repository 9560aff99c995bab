import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { renderCoveragePage } from "../../conformance/report-files/html/coverage-page.js";
import {
  buildCoverageReport,
  type CoverageReport,
  type CoverageThresholds,
  findShortfalls,
  findUnknownCoverageNames,
  formatCounts,
  getCoveragePercentage,
  isCoverageThreshold,
} from "../../openapi/situations/coverage-report.js";
import { coverageGroups } from "../../openapi/situations/situation.js";
import { connectToNamespace } from "./connect-to-namespace.js";
import { fail, print, printError } from "./terminal.js";
import { writeOutputFile } from "./write-file-atomically.js";
import { isObject } from "../../openapi/text/is-object.js";
import { escapeInvisible } from "../../openapi/text/escape-invisible.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";
import { formatCount } from "../../openapi/text/format-count.js";

interface CoverageOptions {
  readonly json?: true;
  readonly markdown?: true;
  readonly html?: string;
  readonly min?: string;
  readonly ignore?: readonly string[];
}

/** `data-service coverage`: exits with 1 when a threshold is missed. */
export async function runCoverageCommand(url: string | undefined, options: CoverageOptions): Promise<void> {
  const { all } = await connectToNamespace({ url });
  const response: unknown = await all
    .coverage()
    .catch((error: unknown) => fail(`cannot read the coverage: ${escapeInvisible(toErrorMessage(error))}`));
  // another server may respond
  if (!isObject(response) || !isTextList(response.met))
    return fail("the server's response is not an emulator's coverage; check the URL");
  if (response.counting === false)
    fail("the emulator was started with --no-coverage; restart it without this option");
  report(response.met, options);
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

/** `data-service coverage merge`: merges the coverage that several emulators have written or reported. */
export function mergeCoverage(places: readonly string[], options: CoverageOptions): void {
  report(places.flatMap(readMet), options);
}

/** Reads the ids from a report, a response of the control plane, or all such files in a folder. */
function readMet(place: string): readonly string[] {
  try {
    if (statSync(place).isDirectory())
      return readdirSync(place)
        .filter((name) => name.endsWith(".json"))
        .flatMap((name) => readMet(join(place, name)));
    const { met, situations } = (JSON.parse(readFileSync(place, "utf8")) ?? {}) as {
      readonly met?: unknown;
      readonly situations?: unknown;
    };
    if (Array.isArray(met)) return met.filter((id) => typeof id === "string");
    if (!Array.isArray(situations))
      return fail(`${place} is not a coverage file: it has no "met" or "situations" list`);
    const reported = situations.filter(isObject) as unknown as CoverageReport["situations"];
    return reported.filter(({ state }) => state === "met").map(({ id }) => id);
  } catch (error) {
    if (error instanceof SyntaxError) return fail(`${place} is not valid JSON: ${error.message}`);
    const { code } = error as { readonly code?: string };
    if (code === undefined) throw error;
    return fail(`${place} cannot be read: ${code}`);
  }
}

function report(met: readonly string[], { json, markdown, html, min, ignore = [] }: CoverageOptions): void {
  const thresholds = readThresholds(min);
  const unknown = findUnknownCoverageNames(ignore);
  if (unknown.length > 0)
    fail(
      `--ignore ${unknown.join(", ")}: unknown area, operation or situation id; --json lists the known ones`,
    );
  const built = buildCoverageReport(met, ignore);
  if (json === true) print(`${JSON.stringify(built, null, 2)}\n`);
  else if (markdown === true) print(formatCoverageMarkdown(built));
  else print(formatCoverageText(built));
  if (html !== undefined) {
    writeOutputFile(html, renderCoveragePage(built));
    printError(`wrote ${html}\n`);
  }
  const shortfalls = findShortfalls(built, thresholds);
  for (const line of shortfalls) printError(`${line}\n`);
  if (shortfalls.length > 0) process.exitCode = 1;
}

function readThresholds(text = ""): CoverageThresholds {
  return Object.fromEntries(
    text
      .split(",")
      .filter((part) => part !== "")
      .map((part) => {
        const [group = "", percent = ""] = part.split("=");
        if (!/^\d{1,3}$/.test(percent) || !isCoverageThreshold(group, Number(percent)))
          fail(
            `--min ${part}: expected GROUP=PERCENT, e.g. refusals=50; the groups are ${coverageGroups.join(", ")}`,
          );
        return [group, Number(percent)];
      }),
  );
}

/** Formats the situations that were not covered, by area, and then the counts, which stay in view. */
function formatCoverageText(built: CoverageReport): string {
  const { situations } = built;
  const areas = [...new Set(situations.map(({ area }) => area))].map((area) => {
    const open = situations.filter((situation) => situation.area === area && situation.state === "unmet");
    const lines = open.map(({ id, title }) => `  ${id.padEnd(42)} ${title}\n`);
    return lines.length === 0 ? "" : `${area}, not covered:\n${lines.join("")}\n`;
  });
  const ignored = situations.filter(({ state }) => state === "ignored").length;
  return `${areas.join("")}${formatCounts(built)}${ignored === 0 ? "" : `${ignored} ignored\n`}`;
}

/** Formats a summary for a pull request or a job. */
function formatCoverageMarkdown({ counts, situations }: CoverageReport): string {
  const rows = Object.entries(counts).map(
    ([group, count]) => `| ${group} | ${count.met} of ${count.total} | ${getCoveragePercentage(count)}% |`,
  );
  const scenarios = situations.filter(({ group, state }) => group === "scenarios" && state === "unmet");
  return [
    "## Contract coverage",
    "",
    "| | covered | |",
    "| --- | --- | --- |",
    ...rows,
    "",
    `<details><summary>${formatCount(scenarios.length, "scenario")} not covered</summary>`,
    "",
    ...scenarios.map(({ id, title }) => `- \`${id}\` ${title}`),
    "",
    "</details>",
    "",
  ].join("\n");
}
