import type { JsonObject } from "../json/json-value.js";
import { compileRepositorySchema, type EntityPreparer } from "../repositories/compile-repository-schema.js";
import { validationProblem } from "../domain/problem.js";
import { RecentCache } from "../memory/recent-cache.js";
import type { RepositoryRow } from "../store/repositories.js";
import type { Context } from "./handler.js";
import { getStoredSchema } from "./stored-schema.js";

/** Compiled schemas by their texts: repositories and namespaces of one schema share it. */
const compiled = new RecentCache<string, EntityPreparer>(200);

/**
 * The data of a new or updated entity as they are to be stored: held to the repository's schema, with defaults.
 *
 * @throws a problem `validation-failed` with every place that does not fit
 */
export function prepareData(data: JsonObject, repository: RepositoryRow, context: Context): JsonObject {
  const prepared = getPreparer(repository, context).prepare(data);
  if ("mistakes" in prepared)
    throw validationProblem(...prepared.mistakes.map((mistake) => ({ in: "body" as const, ...mistake })));
  return prepared.data;
}

function getPreparer(repository: RepositoryRow, context: Context): EntityPreparer {
  const { profile } = context;
  const unknownFields = profile["entity-unknown-fields"];
  const patterns = profile["pattern-match"];
  const nullFields = profile["entity-null-fields"];
  const key = `${repository.schemaHash} ${unknownFields} ${patterns} ${nullFields}`;
  return compiled.get(key, () =>
    compileRepositorySchema(getStoredSchema(repository, context), { unknownFields, nullFields }),
  );
}
