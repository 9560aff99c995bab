import type { JsonObject } from "../json/json-value.js";
import { readJson } from "../json/read-json.js";
import { compileRepositorySchema, type EntityPreparer } from "../repositories/compile-repository-schema.js";
import { SchemaReader } from "../repositories/schema-reader.js";
import { invalid } from "../domain/problem.js";
import { RecentCache } from "../memory/recent-cache.js";
import type { RepositoryRow } from "../store/repositories.js";
import { deepest } from "./conditions.js";
import type { Context } from "./handler.js";

/** Compiled schemas by their texts: repositories and namespaces of one schema share it. */
const compiled = new RecentCache<string, EntityPreparer>(200);

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
  const patterns = profile["pattern-dialect"];
  const lengths = profile["string-length-unit"];
  const nullFields = profile["entity-null-fields"];
  const key = `${schemaHash} ${unknownFields} ${patterns} ${lengths} ${nullFields}`;
  return compiled.get(key, () => {
    const text = store.repositories.schemaOf(ref);
    if (text === undefined) throw new Error("a repository has a schema");
    // it was checked when it was created, perhaps under a profile that ignored keys
    const schema = new SchemaReader("ignore", patterns).fields(readJson(text, { maxDepth: deepest }), "", 1);
    return compileRepositorySchema(schema, { unknownFields, lengths, nullFields });
  });
}
