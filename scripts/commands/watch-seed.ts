import { watchFile } from "node:fs";
import type { Emulator } from "../../emulator/api/emulator.js";
import { printError } from "./print.js";

const intervalMs = 200;

/** Reads a seed file again whenever it changes; a mistake in it is printed, and the data stays as it is. */
export function watchSeed(file: string, emulator: Emulator): void {
  watchFile(file, { interval: intervalMs, persistent: false }, ({ mtimeMs, size }) => {
    // many editors empty a file before they write it; one that is gone has no time
    if (size === 0 && mtimeMs > 0) return;
    try {
      emulator.reload();
      printError(`${file} has changed: every namespace that starts from it was reset\n`);
    } catch (error) {
      printError(`${error instanceof Error ? error.message : String(error)}\nThe data stays as it was.\n`);
    }
  });
}
