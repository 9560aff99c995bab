import { readFileSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { ensureBuilt } from "./ensure-built.js";

/**
 * Brings the JavaScript in dist/ up to date before the first test, where one of those asked for runs it. Many processes
 * are started from there, by several files at a time: nobody builds while they do.
 */
export default async function buildOnce(project: TestProject): Promise<void> {
  // not among the declared members: without it, all files count as asked for
  const { filenamePattern } = project.vitest as { readonly filenamePattern?: string[] };
  const { testFiles } = await project.globTestFiles(filenamePattern);
  if (
    testFiles.some((file) => /\/(?:built-command|package-installation)\.js"/.test(readFileSync(file, "utf8")))
  )
    ensureBuilt();
}
