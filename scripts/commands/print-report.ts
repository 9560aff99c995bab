import { appendFileSync } from "node:fs";
import { styleText } from "node:util";
import { githubAnnotations } from "../../conformance/report-files/github-annotations.js";
import { markdownSummary } from "../../conformance/report-files/markdown-summary.js";
import { writeFailures } from "../../conformance/report-files/write-failures.js";
import type { Report } from "../../conformance/report/report.js";
import { formatSummary } from "../../conformance/report/summary.js";
import { exitCodes } from "../../conformance/run/verdict.js";
import { print, printError } from "./print.js";

export interface PrintReportOptions {
  /** The command line up to the options about what to run. */
  readonly command: string;
  readonly isVerbose: boolean;
  /** Where the files about failures go. */
  readonly reportDir: string | undefined;
}

/** Writes a file or two for each failure, and prints the report. */
export function printReport(report: Report, { command, isVerbose, reportDir }: PrintReportOptions): void {
  const files = reportDir === undefined ? undefined : writeFailures(reportDir, report, command);
  process.stdout.write(
    formatSummary(report, { command, paint, isVerbose, filesOf: (_, id = "") => files?.get(id) }),
  );
}

/** Styles a text on standard output, where that is a terminal that wants colours. */
function paint(text: string, style: Parameters<typeof styleText>[0]): string {
  return process.stdout.isTTY && process.env.NO_COLOR === undefined ? styleText(style, text) : text;
}

/** The exit code for a report. */
export function getExitCode({ verdict }: Report, requireComplete = false): number {
  return exitCodes[requireComplete && verdict === "partial" ? "inconclusive" : verdict];
}

/** In a job of GitHub Actions: annotations, and the summary of the job. A summary that cannot be written stops nothing. */
export function writeGithubSummary(report: Report): void {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = process.env;
  if (GITHUB_ACTIONS === "true") for (const line of githubAnnotations(report)) print(`${line}\n`);
  if (GITHUB_STEP_SUMMARY === undefined || GITHUB_STEP_SUMMARY === "") return;
  try {
    appendFileSync(GITHUB_STEP_SUMMARY, `${markdownSummary(report)}\n`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    printError(`data-service: cannot write the summary of the job: ${reason}\n`);
  }
}
