import { constants, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { emulatorLimits } from "../memory/limits.js";
import { StateFileError } from "./state-file-error.js";
import { formatTooLargeMessage } from "./state-file.js";

/**
 * Reads a state file. Pipes and devices are rejected before they are opened, because opening one may have an effect, and
 * reading one may never end.
 *
 * @throws StateFileError if it is not a file, or too large; errors of the operating system
 */
export async function readStateFileBytes(file: string | URL): Promise<Uint8Array> {
  rejectIrregularFile(await stat(file));
  const handle = await open(file, constants.O_RDONLY | (nonBlocking ?? 0));
  try {
    return await readWhole(handle);
  } finally {
    await handle.close();
  }
}

async function readWhole(handle: FileHandle): Promise<Uint8Array> {
  const stats = await handle.stat();
  // The file may have been replaced.
  rejectIrregularFile(stats);
  if (stats.size > emulatorLimits.stateBytes) throw new StateFileError(formatTooLargeMessage(stats.size));
  const bytes = new Uint8Array(stats.size);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read)
    ({ bytesRead: read } = await handle.read(bytes, length, bytes.length - length, length));
  return bytes.subarray(0, length);
}

/** Without this flag, opening a pipe waits for a writer. Some systems do not have the flag. */
const { O_NONBLOCK: nonBlocking } = constants as { readonly O_NONBLOCK?: number };

function rejectIrregularFile(stats: Stats): void {
  if (stats.isDirectory()) throw new StateFileError("it is a folder");
  if (!stats.isFile()) throw new StateFileError("it is a pipe, a socket or a device, not a file");
}
