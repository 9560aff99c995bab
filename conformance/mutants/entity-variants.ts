import { limits } from "../../openapi/clauses/limits.js";
import { hasPlainFieldNames } from "../generators/field-plans.js";
import { type AnyJson, type InterceptedRequest, type Interceptor, changeBody } from "./intercept.js";
import { type Variant, variant, defineVariantInAreas } from "./mutant.js";
import { changeLimit, createErrorResponse } from "./tampers.js";

/** A new repository is Creating for three reads, and refuses requests for its entities meanwhile. */
const delayRepositoryCreation: () => Interceptor = () => {
  const looks = new Map<string, number>();
  return async (wire) => {
    const { repositoryId = "" } = wire.path;
    const left = looks.get(repositoryId) ?? 0;
    if (/Entity$|Entities$/.test(wire.operationId)) return left > 0 ? createErrorResponse(409) : wire.send();
    if (wire.operationId === "getRepository") looks.set(repositoryId, left - 1);
    return changeBody(await wire.send(), (body) => {
      if (wire.operationId === "createRepository") looks.set(body.repositoryId as string, 3);
      for (const repository of body.repositories ?? [body])
        if (repository.status !== undefined && (looks.get(repository.repositoryId as string) ?? 0) > 0)
          repository.status = "Creating";
    });
  };
};

/** Names of types begin with a capital, each is that of one repository, and a database has at most twenty repositories. */
const requireDistinctTypes: () => Interceptor = () => {
  const types = new Map<string, string>();
  return async (wire) => {
    const { databaseId = "", repositoryId = "" } = wire.path;
    const entityName: unknown = wire.body?.entityName;
    if (typeof entityName === "string") {
      const taken = [...types.values()].filter((type) => type.startsWith(databaseId));
      if (!/^[A-Z]/.test(entityName) || taken.includes(databaseId + entityName) || taken.length >= 20)
        return createErrorResponse(409);
    }
    const response = await wire.send();
    if (response.status === 201)
      types.set(response.body.repositoryId as string, databaseId + String(entityName));
    if (response.status === 204) types.delete(repositoryId);
    return response;
  };
};

/** Accepts null as an element of every type, by replacing null if data is refused. */
const acceptNullElements: Interceptor = async (wire) => {
  const response = await wire.send();
  const data: unknown = wire.body?.data;
  const taken = replaceNullElements(data);
  if (response.status < 400 || JSON.stringify(taken) === JSON.stringify(data)) return response;
  return changeBody(await wire.send({ body: { ...wire.body, data: taken } }), (body) => {
    body.data = data;
  });
};

function replaceNullElements(value: unknown): unknown {
  if (Array.isArray(value)) {
    const other: unknown = value.find((element) => element !== null);
    return value.map((element: unknown) => replaceNullElements(element === null ? other : element));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaceNullElements(each)]));
}

const emptyMark = "empty.";

/** Every second page is empty and has a cursor. */
const insertEmptyPages: Interceptor = async (wire) => {
  const cursor: unknown = wire.body?.cursor;
  const isMarked = typeof cursor === "string" && cursor.startsWith(emptyMark);
  if (isMarked) return wire.send({ body: { ...wire.body, cursor: cursor.slice(emptyMark.length) } });
  return changeBody(await wire.send(), (body) => {
    if (typeof cursor === "string") Object.assign(body, { entities: [], nextCursor: emptyMark + cursor });
    else if (body.nextCursor !== null) body.nextCursor = emptyMark + String(body.nextCursor);
  });
};

/** Lists the entities of a repository. */
async function listEntities(wire: InterceptedRequest): Promise<readonly AnyJson[]> {
  const entities: AnyJson[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const from: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await wire.ask("GET", `/api/v1/repositories/${wire.path.repositoryId}?limit=100${from}`);
    entities.push(...body.entities);
    cursor = body.nextCursor as string | null;
  }
  return entities;
}

