import type { Database, SqlJsStatic } from "sql.js";
import type { SqlType } from "../sql/grammar/syntax.js";
import type { TableRecord } from "../sql/table.js";
import { columnSqlName, tableSqlName } from "../sql/table.js";
import { quoteName } from "../sqlite/quote-name.js";

/** More than that nobody looks through, and each costs as much as a small table. */
const maxViews = 500;
const maxColumns = 200;
/** A larger state is written as it is: a view costs another copy of everything. */
const largest = 128 * 1024 * 1024;

/**
 * The state with a view for the items of each database, the entities of each repository and the rows of each SQL table,
 * by names that people know: `demo.items`, `demo.entities.products`, `demo.sql.products`. They are for those who open
 * the file in another program. The emulator itself never has them: {@link withoutViews} takes them out again.
 */
export function withViews(sqlite: SqlJsStatic, state: Uint8Array): Uint8Array {
  if (state.length > largest) return state;
  const database = openCopy(sqlite, state);
  try {
    const views = viewsOf(database);
    if (views.length === 0) return state;
    database.run("BEGIN");
    for (const view of views) database.run(view);
    database.run("COMMIT");
    return database.export();
  } finally {
    database.close();
  }
}

/** The state without views. */
export function withoutViews(sqlite: SqlJsStatic, state: Uint8Array): Uint8Array {
  const database = openCopy(sqlite, state);
  try {
    database.run("BEGIN");
    for (const [name] of rowsOf(database, "SELECT name FROM sqlite_schema WHERE type = 'view'"))
      database.run(`DROP VIEW ${quoteName(String(name))}`);
    database.run("COMMIT");
    return database.export();
  } finally {
    database.close();
  }
}

/** Of a Buffer SQLite would take the very bytes, and write to them. */
function openCopy(sqlite: SqlJsStatic, { buffer, byteOffset, byteLength }: Uint8Array): Database {
  return new sqlite.Database(new Uint8Array(buffer, byteOffset, byteLength));
}

function viewsOf(database: Database): string[] {
  const taken = new Set(
    rowsOf(database, "SELECT lower(name) FROM sqlite_schema").map(([name]) => String(name)),
  );
  const views: string[] = [];
  const add = (name: string, columns: readonly (readonly [shown: string, name: string])[], from: string) => {
    if (views.length >= maxViews) return;
    const free = freeName(name, taken);
    const list = columns
      .slice(0, maxColumns)
      .map(([shown, column]) => `${shown} AS ${quoteName(readable(column))}`);
    views.push(`CREATE VIEW ${quoteName(free)} AS SELECT ${list.join(", ")} FROM ${from}`);
  };
  const times = [
    [timeView("created_at"), "createdAt"],
    [timeView("updated_at"), "updatedAt"],
  ] as const;
  for (const { ref, databaseId, label } of databasesIn(database)) {
    const keys = [
      ["pk", "pk"],
      ["nullif(sk, '')", "sk"],
      ["data", "data"],
    ] as const;
    add(`${label}.items`, [...keys, ...times], `items WHERE database_ref = ${ref}`);
    for (const [repository = 0, name = "", schema = ""] of rowsOf(
      database,
      `SELECT ref, name, schema FROM repositories WHERE database_ref = ${ref} ORDER BY ref`,
    )) {
      const columns = [
        ["entity_id", "id"],
        ...fieldsOf(String(schema)),
        ["version", "version"],
        ...times,
        ["data", "data"],
      ];
      add(
        `${label}.entities.${String(name)}`,
        columns as [string, string][],
        `entities WHERE repository_ref = ${Number(repository)}`,
      );
    }
    for (const [id = 0, name = "", definition = ""] of rowsOf(
      database,
      "SELECT table_id, name, definition FROM sql_tables WHERE database_id = ? ORDER BY table_id",
      databaseId,
    )) {
      const { columns } = JSON.parse(String(definition)) as TableRecord;
      const shown = columns.map((column): [string, string] => [
        valueView(column.type, columnSqlName(column.id)),
        column.name,
      ]);
      add(`${label}.sql.${String(name)}`, shown, tableSqlName(Number(id)));
    }
  }
  return views;
}

/** The databases, by their names or, where several have one, by their ids. */
function databasesIn(database: Database) {
  const rows = rowsOf(database, "SELECT ref, database_id, name FROM databases ORDER BY ref");
  return rows.map(([ref, databaseId, name]) => {
    const isOnly = rows.filter((row) => row[2] === name).length === 1;
    return { ref: Number(ref), databaseId: String(databaseId), label: String(isOnly ? name : databaseId) };
  });
}

/** The fields of a repository's schema, in columns that have no other meaning. */
function fieldsOf(schema: string): [string, string][] {
  const others = new Set(["id", "version", "createdat", "updatedat", "data"]);
  return Object.keys(JSON.parse(schema) as object)
    .filter((name) => /^[A-Za-z_]\w{0,63}$/.test(name))
    .filter((name) => !others.has(name.toLowerCase()) && others.add(name.toLowerCase()))
    .slice(0, maxColumns - others.size)
    .map((name) => [fieldView(name), name]);
}

/** A name without NUL, at which SQLite ends a statement. */
function readable(name: string): string {
  return name.replaceAll("\0", "\u2400");
}

/** A name that SQLite takes: it does not tell letters apart by case, and keeps names to itself that begin as its own do. */
function freeName(name: string, taken: Set<string>): string {
  const wanted = /^sqlite_/i.test(name) ? `_${readable(name)}` : readable(name);
  let free = wanted;
  for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${wanted} (${number})`;
  taken.add(free.toLowerCase());
  return free;
}

function rowsOf(database: Database, sql: string, ...parameters: string[]) {
  return database.exec(sql, parameters)[0]?.values ?? [];
}

/** A time of the emulator's own tables as text. */
function timeView(column: string): string {
  return `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`;
}

/** A field of JSON data; its name has letters, digits and _ alone. */
function fieldView(field: string): string {
  return `json_extract(data, '$.${field}')`;
}

const asStored = (column: string) => column;

/** Columns of the SQL interface that are stored in a form of their own, as people write their values. */
const forms: Readonly<Record<string, (column: string) => string>> = {
  BOOLEAN: (column) => `CASE ${column} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`,
  TIMESTAMP: (column) => `${column} || 'Z'`,
  TIMEUUID: (column) =>
    `substr(${column}, 10, 8) || '-' || substr(${column}, 5, 4) || '-1' || substr(${column}, 1, 3) || ` +
    `'-' || substr(${column}, 19)`,
  // a sign, an exponent and digits, of negative numbers their complements: as good as a double shows it
  DECIMAL: (column) =>
    `CASE substr(${column}, 1, 1) WHEN 'o' THEN 0 ` +
    `WHEN 'p' THEN CAST('0.' || substr(${column}, 6) || 'e' || (substr(${column}, 2, 4) - 5000) AS REAL) ` +
    `WHEN 'n' THEN CAST(printf('%.15g', (CAST('0.' || rtrim(substr(${column}, 6), '~') AS REAL) + ` +
    `CAST('1e-' || (length(${column}) - 6) AS REAL) - 1.0) * ` +
    `CAST('1e' || (4999 - substr(${column}, 2, 4)) AS REAL)) AS REAL) END`,
};

/** A value of a column of the SQL interface, as people write it. */
function valueView(type: SqlType, column: string): string {
  return ((type.kind === "scalar" ? forms[type.name] : undefined) ?? asStored)(column);
}
