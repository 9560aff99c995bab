import type { OperationId } from "../../openapi/operations/register.js";
import { type AnyJson, changeBody } from "./intercept.js";
import { type Mutant, createMutantBuilder } from "./mutant.js";
import {
  type InterceptorFactory,
  createSuccessResponse,
  noContentResponse,
  changeResponseBody,
  rejectRequests,
} from "./tampers.js";

/** Accepts forbidden names, by sending other names to the deployment. */
function acceptNames(isTaken: (name: string) => boolean): InterceptorFactory {
  return () => {
    let number = 0;
    return async (wire) => {
      const name: unknown = wire.body?.name;
      if (typeof name !== "string" || !isTaken(name)) return wire.send();
      const response = await wire.send({ body: { ...wire.body, name: `taken-${++number}` } });
      return changeBody(response, (body) => (body.name = name));
    };
  };
}

/** Rejects names that are allowed. */
function rejectNames(isRefused: (name: string) => boolean): InterceptorFactory {
  return rejectRequests(400, ({ body }) => typeof body?.name === "string" && isRefused(body.name as string));
}

const countCharacters = (name: string) => Array.from(name).length;
const isPlainName = (name: string) => /^[a-z][a-z0-9-]*$/.test(name);

/** Changes every database in responses, single or in a list. */
function changeDatabases(change: (database: AnyJson) => void): InterceptorFactory {
  return changeResponseBody((body) => (body.databases ?? [body]).forEach(change));
}

const create: readonly OperationId[] = ["createDatabase"];
const list: readonly OperationId[] = ["listDatabases"];
const get: readonly OperationId[] = ["getDatabase"];
const shown: readonly OperationId[] = [...get, ...list];

const created = { status: "Creating", createdAt: "2030-01-01T00:00:00Z" };

const mutant = createMutantBuilder({ acceptNames, rejectNames, changeDatabases });

/** Faults in databases and their list. */
export const databaseMutants: readonly Mutant[] = [
  mutant("databases/no-version-in-path", "GEN-08", create).rejectRequests(404, () => true),
  mutant("databases/create-answers-updated-at", "DB-03", create).changeResponseBody(
    (body) => (body.updatedAt = body.createdAt),
  ),
  mutant("databases/names-of-64-taken", "DB-04", create).acceptNames(
    (name) => isPlainName(name) && countCharacters(name) === 64,
  ),
  mutant("databases/names-of-63-refused", "DB-04", create).rejectNames(
    (name) => countCharacters(name) === 63,
  ),
  mutant("databases/capital-letters-folded", "DB-05", create).acceptNames(
    (name) =>
      isPlainName(name.toLowerCase()) &&
      !isPlainName(name) &&
      countCharacters(name) > 2 &&
      countCharacters(name) < 64,
  ),
  mutant("databases/hyphen-at-end-refused", "DB-05", create).rejectNames((name) => name.endsWith("-")),
  mutant("databases/default-region", "DB-06", create).addDefaultParameters({ region: "eu-central-1" }),
  mutant("databases/no-item-count-in-list", "DB-16", "listDatabases").replaceField(
    "databases.*.usage.itemCount",
    0,
  ),
  mutant("databases/never-counted", "DB-16", shown).changeDatabases(({ usage }) =>
    Object.assign(usage, { itemCount: 0, lastUpdated: "1970-01-01T00:00:00.000Z" }),
  ),
  mutant("databases/list-drops-last", "DB-09", list).changeResponseBody((body) => {
    if (body.nextCursor === null) body.databases.pop();
  }),
  mutant("databases/limit-plus-one", "DB-10", list).changeLimit((limit) => limit + 1),
  mutant("databases/default-limit-10", "GEN-07", list).addDefaultParameters({ limit: 10 }),
  mutant("databases/last-of-page-begins-next", "GEN-04", list).by(() => {
    let last: AnyJson;
    return changeResponseBody((body, wire) => {
      const next = body.databases.at(-1);
      if (wire.query.cursor !== undefined && last !== undefined) body.databases[0] = last;
      last = next;
    })();
  }),
  mutant("databases/created-at-a-day-off", "DB-11", shown).changeDatabases((database) => {
    database.createdAt = new Date(Date.parse(database.createdAt) + 86_400_000).toISOString();
  }),
  mutant("databases/deleted-still-there", "DB-12", get).repeatLastSuccess(),
  mutant("databases/ceiling-plus-one", "DB-14", [...create, "deleteDatabase"]).by(() => {
    const extra = new Set<string>();
    return async (wire) => {
      const { credential = "", body, operationId } = wire;
      if (wire.path.databaseId === "db_extra" && extra.delete(credential)) return noContentResponse;
      const response = await wire.send();
      if (operationId !== "createDatabase" || response.status !== 403 || extra.has(credential))
        return response;
      extra.add(credential);
      return createSuccessResponse(
        { databaseId: "db_extra", name: body.name, region: body.region, ...created },
        201,
      );
    };
  }),
  mutant("databases/items-of-transactions-stay-counted", "DB-16", [...get, "transactWriteItems"]).by(() => {
    const extra = new Map<unknown, number>();
    return async (wire) => {
      const { databaseId } = wire.path;
      const deleted = wire.body?.items?.filter(({ action }: AnyJson) => action === "Delete") ?? [];
      extra.set(databaseId, (extra.get(databaseId) ?? 0) + Number(deleted.length));
      return changeBody(await wire.send(), ({ usage }) => {
        if (usage !== undefined) usage.itemCount = Number(usage.itemCount) + (extra.get(databaseId) ?? 0);
      });
    };
  }),
  mutant("databases/half-the-storage", "DB-17", "batchWriteItems").by(() => {
    let bytes = 0;
    return rejectRequests(
      403,
      ({ body }) => (bytes += JSON.stringify(body?.items ?? []).length) > 50_000_000,
    )();
  }),
];
