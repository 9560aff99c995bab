import { crc32 } from "node:zlib";
import type { SqlJsStatic } from "sql.js";
import { emulatorLimits } from "../memory/limits.js";
import { readPageSize } from "../sqlite/sqlite.js";
import { validateState } from "./inspect-state.js";
import { applicationId, schemaVersion } from "../store/schema.js";
import { StateFileError } from "./state-file-error.js";

/**
 * What stands behind the pages of a file that the emulator wrote: a mark, the file's change counter, and a checksum
 * of the pages. SQLite reads no further than the pages. A program that changes the file counts up the counter, and
 * the checksum says nothing any more; as long as the counter stands, a byte that differs is damage.
 */
const sealMark = Buffer.from("dsEm");
const sealLength = 12;

const headerText = Buffer.from("SQLite format 3\0");
const sameEmulator = "use the version of data-service-emulator that wrote it";

/** Makes a file of the bytes of a state. */
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
 * Reads a file that {@link addChecksum} made, or one that another program has changed since.
 *
 * @returns the bytes of a state that is whole and of this version
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
      `its tables have version ${header.schemaVersion}, but this emulator reads only version ${schemaVersion}; ${sameEmulator}`,
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

/** The message for a file of this many bytes. */
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

/** The file header of SQLite (section 1.3 of its file format), as far as it matters here. */
interface StateHeader {
  readonly changeCounter: number;
  /** What SQLite has to understand to read and to write the file: 1, or 2 for WAL mode. */
  readonly formats: readonly [write: number, read: number];
  readonly isUtf8: boolean;
  readonly schemaVersion: number;
  readonly applicationId: number;
  /** Bytes of all pages; what lies behind them is none of SQLite's. */
  readonly pagesLength: number;
}

/** Bytes of the header. */
const headerLength = 100;

/** @param state at least as long as a header */
function readHeader(state: Uint8Array): StateHeader {
  const header = Buffer.from(state.buffer, state.byteOffset, headerLength);
  const pageSize = readPageSize(header);
  if (pageSize < 512 || (pageSize & (pageSize - 1)) !== 0)
    throw new StateFileError("it is damaged: its page size is invalid");
  const changeCounter = header.readUInt32BE(24);
  // a page count that was not written with the last change does not count: then the pages are all there are
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
