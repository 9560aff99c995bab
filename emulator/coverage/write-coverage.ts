import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The environment variable for the folder into which emulators write their coverage when they are closed. */
export const coverageFolderVariable = "DATA_SERVICE_COVERAGE_DIR";

/** Matches the names of coverage files. The folder may contain other files. */
const coverageFileName = /^coverage-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json$/;

/** Writes the coverage of an emulator to its own file, if the environment variable is set. */
export function writeCoverage(met: readonly string[]): void {
  const folder = process.env[coverageFolderVariable];
  if (folder === undefined || folder === "") return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `coverage-${randomUUID()}.json`), `${JSON.stringify({ met })}\n`);
}

/** Reads the ids that all emulators have written into a folder. */
export function readCoverageFolder(folder: string): readonly string[] {
  return listCoverageFiles(folder).flatMap(
    (file) => (JSON.parse(readFileSync(file, "utf8")) as { met: string[] }).met,
  );
}

/** Removes what emulators have written into a folder, and creates the folder if it does not exist. */
export function clearCoverageFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const file of listCoverageFiles(folder)) rmSync(file);
}

function listCoverageFiles(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => coverageFileName.test(name))
    .map((name) => join(folder, name));
}
