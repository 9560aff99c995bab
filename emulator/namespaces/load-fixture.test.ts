import { expect, it } from "vitest";
import { fixtures } from "../../fixtures/register.js";
import { readJson } from "../json/read-json.js";
import { isJsonObject, type JsonValue } from "../json/json-value.js";
import { checkRepositorySchema } from "../repositories/check-repository-schema.js";
import { compileRepositorySchema } from "../repositories/compile-repository-schema.js";

const repositories = Object.values(fixtures).flatMap(({ databases }) =>
  databases.flatMap((database) => database.repositories),
);

function lossless(value: unknown): JsonValue {
  return readJson(JSON.stringify(value), { maxDepth: 100 });
}

it.each(repositories)(
  "the entities of fixture repository $repositoryId fit its schema as they are",
  (repository) => {
    const options = { unknownKeys: "reject", unknownFields: "reject" } as const;
    const checked = checkRepositorySchema(lossless(repository.schema ?? {}), options);
    if ("mistakes" in checked) throw new Error(JSON.stringify(checked.mistakes));
    const preparer = compileRepositorySchema(checked.schema, "reject");
    for (const { data } of repository.entities) {
      const given = lossless(data);
      if (!isJsonObject(given)) throw new Error("data are objects");
      expect(preparer.prepare(given)).toEqual({ data: given, changed: false });
    }
  },
);
