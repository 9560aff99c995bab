import type { JsonObject } from "../json/json-value.js";
import { readJson } from "../json/read-json.js";
import { compileRepositorySchema, type EntityPreparer } from "../repositories/compile-repository-schema.js";
import { SchemaReader } from "../repositories/schema-reader.js";
import { invalid } from "../problem.js";
import type { RepositoryRow } from "../store/repositories.js";
import { deepest } from "./conditions.js";
import type { Context } from "./handler.js";

/** Compiled schemas by their texts, least recently used first: repositories and namespaces of one schema share it. */
const compiled = new Map<string, EntityPreparer>();
const compiledSize = 200;

/**
 * The data of a new or updated entity as they are to be stored: held to the repository's schema, with defaults.
 *
 * @throws a problem `validation-failed` with every place that does not fit
 */
export function preparedData(data: JsonObject, repository: RepositoryRow, context: Context): JsonObject {
  const prepared = preparerOf(repository, context).prepare(data);
  if ("mistakes" in prepared)
    throw invalid(...prepared.mistakes.map((mistake) => ({ in: "body" as const, ...mistake })));
  return prepared.data;
}

function preparerOf({ ref, schemaHash }: RepositoryRow, { store, profile }: Context): EntityPreparer {
  const unknownFields = profile["entity-unknown-fields"];
  const key = `${schemaHash} ${unknownFields}`;
  const known = compiled.get(key);
  if (known !== undefined) {
    compiled.delete(key);
    compiled.set(key, known);
    return known;
  }
  const text = store.repositories.schemaOf(ref);
  if (text === undefined) throw new Error("a repository has a schema");
  // it was checked when it was created, perhaps under a profile that ignored keys
  const schema = new SchemaReader("ignore").fields(readJson(text, { maxDepth: deepest }), "", 1);
  const preparer = compileRepositorySchema(schema, unknownFields);
  const oldest = compiled.size >= compiledSize ? compiled.keys().next().value : undefined;
  if (oldest !== undefined) compiled.delete(oldest);
  compiled.set(key, preparer);
  return preparer;
}
