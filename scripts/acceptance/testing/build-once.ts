import { readFileSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { ensureBuilt } from "./ensure-built.js";

/**
 * Rebuilds the JavaScript in dist/ before the first test if a selected test file runs it. Test files must not build it
 * themselves, because other files may be running it at the same time.
 */
export default async function buildOnce(project: TestProject): Promise<void> {
  // Vitest does not declare this property; without it, all files count as selected
  const { filenamePattern } = project.vitest as { readonly filenamePattern?: string[] };
  const { testFiles } = await project.globTestFiles(filenamePattern);
  if (
    testFiles.some((file) => /\/(?:built-command|package-installation)\.js"/.test(readFileSync(file, "utf8")))
  )
    ensureBuilt();
}
