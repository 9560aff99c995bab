import type { Recorder } from "../client/recorder.js";
import type { Secrets } from "../client/secrets.js";
import type { CompareReport } from "../compare/compare-report.js";
import type { Report } from "../report/report.js";
import { harText } from "./har.js";
import { comparedPage } from "./html/compared-page.js";
import { htmlReport } from "./html/html-report.js";
import { junitXml } from "./junit.js";
import { writeFiles } from "./write-files.js";

export interface WriteReportsOptions {
  /** The command line up to the options about what to run, which the page shows for replays. */
  readonly command?: string;
  /** The exchanges of the run; without them there is no `exchanges.har`. */
  readonly exchanges?: { readonly recorder: Recorder; readonly secrets: Secrets };
}

/**
 * Writes `report.json`, `report.html`, `junit.xml` and `exchanges.har` into a folder, which is made when it is missing.
 *
 * @returns the paths written
 */
export function writeReports(
  folder: string,
  report: Report,
  { command = `data-service certify ${report.target.baseUrl} …`, exchanges }: WriteReportsOptions = {},
): readonly string[] {
  return writeFiles(folder, {
    "report.json": report,
    "report.html": htmlReport(report, { command: exchanges?.secrets.hide(command) ?? command }),
    "junit.xml": junitXml(report),
    ...(exchanges === undefined ? {} : { "exchanges.har": harText(exchanges.recorder, exchanges.secrets) }),
  });
}

/**
 * Writes `compared.html` and `compared.json` into a folder, which is made when it is missing.
 *
 * @returns the paths written
 */
export function writeComparison(folder: string, report: CompareReport): readonly string[] {
  return writeFiles(folder, { "compared.html": comparedPage(report), "compared.json": report });
}
