import type { components } from "../../openapi/generated/service-types.js";
import type { OperationId } from "../../openapi/operations/register.js";
import { formatCount } from "../../openapi/text/format-count.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";
import type { ApiResponse, Caller, Client } from "../client/client.js";
import { createdKinds, getCreatedKind, type ListedKind } from "../client/created-kinds.js";
import { isClientError } from "../client/is-client-error.js";
import { isSuccess } from "../client/is-success.js";
import { quoteResponse } from "../client/quote-response.js";
import { readAllPages } from "../client/read-all-pages.js";
import { NoResponseError, RunError } from "../client/violation.js";
import type { Actors } from "../target/actors.js";
import type { Ledger, LedgerEntry, Resource } from "../target/ledger.js";
import { type ListedMember, listPossibleMemberIds } from "./member-ids.js";

/** A resource that could not be removed, and why. */
export interface LeftoverResource {
  readonly entry: LedgerEntry;
  readonly reason: string;
  /** Whether the deployment has no way to remove the resource, so that a later cleanup cannot remove it either. */
  readonly isFinal?: boolean;
}

/** Describes how many resources a later cleanup may remove; returns an empty list if there are none. */
export function describeRemovable(left: readonly LeftoverResource[]): readonly string[] {
  const { length } = left.filter(({ isFinal }) => isFinal !== true);
  return length === 0 ? [] : [`${formatCount(length, "resource")} that the run created could not be removed`];
}

/** Maximum number of requests without a response; after that, the remaining resources stay in the ledger. */
const maxUnanswered = 2;

/** How long a list may still contain a removed resource, in milliseconds. */
const maxLagMs = 5000;

/** The kinds of resources that a deployment still refused to remove when its lists could no longer lag. */
const refusedKinds = new WeakMap<Client, Set<Resource["kind"]>>();

/** The deployment offers no way to remove a resource, now or later. */
class UnremovableError extends RunError {}

/**
 * Removes the resources in a ledger, newest first.
 *
 * @param actors the callers who remove them; not needed for namespaces, which are deleted with their contents
 * @param entries the entries to remove. Defaults to all.
 * @returns the resources that could not be removed
 */
export async function removeAllResources({
  client,
  actors,
  ledger,
  entries = ledger.remaining,
}: {
  readonly client: Client;
  readonly actors?: Actors | undefined;
  readonly ledger: Ledger;
  readonly entries?: readonly LedgerEntry[];
}): Promise<readonly LeftoverResource[]> {
  const left: LeftoverResource[] = [];
  // Checks report responses that break a clause; the removal continues after such a response.
  const remover = client.withoutValidation();
  let unanswered = 0;
  for (const entry of entries)
    try {
      if (unanswered >= maxUnanswered) throw new RunError("the deployment has stopped responding");
      await removeResource(remover, entry, actors);
      ledger.recordRemoval(entry.number);
    } catch (error) {
      if (error instanceof NoResponseError) unanswered++;
      const isFinal = error instanceof UnremovableError;
      if (isFinal) ledger.recordRemoval(entry.number);
      left.push({ entry, reason: toErrorMessage(error), ...(isFinal && { isFinal }) });
    }
  return left;
}

/**
 * Removes a resource of a ledger and checks the lists for it, because the response to DELETE says little. A resource that
 * is already gone or was never created counts as removed.
 *
 * @throws RunError when the resource still exists
 * @throws UnremovableError when the deployment has no way to remove it
 */
export async function removeResource(client: Client, resource: Resource, actors?: Actors): Promise<void> {
  const { kind, id, name, parent = "", by } = resource;
  if (kind === "namespace") {
    const path = `/_emulator/namespaces/${encodeURIComponent(name)}`;
    const response = await client.send("DELETE", path, { at: parent });
    if (response.status >= 300 && response.status !== 404) throw createStillExistsError(resource, response);
    return;
  }
  if (actors === undefined) throw new RunError("the run's users cannot log in");
  if (kind === "items") return removeItems(client, actors, parent, name);
  const as = await actors.getCaller(by ?? "owner");
  if (kind === "role") return restoreRole(client, as, resource);
  // The time is counted from the first removal, because requests before it may have waited for a rate limit.
  let until: number | undefined;
  let entries = await findEntries(client, as, resource, actors);
  // A list may not show the resource. If its id is known, it is removed anyway.
  const listed = getCreatedKind(kind)?.listed;
  if (entries.length === 0 && id !== undefined && listed !== undefined)
    await createRequestFactory(client, as)(listed.remove, listed.getPath(id, parent))();
  // If a removal was accepted and a later one is refused, the resource is gone and the list lags.
  let wasAccepted = false;
  for (let pause = 20; entries.length > 0; pause = Math.min(2 * pause, 1000)) {
    let last: ApiResponse | undefined;
    for (const { removals, mayStay = false } of entries) {
      for (const remove of removals) {
        last = await remove();
        if (last.status < 300) break;
      }
      wasAccepted ||= last !== undefined && last.status < 300;
      if (mayStay && !wasAccepted && (last === undefined || isClientError(last)))
        throw new UnremovableError(`${kind} ${name} cannot be removed, because no id works for it`);
    }
    if (last !== undefined && last.status >= 500) throw createStillExistsError(resource, last);
    entries = await findEntries(client, as, resource, actors);
    if (entries.length === 0) return;
    until ??= client.time.now() + maxLagMs;
    const isRefused = last !== undefined && isClientError(last);
    const refused = refusedKinds.get(client) ?? new Set();
    // Once a refused removal has been waited for in vain, lag does not explain further refusals for this kind.
    if (client.time.now() > until || (isRefused && refused.has(kind))) {
      if (isRefused) refusedKinds.set(client, refused.add(kind));
      throw createStillExistsError(resource, last);
    }
    await client.time.sleep(pause);
  }
}

