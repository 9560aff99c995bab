import { readFile, stat } from "node:fs/promises";
import { emulatorLimits } from "../memory/limits.js";
import { StateFileError } from "./state-file-error.js";
import { formatTooLargeMessage } from "./state-file.js";

/**
 * Reads a state file. Pipes and devices are rejected, because reading one may never end.
 *
 * @throws StateFileError if it is not a file, or too large; errors of the operating system
 */
export async function readStateFileBytes(file: string | URL): Promise<Uint8Array> {
  const stats = await stat(file);
  if (stats.isDirectory()) throw new StateFileError("it is a folder");
  if (!stats.isFile()) throw new StateFileError("it is a pipe, a socket or a device, not a file");
  if (stats.size > emulatorLimits.stateBytes) throw new StateFileError(formatTooLargeMessage(stats.size));
  return readFile(file);
}
