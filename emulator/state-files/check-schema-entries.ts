import type { SqlJsStatic } from "sql.js";
import { schema } from "../store/schema.js";
import { StateFileError } from "./state-file-error.js";
import { viewForm } from "./view-forms.js";
import { readSchemaEntries, type SchemaEntry } from "./read-schema-entries.js";
import { quoteName } from "../sqlite/quote-name.js";

/** What a state has beside the emulator's own tables. */
export interface CheckedEntries {
  /** By their names. */
  readonly ofSqlInterface: ReadonlyMap<string, SchemaEntry>;
  readonly hasViews: boolean;
}

const sameEmulator = "use the version of data-service-emulator that wrote it";

/**
 * Compares the rows of `sqlite_schema` with those that this version writes, before anything evaluates what stands in
 * them: a trigger, a view or an index of an expression does its work wherever the file is read.
 *
 * The tables and indexes of the SQL interface follow from the catalog, which cannot be read yet. Here they have to have
 * their form, in which nothing can be evaluated; `checkCatalog` compares them to the letter.
 *
 * Views are for other programs, and are taken out again; until then they have to have the form in which they are
 * written, in which nothing but columns of one table is evaluated.
 *
 * @throws StateFileError
 */
export function checkSchemaEntries(sqlite: SqlJsStatic, state: Uint8Array): CheckedEntries {
  const own = (ownEntries ??= readOwnEntries(sqlite));
  const found = new Map<string, SchemaEntry>();
  const roots = new Set<number>();
  let hasViews = false;
  for (const entry of readSchemaEntries(state)) {
    const { name } = entry;
    if (isView(entry)) {
      hasViews = true;
      continue;
    }
    if (found.has(name)) throw new StateFileError(`it is damaged: it lists ${show(name)} twice`);
    found.set(name, entry);
    checkEntry(entry, own.get(name));
    if (entry.rootPage < 1 || roots.has(entry.rootPage))
      throw new StateFileError(`it is damaged: the rows of ${name} are nowhere`);
    roots.add(entry.rootPage);
  }
  for (const name of own.keys()) {
    if (!found.delete(name)) throw new StateFileError(`it lacks the table or index ${name}; ${sameEmulator}`);
  }
  return { ofSqlInterface: found, hasViews };
}

function checkEntry(entry: SchemaEntry, own: SchemaEntry | undefined): void {
  const { type, name, table, sql } = entry;
  if (own !== undefined) {
    if (type !== own.type || table !== own.table || sql !== own.sql)
      throw new StateFileError(`${name} in it has another form; ${sameEmulator}`);
    return;
  }
  if (!isOfSqlInterface(entry))
    throw new StateFileError(
      `${show(name)} in it is none of the emulator's tables; drop it, or ${sameEmulator}`,
    );
}

const tableForm =
  /^CREATE TABLE sql_table_\d+ \((?:c\d+ (?:INTEGER|REAL|TEXT|BLOB)(?: NOT NULL)?, )+PRIMARY KEY \(c\d+(?:, c\d+)*\)\) WITHOUT ROWID$/;
const indexForm = /^CREATE (?:UNIQUE )?INDEX sql_index_\d+ ON sql_table_\d+ \(c\d+(?:, c\d+)*\)$/;

/** More than 256 columns and their key take. */
const maxSqlLength = 32_768;
/** Two hundred columns, each in the longest form. */
const maxViewLength = 262_144;

/** Whether something looks like a table of the SQL interface, or an index of one. */
function isOfSqlInterface({ type, name, table, sql }: SchemaEntry): boolean {
  if (sql === null || sql.length > maxSqlLength) return false;
  if (type === "table")
    return (
      /^sql_table_\d+$/.test(name) && table === name && tableForm.test(sql) && sql.includes(` ${name} (`)
    );
  return (
    type === "index" &&
    /^sql_index_\d+$/.test(name) &&
    indexForm.test(sql) &&
    sql.includes(` ${name} ON ${table} (`)
  );
}

/** Whether something looks like a view that the emulator wrote. */
function isView({ type, name, table, rootPage, sql }: SchemaEntry): boolean {
  if (type !== "view" || table !== name || rootPage !== 0 || sql === null) return false;
  return (
    sql.length <= maxViewLength &&
    sql.startsWith(`CREATE VIEW ${quoteName(name)} AS SELECT `) &&
    viewForm.test(sql)
  );
}

/** A name that anybody may have chosen. */
function show(name: string): string {
  return /^\w{1,64}$/.test(name) ? name : JSON.stringify(name.slice(0, 64));
}

let ownEntries: ReadonlyMap<string, SchemaEntry> | undefined;

/** What an empty state consists of. */
function readOwnEntries(sqlite: SqlJsStatic): ReadonlyMap<string, SchemaEntry> {
  const database = new sqlite.Database();
  try {
    database.run(schema);
    return new Map([...readSchemaEntries(database.export())].map((entry) => [entry.name, entry]));
  } finally {
    database.close();
  }
}
