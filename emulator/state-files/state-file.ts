import { crc32 } from "node:zlib";
import type { SqlJsStatic } from "sql.js";
import { emulatorLimits } from "../memory/limits.js";
import { readPageSize } from "../sqlite/sqlite.js";
import { validateState } from "./inspect-state.js";
import { applicationId, schemaVersion } from "../store/schema.js";
import { StateFileError, useWritersVersion } from "./state-file-error.js";

/**
 * Files end with a seal after the pages, which SQLite does not read: a mark, the file's change counter, and a checksum of the
 * pages. The checksum is valid only while the counter is the same, because other programs that change the file increase it.
 */
const sealMark = Buffer.from("dsEm");
const sealLength = 12;

const headerText = Buffer.from("SQLite format 3\0");

/** Adds the seal to the bytes of a state. */
export function addChecksum(state: Uint8Array): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(state.length + sealLength);
  file.set(state);
  const seal = Buffer.from(file.buffer, state.length);
  sealMark.copy(seal);
  seal.writeUInt32BE(readHeader(state).changeCounter, 4);
  seal.writeUInt32BE(crc32(state), 8);
  return file;
}

/**
 * Checks a file that {@link addChecksum} has written, and that another program may have changed.
 *
 * @returns the bytes of a valid state of this version
 * @throws StateFileError
 */
export function extractState(sqlite: SqlJsStatic, file: Uint8Array): Uint8Array {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.length > emulatorLimits.stateBytes) throw new StateFileError(formatTooLargeMessage(bytes.length));
  if (bytes.length === 0) throw new StateFileError("it is empty");
  if (!headerText.equals(bytes.subarray(0, headerText.length)))
    throw new StateFileError("it is not a SQLite file");
  if (bytes.length < headerLength) throw createTruncatedError();
  const header = readHeader(bytes);
  if (header.applicationId !== applicationId)
    throw new StateFileError("it is a SQLite file, but not one that the emulator wrote");
  if (header.schemaVersion > schemaVersion)
    throw new StateFileError(
      `its tables have version ${header.schemaVersion}, but this emulator supports only versions up to ${schemaVersion}; update data-service-emulator`,
    );
  if (header.schemaVersion < schemaVersion)
    throw new StateFileError(
      `its tables have version ${header.schemaVersion}, but this emulator reads only version ${schemaVersion}; ${useWritersVersion}`,
    );
  if (header.formats.includes(2))
    throw new StateFileError(
      "another program has put it into WAL mode, so part of the data may be in another file; run `PRAGMA journal_mode=DELETE` on this file",
    );
  if (!header.formats.every((format) => format === 1))
    throw new StateFileError("it is damaged: its header gives an unknown file format");
  const { pagesLength } = header;
  if (pagesLength > bytes.length) throw createTruncatedError();
  const state = bytes.subarray(0, pagesLength);
  checkSeal(state, bytes.subarray(pagesLength));
  if (!header.isUtf8)
    throw new StateFileError(
      "its text is encoded in UTF-16, but the emulator reads only UTF-8; another program probably saved it that way",
    );
  return validateState(sqlite, state);
}

/** Formats the message for a file that is too large. */
export function formatTooLargeMessage(bytes: number): string {
  return `it is ${bytes} bytes, but a state can have at most ${emulatorLimits.stateBytes} bytes`;
}

function checkSeal(state: Uint8Array, seal: Buffer): void {
  if (seal.length !== sealLength || !sealMark.equals(seal.subarray(0, 4))) return;
  if (seal.readUInt32BE(4) !== readHeader(state).changeCounter) return;
  if (seal.readUInt32BE(8) !== crc32(state))
    throw new StateFileError("it is damaged: its checksum does not match its content");
}

function createTruncatedError(): StateFileError {
  return new StateFileError("it is damaged: its end is missing");
}

/** The relevant fields of SQLite's file header (section 1.3 of its file format). */
interface StateHeader {
  readonly changeCounter: number;
  /** The versions of the file format: 1, or 2 for WAL mode. */
  readonly formats: readonly [write: number, read: number];
  readonly isUtf8: boolean;
  readonly schemaVersion: number;
  readonly applicationId: number;
  /** The size of all pages. SQLite does not read further bytes. */
  readonly pagesLength: number;
}

const headerLength = 100;

/** @param state at least as long as a header */
function readHeader(state: Uint8Array): StateHeader {
  const header = Buffer.from(state.buffer, state.byteOffset, headerLength);
  const pageSize = readPageSize(header);
  if (pageSize < 512 || (pageSize & (pageSize - 1)) !== 0)
    throw new StateFileError("it is damaged: its page size is invalid");
  const changeCounter = header.readUInt32BE(24);
  // The page count is valid only if it was written with the last change. Otherwise, the whole file consists of pages.
  const pages = header.readUInt32BE(92) === changeCounter ? header.readUInt32BE(28) : 0;
  return {
    changeCounter,
    formats: [header.readUInt8(18), header.readUInt8(19)],
    isUtf8: header.readUInt32BE(56) === 1,
    schemaVersion: header.readUInt32BE(60),
    applicationId: header.readUInt32BE(68),
    pagesLength: (pages === 0 ? Math.floor(state.length / pageSize) : pages) * pageSize,
  };
}
