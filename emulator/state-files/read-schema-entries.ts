import { StateFileError } from "./state-file-error.js";
import { readHeader } from "./state-header.js";

/** One row of `sqlite_schema`. */
export interface SchemaEntry {
  readonly type: string;
  readonly name: string;
  /** The table that it belongs to; its own name for a table. */
  readonly table: string;
  readonly rootPage: number;
  /** Null for an index that comes with a table. */
  readonly sql: string | null;
}

/**
 * Reads the rows of `sqlite_schema` out of the pages themselves (sections 1.6 and 2 of SQLite's file format): to ask
 * SQLite for them means to have it take them all in first, whatever they say. Every page is looked at once at most, and
 * who finds a row that should not be there need not read on.
 *
 * @throws StateFileError
 */
export function* readSchemaEntries(state: Uint8Array): Generator<SchemaEntry> {
  const pages = new Pages(state);
  const waiting = [1];
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    const page = pages.get(number);
    const at = number === 1 ? 100 : 0;
    const kind = page.at(at);
    if (kind !== interior && kind !== leaf) throw unreadable();
    const cells = unsigned(page, at + 3, 2);
    if (kind === interior) waiting.push(unsigned(page, at + 8, 4));
    for (let cell = 0; cell < cells; cell += 1) {
      const place = unsigned(page, at + (kind === leaf ? 8 : 12) + cell * 2, 2);
      if (kind === interior) waiting.push(unsigned(page, place, 4));
      else yield readEntry(pages.payload(page, place));
    }
  }
}

const interior = 0x05;
const leaf = 0x0d;

/** The pages of a file, each of which is given out once. */
class Pages {
  readonly #bytes: Buffer;
  readonly #pageSize: number;
  readonly #usableSize: number;
  readonly #seen = new Set<number>();

  constructor(state: Uint8Array) {
    this.#bytes = Buffer.from(state.buffer, state.byteOffset, state.byteLength);
    ({ pageSize: this.#pageSize, usableSize: this.#usableSize } = readHeader(state));
  }

  get(number: number): Buffer {
    const start = (number - 1) * this.#pageSize;
    if (number < 1 || start + this.#pageSize > this.#bytes.length || this.#seen.has(number))
      throw unreadable();
    this.#seen.add(number);
    return this.#bytes.subarray(start, start + this.#usableSize);
  }

  /** What a cell of a leaf holds, wherever it goes on. */
  payload(page: Buffer, place: number): Buffer {
    const [length, behindLength] = varint(page, place);
    const [, start] = varint(page, behindLength);
    const local = this.#localLength(length);
    const parts = [slice(page, start, local)];
    let left = length - local;
    for (let next = left > 0 ? unsigned(page, start + local, 4) : 0; left > 0;) {
      const overflow = this.get(next);
      const part = slice(overflow, 4, Math.min(left, this.#usableSize - 4));
      parts.push(part);
      left -= part.length;
      next = unsigned(overflow, 0, 4);
    }
    return parts.length === 1 ? (parts[0] ?? page) : Buffer.concat(parts);
  }

  /** How much of a payload lies in the cell itself. */
  #localLength(length: number): number {
    const most = this.#usableSize - 35;
    if (length <= most) return length;
    const least = Math.floor(((this.#usableSize - 12) * 32) / 255) - 23;
    const fitting = least + ((length - least) % (this.#usableSize - 4));
    return fitting <= most ? fitting : least;
  }
}

function readEntry(record: Buffer): SchemaEntry {
  const [headerLength, first] = varint(record, 0);
  const values: (string | number | null)[] = [];
  let at = headerLength;
  for (let place = first; place < headerLength;) {
    const [serialType, next] = varint(record, place);
    const [value, length] = readValue(record, at, serialType);
    values.push(value);
    place = next;
    at += length;
  }
  const [type, name, table, rootPage, sql] = values;
  if (
    values.length !== 5 ||
    typeof type !== "string" ||
    typeof name !== "string" ||
    typeof table !== "string" ||
    typeof rootPage !== "number" ||
    !(typeof sql === "string" || sql === null)
  )
    throw unreadable();
  return { type, name, table, rootPage, sql };
}

const integerLengths = [0, 1, 2, 3, 4, 6];
const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A value of a record, and its bytes; no row of `sqlite_schema` has a blob or a number with a fraction. */
function readValue(record: Buffer, at: number, serialType: number): [string | number | null, number] {
  if (serialType === 0) return [null, 0];
  if (serialType === 8 || serialType === 9) return [serialType - 8, 0];
  const integerLength = integerLengths[serialType];
  if (integerLength !== undefined) return [unsigned(record, at, integerLength), integerLength];
  if (serialType < 13 || serialType % 2 === 0) throw unreadable();
  const length = (serialType - 13) / 2;
  try {
    return [text.decode(slice(record, at, length)), length];
  } catch {
    throw unreadable();
  }
}

/** SQLite's integer of one to nine bytes, and where it ends; one that no length of a file reaches is refused. */
function varint(bytes: Buffer, at: number): [value: number, end: number] {
  let value = 0;
  for (let end = at; end < at + 8; end += 1) {
    const byte = unsigned(bytes, end, 1);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      if (!Number.isSafeInteger(value)) throw unreadable();
      return [value, end + 1];
    }
  }
  throw unreadable();
}

function unsigned(bytes: Buffer, at: number, length: number): number {
  return slice(bytes, at, length).readUIntBE(0, length);
}

function slice(bytes: Buffer, at: number, length: number): Buffer {
  if (at + length > bytes.length) throw unreadable();
  return bytes.subarray(at, at + length);
}

function unreadable(): StateFileError {
  return new StateFileError("it is damaged: the list of its tables cannot be read");
}