function createStillExistsError({ kind, name }: Resource, response: ApiResponse | undefined): RunError {
  return new RunError(
    `${kind} ${name} still exists; the request to delete it returned ${quoteResponse(response)}`,
  );
}

/** Gives a user the role that the user had before. @throws RunError when the user has another role */
async function restoreRole(client: Client, as: Caller, resource: Resource): Promise<void> {
  const { name, parent = "", role } = resource;
  const find = async () =>
    (await listEntries(client, as, resource, createdKinds.member.listed)).find(
      ({ email }) => String(email).toLowerCase() === name.toLowerCase(),
    ) as ListedMember | undefined;
  let member = await find();
  let response: ApiResponse | undefined;
  for (const memberId of member === undefined ? [] : listPossibleMemberIds(member)) {
    const path = { organizationId: parent, memberId };
    response = await client.call("updateMember", { setUp: true, as, path, body: { role } });
    if (isSuccess(response)) break;
  }
  // The list may lag.
  const until = client.time.now() + maxLagMs;
  for (let pause = 20; ; pause = Math.min(2 * pause, 1000)) {
    member = await find();
    if (member === undefined || member.role === role) return;
    if (response === undefined || !isSuccess(response) || client.time.now() > until)
      throw new RunError(
        `${name} has the role ${String(member.role)} instead of ${role ?? ""}; ` +
          `the request to change it returned ${quoteResponse(response)}`,
      );
    await client.time.sleep(pause);
  }
}

/** A function that sends a request. */
type Send = () => Promise<ApiResponse>;
type RequestFactory = (operationId: OperationId, path: Readonly<Record<string, string>>) => Send;

/** Creates requests of a caller. */
function createRequestFactory(client: Client, as: Caller): RequestFactory {
  return (operationId, path) => () => client.call(operationId, { setUp: true, as, path });
}

/** Creates requests of a caller with a token for an organization, or with the current token if the caller cannot switch. */
function createRequestFactoryIn(client: Client, as: Caller, organizationId: string): RequestFactory {
  return (operationId, path) => async () => {
    const body = { organizationId };
    const switched = await client.call("switchOrganization", { setUp: true, as, body });
    const { accessToken } = (switched.body ?? {}) as { readonly accessToken?: unknown };
    const isToken = isSuccess(switched) && typeof accessToken === "string";
    return createRequestFactory(client, isToken ? { ...as, credential: accessToken } : as)(
      operationId,
      path,
    )();
  };
}

/** An entry of a list that belongs to the resource to remove. */
interface FoundEntry {
  /** Requests that may remove the resource, tried until one succeeds. */
  readonly removals: readonly Send[];
  /** Whether the resource counts as unremovable if all requests are refused. */
  readonly mayStay?: boolean;
}

/**
 * Finds the entries of a resource in the lists of the deployment, by its id or, if the id is unknown, by its name. An empty
 * name finds nothing, because a resource from before the run may have it.
 *
 * @param actors the callers who delete the items of a database that cannot be deleted while it has items
 */
