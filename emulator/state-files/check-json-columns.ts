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
import { getTableRules } from "./table-rules.js";

/** Maximum nesting of a request body in any profile. */
const maxDepth = 1000;

/** Returns what a text should be, but is not; undefined for a valid text. */
type FindMistake = (text: string, hash: SqlValue) => string | undefined;

/** Checks the columns with JSON or lists. JSON must be valid by the rules of the emulator's own parser. @throws StateFileError */
export function checkJsonColumns(database: Database): void {
  const schemas = new SchemaChecker();
  const isObject = checkJson((value) => (isJsonObject(value) ? undefined : "a JSON object"));
  const columns: readonly (readonly [table: string, column: string, findMistake: FindMistake])[] = [
    ["items", "data", isObject],
    ["entities", "data", isObject],
    ["databases", "settings", isObject],
    ["transaction_tokens", "body", isObject],
    ["organizations", "allowed_regions", checkJson(checkTexts)],
    ["repositories", "schema", (text, hash) => schemas.findMistake(text, hash)],
    ["api_keys", "scopes", checkScopes],
  ];
  for (const [table, column, findMistake] of columns) {
    const { key } = getTableRules(database, table);
    const hash = column === "schema" ? "schema_hash" : "NULL";
    const rows = readRows(
      database,
      `SELECT CAST(${column} AS BLOB), ${hash}, ${key.map(quoteColumn).join(", ")} FROM ${table} WHERE ${column} IS NOT NULL`,
    );
    for (const [bytes, schemaHash = null, ...values] of rows) {
      const isText = bytes instanceof Uint8Array && isUtf8(bytes);
      const mistake = isText ? findMistake(Buffer.from(bytes).toString("utf8"), schemaHash) : "UTF-8";
      if (mistake !== undefined)
        throw createRowError(table, `has a ${column} that is not ${mistake}`, key, values);
    }
  }
}

/**
 * Rewrites the data of entities as compact JSON, because queries read single values without parsing the rest. Other programs
 * may have added white space or escapes.
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
      // This is much faster than parsing numbers exactly.
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

function checkJson(
  findMistake: (value: JsonValue) => string | undefined,
): (text: string) => string | undefined {
  return (text) => {
    try {
      return findMistake(parseJson(text, { maxDepth }));
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      return `JSON (${error.message})`;
    }
  };
}

function checkTexts(value: JsonValue): string | undefined {
  const isList = isJsonArray(value) && value.every((entry) => typeof entry === "string");
  return isList ? undefined : "a list of strings";
}

function checkScopes(text: string): string | undefined {
  const areKnown = text.split(" ").every((scope) => (scopes as readonly string[]).includes(scope));
  return areKnown ? undefined : `a list of ${scopes.join(", ")}`;
}

/** Total size of the patterns that are compiled to check a file, which takes up to half a second. */
const maxCompiledSize = 100_000;

/** Checks the repository schemas of a file. Equal schemas are checked once. */
class SchemaChecker {
  readonly #valid = new Set<string>();
  /** Later patterns are compiled at their first use. If a pattern is unusable then, no text matches it. */
  readonly #compileBudget: CompileBudget = { remaining: maxCompiledSize };

  findMistake(text: string, hash: SqlValue): string | undefined {
    // The hash must be right, because compiled schemas of all namespaces are cached by it.
    const isHash = hash === createHash("sha256").update(text).digest("base64url");
    if (isHash && this.#valid.has(hash)) return undefined;
    const mistake = checkJson((value) => this.#findSchemaMistake(value))(text);
    if (mistake !== undefined) return mistake;
    if (!isHash) return "the text of its schema_hash";
    this.#valid.add(hash);
    return undefined;
  }

  #findSchemaMistake(value: JsonValue): string | undefined {
    const reader = new SchemaReader("anywhere", this.#compileBudget);
    reader.readFields(value, "", 1);
    const [mistake] = reader.mistakes;
    return mistake === undefined ? undefined : `a repository schema (${mistake.pointer} ${mistake.detail})`;
  }
}
