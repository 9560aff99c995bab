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

/** Builds the JavaScript in dist/ again where a source is newer than it, so that what is tried there is what stands here. */
export function ensureBuilt(): void {
  const newest = Math.max(
    ...sources.flatMap((folder) => filesIn(join(repositoryRoot, folder))).map(changedAt),
  );
  if (changedAt(join(repositoryRoot, "dist/cli.js")) < newest)
    execFileSync(process.execPath, ["scripts/development/build/build.mjs", "--js-only"], {
      cwd: repositoryRoot,
      stdio: "ignore",
    });
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:[mc]?[jt]s|tsx|json|peggy)$/.test(file) && !file.endsWith(".test.ts"))
    .map((file) => join(folder, file));
}

function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
