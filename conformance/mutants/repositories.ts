import { addReads } from "./add-reads.js";
import type { OperationId } from "../../openapi/operations/register.js";
import type { AnyJson, InterceptedRequest } from "./intercept.js";
import { type Mutant, mutant } from "./mutant.js";

/** Lists the field definitions of a schema, including nested definitions. */
export function listFieldDefinitions(
  schema: AnyJson = {},
  depth = 1,
): readonly { readonly definition: AnyJson; readonly depth: number }[] {
  return Object.values<AnyJson>(schema).flatMap((definition) => [
    { definition, depth },
    ...listFieldDefinitions(definition.items && { items: definition.items }, depth + 1),
    ...listFieldDefinitions(definition.properties, depth + 1),
  ]);
}

/** Returns the path of a repository. */
export const getRepositoryPath = ({
  databaseId = "",
  repositoryId = "",
}: InterceptedRequest["path"]): string =>
  `/api/v1/management/databases/${databaseId}/repositories/${repositoryId}`;

const create: readonly OperationId[] = ["createRepository"];
const list: readonly OperationId[] = ["listRepositories"];
const get: readonly OperationId[] = ["getRepository"];

/** Faults in repositories and their list. */
export const repositoryMutants: readonly Mutant[] = [
  mutant("repositories/unknown-type-takes-anything", "REPO-45", create).changeRequestBody(({ schema }) => {
    for (const { definition } of listFieldDefinitions(schema))
      if (!/^(?:string|number|boolean|array|object)$/.test(definition.type)) definition.type = "object";
  }),
  mutant("repositories/create-answers-updated-at", "REPO-02", create).changeResponseBody(
    (body) => (body.updatedAt = body.createdAt),
  ),
  mutant("repositories/schema-required", "REPO-03", create).rejectRequests(
    ({ body }) => body?.schema === undefined,
  ),
  mutant("repositories/default-entity-name", "REPO-04", create).changeRequestBody(
    (body) => (body.entityName ??= body.name),
  ),
  ...(["name", "entityName"] as const).map((name) =>
    mutant(`repositories/same-${name}-shares-entities`, "REPO-44", [
      ...create,
      "createEntity",
      "listEntities",
    ]).by(async ({ path, memory, send }) => {
      const known = await send({ path: memory.get(path.repositoryId) });
      // The other repository may have been deleted.
      const response = known.status === 404 ? await send() : known;
      const { repositoryId, [name]: key } = response.body ?? {};
      if (key !== undefined) memory.set(repositoryId, memory.keepFirst(key, { repositoryId }));
      return response;
    }),
  ),
  mutant("repositories/no-item-count-in-list", "REPO-08", list).replaceField("repositories.*.itemCount", 0),
  mutant("repositories/list-shows-other-databases", "REPO-05", list).changeResponseBody(
    (body, { memory, path }) => {
      const known: Readonly<Record<string, AnyJson>> = memory.get() ?? {};
      const shown = Object.fromEntries(body.repositories.map((one: AnyJson) => [one.repositoryId, one]));
      memory.set(undefined, { ...known, ...shown });
      if (body.nextCursor !== null) return;
      for (const other of Object.values(known))
        if (other.databaseId !== path.databaseId) body.repositories.push(other);
    },
  ),
  mutant("repositories/list-answers-old-creation", "REPO-06", list).replaceField(
    "repositories.*.createdAt",
    "2020-01-01T00:00:00Z",
  ),
  mutant("repositories/list-ignores-cursor", "GEN-04", list).by((request) => request.send({ query: {} })),
  mutant("repositories/creation-time-unset", "GEN-01", create).replaceField(
    "createdAt",
    "0001-01-01T00:00:00Z",
  ),
  mutant("repositories/creation-is-time-of-read", "REPO-07", get).replaceField("createdAt", addReads),
  mutant("repositories/defaults-not-shown", "REPO-07", get).dropFields("schema.*.default"),
  mutant("repositories/deleted-entities-count", "REPO-08", get).neverLowerField("itemCount"),
  mutant("repositories/deleted-by-name", "REPO-05", ["createRepository", "deleteRepository"]).deleteNamesakes(
    "repositoryId",
  ),
  mutant("repositories/list-cached", "REPO-08", /^(?:create|delete|list)Repositor/).by(async (request) => {
    const { memory, path, query, operationId } = request;
    const key = [path.databaseId, query];
    if (operationId === "listRepositories") return memory.get(key) ?? memory.set(key, await request.send());
    memory.clear();
    return request.send();
  }),
  mutant("repositories/survives", "REPO-09", get).repeatLastSuccess(),
];
