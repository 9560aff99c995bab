import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Recorder } from "../client/recorder.js";
import type { Secrets } from "../client/secrets.js";
import { harText } from "./har.js";
import { htmlReport } from "./html/html-report.js";
import { junitXml } from "./junit.js";
import type { Report } from "../report/report.js";

/**
 * Writes `report.json`, `report.html`, `junit.xml` and `exchanges.har` into a folder, which is made when it is missing.
 *
 * @param command the command line up to the options about what to run, which the page shows for replays
 * @returns the paths written
 */
export function writeReports(
  folder: string,
  report: Report,
  recorder: Recorder,
  secrets: Secrets,
  command = `data-service certify ${report.target.baseUrl} …`,
): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const json = join(folder, "report.json");
  const page = join(folder, "report.html");
  const junit = join(folder, "junit.xml");
  const har = join(folder, "exchanges.har");
  writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(page, htmlReport(report, { command: secrets.hide(command) }));
  writeFileSync(junit, junitXml(report));
  writePieces(har, harText(recorder, secrets));
  return [json, page, junit, har];
}

/** Enough for one write: a call for every short piece would take longer than making them. */
const enough = 1024 * 1024;

function writePieces(path: string, pieces: Iterable<string>): void {
  const file = openSync(path, "w");
  try {
    let gathered = "";
    for (const piece of pieces) {
      gathered += piece;
      if (gathered.length < enough) continue;
      writeSync(file, gathered);
      gathered = "";
    }
    writeSync(file, gathered);
  } finally {
    closeSync(file);
  }
}
