import { limits } from "../../openapi/clauses/limits.js";
import { isOrdinarySchema } from "../generators/field-plans.js";
import {
  type AnyJson,
  type Interceptor,
  changeBody,
  createErrorResponse,
  createSuccessResponse,
} from "./intercept.js";
import { type Variant, variant } from "./mutant.js";
import { getRepositoryPath } from "./repositories.js";
import { createPage, fetchAllEntries, insertEmptyPages } from "./paged-lists.js";

/** A new repository is Creating for three reads, and refuses requests for its entities meanwhile. */
const delayRepositoryCreation: Interceptor = (request) => {
  const { operationId, path, memory } = request;
  const left = Number(memory.get(path.repositoryId) ?? 0);
  if (/Entity$|Entities$/.test(operationId)) return left > 0 ? createErrorResponse(409) : request.send();
  if (operationId === "getRepository") memory.set(path.repositoryId, left - 1);
  return changeBody(request.send(), (body) => {
    if (operationId === "createRepository") memory.set(body.repositoryId, 3);
    for (const repository of body.repositories ?? [body])
      if (repository.status !== undefined && memory.get(repository.repositoryId) > 0)
        repository.status = "Creating";
  });
};

/** A deleted repository is still shown for three reads, as Deleting. */
const deleteRepositoriesSlowly: Interceptor = async (request) => {
  const { operationId, path, memory } = request;
  const deleting: Map<string, AnyJson> = memory.keepFirst(path.databaseId, new Map());
  const before =
    operationId === "deleteRepository" ? await request.ask("GET", getRepositoryPath(path)) : undefined;
  const response = await request.send();
  if (response.status === 204) deleting.set(path.repositoryId ?? "", { ...before?.body, reads: 0 });
  const show = (id = "") => {
    const { reads, ...repository }: AnyJson = deleting.get(id) ?? { reads: 3 };
    if (reads >= 3) return [];
    deleting.set(id, { ...repository, reads: Number(reads) + 1 });
    return [{ ...repository, status: "Deleting" }];
  };
  if (operationId === "listRepositories" && response.body?.nextCursor === null)
    return changeBody(response, (body) => body.repositories.push(...[...deleting.keys()].flatMap(show)));
  const [shown] = operationId === "getRepository" ? show(path.repositoryId) : [];
  return shown === undefined ? response : createSuccessResponse(shown);
};

/** Names of entity types begin with a capital letter and are unique, and a database has at most twenty repositories. */
const requireDistinctTypes: Interceptor = async (request) => {
  const { databaseId, repositoryId } = request.path;
  const entityName: unknown = request.body?.entityName;
  const types: Map<string, unknown> = request.memory.keepFirst(databaseId, new Map());
  if (typeof entityName === "string") {
    const taken = [...types.values()];
    if (!/^[A-Z]/.test(entityName) || taken.includes(entityName) || taken.length >= 20)
      return createErrorResponse(409);
  }
  const response = await request.send();
  if (response.status === 201) types.set(response.body.repositoryId as string, entityName);
  if (response.status === 204) types.delete(repositoryId ?? "");
  return response;
};

/** Accepts null as an element of every type, by replacing null if data is refused. */
const acceptNullElements: Interceptor = async (request) => {
  const response = await request.send();
  const data: unknown = request.body?.data;
  const taken = replaceNullElements(data);
  if (response.status < 400 || JSON.stringify(taken) === JSON.stringify(data)) return response;
  return changeBody(request.send({ body: { ...request.body, data: taken } }), (body) => (body.data = data));
};

function replaceNullElements(value: unknown): unknown {
  if (Array.isArray(value)) {
    const other: unknown = value.find((element) => element !== null);
    return value.map((element: unknown) => replaceNullElements(element === null ? other : element));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaceNullElements(each)]));
}

/** Omitted optional fields of objects inside an entity are null in responses. */
const fillOmittedFields: Interceptor = (request) => {
  const { operationId, path, body: sent, memory } = request;
  const fill = ({ properties, items, default: initial }: AnyJson, value: AnyJson): unknown => {
    if (Array.isArray(value))
      return items === undefined ? value : value.map((element) => fill(items, element));
    if (value === undefined) return initial ?? null;
    if (properties === undefined || typeof value !== "object" || value === null) return value;
    const declared = Object.entries(properties).map(([name, one]) => [name, fill(one, value[name])]);
    return { ...value, ...Object.fromEntries(declared) };
  };
  return changeBody(request.send(), (body) => {
    if (operationId === "createRepository") memory.set(body.repositoryId, sent?.schema ?? {});
    const schema: AnyJson = memory.get(path.repositoryId) ?? {};
    for (const name of Object.keys(body.data ?? {}))
      if (Object.hasOwn(schema, name)) body.data[name] = fill(schema[name], body.data[name]);
  });
};

