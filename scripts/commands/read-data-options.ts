import { accessSync, constants, existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fail } from "./command-error.js";
import { findExportTarget } from "./find-export-target.js";

interface DataOptions {
  readonly data?: string;
  readonly exportOnExit?: string | true;
}

/** Which file to begin with, and which to write on exit; refused at the start, where nothing can be lost. */
export function readDataOptions({ data, exportOnExit }: DataOptions): {
  readonly data?: string;
  readonly exportTo?: string;
} {
  const exportTo = exportOnExit === true ? data : exportOnExit;
  if (exportOnExit === true && exportTo === undefined)
    fail("--export-on-exit needs a file: --export-on-exit FILE, or --data FILE beside it");
  if (exportTo !== undefined) checkTarget(exportTo);
  const exported = exportTo === undefined ? {} : { exportTo };
  if (data === undefined || existsSync(data)) return { ...exported, ...(data === undefined ? {} : { data }) };
  // the first start of many: the file comes into being with the first exit
  if (exportTo !== undefined && resolve(exportTo) === resolve(data)) return exported;
  return fail(
    `the data file ${data} does not exist. Name one that does, or add --export-on-exit: the first exit then writes it`,
  );
}

function checkTarget(name: string): void {
  const refuse = (why: string) => fail(`cannot write ${name} on exit: ${why}`);
  const folder = dirname(resolve(name));
  if (!existsSync(folder)) refuse(`there is no folder ${folder}`);
  const target = targetOf(name, refuse);
  try {
    accessSync(dirname(target), constants.W_OK);
  } catch {
    refuse(`the folder ${dirname(target)} is not writable`);
  }
}

function targetOf(name: string, refuse: (why: string) => never): string {
  try {
    return findExportTarget(name).file;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}
