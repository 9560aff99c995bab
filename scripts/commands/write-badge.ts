import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, extname } from "node:path";
import { badgeJson, badgeSvg } from "../../conformance/report-files/html/badge.js";
import { RunError } from "../../conformance/client/violation.js";
import type { Report } from "../../conformance/report/report.js";
import { print } from "./print.js";

const formats: Readonly<Record<string, (report: Report) => string>> = {
  ".svg": badgeSvg,
  ".json": (report) => `${JSON.stringify(badgeJson(report))}\n`,
};

/** @throws RunTrouble for a name that says no format, before a run that it would come to light after */
export function assertBadgeName(file: string | undefined): void {
  if (file !== undefined && formats[extname(file)] === undefined)
    throw new RunError(`--badge ${file}: the name has to end in ${Object.keys(formats).join(" or ")}`);
}

/** Writes the badge of a run: a picture or the JSON of shields.io's endpoint, by the end of the name. */
export function writeBadge(file: string | undefined, report: Report): void {
  const format = formats[extname(file ?? "")];
  if (file === undefined || format === undefined) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, format(report));
  print(`wrote ${file}\n`);
}
