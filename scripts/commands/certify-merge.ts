import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RunTrouble } from "../../conformance/client/violation.js";
import { mergeReports } from "../../conformance/report/merge-reports.js";
import type { Report } from "../../conformance/report/report.js";
import { summaryText } from "../../conformance/report/summary.js";
import { htmlReport } from "../../conformance/report-files/html/html-report.js";
import { junitXml } from "../../conformance/report-files/junit.js";
import { writeFailures } from "../../conformance/report-files/write-failures.js";
import { exitCodes } from "../../conformance/run/verdict.js";
import { fail } from "./command-error.js";
import { readReport } from "./read-report.js";
import { stdoutPaint } from "./stdout-paint.js";
import { tellGithub } from "./tell-github.js";
import { print } from "./print.js";

export interface MergeOptions {
  readonly reportDir?: string;
  readonly verbose?: true;
}

/** `data-service certify merge`: one verdict out of the reports of all shards; exit codes as those of `certify`. */
export function mergeShards(places: readonly string[], { reportDir, verbose }: MergeOptions): void {
  try {
    const report = mergeReports(places.map(readReport));
    const command = "data-service certify …";
    const files = reportDir === undefined ? undefined : writeMerged(reportDir, report, command);
    process.stdout.write(
      summaryText(report, {
        command,
        paint: stdoutPaint,
        ...(verbose === undefined ? {} : { isVerbose: true }),
        filesOf: (_, id = "") => files?.failures.get(id),
      }),
    );
    for (const path of files?.paths ?? []) print(`wrote ${path}\n`);
    tellGithub(report);
    process.exitCode = exitCodes[report.verdict];
  } catch (error) {
    if (error instanceof RunTrouble) fail(error.message);
    throw error;
  }
}

function writeMerged(folder: string, report: Report, command: string) {
  mkdirSync(folder, { recursive: true });
  const files = {
    "report.json": `${JSON.stringify(report, null, 2)}\n`,
    "report.html": htmlReport(report, { command }),
    "junit.xml": junitXml(report),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return {
    failures: writeFailures(folder, report, command),
    paths: Object.keys(files).map((name) => join(folder, name)),
  };
}
