import { appendFileSync } from "node:fs";
import { extname } from "node:path";
import { styleText } from "node:util";
import type { Report } from "../../conformance/report/report.js";
import { formatSummary } from "../../conformance/report/format-summary.js";
import { formatGithubAnnotations } from "../../conformance/report-files/github-annotations.js";
import { buildBadgeJson, renderBadgeSvg } from "../../conformance/report-files/html/badge.js";
import { formatMarkdownSummary } from "../../conformance/report-files/markdown-summary.js";
import { writeFailures, writeReports } from "../../conformance/report-files/write-reports.js";
import { exitCodes } from "../../conformance/run/verdict.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";
import type { CertifyOptions } from "./certify-options.js";
import { fail, print, printError } from "./terminal.js";
import { writeOutputFile } from "./write-file-atomically.js";

/**
 * Prints a report and writes the files about failures.
 *
 * @param command the command line up to the options that select checks
 */
export function printReport(
  report: Report,
  { reportDir, verbose }: Pick<CertifyOptions, "reportDir" | "verbose">,
  command: string,
): void {
  const files = reportDir === undefined ? undefined : writeFailures(reportDir, report, command);
  process.stdout.write(formatSummary(report, { command, paint, isVerbose: verbose === true, files }));
}

/** Styles a text if standard output is a terminal that shows colors. */
function paint(text: string, style: Parameters<typeof styleText>[0]): string {
  return process.stdout.isTTY && process.env.NO_COLOR === undefined ? styleText(style, text) : text;
}

/** Writes the report files, the badge and, in GitHub Actions, the job summary; returns the exit code. */
export function publishReport(
  report: Report,
  { reportDir, badge, requireComplete }: Pick<CertifyOptions, "reportDir" | "badge" | "requireComplete">,
  context: Parameters<typeof writeReports>[2],
): number {
  if (reportDir !== undefined)
    for (const path of writeReports(reportDir, report, context)) print(`wrote ${path}\n`);
  if (badge !== undefined) {
    writeOutputFile(badge, getBadgeRenderer(badge)(report));
    print(`wrote ${badge}\n`);
  }
  writeGithubSummary(report);
  const isIncomplete = requireComplete === true && report.verdict === "partial";
  return exitCodes[isIncomplete ? "inconclusive" : report.verdict];
}

/** In GitHub Actions, prints annotations and writes the job summary. Failing to write the summary is only a warning. */
function writeGithubSummary(report: Report): void {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = process.env;
  if (GITHUB_ACTIONS === "true") for (const line of formatGithubAnnotations(report)) print(`${line}\n`);
  if (GITHUB_STEP_SUMMARY === undefined || GITHUB_STEP_SUMMARY === "") return;
  try {
    appendFileSync(GITHUB_STEP_SUMMARY, `${formatMarkdownSummary(report)}\n`);
  } catch (error) {
    printError(`data-service: cannot write the job summary: ${toErrorMessage(error)}\n`);
  }
}

const badgeRenderers: Readonly<Record<string, (report: Report) => string>> = {
  ".svg": renderBadgeSvg,
  ".json": (report) => `${JSON.stringify(buildBadgeJson(report))}\n`,
};

/** Returns the renderer for a badge file: an SVG image, or JSON for shields.io. Fails for other file names. */
export function getBadgeRenderer(file: string): (report: Report) => string {
  return (
    badgeRenderers[extname(file)] ??
    fail(`--badge ${file}: the file name must end in ${Object.keys(badgeRenderers).join(" or ")}`)
  );
}
