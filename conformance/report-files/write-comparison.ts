import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CompareReport } from "../compare/compare-report.js";
import { comparedPage } from "./html/compared-page.js";

/**
 * Writes `compared.html` and `compared.json` into a folder, which is made when it is missing.
 *
 * @returns the paths
 */
export function writeComparison(folder: string, report: CompareReport): readonly string[] {
  mkdirSync(folder, { recursive: true });
  return (
    [
      ["compared.html", comparedPage(report)],
      ["compared.json", `${JSON.stringify(report, null, 2)}\n`],
    ] as const
  ).map(([name, text]) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  });
}
