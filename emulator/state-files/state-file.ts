import { crc32 } from "node:zlib";
import { emulatorLimits } from "../memory/limits.js";
import { applicationId, schemaVersion } from "../store/schema.js";

/** A file that is no state of the emulator; the message says what is wrong with it and what to do. */
export class StateFileError extends Error {
  override readonly name = "StateFileError";
}

/**
 * What follows the pages of a file that the emulator wrote, where SQLite does not read: a mark, the file's change
 * counter, and a checksum of the pages. A program that changes the file increments the counter in its header.
 */
const sealMark = Buffer.from("dsEm");
const sealLength = 12;

const headerText = Buffer.from("SQLite format 3\0");
/** Bytes of SQLite's file header (section 1.3 of its file format). */
const headerLength = 100;
const changeCounterAt = 24;
const schemaVersionAt = 60;
const applicationIdAt = 68;

/** Makes a file of the bytes of a state. */
export function addChecksum(state: Uint8Array): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(state.length + sealLength);
  file.set(state);
  file.set(state.subarray(changeCounterAt, changeCounterAt + 4), state.length + 4);
  const seal = Buffer.from(file.buffer, state.length);
  sealMark.copy(seal);
  seal.writeUInt32BE(crc32(state), 8);
  return file;
}

/**
 * Reads a file that {@link addChecksum} made. Its pages are trusted because the checksum matches.
 *
 * @returns the bytes of the state
 * @throws StateFileError for one that is foreign, damaged, changed or of another version
 */
export function readStateBytes(file: Uint8Array): Uint8Array {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.length > emulatorLimits.stateBytes) throw new StateFileError(describeTooLarge(bytes.length));
  if (bytes.length === 0) throw new StateFileError("it is empty");
  if (!headerText.equals(bytes.subarray(0, headerText.length)))
    throw new StateFileError("it is no SQLite file");
  if (bytes.length < headerLength + sealLength) throw new StateFileError("it is damaged: its end is missing");
  if (bytes.readUInt32BE(applicationIdAt) !== applicationId)
    throw new StateFileError("it is a SQLite file, but none that the emulator wrote");
  const version = bytes.readUInt32BE(schemaVersionAt);
  if (version !== schemaVersion)
    throw new StateFileError(
      `its tables have version ${version}, and this emulator reads version ${schemaVersion} alone; ` +
        (version > schemaVersion
          ? "update data-service-emulator"
          : "use the version of data-service-emulator that wrote it"),
    );
  const state = bytes.subarray(0, -sealLength);
  const seal = bytes.subarray(-sealLength);
  if (!sealMark.equals(seal.subarray(0, 4)))
    throw new StateFileError(`its end is missing, or another program wrote it; ${changeInstead}`);
  if (seal.readUInt32BE(4) !== bytes.readUInt32BE(changeCounterAt))
    throw new StateFileError(`another program has changed it; ${changeInstead}`);
  if (seal.readUInt32BE(8) !== crc32(state))
    throw new StateFileError("it is damaged: its checksum does not match its content");
  return state;
}

const changeInstead = "to change data, edit the seed file that `data-service export` writes";

/** The message for a file of this many bytes. */
export function describeTooLarge(bytes: number): string {
  return `it has ${bytes} bytes, and a state has ${emulatorLimits.stateBytes} at most`;
}
