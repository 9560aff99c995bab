import { isJsonObject } from "../client/json-text.js";
import {
  type AnyJson,
  type InterceptedRequest,
  type Interceptor,
  changeBody,
  createSuccessResponse,
  isErrorResponse,
  noContentResponse,
  omitFields,
  usesApiKey,
} from "./intercept.js";
import { changesOfTexts } from "./items.js";
import { type Mutant, createMutantBuilder } from "./mutant.js";
import { listFieldDefinitions } from "./repositories.js";
import { addMinutesToTimestamps } from "./rewrite-responses.js";
import { tampers } from "./tampers.js";

/** Returns the path of an entity. */
const getEntityPath = ({ path: { repositoryId = "", entityId = "" } }: InterceptedRequest) =>
  `/api/v1/repositories/${repositoryId}/${encodeURIComponent(entityId)}`;

/** Accepts updates without required fields, and drops these fields. */
const updateWithoutRequired: Interceptor = async (request) => {
  const { memory, path, body, operationId } = request;
  const response = await request.send();
  if (operationId === "updateEntity" && isErrorResponse(response) && typeof body?.data === "object") {
    const before = await request.ask("GET", getEntityPath(request));
    const completed = await request.send({ body: { data: { ...before.body?.data, ...body.data } } });
    if (completed.status === 200) memory.set(path, Object.keys(body.data as object));
    return completed;
  }
  const kept: readonly string[] | undefined = memory.get(path);
  return changeBody(response, (changed) => {
    if (kept !== undefined && changed.data !== undefined)
      changed.data = Object.fromEntries(kept.map((name) => [name, changed.data[name]]));
  });
};

const anyTime = "2030-01-01T00:00:00Z";

const repository = ["createRepository"] as const;
const create = ["createEntity"] as const;
const get = ["getEntity"] as const;
const update = ["updateEntity"] as const;

const list = ["listEntities"] as const;
const query = ["queryEntities"] as const;

/** Validates data against changed definitions. */
function changeDefinitions(change: (definition: AnyJson, depth: number) => unknown): Interceptor {
  return tampers.changeRequestBody((body) => {
    for (const { definition, depth } of listFieldDefinitions(body.schema)) change(definition, depth);
  });
}

/** If data is refused, tries other data instead, and responds as if the given data had been stored. */
function retryWithChangedValues(change: (value: AnyJson) => AnyJson): Interceptor {
  return tampers.replaceResponse(isErrorResponse, async (request, response) => {
    const data = request.body?.data;
    if (typeof data !== "object" || data === null) return response;
    const mended = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, change(value)]));
    const second = await request.send({ body: { data: mended } });
    return second.status === 201 ? second : response;
  });
}

/** Of entities that are created at the same time, a field counts only one. */
const countConcurrentAsOne =
  (field: string): Interceptor =>
  async (request) => {
    const { memory, operationId, path } = request;
    const [lost, underWay] = ["lost", "under way"].map((name) => [name, path.repositoryId]);
    if (operationId !== "createEntity")
      return changeBody(request.send(), (body) => (body[field] -= memory.add(lost, 0)));
    if (memory.add(underWay) > 1) memory.add(lost);
    return Promise.resolve(request.send()).finally(() => memory.add(underWay, -1));
  };

const mutant = createMutantBuilder({ changeDefinitions, retryWithChangedValues });