/** Filters ignore case and surrounding space in texts, convert values of other types, and search in arrays. */
const filterLoosely: () => Interceptor = () => async (wire) => {
  const { filter, filterValues, limit = 20, cursor = 0, ...rest } = wire.body ?? {};
  const [, field = "", name = ""] = /^(\w+) = (:\w+)$/.exec(String(filter)) ?? [];
  if (field === "" || rest.sortBy !== undefined) return wire.send();
  const response = await wire.send({ body: { filter, filterValues, limit } });
  const folded = (value: unknown) => String(value).trim().toLowerCase();
  const sought: unknown = filterValues?.[name];
  const isMatch = (value: unknown) =>
    folded(value) === folded(sought) || (sought !== "" && Number(value) === Number(sought));
  const found = (await listEntities(wire)).filter(
    ({ data }) => Object.hasOwn(data, field) && (isMatch(data[field]) || [data[field]].flat().some(isMatch)),
  );
  return changeBody(response, (body) => {
    const [start, end] = [Number(cursor), Number(cursor) + Number(limit)];
    body.entities = found.slice(start, end);
    body.nextCursor = end < found.length ? String(end) : null;
    body.totalCount = found.length;
  });
};

/** Entities have the numbers 1, 2, 3 and so on in each repository. */
const numberEntities: () => Interceptor = () => {
  const known = new Map<string, string[]>();
  return async (wire) => {
    const { repositoryId = "", entityId } = wire.path;
    const own = known.get(repositoryId) ?? [];
    known.set(repositoryId, own);
    const numberOf = (id: string) => String((own.includes(id) ? own.indexOf(id) : own.push(id) - 1) + 1);
    const response = await wire.send(
      entityId === undefined ? {} : { path: { ...wire.path, entityId: own[Number(entityId) - 1] ?? "none" } },
    );
    return changeBody(response, (body) => {
      for (const entity of body.entities ?? [body])
        if (typeof entity.id === "string") entity.id = numberOf(entity.id);
    });
  };
};

/** Harmless differences in repositories and entities. */
export const entityVariants: readonly Variant[] = [
  // Some pages end early, as if a time limit had been reached.
  variant("entities/pages-by-time", ["listEntities", "queryEntities"]).by(() => {
    let pages = 0;
    return changeLimit((limit) => (limit < 4 ? limit : limit - (pages++ % 3)), limits.defaultPageSize)();
  }),
  ...defineVariantInAreas(
    ["repositories", "entities", "databases", "sequences", "isolation"],
    "repositories-in-the-making",
    /Entity$|Entities$|^(?:create|get|list)Repositor/,
  ).by(delayRepositoryCreation),
  ...defineVariantInAreas(["repositories", "entities", "sequences", "isolation"], "distinct-types", [
    "createRepository",
    "deleteRepository",
  ]).by(requireDistinctTypes),
  variant("entities/null-elements", ["createEntity", "updateEntity"]).by(() => acceptNullElements),
  variant("entities/own-names", ["createEntity", "updateEntity"]).rejectRequests(400, ({ body }) =>
    ["id", "version", "createdAt"].some((name) => body?.data?.[name] !== undefined),
  ),
  variant("entities/empty-pages", "queryEntities").by(() => insertEmptyPages),
  variant("repositories/short-pages", "listRepositories").by(
    () => (wire) => wire.send({ query: { ...wire.query, limit: "7" } }),
  ),
  variant("repositories/spelled-out", ["getRepository", "listRepositories"]).changeResponseBody((body) => {
    for (const repository of body.repositories ?? [body])
      for (const definition of Object.values<AnyJson>(repository.schema)) definition.required ??= false;
  }),
  variant("entities/filter-loose", "queryEntities").by(filterLoosely),
  ...defineVariantInAreas(
    ["entities", "repositories"],
    "plain-field-names",
    "createRepository",
  ).rejectRequests(
    422,
    (wire) => !hasPlainFieldNames((wire.body?.schema ?? {}) as Parameters<typeof hasPlainFieldNames>[0]),
  ),
  variant("entities/ids-of-each-repository", /Entity$|Entities$/).by(numberEntities),
];
