import { appendFileSync, existsSync, readFileSync, statSync } from "node:fs";
import { styleText } from "node:util";
import { formatGithubAnnotations } from "../../conformance/report-files/github-annotations.js";
import { formatMarkdownSummary } from "../../conformance/report-files/markdown-summary.js";
import { writeFailures } from "../../conformance/report-files/write-reports.js";
import { type Report, reportFormat } from "../../conformance/report/report.js";
import { formatSummary } from "../../conformance/report/format-summary.js";
import { exitCodes } from "../../conformance/run/verdict.js";
import { fail, print, printError } from "./terminal.js";
import { writeOutputFile } from "./write-file-atomically.js";
import { join, extname } from "node:path";
import { buildBadgeJson, renderBadgeSvg } from "../../conformance/report-files/html/badge.js";
import { isObject } from "../../openapi/text/is-object.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";

export interface PrintReportOptions {
  /** The command line up to the options about what to run. */
  readonly command: string;
  readonly isVerbose: boolean;
  /** Folder for the files about failures. */
  readonly reportDir: string | undefined;
}

/** Prints the report and writes the files about failures. */
export function printReport(report: Report, { command, isVerbose, reportDir }: PrintReportOptions): void {
  const files = reportDir === undefined ? undefined : writeFailures(reportDir, report, command);
  process.stdout.write(formatSummary(report, { command, paint, isVerbose, files }));
}

/** Styles a text if standard output is a terminal that shows colors. */
function paint(text: string, style: Parameters<typeof styleText>[0]): string {
  return process.stdout.isTTY && process.env.NO_COLOR === undefined ? styleText(style, text) : text;
}

/** Returns the exit code for a report. */
export function getExitCode({ verdict }: Report, requireComplete = false): number {
  return exitCodes[requireComplete && verdict === "partial" ? "inconclusive" : verdict];
}

/** In GitHub Actions, prints annotations and writes the job summary; failing to write the summary is only a warning. */
export function writeGithubSummary(report: Report): void {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = process.env;
  if (GITHUB_ACTIONS === "true") for (const line of formatGithubAnnotations(report)) print(`${line}\n`);
  if (GITHUB_STEP_SUMMARY === undefined || GITHUB_STEP_SUMMARY === "") return;
  try {
    appendFileSync(GITHUB_STEP_SUMMARY, `${formatMarkdownSummary(report)}\n`);
  } catch (error) {
    const reason = toErrorMessage(error);
    printError(`data-service: cannot write the job summary: ${reason}\n`);
  }
}

/** Reads a report, or the one in a folder of reports; ends the command if this version cannot read it. */
export function readReport(place: string): Report {
  const isFolder = existsSync(place) && statSync(place).isDirectory();
  const file = isFolder ? join(place, "report.json") : place;
  let report: unknown;
  try {
    report = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    fail(`cannot read ${file}: ${toErrorMessage(error)}`);
  }
  const { format } = (report ?? {}) as { format?: unknown };
  if (format !== reportFormat)
    fail(
      `${file} is not a report by this version of the suite (its format is ${String(format)}, not ${reportFormat}); run the suite again`,
    );
  if (!hasReportForm(report as Report)) fail(`${file} is damaged: run the suite again`);
  return report as Report;
}

/** Whether a report has its main parts. */
function hasReportForm({
  suite,
  target,
  run,
  counts,
  areas,
  checks,
  parts,
  operations,
  left,
}: Report): boolean {
  const lists: readonly unknown[] = [areas, checks, parts, operations, left];
  return (
    [suite, target, run, counts].every(isObject) &&
    lists.every((list) => Array.isArray(list) && list.every(isObject))
  );
}

const formats: Readonly<Record<string, (report: Report) => string>> = {
  ".svg": renderBadgeSvg,
  ".json": (report) => `${JSON.stringify(buildBadgeJson(report))}\n`,
};

/** Checks the name of a badge file before the run. */
export function assertBadgeFileName(file: string | undefined): void {
  if (file !== undefined && formats[extname(file)] === undefined)
    fail(`--badge ${file}: the file name must end in ${Object.keys(formats).join(" or ")}`);
}

/** Writes the badge of a run: a picture, or JSON for a shields.io endpoint, depending on the file name. */
export function writeBadge(file: string | undefined, report: Report): void {
  const format = formats[extname(file ?? "")];
  if (file === undefined || format === undefined) return;
  writeOutputFile(file, format(report));
  print(`wrote ${file}\n`);
}
