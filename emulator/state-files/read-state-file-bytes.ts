import { constants, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { emulatorLimits } from "../memory/limits.js";
import { StateFileError } from "./state-file-error.js";
import { formatTooLargeMessage } from "./state-file.js";

/**
 * Reads a file that a state may be in. A pipe or a device is refused before it is opened: reading one may never end,
 * and opening one may do something.
 *
 * @throws StateFileError if it is not a file or too large; errors of the system
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
  // the file may have changed in the meantime
  rejectIrregularFile(stats);
  if (stats.size > emulatorLimits.stateBytes) throw new StateFileError(formatTooLargeMessage(stats.size));
  const bytes = new Uint8Array(stats.size);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read)
    ({ bytesRead: read } = await handle.read(bytes, length, bytes.length - length, length));
  return bytes.subarray(0, length);
}

/** Opening a pipe waits for a writer without it; systems without pipes in folders do not know it. */
const { O_NONBLOCK: nonBlocking } = constants as { readonly O_NONBLOCK?: number };

function rejectIrregularFile(stats: Stats): void {
  if (stats.isDirectory()) throw new StateFileError("it is a folder");
  if (!stats.isFile()) throw new StateFileError("it is a pipe, a socket or a device, not a file");
}
