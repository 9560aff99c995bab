import type { Emulator } from "../../emulator/api/emulator.js";
import { writeCoverage } from "../../emulator/coverage/write-coverage.js";
import { failAtOnce } from "./terminal.js";
import type { OpenedEmulator } from "./open-emulator.js";
import { writeFileAtomically } from "./write-file-atomically.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";

/** Writes the data of an emulator where `--export-on-exit` wants it. Ends the command where that fails. */
export function exportData({ emulator, exportTo }: OpenedEmulator): void {
  if (exportTo === undefined) return;
  try {
    writeFileAtomically(exportTo, emulator.export());
  } catch (error) {
    failAtOnce(`cannot write ${exportTo}: ${toErrorMessage(error)}`);
  }
}

/** Writes the coverage of an emulator where the environment names a folder. Ends the command where that fails. */
export function saveCoverage({ emulator }: OpenedEmulator): void {
  const { counting, met } = emulator.coverage();
  if (!counting) return;
  try {
    writeCoverage(met);
  } catch (error) {
    failAtOnce(`cannot write the coverage: ${toErrorMessage(error)}`);
  }
}

/**
 * Ends the process at a signal. The first one lets requests under way finish; the second one does not wait for them.
 * Both save, the first one at once as well.
 *
 * @param save writes the data
 * @param onEnd has the last word, when the data is written
 * @returns what a signal calls
 */
export function runUntilStopped(
  { stopListening }: Pick<Emulator, "stopListening">,
  save: () => void,
  onEnd: () => void,
): () => void {
  let stopping = false;
  // without a pause from here on, so that no other signal comes between
  const end = (code: number) => {
    save();
    onEnd();
    process.exit(code);
  };
  const stop = () => {
    if (stopping) end(130);
    stopping = true;
    // whoever stops the process may not wait for the requests under way, as `docker stop` does for ten seconds
    save();
    stopListening().then(
      () => end(0),
      (error: unknown) => failAtOnce(toErrorMessage(error)),
    );
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return stop;
}
