import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Report, type ReportedCheck, reportFormat } from "../../conformance/report/report.js";
import { outcomesBySeverity } from "../../conformance/run/verdict.js";
import { isObject } from "../../openapi/text/is-object.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";
import { fail } from "./terminal.js";

/** Reads a report file, or the report in a folder; ends the command if this version cannot read it. */
export function readReport(path: string): Report {
  const isFolder = existsSync(path) && statSync(path).isDirectory();
  const file = isFolder ? join(path, "report.json") : path;
  let report: unknown;
  try {
    report = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    fail(`cannot read ${file}: ${toErrorMessage(error)}`);
  }
  const { format } = (report ?? {}) as { format?: unknown };
  if (format !== reportFormat)
    fail(
      `${file} is not a report by this version of the suite (its format is ${String(format)}, not ${reportFormat}); run the suite again`,
    );
  if (!isComplete(report as Partial<Report>)) fail(`${file} is damaged: run the suite again`);
  return report as Report;
}

/** Whether the entry of a check has the parts that all checks have. */
function isCompleteCheck({ title, clauses, durationMs, level }: ReportedCheck): boolean {
  return (
    typeof title === "string" &&
    typeof durationMs === "number" &&
    Array.isArray(clauses) &&
    outcomesBySeverity.includes(level)
  );
}

/** Whether a report has its main parts. */
function isComplete({ suite, target, run, counts, errors, ...report }: Partial<Report>): boolean {
  const { areas, checks, parts, operations, accessMatrix, leftBehind } = report;
  const lists: unknown[] = [areas, checks, parts, operations, accessMatrix, leftBehind];
  return (
    [suite, target, run, counts].every(isObject) &&
    lists.every((list) => Array.isArray(list) && list.every(isObject)) &&
    Array.isArray(errors) &&
    errors.every((error) => typeof error === "string") &&
    checks?.every(isCompleteCheck) === true
  );
}
