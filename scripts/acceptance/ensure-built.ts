import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./guides.js";

const sources = [
  "openapi",
  "fixtures",
  "emulator",
  "conformance",
  "scripts/commands",
  "scripts/development/build",
];

/**
 * Builds dist/ again where a source is newer than it, so that what is tried there is what stands here; and all of it
 * where the declarations are missing, which `npm ci` leaves to `npm pack`.
 */
export function ensureBuilt(): void {
  const newest = Math.max(...sources.flatMap((folder) => filesIn(join(root, folder))).map(changedAt));
  const isTyped = existsSync(join(root, "dist/types/emulator/index.d.ts"));
  if (isTyped && changedAt(join(root, "dist/cli.js")) >= newest) return;
  const options = isTyped ? ["--js-only"] : [];
  execFileSync(process.execPath, ["scripts/development/build/build.mjs", ...options], {
    cwd: root,
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
