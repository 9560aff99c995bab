import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { Database, SqlValue } from "sql.js";
import { scopes } from "../../openapi/schemas/roles.js";
import { isJsonArray, isJsonObject, type JsonValue } from "../json/json-value.js";
import { JsonError } from "../json/json-error.js";
import { parseJson } from "../json/parse-json.js";
import { stringifyJson } from "../json/stringify-json.js";
import { type CompileBudget, SchemaReader } from "../repositories/schema-reader.js";
import { quoteColumn, createRowError, readRows } from "./check-columns.js";

/** The deepest that a request body may nest in any profile. */
const maxDepth = 1000;

/** Says what a text is not, unless it is as it should be. */
type FindFault = (text: string, also: SqlValue, schemas: SchemaChecker) => string | undefined;

/** JSON goes out as it is stored and is read again with the reader of requests, so it has to pass that one. */
const columns: readonly (readonly [
  table: string,
  column: string,
  key: readonly string[],
  faultOf: FindFault,
  also?: string,
])[] = [
  ["items", "data", ["database_ref", "pk", "sk"], checkJson(checkObject)],
  ["entities", "data", ["repository_ref", "entity_id"], checkJson(checkObject)],
  ["databases", "settings", ["database_id"], checkJson(checkObject)],
  ["transaction_tokens", "body", ["database_ref", "token"], checkJson(checkObject)],
  ["organizations", "allowed_regions", ["organization_id"], checkJson(checkTexts)],
  [
    "repositories",
    "schema",
    ["repository_id"],
    (text, hash, schemas) => schemas.findFault(text, hash),
    "schema_hash",
  ],
  ["api_keys", "scopes", ["api_key_id"], checkScopes],
];

/** Checks the columns with JSON. @throws StateFileError */
export function checkJsonColumns(database: Database): void {
  const schemas = new SchemaChecker();
  for (const [table, column, key, faultOf, also = "NULL"] of columns) {
    const rows = readRows(
      database,
      `SELECT CAST(${column} AS BLOB), ${also}, ${key.map(quoteColumn).join(", ")} FROM ${table} WHERE ${column} IS NOT NULL`,
    );
    for (const [bytes, other = null, ...values] of rows) {
      const isText = bytes instanceof Uint8Array && isUtf8(bytes);
      const fault = isText ? faultOf(Buffer.from(bytes).toString("utf8"), other, schemas) : "UTF-8";
      if (fault !== undefined)
        throw createRowError(table, `has a ${column} that is not ${fault}`, key, values);
    }
  }
}

/**
 * Writes the data of entities as the emulator does, because queries read single values out of it without parsing the
 * rest. Other programs may have added white space or escapes.
 *
 * @returns whether a row has changed
 */
export function compactEntityData(database: Database): boolean {
  const update = database.prepare("UPDATE entities SET data = ? WHERE repository_ref = ? AND sequence = ?");
  let hasChanged = false;
  try {
    for (const [data, ref = null, sequence = null] of readRows(
      database,
      "SELECT data, repository_ref, sequence FROM entities",
    )) {
      const text = String(data);
      // much faster than reading numbers exactly
      if (JSON.stringify(JSON.parse(text)) === text) continue;
      const compact = stringifyJson(parseJson(text, { maxDepth }));
      if (compact === text) continue;
      update.run([compact, ref, sequence]);
      hasChanged = true;
    }
  } finally {
    update.free();
  }
  return hasChanged;
}

function checkJson(faultOf: (value: JsonValue) => string | undefined): (text: string) => string | undefined {
  return (text) => {
    try {
      return faultOf(parseJson(text, { maxDepth }));
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      return `JSON (${error.message})`;
    }
  };
}

function checkObject(value: JsonValue): string | undefined {
  return isJsonObject(value) ? undefined : "a JSON object";
}

function checkTexts(value: JsonValue): string | undefined {
  const isList = isJsonArray(value) && value.every((entry) => typeof entry === "string");
  return isList ? undefined : "a list of strings";
}

function checkScopes(text: string): string | undefined {
  const areKnown = text.split(" ").every((scope) => (scopes as readonly string[]).includes(scope));
  return areKnown ? undefined : `a list of ${scopes.join(", ")}`;
}

/** Total size of the patterns that are compiled to check one file, which takes up to half a second. */
const maxCompiledSize = 100_000;

/** Checks the repository schemas of one file, equal ones once. */
class SchemaChecker {
  readonly #valid = new Set<string>();
  /** Later patterns are compiled at their first use; no text matches a pattern that is unusable then. */
  readonly #compiling: CompileBudget = { remaining: maxCompiledSize };

  findFault(text: string, hash: SqlValue): string | undefined {
    // compiled schemas are cached by hash, for all namespaces
    const isHash = hash === createHash("sha256").update(text).digest("base64url");
    if (isHash && this.#valid.has(hash)) return undefined;
    const fault = checkJson((value) => this.#findMistake(value))(text);
    if (fault !== undefined) return fault;
    if (!isHash) return "the text of its schema_hash";
    this.#valid.add(hash);
    return undefined;
  }

  #findMistake(value: JsonValue): string | undefined {
    const reader = new SchemaReader("anywhere", this.#compiling);
    reader.readFields(value, "", 1);
    const [mistake] = reader.mistakes;
    return mistake === undefined ? undefined : `a repository schema (${mistake.pointer} ${mistake.detail})`;
  }
}
