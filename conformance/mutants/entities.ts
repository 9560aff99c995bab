import {
  type AnyJson,
  type InterceptedResponse,
  type InterceptedRequest,
  changeBody,
  copyJson,
  omitFields,
} from "./intercept.js";
import { type Mutant, mutant } from "./mutant.js";
import { createSuccessResponse, replaceResponse, usesApiKey } from "./tampers.js";

/** Returns the path of an entity. */
export const getEntityPath = ({ path: { repositoryId = "", entityId = "" } }: InterceptedRequest) =>
  `/api/v1/repositories/${repositoryId}/${encodeURIComponent(entityId)}`;

const create = ["createEntity"] as const;
const get = ["getEntity"] as const;
const update = ["updateEntity"] as const;

const list = ["listEntities"] as const;
const query = ["queryEntities"] as const;

/** Faults in single entities, lists and queries. */
export const entityMutants: readonly Mutant[] = [
  mutant("entities/null-cursor-refused", "REPO-33", query).rejectRequests(
    400,
    ({ body }) => body?.cursor === null,
  ),
  mutant("entities/empty-data-refused", "REPO-21", create).rejectRequests(
    400,
    ({ body }) => Object.keys(body?.data ?? { a: 1 }).length === 0,
  ),
  mutant("entities/missing-data-is-empty-object", "REPO-24", create).addDefaultParameters({ data: {} }),
  mutant("entities/same-data-same-id", "REPO-25", create).by(() => {
    let last: { readonly key: string; readonly answer: InterceptedResponse } | undefined;
    return async (wire) => {
      const key = JSON.stringify([wire.path.repositoryId, wire.body?.data, wire.credential]);
      if (last?.key === key) return last.answer;
      const response = await wire.send();
      if (response.status === 201) last = { key, answer: response };
      return response;
    };
  }),
  mutant("entities/time-stands-still", "REPO-26", [...get, ...update]).changeResponseBody(
    (body) => (body.updatedAt = body.createdAt),
  ),
  mutant("entities/created-version-is-two", "REPO-27", "createEntity").replaceField("version", () => 2),
  mutant("entities/version-at-most-two", "REPO-27", [...get, ...update]).replaceField("version", (version) =>
    Math.min(2, version),
  ),
  mutant("entities/stale-get", "REPO-28", get).freezeField("data"),
  mutant("entities/update-of-missing-creates", "REPO-29", [...get, ...update]).by(() => {
    const made = new Map<string, AnyJson>();
    return replaceResponse(404, (wire, response) => {
      const target = getEntityPath(wire);
      const times = { createdAt: "2030-01-01T00:00:00Z", updatedAt: "2030-01-01T00:00:00Z" };
      if (typeof wire.body?.data === "object")
        made.set(target, { id: wire.path.entityId, data: wire.body.data, ...times });
      return made.has(target) ? createSuccessResponse(made.get(target)) : response;
    })();
  }),
  mutant("entities/update-answers-old-data", "REPO-30", update).by(() => async (wire) => {
    const before = await wire.ask("GET", getEntityPath(wire));
    return changeBody(await wire.send(), (body) => (body.data = before.body.data));
  }),
  mutant("entities/deleted-still-there", "REPO-32", get).repeatLastSuccess(),
  mutant("entities/limit-plus-one", "REPO-34", query).changeLimit((limit) => limit + 1),
  mutant("entities/default-limit-10-of-list", "REPO-34", list).addDefaultParameters({ limit: 10 }),
  mutant("entities/default-limit-50-of-query", "GEN-07", query).addDefaultParameters({ limit: 50 }),
  mutant("entities/stale-list", "REPO-33", list).freezeField("entities.*.data", (_, { id }) => id),
  mutant("entities/total-count-of-page", "REPO-35", list).changeResponseBody(
    (body) => (body.totalCount = body.entities.length),
  ),
  mutant("entities/lists-end-after-45", "GEN-04", ["listEntities", "queryEntities"]).endList(
    "entities",
    "nextCursor",
    45,
  ),
  mutant("entities/filter-reads-digits-as-number", "REPO-36", query).changeRequestBody((body) => ({
    ...body,
    filterValues: copyJson(body.filterValues, (value) =>
      typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value,
    ),
  })),
  mutant("entities/filter-value-needs-name-of-field", "REPO-37", query).answerRequest(
    ({ body }) => {
      const [field, , name] = String(body?.filter ?? "").split(" ");
      return name !== undefined && name !== `:${field}`;
    },
    () => createSuccessResponse({ entities: [], nextCursor: null, totalCount: 0 }),
  ),
  mutant("entities/order-within-page", "REPO-38", query).by(() => async (wire) => {
    if (wire.body?.sortOrder !== "desc") return wire.send();
    return changeBody(await wire.send({ body: omitFields(wire.body, "sortOrder") }), (body) =>
      body.entities.reverse(),
    );
  }),
  mutant("access/no-key-queries", "REPO-39", query).rejectRequests(403, usesApiKey),
  mutant("access/no-key-updates", "REPO-41", update).rejectRequests(403, usesApiKey),
  mutant("access/no-key-deletes", "REPO-42", "deleteEntity").rejectRequests(403, usesApiKey),
  mutant("entities/found-in-any-repository", "REPO-44", [...create, ...get]).by(() => {
    const repositories = new Map<unknown, string>();
    return async (wire) => {
      const repositoryId = repositories.get(wire.path.entityId);
      const response = await wire.send(repositoryId === undefined ? {} : { path: { repositoryId } });
      if (response.status === 201) repositories.set(response.body.id, wire.path.repositoryId ?? "");
      return response;
    };
  }),
];
