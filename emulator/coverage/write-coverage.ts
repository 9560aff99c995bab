import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The environment variable for the folder into which emulators write their coverage when they are closed. */
export const coverageFolderVariable = "DATA_SERVICE_COVERAGE_DIR";

/** Writes the coverage of an emulator to its own file, if the environment variable is set. */
export function writeCoverage(met: readonly string[]): void {
  const folder = process.env[coverageFolderVariable];
  if (folder === undefined || folder === "") return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${randomUUID()}.json`), `${JSON.stringify({ met })}\n`);
}

/** Reads the ids that all emulators have written into a folder. */
export function readCoverageFolder(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => (JSON.parse(readFileSync(join(folder, name), "utf8")) as { met: string[] }).met);
}
