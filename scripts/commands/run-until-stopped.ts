import { isatty } from "node:tty";
import type { Emulator } from "../../emulator/api/emulator.js";
import { writeCoverage } from "../../emulator/coverage/write-coverage.js";
import { exitWithError } from "./terminal.js";
import type { OpenedEmulator } from "./open-emulator.js";
import { assertLocksHeld } from "./take-lock.js";
import { writeFileAtomically } from "./write-file-atomically.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";

/** Writes the data of an emulator to the file of `--export-on-exit`; ends the process if that fails. */
export function exportData({ emulator, exportTo }: OpenedEmulator): void {
  if (exportTo === undefined) return;
  try {
    assertLocksHeld();
    writeFileAtomically(exportTo, emulator.export());
  } catch (error) {
    exitWithError(`cannot write ${exportTo}: ${toErrorMessage(error)}`);
  }
}

/** Writes the coverage of an emulator if the environment names a folder for it; ends the process if that fails. */
export function saveCoverage({ emulator }: OpenedEmulator): void {
  const { counting, met } = emulator.coverage();
  if (!counting) return;
  try {
    writeCoverage(met);
  } catch (error) {
    exitWithError(`cannot write the coverage: ${toErrorMessage(error)}`);
  }
}

/**
 * Ends the process at a signal. The first signal saves, lets pending requests finish and saves again; the second saves
 * and exits.
 *
 * @param save writes the data, and returns whether that was possible; if not, the exit code is 2
 * @param onEnd called after the data was written
 * @returns the handler of a signal
 */
export function runUntilStopped(
  { stopListening }: Pick<Emulator, "stopListening">,
  save: () => boolean,
  onEnd: () => void,
): () => void {
  let stopping = false;
  // synchronous from here on, so that no other signal interrupts
  const end = (code: number) => {
    const isSaved = save();
    onEnd();
    process.exit(isSaved ? code : 2);
  };
  const stop = () => {
    if (stopping) end(130);
    stopping = true;
    // the process may be killed before pending requests finish: `docker stop` waits only ten seconds
    save();
    stopListening().then(
      () => end(0),
      (error: unknown) => exitWithError(toErrorMessage(error)),
    );
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  // The terminal was closed. Without a terminal, the process may run under `nohup`, which ignores this signal.
  if ([0, 1, 2].some(isatty)) process.on("SIGHUP", stop);
  return stop;
}
