import { mergeReports } from "../../conformance/report/merge-reports.js";
import { writeReports } from "../../conformance/report-files/write-reports.js";
import {
  getExitCode,
  printReport,
  writeGithubSummary,
  readReport,
  assertBadgeFileName,
  writeBadge,
} from "./reports.js";
import type { CertifyOptions } from "./certify-options.js";
import { commandName, fail, print } from "./terminal.js";
import { writeOutputFile } from "./write-file-atomically.js";
import { runSuiteCommand } from "./suite-command.js";
import {
  buildMatrix,
  type Matrix,
  formatMatrixMarkdown,
  formatMatrix,
} from "../../conformance/report/matrix.js";
import { renderMatrixPage } from "../../conformance/report-files/html/matrix-page.js";

type MergeOptions = Pick<CertifyOptions, "reportDir" | "badge" | "verbose" | "requireComplete">;

/** `data-service certify merge`: merges the reports of all shards into one verdict; exit codes as for `certify`. */
export function mergeShards(places: readonly string[], options: MergeOptions): Promise<void> {
  const { reportDir, badge, verbose, requireComplete } = options;
  return runSuiteCommand(() => {
    assertBadgeFileName(badge);
    const report = mergeReports(places.map(readReport));
    const command = `${commandName} certify …`;
    printReport(report, { command, isVerbose: verbose === true, reportDir });
    if (reportDir !== undefined)
      for (const path of writeReports(reportDir, report, { command })) print(`wrote ${path}\n`);
    writeBadge(badge, report);
    writeGithubSummary(report);
    return getExitCode(report, requireComplete);
  });
}

/** `data-service certify matrix`: shows the reports of several deployments or versions as one table of clauses. */
export function printMatrix(
  places: readonly string[],
  { output }: { readonly output?: string },
): Promise<void> {
  return runSuiteCommand(() => {
    const matrix = buildMatrix(places.map(readReport));
    if (output === undefined) print(formatMatrix(matrix));
    else {
      writeOutputFile(output, getFormatter(output)(matrix));
      print(`wrote ${output}\n`);
    }
    return 0;
  });
}

function getFormatter(path: string): (matrix: Matrix) => string {
  const formats = { ".md": formatMatrixMarkdown, ".html": renderMatrixPage, ".txt": formatMatrix };
  const format = Object.entries(formats).find(([ending]) => path.endsWith(ending))?.[1];
  if (format === undefined)
    fail(`--output ${path}: the file name must end in ${Object.keys(formats).join(" or ")}`);
  return format;
}
