import type { OperationId } from "../../openapi/operations/register.js";
import {
  type AnyJson,
  changeBody,
  type Interceptor,
  createSuccessResponse,
  noContentResponse,
} from "./intercept.js";
import { type Mutant, createMutantBuilder } from "./mutant.js";
import { addMinutesToTimestamps } from "./rewrite-responses.js";

/** Accepts forbidden names, by sending other names to the deployment. */
function acceptNames(isTaken: (name: string) => boolean): Interceptor {
  return (request) => {
    const name: unknown = request.body?.name;
    if (typeof name !== "string" || !isTaken(name)) return request.send();
    const other = `taken-${request.memory.add("names")}`;
    return changeBody(request.send({ body: { ...request.body, name: other } }), (body) => (body.name = name));
  };
}

const countCharacters = (name: string) => Array.from(name).length;
const isPlainName = (name: string) => /^[a-z][a-z0-9-]*$/.test(name);

const create: readonly OperationId[] = ["createDatabase"];
const list: readonly OperationId[] = ["listDatabases"];
const get: readonly OperationId[] = ["getDatabase"];
const shown: readonly OperationId[] = [...get, ...list];

const mutant = createMutantBuilder({ acceptNames });

/** Faults in databases and their list. */
export const databaseMutants: readonly Mutant[] = [
  mutant("databases/local-times-as-utc", "GEN-01", /Database/).by(addMinutesToTimestamps(120)),
  mutant("databases/no-version-in-path", "GEN-08", create).rejectRequests(() => true, 404),
  mutant("databases/create-answers-updated-at", "DB-03", create).changeResponseBody(
    (body) => (body.updatedAt = body.createdAt),
  ),
  mutant("databases/names-of-64-taken", "DB-04", create).acceptNames(
    (name) => isPlainName(name) && countCharacters(name) === 64,
  ),
  mutant("databases/names-of-63-refused", "DB-04", create).rejectRequests(
    ({ body }) => countCharacters(String(body?.name)) === 63,
  ),
  mutant("databases/capital-letters-folded", "DB-05", create).acceptNames(
    (name) => /^[a-z][a-z0-9-]{2,62}$/i.test(name) && !isPlainName(name),
  ),
  mutant("databases/hyphen-at-end-refused", "DB-05", create).rejectRequests(({ body }) =>
    String(body?.name).endsWith("-"),
  ),
  mutant("databases/default-region", "DB-06", create).addDefaultParameters({ region: "eu-central-1" }),
  mutant("databases/no-item-count-in-list", "DB-16", list).replaceField("databases.*.usage.itemCount", 0),
  mutant("databases/never-counted", "DB-16", shown).changeEntries("databases", ({ usage }) =>
    Object.assign(usage, { itemCount: 0, lastUpdated: "1970-01-01T00:00:00.000Z" }),
  ),
  mutant("databases/items-of-transactions-stay-counted", "DB-16", [
    ...get,
    "transactWriteItems",
  ]).changeResponseBody(({ usage }, { body, memory, path }) => {
    const deleted: AnyJson[] = body?.items?.filter(({ action }: AnyJson) => action === "Delete") ?? [];
    const extra = memory.add(path.databaseId, deleted.length);
    if (usage !== undefined) usage.itemCount = Number(usage.itemCount) + extra;
  }),
  mutant("databases/list-drops-last", "DB-09", list).changeResponseBody((body) => {
    if (body.nextCursor === null) body.databases.pop();
  }),
  mutant("databases/limit-plus-one", "DB-10", list).changeLimit((limit) => limit + 1),
  mutant("databases/default-limit-10", "GEN-07", list).addDefaultParameters({ limit: 10 }),
  mutant("databases/last-of-page-begins-next", "GEN-04", list).changeResponseBody(
    (body, { query, memory }) => {
      const last: AnyJson = memory.get("last");
      memory.set("last", body.databases.at(-1));
      if (query.cursor !== undefined && last !== undefined) body.databases[0] = last;
    },
  ),
  mutant("databases/created-at-a-day-off", "DB-11", shown).changeEntries("databases", (database) => {
    database.createdAt = new Date(Date.parse(database.createdAt) + 86_400_000).toISOString();
  }),
  mutant("databases/list-cached-for-each-caller", "DB-09", /Database/).cacheUntilOwnWrite(),
  mutant("databases/deleted-still-there", "DB-12", get).repeatLastSuccess(),
  mutant("databases/ceiling-plus-one", "DB-14", [...create, "deleteDatabase"]).by(async (request) => {
    const { body, credential, memory, operationId, path } = request;
    if (path.databaseId === "db_extra" && memory.get(credential) === true) {
      memory.set(credential, false);
      return noContentResponse;
    }
    const response = await request.send();
    const isRefused = operationId === "createDatabase" && response.status === 403;
    if (!isRefused || memory.get(credential) === true) return response;
    memory.set(credential, true);
    const created = { databaseId: "db_extra", status: "Creating", createdAt: "2030-01-01T00:00:00Z" };
    return createSuccessResponse({ ...created, name: body.name, region: body.region }, 201);
  }),
  mutant("databases/half-the-storage", "DB-17", "batchWriteItems").rejectRequests(
    ({ body, memory }) => memory.add("bytes", JSON.stringify(body?.items ?? []).length) > 50_000_000,
  ),
];
