import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../development/contract/guides.js";

const sources = [
  "openapi",
  "fixtures",
  "emulator",
  "conformance",
  "scripts/commands",
  "scripts/development/build",
];

/** Rebuilds the JavaScript in dist/ if a source file is newer, so that tests run the current code. */
export function ensureBuilt(): void {
  const newest = Math.max(
    ...sources.flatMap((folder) => listSourceFiles(join(repositoryRoot, folder))).map(getModificationTime),
  );
  if (getModificationTime(join(repositoryRoot, "dist/cli.js")) < newest)
    execFileSync(process.execPath, ["scripts/development/build/build.mjs", "--js-only"], {
      cwd: repositoryRoot,
      stdio: "ignore",
    });
}

function listSourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:[mc]?[jt]s|tsx|json|peggy)$/.test(file) && !file.endsWith(".test.ts"))
    .map((file) => join(folder, file));
}

function getModificationTime(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
