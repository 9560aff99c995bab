import { crc32 } from "node:zlib";
import type { SqlJsStatic } from "sql.js";
import { emulatorLimits } from "../memory/limits.js";
import { applicationId, schemaVersion } from "../store/schema.js";
import { inspectState } from "./inspect-state.js";
import { StateFileError, writerVersionAdvice } from "./state-file-error.js";

/** The length of the checksum, which follows the pages. SQLite does not read it. */
const checksumLength = 4;

/** The first bytes of every SQLite file. */
export const headerText = Buffer.from("SQLite format 3\0");
const headerLength = 100;

/** Adds a checksum to the bytes of a state. */
export function addChecksum(state: Uint8Array): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(state.length + checksumLength);
  file.set(state);
  Buffer.from(file.buffer).writeUInt32BE(crc32(state), state.length);
  return file;
}

/**
 * Checks a file that {@link addChecksum} has written.
 *
 * @returns the bytes of the state
 * @throws StateFileError
 */
export function extractState(sqlite: SqlJsStatic, file: Uint8Array): Uint8Array {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.length > emulatorLimits.stateBytes) throw new StateFileError(formatTooLargeMessage(bytes.length));
  if (bytes.length === 0) throw new StateFileError("it is empty");
  if (!headerText.equals(bytes.subarray(0, headerText.length)))
    throw new StateFileError("it is not a SQLite file");
  if (bytes.length < headerLength) throw new StateFileError("it is damaged: its end is missing");
  // The offsets are those of the user version and the application id in section 1.3 of SQLite's file format.
  if (bytes.readUInt32BE(68) !== applicationId)
    throw new StateFileError("it is a SQLite file, but not one that the emulator wrote");
  const version = bytes.readUInt32BE(60);
  if (version !== schemaVersion)
    throw new StateFileError(
      `its tables have version ${version}, but this emulator reads only version ${schemaVersion}; ` +
        (version > schemaVersion ? "update data-service-emulator" : writerVersionAdvice),
    );
  const state = bytes.subarray(0, -checksumLength);
  if (bytes.readUInt32BE(state.length) !== crc32(state))
    throw new StateFileError(
      "it is damaged, or another program has changed it: its checksum does not match its content; " +
        "to change data, export it as a seed file instead",
    );
  inspectState(sqlite, state);
  return state;
}

/** Formats the message for a file that is too large. */
export function formatTooLargeMessage(bytes: number): string {
  return `it is ${bytes} bytes, but a state can have at most ${emulatorLimits.stateBytes} bytes`;
}
