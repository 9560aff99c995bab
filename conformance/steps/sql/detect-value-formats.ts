import type { ApiResponse } from "../../client/client.js";
import {
  listNeededFormats,
  decodeSqlValue,
  encodeSqlValue,
  suiteValueFormats,
  type SqlValueFormats,
} from "../../models/sql-value-formats.js";
import {
  toCanonicalValue,
  type SqlValue,
  parseKnownSqlType,
  createSqlValue,
} from "../../models/sql-types.js";
import type { CheckContext } from "../../check/context.js";
import { parseRows } from "./parse-rows.js";

/** What it takes to find out: the SQL interface of a database. */
interface Asked {
  readonly context: CheckContext;
  readonly query: (
    statement: { readonly sql: string; readonly values?: readonly SqlValue[] },
    options: { readonly setUp: true },
  ) => Promise<ApiResponse>;
  readonly create: (name: string, elements: string) => Promise<ApiResponse>;
}

/** A value whose text in one form is nothing, or another value, in the others. */
const probes: { readonly [Form in keyof SqlValueFormats]: Probe<SqlValueFormats[Form]> } = {
  blob: { type: "BLOB", json: '"+/8A"', forms: ["base64", "hex", "0x"] },
  dateTime: { type: "DATE", json: '"2024-02-29"', forms: ["text", "number"] },
  map: { type: "MAP<VARCHAR, INT>", json: '{"a":1}', forms: ["object", "pairs", "entries"] },
  // no double holds it
  number: { type: "BIGINT", json: "9007199254740993", forms: ["number", "string"] },
};

interface Probe<Form> {
  readonly type: string;
  readonly json: string;
  readonly forms: readonly Form[];
}

/**
 * The forms in which the deployment takes and gives values of some types. They are found out with a table for it. Where no
 * form is taken the checks go on with their own, and find it out.
 *
 * @param known the forms found out so far, to which new ones are added
 */
export async function detectValueFormats(
  sql: Asked,
  types: readonly string[],
  known: Map<keyof SqlValueFormats, string>,
): Promise<SqlValueFormats> {
  for (const form of new Set(types.flatMap((type) => listNeededFormats(parseKnownSqlType(type)))))
    if (!known.has(form)) known.set(form, await tryForms(sql, form));
  return { ...suiteValueFormats, ...(Object.fromEntries(known) as Partial<SqlValueFormats>) };
}

async function tryForms(sql: Asked, form: keyof SqlValueFormats): Promise<string> {
  const { type: name, json, forms } = probes[form];
  const type = parseKnownSqlType(name);
  const table = sql.context.resources.createPlainName();
  await sql.create(table, `k INT, v ${name}, PRIMARY KEY (k)`);
  let found: string = suiteValueFormats[form];
  for (const [k, tried] of forms.entries()) {
    const as = { ...suiteValueFormats, [form]: tried };
    const value = { json: encodeSqlValue(type, json, as), canonical: null };
    const insert = { sql: `INSERT INTO ${table} (k, v) VALUES (${k}, ?)`, values: [value] };
    if ((await sql.query(insert, { setUp: true })).status !== 200) continue;
    const answer = await sql.query({ sql: `SELECT v FROM ${table} WHERE k = ${k}` }, { setUp: true });
    const [row] = answer.status === 200 ? parseRows(answer) : [];
    if (toCanonicalValue(type, decodeSqlValue(type, row?.v, as)) !== createSqlValue(type, json).canonical)
      continue;
    found = tried;
    break;
  }
  await sql.context.resources.remove("table", table);
  return found;
}
