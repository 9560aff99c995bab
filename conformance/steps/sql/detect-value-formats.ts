import {
  listNeededFormats,
  decodeSqlValue,
  encodeSqlValue,
  suiteValueFormats,
  type SqlValueFormats,
} from "../../models/sql-value-formats.js";
import { toCanonicalValue, parseSqlType, createSqlValue } from "../../models/sql-types.js";
import { parseRows, type SqlClient } from "./sql-client.js";

/** A value that no other format represents by the same text. */
interface Probe<Format> {
  readonly type: string;
  readonly json: string;
  readonly formats: readonly Format[];
}

const probes: { readonly [Name in keyof SqlValueFormats]: Probe<SqlValueFormats[Name]> } = {
  blob: { type: "BLOB", json: '"+/8A"', formats: ["base64", "hex", "0x"] },
  dateTime: { type: "DATE", json: '"2024-02-29"', formats: ["text", "number"] },
  map: { type: "MAP<VARCHAR, INT>", json: '{"a":1}', formats: ["object", "pairs", "entries"] },
  // A double cannot represent this number.
  number: { type: "BIGINT", json: "9007199254740993", formats: ["number", "string"] },
};

/**
 * Finds the formats in which the deployment accepts and returns values of the given types, unless they are already known.
 * If it accepts none, checks use the suite's format, so that they report the fault.
 */
export async function detectValueFormats(sql: SqlClient, types: readonly string[]): Promise<void> {
  for (const name of types.flatMap((type) => listNeededFormats(parseSqlType(type))))
    if (sql.knownFormats[name] === undefined)
      sql.knownFormats = { ...sql.knownFormats, [name]: await detectFormat(sql, name) };
}

async function detectFormat(sql: SqlClient, name: keyof SqlValueFormats): Promise<string> {
  const { type: typeName, json, formats } = probes[name];
  const type = parseSqlType(typeName);
  const table = sql.context.resources.createPlainName();
  await sql.createTable(table, `k INT, v ${typeName}, PRIMARY KEY (k)`);
  let found: string | undefined;
  for (const [k, format] of formats.entries()) {
    const tried = { ...suiteValueFormats, [name]: format };
    const value = { json: encodeSqlValue(type, json, tried), canonical: null };
    const insert = { sql: `INSERT INTO ${table} (k, v) VALUES (${k}, ?)`, values: [value] };
    if ((await sql.query(insert, { setUp: true })).status !== 200) continue;
    const response = await sql.query(`SELECT v FROM ${table} WHERE k = ${k}`, { setUp: true });
    const [row] = response.status === 200 ? parseRows(response) : [];
    const seen = toCanonicalValue(type, decodeSqlValue(type, row?.v, tried));
    if (seen === createSqlValue(type, json).canonical) {
      found = format;
      break;
    }
  }
  await sql.context.resources.remove("table", table);
  return found ?? suiteValueFormats[name];
}
