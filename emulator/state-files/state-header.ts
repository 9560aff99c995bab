import { StateFileError } from "./state-file-error.js";

/** The file header of SQLite (section 1.3 of its file format), as far as it matters here. */
export interface StateHeader {
  readonly pageSize: number;
  /** Bytes of a page that SQLite uses. */
  readonly usableSize: number;
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
export const headerLength = 100;

/** @param state at least as long as a header */
export function readHeader(state: Uint8Array): StateHeader {
  const header = Buffer.from(state.buffer, state.byteOffset, headerLength);
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  if (pageSize < 512 || (pageSize & (pageSize - 1)) !== 0)
    throw new StateFileError("it is damaged: it has pages of a size that there is not");
  const changeCounter = header.readUInt32BE(24);
  // a page count that was not written with the last change does not count: then the pages are all there are
  const pages = header.readUInt32BE(92) === changeCounter ? header.readUInt32BE(28) : 0;
  return {
    pageSize,
    usableSize: pageSize - header.readUInt8(20),
    changeCounter,
    formats: [header.readUInt8(18), header.readUInt8(19)],
    isUtf8: header.readUInt32BE(56) === 1,
    schemaVersion: header.readUInt32BE(60),
    applicationId: header.readUInt32BE(68),
    pagesLength: (pages === 0 ? Math.floor(state.length / pageSize) : pages) * pageSize,
  };
}
