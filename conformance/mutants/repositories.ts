import { changed, copyOf, type Json, type Wire } from "./intercept.js";
import { type Mutant, mutant } from "./mutant.js";
import { refusal } from "./refusal.js";

/** Changes every description of a repository, in GET and in the list. */
function shows(
  id: string,
  clause: Mutant["clause"],
  title: string,
  change: (repository: Json) => void,
): Mutant {
  return mutant(
    `repositories/${id}`,
    clause,
    title,
    ["getRepository", "listRepositories"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        for (const repository of body.repositories ?? [body]) change(repository);
      }),
  );
}

/** Calls something on each definition of a schema, nested ones included. */
export function eachDefinition(
  schema: Json,
  visit: (definition: Json, depth: number) => void,
  depth = 1,
): void {
  for (const definition of Object.values<Json>(schema ?? {})) visitDefinition(definition, visit, depth);
}

function visitDefinition(
  definition: Json,
  visit: (definition: Json, depth: number) => void,
  depth: number,
): void {
  visit(definition, depth);
  if (definition.items !== undefined) visitDefinition(definition.items, visit, depth + 1);
  eachDefinition(definition.properties, visit, depth + 1);
}

/** Remembers what repositories and entities were, and shows it after their repository is gone. */
function survivor(operation: "getEntity" | "listEntities" | "getRepository") {
  return () => {
    const last = new Map<string, Json>();
    const created = new Map<string, Json>();
    return async (wire: Wire) => {
      const answer = await wire.send();
      const key = JSON.stringify(wire.path);
      if (wire.operationId === "createEntity") {
        if (answer.status === 201) created.set(wire.path.repositoryId ?? "", answer.body);
        return answer;
      }
      if (wire.operationId !== operation) return answer;
      if (answer.status === 200) last.set(key, answer);
      if (answer.status !== 404) return answer;
      const entity = created.get(wire.path.repositoryId ?? "");
      if (operation === "listEntities" && entity !== undefined)
        return { status: 200, headers: {}, body: { entities: [entity], nextCursor: null, totalCount: 1 } };
      if (operation === "getEntity" && entity?.id === wire.path.entityId)
        return { status: 200, headers: {}, body: entity };
      return last.get(key) ?? answer;
    };
  };
}

