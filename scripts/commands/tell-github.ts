import { appendFileSync } from "node:fs";
import { githubAnnotations } from "../../conformance/report-files/github-annotations.js";
import { markdownSummary } from "../../conformance/report-files/markdown-summary.js";
import type { Report } from "../../conformance/report/report.js";
import { print, printError } from "./print.js";

/** In a job of GitHub Actions: annotations, and the summary of the job. A summary that cannot be written stops nothing. */
export function tellGithub(report: Report, environment: NodeJS.ProcessEnv = process.env): void {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = environment;
  if (GITHUB_ACTIONS === "true") for (const line of githubAnnotations(report)) print(`${line}\n`);
  if (GITHUB_STEP_SUMMARY === undefined || GITHUB_STEP_SUMMARY === "") return;
  try {
    appendFileSync(GITHUB_STEP_SUMMARY, `${markdownSummary(report)}\n`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    printError(`data-service: cannot write the summary of the job: ${reason}\n`);
  }
}
