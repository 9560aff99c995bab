import { mergeReports } from "../../conformance/report/merge-reports.js";
import { printReport, publishReport } from "./publish-report.js";
import { readReport } from "./read-report.js";
import type { CertifyOptions } from "./certify-options.js";
import { commandName } from "./terminal.js";
import { runSuiteCommand } from "./suite-command.js";

type MergeOptions = Pick<CertifyOptions, "reportDir" | "verbose" | "requireComplete">;

/** `data-service certify merge`: merges the reports of all shards into one verdict; exit codes as for `certify`. */
export function mergeShards(paths: readonly string[], options: MergeOptions): Promise<void> {
  return runSuiteCommand(() => {
    const report = mergeReports(paths.map(readReport));
    const command = `${commandName} certify …`;
    printReport(report, options, command);
    return publishReport(report, options, { command });
  });
}
