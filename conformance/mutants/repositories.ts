import type { OperationId } from "../../openapi/operations/register.js";
import { type AnyJson, copyJson, changeBody } from "./intercept.js";
import { type Mutant, createMutantBuilder } from "./mutant.js";
import { type InterceptorFactory, changeResponseBody } from "./tampers.js";

/** Changes every repository in responses, single or in a list. */
function changeRepositories(change: (repository: AnyJson) => void): InterceptorFactory {
  return changeResponseBody((body) => (body.repositories ?? [body]).forEach(change));
}

/** Calls a function for each field definition of a schema, including nested definitions. */
export function visitFieldDefinitions(
  schema: AnyJson,
  visit: (definition: AnyJson, depth: number) => void,
  depth = 1,
): void {
  for (const definition of Object.values<AnyJson>(schema ?? {})) visitDefinition(definition, visit, depth);
}

function visitDefinition(
  definition: AnyJson,
  visit: (definition: AnyJson, depth: number) => void,
  depth: number,
): void {
  visit(definition, depth);
  if (definition.items !== undefined) visitDefinition(definition.items, visit, depth + 1);
  visitFieldDefinitions(definition.properties, visit, depth + 1);
}

/** Changes the definitions of every schema in responses. */
function changeDefinitions(change: (definition: AnyJson) => void): InterceptorFactory {
  return changeRepositories(({ schema }) => visitFieldDefinitions(schema, change));
}

const create: readonly OperationId[] = ["createRepository"];
const list: readonly OperationId[] = ["listRepositories"];
const get: readonly OperationId[] = ["getRepository"];
const shown: readonly OperationId[] = [...get, ...list];

const mutant = createMutantBuilder({ changeRepositories, changeDefinitions });

/** Faults in repositories and their list. */
export const repositoryMutants: readonly Mutant[] = [
  mutant("repositories/unknown-type-takes-anything", "REPO-45", create).changeRequestBody((given) => {
    const body = copyJson(given);
    visitFieldDefinitions(body.schema, (definition) => {
      if (!/^(?:string|number|boolean|array|object)$/.test(definition.type)) definition.type = "object";
    });
    return body;
  }),
  mutant("repositories/create-answers-updated-at", "REPO-02", create).changeResponseBody(
    (body) => (body.updatedAt = body.createdAt),
  ),
  mutant("repositories/schema-required", "REPO-03", create).rejectRequests(
    400,
    ({ body }) => body?.schema === undefined,
  ),
  mutant("repositories/default-entity-name", "REPO-04", create).changeRequestBody((body) => ({
    entityName: body.name,
    ...body,
  })),
  mutant("repositories/no-item-count-in-list", "REPO-08", "listRepositories").replaceField(
    "repositories.*.itemCount",
    0,
  ),
  mutant("repositories/list-shows-other-databases", "REPO-05", list).accumulateList(
    "repositories",
    "repositoryId",
  ),
  mutant("repositories/list-ignores-cursor", "GEN-04", list).by(() => (wire) => wire.send({ query: {} })),
  mutant("repositories/false-and-zero-defaults-lost", "REPO-07", shown).changeDefinitions((definition) => {
    if (definition.default === false || definition.default === 0) delete definition.default;
  }),
  mutant("repositories/deleted-entities-count", "REPO-08", ["deleteEntity", ...get]).by(() => {
    const gone = new Map<string, number>();
    return async (wire) => {
      const { repositoryId = "" } = wire.path;
      const response = await wire.send();
      if (response.status === 204) gone.set(repositoryId, (gone.get(repositoryId) ?? 0) + 1);
      return changeBody(response, (body) => {
        body.itemCount = Number(body.itemCount) + (gone.get(repositoryId) ?? 0);
      });
    };
  }),
  mutant("repositories/survives", "REPO-09", get).repeatLastSuccess(),
];
