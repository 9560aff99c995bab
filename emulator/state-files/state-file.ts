import { crc32 } from "node:zlib";
import type { SqlJsStatic } from "sql.js";
import { emulatorLimits } from "../memory/limits.js";
import { inspectState } from "./inspect-state.js";
import { applicationId, schemaVersion } from "../store/schema.js";
import { StateFileError } from "./state-file-error.js";
import { headerLength, readHeader } from "./state-header.js";
import { withoutViews, withViews } from "./views.js";

/**
 * What stands behind the pages of a file that the emulator wrote: a mark, the file's change counter, and a checksum
 * of the pages. SQLite reads no further than the pages. A program that changes the file counts up the counter, and
 * the checksum says nothing any more; as long as the counter stands, a byte that differs is damage.
 */
const sealMark = Buffer.from("dsEm");
const sealLength = 12;

const headerText = Buffer.from("SQLite format 3\0");
const sameEmulator = "use the version of data-service-emulator that wrote it";

/** Makes a file of the bytes of a state, with views for whoever opens it in another program. */
export function sealState(sqlite: SqlJsStatic, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const state = withViews(sqlite, bytes);
  const file = new Uint8Array(state.length + sealLength);
  file.set(state);
  const seal = Buffer.from(file.buffer, state.length);
  sealMark.copy(seal);
  seal.writeUInt32BE(readHeader(state).changeCounter, 4);
  seal.writeUInt32BE(crc32(state), 8);
  return file;
}

/**
 * Reads a file that {@link sealState} made, or one that another program has changed since.
 *
 * @returns the bytes of a state that is whole and of this version
 * @throws StateFileError
 */
export function openState(sqlite: SqlJsStatic, file: Uint8Array): Uint8Array {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.length > emulatorLimits.stateBytes) throw new StateFileError(tooLarge(bytes.length));
  if (bytes.length === 0) throw new StateFileError("it is empty");
  if (!headerText.equals(bytes.subarray(0, headerText.length)))
    throw new StateFileError("it is no SQLite file");
  if (bytes.length < headerLength) throw truncated();
  const header = readHeader(bytes);
  if (header.applicationId !== applicationId)
    throw new StateFileError("it is a SQLite file, but none that the emulator wrote");
  if (header.schemaVersion > schemaVersion)
    throw new StateFileError(
      `its tables have version ${header.schemaVersion}, and this emulator knows version ${schemaVersion}; update data-service-emulator`,
    );
  if (header.schemaVersion < schemaVersion)
    throw new StateFileError(
      `its tables have version ${header.schemaVersion}, and this emulator reads version ${schemaVersion} alone; ${sameEmulator}`,
    );
  if (header.formats.includes(2))
    throw new StateFileError(
      "another program has put it into WAL mode, so that part of it may stand in another file; run `PRAGMA journal_mode=DELETE` on it",
    );
  if (!header.formats.every((format) => format === 1))
    throw new StateFileError("it is damaged: its format is one that SQLite does not write to");
  const { pagesLength } = header;
  if (pagesLength > bytes.length) throw truncated();
  const state = bytes.subarray(0, pagesLength);
  checkSeal(state, bytes.subarray(pagesLength));
  if (!header.isUtf8)
    throw new StateFileError(
      "another program has written its texts in UTF-16; the emulator reads UTF-8 alone",
    );
  const { hasViews } = inspectState(sqlite, state);
  return hasViews ? withoutViews(sqlite, state) : state;
}

/** What is wrong with a file of so many bytes. */
export function tooLarge(bytes: number): string {
  return `it has ${bytes} bytes, and a state has ${emulatorLimits.stateBytes} at most`;
}

function checkSeal(state: Uint8Array, seal: Buffer): void {
  if (seal.length !== sealLength || !sealMark.equals(seal.subarray(0, 4))) return;
  if (seal.readUInt32BE(4) !== readHeader(state).changeCounter) return;
  if (seal.readUInt32BE(8) !== crc32(state))
    throw new StateFileError("it is damaged: its checksum does not match its content");
}

function truncated(): StateFileError {
  return new StateFileError("it is damaged: its end is missing");
}
