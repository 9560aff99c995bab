import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fail } from "./command-error.js";

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

function checkTarget(file: string): void {
  const folder = dirname(resolve(file));
  if (!existsSync(folder)) fail(`cannot write ${file} on exit: there is no folder ${folder}`);
  if (existsSync(file) && statSync(file).isDirectory()) fail(`cannot write ${file} on exit: it is a folder`);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    fail(`cannot write ${file} on exit: the folder ${folder} is not writable`);
  }
}