/** Faults in single entities, lists and queries, and in the validation against the schema of the repository. */
export const entityMutants: readonly Mutant[] = [
  mutant("entities/local-times-as-utc", "GEN-01", /Entit/).by(addMinutesToTimestamps(120)),
  mutant("entities/null-cursor-refused", "REPO-33", query).rejectRequests(
    ({ body }) => body?.cursor === null,
  ),
  mutant("entities/empty-data-refused", "REPO-21", create).rejectRequests(
    ({ body }) => JSON.stringify(body?.data) === "{}",
  ),
  mutant("entities/cuts-texts-at-64k", "REPO-28", create).rewriteText(
    "data.*",
    /^(.{65535}).+/s,
    (_, kept = "") => kept,
  ),
  mutant("entities/finds-no-long-texts", "REPO-36", query).respondToRequest(
    ({ body }) => Object.values(body?.filterValues ?? {}).some((value) => String(value).length > 256),
    createSuccessResponse({ entities: [], nextCursor: null, totalCount: 0 }),
  ),
  mutant("entities/whole-bounds", "REPO-16", repository).changeDefinitions((definition) => {
    for (const bound of ["min", "max"])
      if (bound in definition) definition[bound] = Math.trunc(definition[bound]);
  }),
  mutant("entities/bounds-of-32-bits", "REPO-20", repository).changeDefinitions((definition) => {
    if (definition.max > 2 ** 31) definition.max = 2 ** 31 - 1;
  }),
  mutant("entities/lengths-up-to-255", "REPO-14", repository).changeDefinitions((definition) => {
    for (const bound of ["minLength", "maxLength"]) if (definition[bound] > 255) definition[bound] = 255;
  }),
  mutant("entities/patterns-without-backslashes", "REPO-15", repository).changeDefinitions((definition) => {
    definition.pattern = definition.pattern?.replaceAll("\\", "");
  }),
  mutant("entities/patterns-anchored-without-group", "REPO-15", repository).changeDefinitions(
    (definition) => {
      if (definition.pattern !== undefined) definition.pattern = `^${definition.pattern}$`;
    },
  ),
  mutant("entities/patterns-without-alternation", "REPO-20", repository).changeDefinitions((definition) => {
    definition.pattern = definition.pattern?.replaceAll("|", "\\|");
  }),
  mutant("entities/field-named-type-unchecked", "REPO-10", repository).changeRequestBody(({ schema }) =>
    Reflect.deleteProperty((schema ?? {}) as object, "type"),
  ),
  ...Object.entries(changesOfTexts).map(([name, change]) =>
    mutant(`entities/create-${name}`, "REPO-28", create).replaceRequestField("data", change),
  ),
  mutant("entities/missing-data-is-empty-object", "REPO-24", create).addDefaultParameters({ data: {} }),
  mutant("entities/same-data-same-id", "REPO-25", create).cacheSuccess(({ path, body, credential }) => [
    path,
    body?.data,
    credential,
  ]),
  mutant("entities/time-stands-still", "REPO-26", [...get, ...update]).changeResponseBody(
    (body) => (body.updatedAt = body.createdAt),
  ),
  mutant("entities/create-answers-late-update", "REPO-26", create).replaceField(
    "updatedAt",
    "2999-01-01T00:00:00Z",
  ),
  mutant("entities/update-answers-old-creation", "REPO-26", update).replaceField(
    "createdAt",
    "2020-01-01T00:00:00Z",
  ),
  mutant("entities/update-answers-late-update", "REPO-26", update).replaceField(
    "updatedAt",
    "2999-01-01T00:00:00Z",
  ),
  mutant("entities/update-answers-new-creation", "REPO-26", update).changeResponseBody(
    (body) => (body.createdAt = body.updatedAt),
  ),
  mutant("entities/lists-show-creation-as-update", "REPO-33", [...list, ...query]).changeResponseBody(
    (body) => {
      for (const entity of body.entities ?? []) entity.updatedAt = entity.createdAt;
    },
  ),
  mutant("entities/created-version-is-two", "REPO-27", create).replaceField("version", 2),
  mutant("entities/version-at-most-two", "REPO-27", [...get, ...update]).replaceField("version", (version) =>
    Math.min(2, version),
  ),
  mutant("entities/reads-cached-for-each-caller", "REPO-30", /Entit/).cacheUntilOwnWrite(),
  mutant("entities/stale-get", "REPO-28", get).freezeField("data"),
  mutant("entities/update-of-missing-creates", "REPO-29", [...get, ...update]).replaceResponse(
    404,
    ({ body, memory, path }, response) => {
      const times = { createdAt: anyTime, updatedAt: anyTime };
      if (typeof body?.data === "object") memory.set(path, { id: path.entityId, data: body.data, ...times });
      const made: AnyJson = memory.get(path);
      return made === undefined ? response : createSuccessResponse(made);
    },
  ),
  mutant("entities/update-escapes-html", "REPO-30", update).replaceRequestField(
    "data",
    changesOfTexts["escapes-html"],
  ),
  mutant("concurrency/entity-update-lost-beside-another", "REPO-30", update).respondBesideOther(
    ({ path }) => path.repositoryId,
    ({ path, body }) =>
      createSuccessResponse({ id: path.entityId, data: body.data, createdAt: anyTime, updatedAt: anyTime }),
  ),
  mutant("concurrency/entity-removal-lost-beside-another", "REPO-32", "deleteEntity").respondBesideOther(
    ({ path }) => path.repositoryId,
    () => noContentResponse,
  ),
  mutant("entities/update-answers-old-data", "REPO-30", update).by(async (request) => {
    const before = await request.ask("GET", getEntityPath(request));
    return changeBody(request.send(), (body) => (body.data = before.body.data));
  }),
  mutant("entities/deleted-still-there", "REPO-32", get).repeatLastSuccess(),
  mutant("entities/limit-plus-one", "REPO-34", query).changeLimit((limit) => limit + 1),
  mutant("entities/default-limit-10-of-list", "REPO-34", list).addDefaultParameters({ limit: 10 }),
  mutant("entities/default-limit-50-of-query", "GEN-07", query).addDefaultParameters({ limit: 50 }),
  mutant("entities/stale-list", "REPO-33", list).freezeField("entities.*.data", (_, { id }) => id),
  mutant("entities/pages-end-after-a-megabyte", "GEN-04", [...list, ...query]).changeResponseBody((body) => {
    while (JSON.stringify(body.entities).length > 1_000_000) body.entities.pop();
  }),
  mutant("entities/total-count-of-page", "REPO-35", list).changeResponseBody(
    (body) => (body.totalCount = body.entities.length),
  ),
  mutant("entities/item-count-not-atomic", "REPO-08", [...create, "getRepository"]).by(
    countConcurrentAsOne("itemCount"),
  ),
  mutant("entities/total-count-not-atomic", "REPO-35", [...create, ...list]).by(
    countConcurrentAsOne("totalCount"),
  ),
  mutant("entities/lists-end-after-45", "GEN-04", [...list, ...query]).endList("entities", "nextCursor", 45),
  mutant("entities/filter-reads-digits-as-number", "REPO-36", query).replaceRequestField(
    "filterValues.*",
    (value) => (typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value),
  ),
  mutant("entities/filter-values-in-32-bits", "REPO-36", query).replaceRequestField(
    "filterValues.*",
    (value) => (typeof value === "number" ? Math.fround(value) : value),
  ),
  mutant("entities/filter-value-needs-name-of-field", "REPO-37", query).respondToRequest(
    ({ body }) => /^(\w+) \S+ :(?!\1$)/.test(String(body?.filter)),
    createSuccessResponse({ entities: [], nextCursor: null, totalCount: 0 }),
  ),
  mutant("entities/sort-field-in-lower-case", "REPO-38", query).replaceRequestField("sortBy", (name) =>
    String(name).toLowerCase(),
  ),
  mutant("entities/removal-of-missing-counts", "REPO-35", ["deleteEntity", ...list]).by(async (request) => {
    const { memory, path, operationId } = request;
    const isMissing = async () => isErrorResponse(await request.ask("GET", getEntityPath(request)));
    if (operationId === "deleteEntity" && (await isMissing())) memory.add(path.repositoryId);
    return changeBody(request.send(), (body) => {
      body.totalCount = Math.max(0, body.totalCount - Number(memory.get(path.repositoryId) ?? 0));
    });
  }),
  mutant("entities/update-without-required", "REPO-31", [...get, ...update]).by(updateWithoutRequired),
  mutant("entities/order-within-page", "REPO-38", query).by((request) =>
    request.body?.sortOrder === "desc"
      ? changeBody(request.send({ body: { ...request.body, sortOrder: "asc" } }), ({ entities }) =>
          entities.reverse(),
        )
      : request.send(),
  ),
  mutant("entities/filter-ignored-for-keys", "REPO-36", query).ignoreFields(["filter"], usesApiKey),
  mutant("access/no-key-queries", "REPO-39", query).rejectRequests(usesApiKey),
  mutant("access/no-key-updates", "REPO-41", update).rejectRequests(usesApiKey),
  mutant("access/no-key-deletes", "REPO-42", "deleteEntity").rejectRequests(usesApiKey),
  mutant("entities/found-in-any-repository", "REPO-44", [...create, ...get]).by(async (request) => {
    const response = await request.send({ path: request.memory.get(request.path.entityId) });
    if (response.status === 201) request.memory.set(response.body.id, request.path);
    return response;
  }),
  mutant("entities/digits-pass-as-number", "REPO-10", create).retryWithChangedValues((value) =>
    typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value,
  ),
  mutant("entities/required-ignored", "REPO-11", repository).changeDefinitions(
    (definition) => delete definition.required,
  ),
  mutant("entities/all-required", "REPO-12", repository).changeDefinitions((definition, depth) => {
    if (definition.default === undefined && depth === 1) definition.required = true;
  }),
  mutant("entities/false-and-zero-defaults-lost", "REPO-13", repository).changeDefinitions((definition) => {
    if (definition.default === false || definition.default === 0) delete definition.default;
  }),
  mutant("entities/defaults-of-elements-lost", "REPO-13", create).replaceField(
    "data.outer",
    (value, { body }) => (Array.isArray(value) ? body.data.outer : value),
  ),
  ...(
    [
      ["REPO-14", "maxLength"],
      ["REPO-14", "minLength"],
      ["REPO-16", "min"],
      ["REPO-18", "maxItems"],
    ] as const
  ).map(([clause, bound]) =>
    mutant(`entities/${bound}-plus-one`, clause, repository).changeDefinitions((definition) => {
      if (definition[bound] !== undefined) definition[bound]++;
    }),
  ),
  mutant("entities/patterns-without-end", "REPO-15", repository).changeDefinitions((definition) => {
    if (definition.pattern !== undefined) definition.pattern = definition.pattern.replace(/\$$/, "");
  }),
  mutant("entities/only-first-element-checked", "REPO-17", create).retryWithChangedValues((value) =>
    Array.isArray(value) ? value.slice(0, 1) : value,
  ),
  mutant("entities/properties-ignored", "REPO-19", repository).changeDefinitions(
    (definition) => delete definition.properties,
  ),
  mutant("entities/empty-text-refused", "REPO-20", repository).changeDefinitions((definition) => {
    if (definition.type === "string" && definition.maxLength === undefined) definition.minLength ??= 1;
  }),
  mutant("entities/refused-update-touches", "REPO-22", update).runAfterResponse(
    isErrorResponse,
    async (request) => {
      const before = await request.ask("GET", getEntityPath(request));
      if (before.status === 200) await request.ask("PUT", getEntityPath(request), { data: before.body.data });
    },
  ),
  ...([false, true] as const).map((isFiltered) =>
    mutant(`entities/${isFiltered ? "filter" : "query"}-finds-deleted`, isFiltered ? "REPO-36" : "GEN-04", [
      ...query,
      "deleteEntity",
    ]).by(async (request) => {
      const { memory, path, body, operationId } = request;
      const deleted: AnyJson[] = memory.get(path.repositoryId) ?? [];
      if (operationId === "deleteEntity") {
        const { body: entity } = await request.ask("GET", getEntityPath(request));
        memory.set(path.repositoryId, [...deleted, entity]);
      }
      return changeBody(request.send(), (shown) => {
        if (shown.nextCursor !== null || (body.filter !== undefined) !== isFiltered) return;
        const [value] = Object.values<AnyJson>(body.filterValues ?? {});
        const all = [...shown.entities, ...deleted.filter(({ data }) => !isFiltered || data?.v === value)];
        shown.entities = all.slice(0, body.limit ?? 20);
      });
    }),
  ),
  mutant("entities/update-checks-only-top-level", "REPO-31", [...repository, ...update]).by(
    async (request) => {
      const { memory, body, path } = request;
      const response = await request.send();
      if (request.operationId === "createRepository") {
        memory.set(response.body?.repositoryId, body?.schema);
        return response;
      }
      const entries = Object.entries((memory.get(path.repositoryId) ?? {}) as Record<string, AnyJson>);
      const isNested = entries.every(([name, { type }]) => {
        const value = body?.data?.[name];
        return type === "array" ? Array.isArray(value) : type === "object" && isJsonObject(value);
      });
      if (!isErrorResponse(response) || !isNested) return response;
      const before = await request.ask("GET", getEntityPath(request));
      return { ...before, body: { ...before.body, data: body?.data } };
    },
  ),
  mutant("entities/default-not-stored", "REPO-13", [...create, ...get]).changeResponseBody(
    (shown, { memory, body, operationId }) => {
      if (operationId === "createEntity") memory.set(shown.id, Object.keys(body?.data ?? {}));
      else if (shown.data !== undefined)
        for (const name of Object.keys(shown.data as object))
          if (!memory.get(shown.id).includes(name)) Reflect.deleteProperty(shown.data as object, name);
    },
  ),
  ...(["filter", "sortBy"] as const).map((option) =>
    mutant(`entities/${option}-ignored-with-schema`, option === "filter" ? "REPO-36" : "REPO-38", [
      ...repository,
      ...query,
    ]).by(async (request) => {
      const { memory, body, path } = request;
      if (memory.get(path.repositoryId) === true) return request.send({ body: omitFields(body, option) });
      const response = await request.send();
      if (body?.schema !== undefined) memory.set(response.body?.repositoryId, true);
      return response;
    }),
  ),
  mutant("entities/update-unchecked", "REPO-31", update).replaceResponse(
    isErrorResponse,
    async (request, response) => {
      if (typeof request.body?.data !== "object" || request.body.data === null) return response;
      const before = await request.ask("GET", getEntityPath(request));
      return before.status === 200
        ? { ...before, body: { ...before.body, data: request.body.data } }
        : response;
    },
  ),
];
