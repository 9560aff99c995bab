import { crc32 } from "node:zlib";
import type { Database, SqlJsStatic } from "sql.js";
import { indexSqlName, tableSqlName } from "../sql/table.js";
import { applicationId, schema, schemaVersion } from "./schema.js";

/** A file that is no state of the emulator; the message says what is wrong with it and what to do. */
export class StateFileError extends Error {
  override readonly name = "StateFileError";
}

/**
 * What stands behind the pages of a file that the emulator wrote: a mark, the file's change counter, and a checksum
 * of the pages. SQLite reads no further than the pages. A program that changes the file counts up the counter, and
 * the checksum says nothing any more; as long as the counter stands, a byte that differs is damage.
 */
const sealMark = Buffer.from("dsEm");
const sealLength = 12;

const headerLength = 100;
const headerText = Buffer.from("SQLite format 3\0");
const sameEmulator = "use the version of data-service-emulator that wrote it";

/** Makes a file of the bytes of a state. */
export function sealState(state: Uint8Array): Uint8Array<ArrayBuffer> {
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
  if (header.isWriteAheadLogged)
    throw new StateFileError(
      "another program has put it into WAL mode, so that part of it may stand in another file; run `PRAGMA journal_mode=DELETE` on it",
    );
  const { pagesLength } = header;
  if (pagesLength > bytes.length) throw truncated();
  const state = bytes.subarray(0, pagesLength);
  checkSeal(state, bytes.subarray(pagesLength));
  if (!header.isUtf8)
    throw new StateFileError(
      "another program has written its texts in UTF-16; the emulator reads UTF-8 alone",
    );
  inspect(sqlite, state);
  return state;
}

/** The file header of SQLite (section 1.3 of its file format), as far as it matters here. */
function readHeader(state: Uint8Array) {
  const header = Buffer.from(state.buffer, state.byteOffset, headerLength);
  const pageSize = header.readUInt16BE(16);
  const changeCounter = header.readUInt32BE(24);
  // a page count that was not written with the last change does not count
  const pages = header.readUInt32BE(92) === changeCounter ? header.readUInt32BE(28) : 0;
  return {
    changeCounter,
    isWriteAheadLogged: header[18] === 2 || header[19] === 2,
    isUtf8: header.readUInt32BE(56) === 1,
    schemaVersion: header.readUInt32BE(60),
    applicationId: header.readUInt32BE(68),
    pagesLength: pages === 0 ? state.length : pages * (pageSize === 1 ? 65_536 : pageSize),
  };
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

/** Looks whether the pages hang together and hold the emulator's tables, and no others. */
function inspect(sqlite: SqlJsStatic, state: Uint8Array): void {
  const database = new sqlite.Database(new Uint8Array(state.buffer, state.byteOffset, state.byteLength));
  try {
    database.run("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA locking_mode=EXCLUSIVE");
    const [[verdict] = []] = rowsOf(database, "PRAGMA integrity_check(1)");
    if (verdict !== "ok") throw new Error(String(verdict));
    checkTables(sqlite, database);
    checkJson(database);
  } catch (error) {
    if (error instanceof StateFileError) throw error;
    throw new StateFileError(`it is damaged: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    database.close();
  }
}

function checkTables(sqlite: SqlJsStatic, database: Database): void {
  const found = definitionsOf(database);
  for (const [name, sql] of (ownDefinitions ??= readOwnDefinitions(sqlite)))
    if (!found.has(name)) throw new StateFileError(`it lacks the table or index ${name}; ${sameEmulator}`);
    else if (found.get(name) !== sql)
      throw new StateFileError(`${name} in it has another form; ${sameEmulator}`);
  const tables = rowsOf(database, "SELECT table_id FROM sql_tables").map(([id]) => tableSqlName(Number(id)));
  const indexes = rowsOf(database, "SELECT index_id FROM sql_indexes").map(([id]) =>
    indexSqlName(Number(id)),
  );
  const cataloged = new Set([...tables, ...indexes]);
  for (const name of cataloged)
    if (!found.has(name))
      throw new StateFileError(`it is damaged: the rows of the SQL table or index ${name} are missing`);
  for (const name of found.keys())
    if (!ownDefinitions.has(name) && !cataloged.has(name) && !name.startsWith("sqlite_"))
      throw new StateFileError(`${name} in it is none of the emulator's tables; ${sameEmulator}`);
}

/** JSON goes out as it is stored, so a program that changed it must have left it JSON. */
function checkJson(database: Database): void {
  for (const [table, column] of jsonColumns) {
    const sql = `SELECT 1 FROM ${table} WHERE NOT json_valid(${column}) LIMIT 1`;
    if (rowsOf(database, sql).length > 0)
      throw new StateFileError(`it is damaged: a row of ${table} has a ${column} that is not JSON`);
  }
}

const jsonColumns = [
  ["items", "data"],
  ["entities", "data"],
  ["repositories", "schema"],
  ["databases", "settings"],
  ["sql_tables", "definition"],
  ["sql_indexes", "column_ids"],
] as const;

let ownDefinitions: ReadonlyMap<string, string> | undefined;

/** What an empty state consists of. */
function readOwnDefinitions(sqlite: SqlJsStatic): ReadonlyMap<string, string> {
  const database = new sqlite.Database();
  try {
    database.run(schema);
    return definitionsOf(database);
  } finally {
    database.close();
  }
}

function definitionsOf(database: Database): ReadonlyMap<string, string> {
  return new Map(
    rowsOf(database, "SELECT name, coalesce(sql, '') FROM sqlite_schema").map(([name, sql]) => [
      String(name),
      String(sql),
    ]),
  );
}

function rowsOf(database: Database, sql: string) {
  return database.exec(sql)[0]?.values ?? [];
}
