import { defaultProfile } from "../../openapi/gaps/profile.js";
import { isJsonObject, type JsonValue, memberEntries } from "../json/json-value.js";
import { foldName, parseSql } from "../sql/grammar/parse-sql.js";
import { invalid } from "../sql/grammar/sql-error.js";
import type { Statement } from "../sql/grammar/syntax.js";
import { timestamp } from "../time/timestamp.js";
import type { DatabasePlace } from "./database-place.js";
import { quoteName } from "../sqlite/quote-name.js";

interface Definition {
  readonly create: string;
  readonly indexes: readonly string[];
  readonly createdAt: number;
}

/** Makes a table by its statements, and its rows by an INSERT with parameters each. */
export function loadTable(
  { service, attempts, databaseId, by }: DatabasePlace,
  pointer: string,
  { create, indexes, createdAt: at }: Definition,
  rows: readonly JsonValue[],
): void {
  // making tables is no use of them, which putting rows into them is
  const define = (sql: string) => {
    const { body } = service.request("executeSql", { databaseId }, new Map([["sql", sql]]));
    const context = { databaseId, may: "admin", now: timestamp(at), profile: defaultProfile } as const;
    service.store.sql.execute(body.sql, context);
  };
  let name = "";
  const isMade = attempts.try(`${pointer}/create`, () => {
    const statement = read(create);
    if (statement.kind !== "create-table") throw invalid("must be a statement CREATE TABLE");
    name = statement.table;
    define(create);
  });
  if (!isMade) return;
  indexes.forEach((sql, index) =>
    attempts.try(`${pointer}/indexes/${index}`, () => {
      const statement = read(sql);
      if (statement.kind !== "create-index" || statement.table !== name)
        throw invalid(`must be a statement CREATE INDEX on ${name}`);
      define(sql);
    }),
  );
  const columns = new Set(
    service.store.sql
      .tableSchema(name, { databaseId, profile: defaultProfile })
      .columns.map((column) => column.name),
  );
  rows.forEach((row, index) =>
    attempts.try(`${pointer}/rows/${index}`, () => {
      const values = [...memberEntries(isJsonObject(row) ? row : {})];
      const names = values.map(([column]) =>
        columns.has(column) ? column : foldName(column, defaultProfile["sql-identifier-case"]),
      );
      if (names.length === 0) throw invalid("must have a value for each column of the key");
      const sql =
        `INSERT INTO ${quoteName(name)} (${names.map(quoteName).join(", ")}) ` +
        `VALUES (${names.map(() => "?").join(", ")})`;
      const parameters = values.map(([, value], place): [string, JsonValue] => [`p${place + 1}`, value]);
      const body = new Map<string, JsonValue>([
        ["sql", sql],
        ["parameters", new Map(parameters)],
      ]);
      service.call("runSqlQuery", { databaseId }, body, { by, at });
    }),
  );
}

function read(sql: string): Statement {
  return parseSql(sql, defaultProfile["sql-identifier-case"]).statement;
}