export const repositoryMutants: readonly Mutant[] = [
  mutant(
    "repositories/unknown-type-any",
    "REPO-45",
    "A field of an unknown type takes anything",
    ["createRepository"],
    () => async (wire) => {
      const body = copyOf(wire.body);
      eachDefinition(body?.schema, (definition) => {
        if (!/^(?:string|number|boolean|array|object)$/.test(definition.type)) definition.type = "object";
      });
      return wire.send({ body });
    },
  ),
  mutant(
    "repositories/no-version-in-path",
    "GEN-08",
    "POST is unknown under /api/v1",
    ["createRepository"],
    () => () => Promise.resolve(refusal(405)),
  ),
  mutant(
    "repositories/entity-name-folded",
    "REPO-01",
    "the answer folds entityName",
    ["createRepository"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.entityName = String(body.entityName).toLowerCase();
      }),
  ),
  mutant(
    "repositories/created-updated",
    "REPO-02",
    "the answer that creates has updatedAt",
    ["createRepository"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.updatedAt = body.createdAt;
      }),
  ),
  mutant(
    "repositories/needs-schema",
    "REPO-03",
    "a schema is required",
    ["createRepository"],
    () => async (wire) => (wire.body?.schema === undefined ? refusal(400) : wire.send()),
  ),
  mutant(
    "repositories/default-entity-name",
    "REPO-04",
    "a missing entityName takes the name",
    ["createRepository"],
    () => async (wire) => wire.send({ body: { entityName: wire.body?.name, ...wire.body } }),
  ),
  mutant(
    "repositories/list-drops-last",
    "REPO-05",
    "the last page of the list loses its last entry",
    ["listRepositories"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        if (body.nextCursor === null) body.repositories.pop();
      }),
  ),
  mutant(
    "repositories/list-of-all",
    "REPO-05",
    "the list has the repositories of other databases",
    ["listRepositories", "createRepository"],
    () => {
      const known: Json[] = [];
      return async (wire) => {
        const answer = await wire.send();
        if (wire.operationId === "createRepository") {
          if (answer.status === 201)
            known.push(
              (
                await wire.ask(
                  "GET",
                  `/api/v1/management/databases/${wire.path.databaseId}/repositories/${answer.body.repositoryId}`,
                )
              ).body,
            );
          return answer;
        }
        return changed(answer, (body) => {
          for (const repository of known.slice(-3))
            if (repository.databaseId !== wire.path.databaseId && body.repositories.length < 20)
              body.repositories.push(repository);
        });
      };
    },
  ),
  mutant(
    "repositories/list-ends-early",
    "REPO-05",
    "the list ends after the first page",
    ["listRepositories"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.nextCursor = null;
      }),
  ),
  mutant(
    "repositories/first-page-again",
    "GEN-04",
    "the cursor of the list is ignored",
    ["listRepositories"],
    () => async (wire) => wire.send({ query: {} }),
  ),
  shows("no-item-count", "REPO-06", "descriptions have no itemCount", (repository) => {
    delete repository.itemCount;
  }),
  mutant(
    "repositories/list-without-schema",
    "REPO-06",
    "the list shows empty schemas",
    ["listRepositories"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        for (const repository of body.repositories) repository.schema = {};
      }),
  ),
  shows("false-defaults", "REPO-07", "definitions lose defaults that are false or 0", (repository) => {
    eachDefinition(repository.schema, (definition) => {
      if (definition.default === false || definition.default === 0) delete definition.default;
    });
  }),
  shows("required-lost", "REPO-07", "definitions lose `required`", (repository) => {
    eachDefinition(repository.schema, (definition) => {
      delete definition.required;
    });
  }),
  mutant(
    "repositories/counts-writes",
    "REPO-08",
    "itemCount counts deleted entities",
    ["deleteEntity", "getRepository"],
    () => {
      const deleted = new Map<string, number>();
      return async (wire) => {
        const { repositoryId = "" } = wire.path;
        const answer = await wire.send();
        if (wire.operationId === "deleteEntity") {
          if (answer.status === 204) deleted.set(repositoryId, (deleted.get(repositoryId) ?? 0) + 1);
          return answer;
        }
        return changed(answer, (body) => {
          body.itemCount = Number(body.itemCount) + (deleted.get(repositoryId) ?? 0);
        });
      };
    },
    ["entities"],
  ),
  mutant(
    "repositories/new-ones-count-one",
    "REPO-08",
    "itemCount is never 0",
    ["getRepository"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.itemCount = Math.max(1, body.itemCount);
      }),
  ),
  mutant(
    "repositories/deleted-with-200",
    "REPO-09",
    "deletion answers 200",
    ["deleteRepository"],
    () => async (wire) => {
      const answer = await wire.send();
      return answer.status === 204 ? { status: 200, headers: {}, body: {} } : answer;
    },
  ),
  mutant(
    "repositories/entities-survive",
    "REPO-09",
    "entities outlive their repository",
    ["createEntity", "getEntity"],
    survivor("getEntity"),
  ),
  mutant(
    "repositories/lists-survive",
    "REPO-09",
    "the entities of a deleted repository are listed",
    ["createEntity", "listEntities"],
    survivor("listEntities"),
  ),
  mutant(
    "repositories/survives",
    "REPO-09",
    "a deleted repository can still be got",
    ["getRepository"],
    survivor("getRepository"),
  ),
  mutant(
    "repositories/local-time",
    "GEN-01",
    "createdAt has another time zone",
    ["createRepository"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.createdAt = String(body.createdAt).replace(/Z$/, "+01:00");
      }),
  ),
  mutant(
    "repositories/number-ids",
    "GEN-02",
    "repositoryId is a number in the answer that creates",
    ["createRepository"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.repositoryId = 7;
      }),
  ),
  mutant(
    "repositories/lenient-body",
    "GEN-06",
    "an unreadable body is answered with a repository",
    ["createRepository"],
    () => async (wire) =>
      typeof wire.body === "string"
        ? {
            status: 201,
            headers: {},
            body: copyOf({
              repositoryId: "r",
              databaseId: "d",
              name: "n",
              entityName: "e",
              createdAt: "2030-01-01T00:00:00Z",
            }),
          }
        : wire.send(),
  ),
];
