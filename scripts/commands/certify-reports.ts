import { mergeReports } from "../../conformance/report/merge-reports.js";
import { getBadgeRenderer, printReport, publishReport } from "./publish-report.js";
import { readReport } from "./read-report.js";
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
export function mergeShards(paths: readonly string[], options: MergeOptions): Promise<void> {
  return runSuiteCommand(() => {
    if (options.badge !== undefined) getBadgeRenderer(options.badge);
    const report = mergeReports(paths.map(readReport));
    const command = `${commandName} certify …`;
    printReport(report, options, command);
    return publishReport(report, options, { command });
  });
}

/** `data-service certify matrix`: shows the reports of several deployments or versions as one table of clauses. */
export function printMatrix(
  paths: readonly string[],
  { output }: { readonly output?: string },
): Promise<void> {
  return runSuiteCommand(() => {
    const matrix = buildMatrix(paths.map(readReport));
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