async function findEntries(
  client: Client,
  as: Caller,
  resource: Resource,
  actors: Actors,
): Promise<readonly FoundEntry[]> {
  const { kind, id, name, parent = "", by } = resource;
  const createRequest = createRequestFactory(client, as);
  if (kind === "table") {
    const path = { databaseId: parent };
    const schema = await createRequest("getSqlTableSchema", { ...path, tableName: name })();
    if (schema.status !== 200) {
      const { code } = (schema.body ?? {}) as { readonly code?: unknown };
      if (code === "TABLE_NOT_FOUND" || code === "DATABASE_NOT_FOUND") return [];
      // Another refusal does not say whether the table exists.
      const tables = await listEntries(client, as, resource, { list: "listSqlTables", field: "tables" });
      if (!tables.some((table) => String(table.name).toLowerCase() === name.toLowerCase())) return [];
    }
    const execute = (sql: string) => client.call("executeSql", { setUp: true, as, path, body: { sql } });
    const drop = () => execute(`DROP TABLE ${name}`);
    // A table with indexes need not be removable.
    const dropWithIndexes = async () => {
      const { indexes = [] } = (schema.body ?? {}) as Partial<components["schemas"]["SqlTableSchema"]>;
      for (const index of indexes)
        for (const sql of [`DROP INDEX ${index.name}`, `DROP INDEX ${index.name} ON ${name}`])
          if (isSuccess(await execute(sql))) break;
      return drop();
    };
    return [{ removals: [drop, dropWithIndexes] }];
  }
  const { listed, idField } = getCreatedKind(kind) ?? {};
  if (listed === undefined) return [];
  const { remove, getPath, nameField } = listed;
  const entries = (await listEntries(client, as, resource, listed)).filter((entry) => {
    const listedId = idField === undefined ? undefined : entry[idField];
    return id === undefined || listedId === undefined
      ? name !== "" && String(entry[nameField]).toLowerCase() === name.toLowerCase()
      : listedId === id;
  });
  const found: FoundEntry[] = [];
  for (const entry of entries) {
    const entryId = id ?? String(idField === undefined ? "" : entry[idField]);
    const removal = createRequest(remove, getPath(entryId, parent));
    if (kind === "member") {
      const memberIds = listPossibleMemberIds(entry as ListedMember);
      const removals = memberIds.map((memberId) => createRequest(remove, getPath(memberId, parent)));
      found.push({ removals, mayStay: entry.userId === null });
    } else if (kind === "organization") {
      // A token for another organization need not give access.
      const ways = [createRequest, createRequestFactoryIn(client, as, entryId)];
      const responses: ApiResponse[] = [];
      for (const createOne of ways) {
        const response = await createOne("getOrganization", { organizationId: entryId })();
        responses.push(response);
        if (!isClientError(response)) break;
      }
      if (!responses.every(isDeleted))
        found.push({ removals: ways.map((createOne) => createOne(remove, getPath(entryId, parent))) });
    } else if (kind === "repository") found.push({ removals: [removal] });
    else if (entry.status !== "Deleting") {
      // A database with items need not be deletable.
      const creator = by === undefined ? undefined : as;
      const removeContents = () => removeItems(client, actors, entryId, "", creator).then(removal);
      found.push({ removals: [removal, removeContents] });
    }
  }
  return found;
}

/** Whether an organization is gone: it has the status deleted, or the request is refused with any status. */
function isDeleted(response: ApiResponse): boolean {
  return isClientError(response) || (response.body as { status?: unknown } | undefined)?.status === "deleted";
}

/** Reads the entries of a list; returns none if its parent is gone. */
export async function listEntries(
  client: Client,
  as: Caller,
  { kind, name, parent = "" }: Resource,
  { list, field }: Pick<ListedKind, "list" | "field">,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  // Parameters that are not in the operation's path are ignored.
  const call = { setUp: true, as, path: { databaseId: parent, organizationId: parent } };
  return readAllPages(
    field,
    (cursor) => client.call(list, { ...call, ...(cursor && { query: { cursor } }) }),
    (response) => {
      if (parent !== "" && kind !== "role" && isClientError(response)) return [];
      throw new RunError(
        `could not check whether ${kind} ${name} is gone: ${list} returned ${quoteResponse(response)}`,
      );
    },
  );
}

/** Number of times that items are listed again, because a list may lag. */
const maxListings = 5;

interface Key {
  /** The listed value, which was not validated. */
  readonly pk: unknown;
  readonly sk: string | null;
}

/**
 * Deletes the items of a database whose partition key contains the run id, until a scan finds none of them.
 *
 * @param creator the user who created the database. Defaults to the caller who works on data for the run.
 * @throws RunError when some remain or cannot be listed
 */
async function removeItems(
  client: Client,
  actors: Actors,
  databaseId: string,
  run: string,
  creator?: Caller,
): Promise<void> {
  const path = { databaseId };
  let as = creator ?? (await actors.getDataCaller("database"));
  // A cleanup after a killed run does not know yet whether access tokens give access to items (gap `data-credential`).
  if (isClientError(await client.call("scanItems", { setUp: true, as, path, body: {} })))
    as = await actors.getDataKeyCaller("database").catch(() => as);
  const call = { setUp: true, as, path };
  for (let listing = 0; ; listing++) {
    const items = await readAllPages<Key>(
      "items",
      // The specification does not say how large a page may be.
      (cursor) => client.call("scanItems", { ...call, body: cursor === undefined ? {} : { cursor } }),
      (response) => {
        throw new RunError(`the items could not be listed: ${quoteResponse(response)}`);
      },
    );
    const found = items.filter(({ pk }) => typeof pk === "string" && pk.includes(run));
    if (found.length === 0) return;
    if (listing === maxListings) throw new RunError(`${found.length} items from the run still exist`);
    for (let start = 0; start < found.length; start += 25) {
      const keys = found.slice(start, start + 25);
      const deletes = keys.map(({ pk, sk }) => ({ operation: "Delete", pk, ...(sk === null ? {} : { sk }) }));
      const response = await client.call("batchWriteItems", { ...call, body: { items: deletes } });
      if (response.status !== 200)
        throw new RunError(`items could not be deleted: ${quoteResponse(response)}`);
    }
  }
}
