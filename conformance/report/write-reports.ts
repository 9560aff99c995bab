import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Recorder } from "../client/recorder.js";
import type { Secrets } from "../client/secrets.js";
import { harText } from "./har.js";
import { junitXml } from "./junit.js";
import type { Report } from "./report.js";

/**
 * Writes `report.json`, `junit.xml` and `exchanges.har` into a folder, which is made when it is missing.
 *
 * @returns the paths written
 */
export function writeReports(
  folder: string,
  report: Report,
  recorder: Recorder,
  secrets: Secrets,
): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const json = join(folder, "report.json");
  const junit = join(folder, "junit.xml");
  const har = join(folder, "exchanges.har");
  writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(junit, junitXml(report));
  const file = openSync(har, "w");
  try {
    for (const piece of harText(recorder, secrets)) writeSync(file, piece);
  } finally {
    closeSync(file);
  }
  return [json, junit, har];
}
