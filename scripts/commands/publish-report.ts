import { appendFileSync } from "node:fs";
import type { Report } from "../../conformance/report/report.js";
import { formatSummary } from "../../conformance/report/format-summary.js";
import { formatMarkdownSummary } from "../../conformance/report-files/markdown-summary.js";
import {
  writeFailures,
  writeReports,
  type WriteReportsOptions,
} from "../../conformance/report-files/write-reports.js";
import { exitCodes } from "../../conformance/run/verdict.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";
import type { CertifyOptions } from "./certify-options.js";
import { paint, print, printError } from "./terminal.js";

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
  const summary = formatSummary(report, {
    command,
    paint: (text, style) => paint(process.stdout, style, text),
    isVerbose: verbose === true,
    files,
  });
  process.stdout.write(summary);
}

/** Writes the report files and, in GitHub Actions, the job summary; returns the exit code. */
export function publishReport(
  report: Report,
  { reportDir, requireComplete }: Pick<CertifyOptions, "reportDir" | "requireComplete">,
  context: WriteReportsOptions & { readonly command: string },
): number {
  if (reportDir !== undefined)
    for (const path of writeReports(reportDir, report, context)) print(`wrote ${path}\n`);
  writeGithubSummary(report, context.command);
  const isIncomplete = requireComplete === true && report.verdict === "partial";
  return exitCodes[isIncomplete ? "inconclusive" : report.verdict];
}

/** In GitHub Actions, writes the job summary. Failing to write it is only a warning. */
function writeGithubSummary(report: Report, command: string): void {
  const { GITHUB_STEP_SUMMARY } = process.env;
  if (GITHUB_STEP_SUMMARY === undefined || GITHUB_STEP_SUMMARY === "") return;
  try {
    appendFileSync(GITHUB_STEP_SUMMARY, `${formatMarkdownSummary(report, command)}\n`);
  } catch (error) {
    printError(`data-service: cannot write the job summary: ${toErrorMessage(error)}\n`);
  }
}
