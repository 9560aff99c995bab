import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { RunError } from "../../conformance/client/violation.js";
import { type Report, reportFormat } from "../../conformance/report/report.js";

/**
 * Reads a report, or the one in a folder of reports.
 *
 * @throws RunTrouble when there is none that this version can read
 */
export function readReport(place: string): Report {
  const isFolder = existsSync(place) && statSync(place).isDirectory();
  const file = isFolder ? join(place, "report.json") : place;
  let report: unknown;
  try {
    report = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new RunError(`cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const { format } = (report ?? {}) as { format?: unknown };
  if (format !== reportFormat)
    throw new RunError(
      `${file} is no report of this version of the suite: its format is ${String(format)}, not ${reportFormat}`,
    );
  return report as Report;
}
