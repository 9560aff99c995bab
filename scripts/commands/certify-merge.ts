import { mergeReports } from "../../conformance/report/merge-reports.js";
import { writeReports } from "../../conformance/report-files/write-reports.js";
import { exitCodeOf, printReport, tellGithub } from "./print-report.js";
import { print } from "./print.js";
import { readReport } from "./read-report.js";
import { runSuiteCommand } from "./suite-command.js";

export interface MergeOptions {
  readonly reportDir?: string;
  readonly verbose?: true;
  readonly requireComplete?: true;
}

/** `data-service certify merge`: one verdict from the reports of all shards; exit codes as those of `certify`. */
export function mergeShards(places: readonly string[], options: MergeOptions): Promise<void> {
  const { reportDir, verbose, requireComplete } = options;
  return runSuiteCommand(() => {
    const report = mergeReports(places.map(readReport));
    const command = "data-service certify …";
    printReport(report, { command, isVerbose: verbose === true, reportDir });
    if (reportDir !== undefined)
      for (const path of writeReports(reportDir, report, { command })) print(`wrote ${path}\n`);
    tellGithub(report);
    return exitCodeOf(report, requireComplete);
  });
}
