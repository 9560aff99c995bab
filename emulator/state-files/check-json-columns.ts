import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { Database, SqlValue } from "sql.js";
import { scopes } from "../../openapi/schemas/roles.js";
import { isJsonArray, isJsonObject, type JsonValue } from "../json/json-value.js";
import { JsonError } from "../json/json-error.js";
import { readJson } from "../json/read-json.js";
import { SchemaReader } from "../repositories/schema-reader.js";
import { quoted, wrongRow } from "./check-columns.js";

/** The deepest that a request body may nest in any profile. */
const deepest = 1000;

interface TextColumn {
  readonly table: string;
  readonly column: string;
  readonly key: readonly string[];
  /** What it is not, unless it is as it should be. */
  readonly faultOf: (text: string, also: SqlValue) => string | undefined;
  /** Another column that the fault depends on. */
  readonly also?: string;
}

/** JSON goes out as it is stored and is read again with the reader of requests, so it has to pass that one. */
const columns: readonly TextColumn[] = [
  { table: "items", column: "data", key: ["database_ref", "pk", "sk"], faultOf: unlessObject },
  { table: "entities", column: "data", key: ["repository_ref", "entity_id"], faultOf: unlessObject },
  { table: "databases", column: "settings", key: ["database_id"], faultOf: unlessObject },
  { table: "transaction_tokens", column: "body", key: ["database_ref", "token"], faultOf: unlessObject },
  {
    table: "organizations",
    column: "allowed_regions",
    key: ["organization_id"],
    faultOf: (text) =>
      unlessJson(text, (value) =>
        isJsonArray(value) && value.every((region) => typeof region === "string")
          ? undefined
          : "a list of texts",
      ),
  },
  {
    table: "repositories",
    column: "schema",
    key: ["repository_id"],
    also: "schema_hash",
    faultOf: (text, hash) => unlessJson(text, unlessSchema) ?? unlessHash(text, hash),
  },
  {
    table: "api_keys",
    column: "scopes",
    key: ["api_key_id"],
    faultOf: (text) =>
      text.split(" ").every((scope) => (scopes as readonly string[]).includes(scope))
        ? undefined
        : `a list of ${scopes.join(", ")}`,
  },
];

/** Looks into the columns whose texts have a form of their own. @throws StateFileError */
export function checkJsonColumns(database: Database): void {
  for (const { table, column, key, faultOf, also = "NULL" } of columns) {
    const rows = database.prepare(
      `SELECT CAST(${column} AS BLOB), ${also}, ${key.map(quoted).join(", ")} FROM ${table} WHERE ${column} IS NOT NULL`,
    );
    try {
      while (rows.step()) {
        const [bytes, other = null, ...values] = rows.get();
        const fault = faultOfBytes(bytes, (text) => faultOf(text, other));
        if (fault !== undefined) throw wrongRow(table, `has a ${column} that is not ${fault}`, key, values);
      }
    } finally {
      rows.free();
    }
  }
}

function faultOfBytes(
  bytes: SqlValue | undefined,
  faultOf: (text: string) => string | undefined,
): string | undefined {
  if (!(bytes instanceof Uint8Array) || !isUtf8(bytes)) return "UTF-8";
  return faultOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"));
}

function unlessObject(text: string): string | undefined {
  return unlessJson(text, (value) => (isJsonObject(value) ? undefined : "a JSON object"));
}

function unlessJson(text: string, faultOf: (value: JsonValue) => string | undefined): string | undefined {
  try {
    return faultOf(readJson(text, { maxDepth: deepest }));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return `JSON (${error.message})`;
  }
}

/** A schema is compiled without another look, as one that was checked when it came. */
function unlessSchema(value: JsonValue): string | undefined {
  const reader = new SchemaReader("anywhere");
  reader.fields(value, "", 1);
  const [mistake] = reader.mistakes;
  return mistake === undefined ? undefined : `a repository schema (${mistake.pointer} ${mistake.detail})`;
}

/** What is compiled of a schema is remembered by its hash, for all namespaces. */
function unlessHash(text: string, hash: SqlValue): string | undefined {
  return hash === createHash("sha256").update(text).digest("base64url")
    ? undefined
    : "the text of its schema_hash";
}