/** Filters ignore case and surrounding space in texts, convert values of other types, and search in arrays. */
const filterLoosely: Interceptor = async (request) => {
  const { filter, filterValues, limit, sortBy } = request.body ?? {};
  const [, field = "", name = ""] = /^(\w+) = (:\w+)$/.exec(String(filter)) ?? [];
  if (field === "" || sortBy !== undefined) return request.send();
  const response = await request.send({ body: { filter, filterValues, limit } });
  if (response.status !== 200) return response;
  const folded = (value: unknown) => String(value).trim().toLowerCase();
  const sought: unknown = filterValues?.[name];
  const isMatch = (value: unknown) =>
    folded(value) === folded(sought) || (sought !== "" && Number(value) === Number(sought));
  const { entries } = await fetchAllEntries(request, "entities", {});
  const found = entries.filter(
    ({ data }) => Object.hasOwn(data, field) && (isMatch(data[field]) || [data[field]].flat().some(isMatch)),
  );
  return createPage(request, response, "entities", found);
};

/** Entities have the numbers 1, 2, 3 and so on in each repository. */
const numberEntities: Interceptor = (request) => {
  const { repositoryId, entityId } = request.path;
  const own: string[] = request.memory.keepFirst(repositoryId, []);
  const numberOf = (id: string) => String((own.includes(id) ? own.indexOf(id) : own.push(id) - 1) + 1);
  const path = entityId === undefined ? {} : { entityId: own[Number(entityId) - 1] ?? "none" };
  return changeBody(request.send({ path }), (body) => {
    for (const entity of body.entities ?? [body])
      if (typeof entity.id === "string") entity.id = numberOf(entity.id);
  });
};

/** Harmless differences in repositories and entities. */
export const entityVariants: readonly Variant[] = [
  // Some pages end early, as if a time limit had been reached.
  variant("entities/pages-by-time", ["listEntities", "queryEntities"]).changeLimit(
    (limit, { memory }) => (limit < 4 ? limit : limit - ((memory.add("pages") - 1) % 3)),
    limits.defaultPageSize,
  ),
  variant("repositories/repositories-in-the-making", /Entity$|Entities$|^(?:create|get|list)Repositor/, {
    alsoIn: ["entities", "databases", "sequences", "isolation"],
  }).by(delayRepositoryCreation),
  variant("repositories/deleted-slowly", /^(?:get|list|delete)Repositor/, {
    alsoIn: ["databases", "sequences"],
  }).by(deleteRepositoriesSlowly),
  variant("repositories/default-repository", "listRepositories", {
    alsoIn: ["databases", "sequences"],
  }).changeResponseBody((body, { path }) => {
    const createdAt = "2030-01-01T00:00:00Z";
    const repository = {
      ...{ repositoryId: `default-${path.databaseId}`, databaseId: path.databaseId, name: "default" },
      ...{ entityName: "Thing", status: "Active", schema: {}, itemCount: 0, createdAt, updatedAt: createdAt },
    };
    if (body.nextCursor === null) body.repositories.push(repository);
  }),
  variant("repositories/distinct-types", ["createRepository", "deleteRepository"], {
    alsoIn: ["entities", "sequences", "isolation"],
  }).by(requireDistinctTypes),
  variant("entities/null-for-omitted", ["createRepository", "createEntity", "getEntity"]).by(
    fillOmittedFields,
  ),
  variant("entities/null-elements", ["createEntity", "updateEntity"]).by(acceptNullElements),
  variant("entities/own-names", ["createEntity", "updateEntity"]).rejectRequests(({ body }) =>
    ["id", "version", "createdAt"].some((name) => body?.data?.[name] !== undefined),
  ),
  variant("entities/empty-pages", "queryEntities").by(insertEmptyPages("entities", "nextCursor")),
  variant("repositories/short-pages", "listRepositories").by((request) =>
    request.send({ query: { ...request.query, limit: "7" } }),
  ),
  variant("repositories/spelled-out", ["getRepository", "listRepositories"]).changeEntries(
    "repositories",
    ({ schema }) => {
      for (const definition of Object.values<AnyJson>(schema)) definition.required ??= false;
    },
  ),
  variant("repositories/defaults-left-out", ["getRepository", "listRepositories"]).changeEntries(
    "repositories",
    ({ schema }) => {
      for (const definition of Object.values<AnyJson>(schema))
        if (definition.required === false) delete definition.required;
    },
  ),
  variant("entities/short-filter-values", "queryEntities").rejectRequests(({ body }) =>
    Object.values<AnyJson>(body?.filterValues ?? {}).some((value) => value?.length > 255),
  ),
  variant("entities/versions-hidden", /Entity$|Entities$/, { alsoIn: ["sequences"] }).changeResponseBody(
    (body) => {
      for (const entity of body.entities ?? [body]) delete entity.version;
    },
  ),
  variant("entities/filter-loose", "queryEntities").by(filterLoosely),
  variant("repositories/ordinary-schemas", "createRepository", { alsoIn: ["entities"] }).rejectRequests(
    (request) => !isOrdinarySchema((request.body?.schema ?? {}) as Parameters<typeof isOrdinarySchema>[0]),
    422,
  ),
  variant("entities/ids-of-each-repository", /Entity$|Entities$/).by(numberEntities),
];
