import { isClientError } from "../client/is-client-error.js";
import { isSuccess } from "../client/is-success.js";
import type { OperationId } from "../../openapi/operations/register.js";
import type { ApiResponse, Caller, Client } from "../client/client.js";
import { RunError } from "../client/violation.js";
import type { Resource } from "../target/ledger.js";
import { type ListedMember, listPossibleMemberIds } from "./member-ids.js";
import { readAllPages } from "../client/read-all-pages.js";

/** How long a list may still contain a removed resource, in milliseconds. */
const maxLagMs = 5000;

/** The kinds of resources whose removal a deployment still refused after the longest time that its lists may lag. */
const refusedKinds = new WeakMap<Client, Set<Resource["kind"]>>();

/** The deployment offers no way to remove a resource, now or later. */
export class UnremovableError extends RunError {}

/** An entry that is still listed. */
interface Listed {
  /** Ways to remove the entry, tried until one succeeds. */
  readonly ways: readonly Ask[];
  /** Whether the entry counts as unremovable if all ways are refused. */
  readonly mayStay?: boolean;
}

/**
 * Removes a resource of a ledger and checks the lists for it, because the answer to DELETE says little. A resource that
 * is already gone or was never created counts as removed.
 *
 * @param worker the caller who deletes the items of a database that cannot be deleted while it has items
 * @throws RunError when the resource still exists
 * @throws UnremovableError when the deployment has no way to remove it
 */
export async function removeResource(
  client: Client,
  as: Caller,
  resource: Resource,
  worker = as,
): Promise<void> {
  const { kind, id, name, parent = "" } = resource;
  if (kind === "namespace") {
    const answer = await client.send("DELETE", `/_emulator/namespaces/${encodeURIComponent(name)}`, {
      at: parent,
    });
    if (answer.status >= 300 && answer.status !== 404) throw stillThere(resource, answer);
    return;
  }
  if (kind === "items") {
    await removeItems(client, as, parent, name);
    return;
  }
  // counted from the first removal: until then, a rate-limited deployment may have taken longer than any lag
  let until: number | undefined;
  let remaining = await listed(client, as, resource, worker);
  // a list may not show the resource: if the id is known, it is removed anyway
  if (remaining.length === 0 && id !== undefined && hasOwnId(kind))
    await removals[kind](asking(client, as), id, parent)();
  // a removal that was accepted and is then refused has taken effect: the list lags
  let wasTaken = false;
  for (let pause = 20; remaining.length > 0; pause = Math.min(2 * pause, 1000)) {
    let last: ApiResponse | undefined;
    for (const { ways, mayStay = false } of remaining) {
      for (const remove of ways) {
        last = await remove();
        if (last.status < 300) break;
      }
      wasTaken ||= last !== undefined && last.status < 300;
      if (mayStay && !wasTaken && (last === undefined || isClientError(last)))
        throw new UnremovableError(`${kind} ${name} cannot be removed, because no id works for it`);
    }
    if (last !== undefined && last.status >= 500) throw stillThere(resource, last);
    remaining = await listed(client, as, resource, worker);
    if (remaining.length === 0) return;
    until ??= client.time.now() + maxLagMs;
    const isRefused = last !== undefined && isClientError(last);
    const refused = refusedKinds.get(client) ?? new Set();
    // what a list still shows after a refusal is no matter of lag, once that has been waited for
    if (client.time.now() > until || (isRefused && refused.has(kind))) {
      if (isRefused) refusedKinds.set(client, refused.add(kind));
      throw stillThere(resource, last);
    }
    await client.time.sleep(pause);
  }
}

/** A request to send. */
type Ask = () => Promise<ApiResponse>;

/** Creates requests of a caller. */
function asking(client: Client, as: Caller) {
  return (operationId: OperationId, path: Readonly<Record<string, string>>): Ask =>
    () =>
      client.call(operationId, { setUp: true, as, path });
}

/** Creates requests of a caller with a token for an organization, or with the current token if the caller cannot switch. */
function askingIn(client: Client, as: Caller, organizationId: string): ReturnType<typeof asking> {
  return (operationId, path) => async () => {
    const body = { organizationId };
    const switched = await client.call("switchOrganization", { setUp: true, as, body });
    const { accessToken } = (switched.body ?? {}) as { readonly accessToken?: unknown };
    const isToken = isSuccess(switched) && typeof accessToken === "string";
    return asking(client, isToken ? { ...as, credential: accessToken } : as)(operationId, path)();
  };
}

/** The requests that remove resources with an id. */
const removals = {
  database: (ask, id) => ask("deleteDatabase", { databaseId: id }),
  repository: (ask, id, parent) => ask("deleteRepository", { databaseId: parent, repositoryId: id }),
  organization: (ask, id) => ask("deleteOrganization", { organizationId: id }),
  member: (ask, id, parent) => ask("removeMember", { organizationId: parent, memberId: id }),
} satisfies Partial<
  Record<Resource["kind"], (ask: ReturnType<typeof asking>, id: string, parent: string) => Ask>
>;

function hasOwnId(kind: Resource["kind"]): kind is keyof typeof removals {
  return kind in removals;
}

function stillThere({ kind, name }: Resource, answer: ApiResponse | undefined): RunError {
  return new RunError(
    `${kind} ${name} still exists; the request to delete it returned ${answer?.status ?? ""} ${answer?.text.slice(0, 200) ?? ""}`,
  );
}

/** How resources with an id are listed, and the fields of an entry with its id and name. */
const lists = {
  database: { operationId: "listDatabases", field: "databases", id: "databaseId", name: "name" },
  repository: { operationId: "listRepositories", field: "repositories", id: "repositoryId", name: "name" },
  organization: {
    operationId: "listOrganizations",
    field: "organizations",
    id: "organizationId",
    name: "organizationName",
  },
  // what a member goes by the list need not show
  member: { operationId: "listMembers", field: "members", id: undefined, name: "email" },
} as const satisfies Record<keyof typeof removals, object>;

/** Finds the entries of a resource in the lists of the deployment, by its id or, if the id is unknown, by its name. */
async function listed(
  client: Client,
  as: Caller,
  resource: Resource,
  worker: Caller,
): Promise<readonly Listed[]> {
  const { kind, id, name, parent = "" } = resource;
  const ask = asking(client, as);
  if (kind === "table") {
    const path = { databaseId: parent };
    const schema = await ask("getSqlTableSchema", { ...path, tableName: name })();
    const body = { sql: `DROP TABLE ${name}` };
    const drop = () => client.call("executeSql", { setUp: true, as, path, body });
    return schema.status === 200 ? [{ ways: [drop] }] : [];
  }
  if (!hasOwnId(kind)) return [];
  const { operationId, field, ...fields } = lists[kind];
  const entries = (await entriesOf(client, as, resource, operationId, field)).filter((entry) => {
    const shownId = fields.id === undefined ? undefined : entry[fields.id];
    return id === undefined || shownId === undefined
      ? String(entry[fields.name]).toLowerCase() === name.toLowerCase()
      : shownId === id;
  });
  const found: Listed[] = [];
  for (const entry of entries) {
    const ownId = id ?? String(fields.id === undefined ? "" : entry[fields.id]);
    if (kind === "member") {
      const memberIds = listPossibleMemberIds(entry as ListedMember);
      const ways = memberIds.map((memberId) => removals.member(ask, memberId, parent));
      found.push({ ways, mayStay: entry.userId === null });
    } else if (kind === "organization") {
      const asks = [ask, askingIn(client, as, ownId)];
      const looks = [];
      // a token for another organization need not open it
      for (const each of asks) {
        const look = await each("getOrganization", { organizationId: ownId })();
        looks.push(look);
        if (!isClientError(look)) break;
      }
      if (!looks.every(isDeleted))
        found.push({ ways: asks.map((each) => removals.organization(each, ownId)) });
    } else if (kind === "repository") found.push({ ways: [removals.repository(ask, ownId, parent)] });
    else if (entry.status !== "Deleting") {
      const remove = removals.database(ask, ownId);
      // one with something in it need not be deletable
      found.push({ ways: [remove, () => removeItems(client, worker, ownId, "").then(remove)] });
    }
  }
  return found;
}

/** Whether an organization is gone: it has the status deleted, or the request is refused with any status. */
function isDeleted(answer: ApiResponse): boolean {
  return isClientError(answer) || (answer.body as { status?: unknown } | undefined)?.status === "deleted";
}

type Entry = Readonly<Record<string, unknown>>;

/** Reads the entries of a list; none if its parent is gone. */
async function entriesOf(
  client: Client,
  as: Caller,
  { kind, name, parent = "" }: Resource,
  list: OperationId,
  field: string,
): Promise<readonly Entry[]> {
  // each operation takes those that its path has
  const call = { setUp: true, as, path: { databaseId: parent, organizationId: parent } };
  return readAllPages(
    field,
    (cursor) => client.call(list, { ...call, ...(cursor && { query: { cursor } }) }),
    (answer): readonly Entry[] => {
      if (parent !== "" && isClientError(answer)) return [];
      throw new RunError(
        `could not check whether ${kind} ${name} is gone: ` +
          `${list} returned ${answer.status} ${answer.text.slice(0, 200)}`,
      );
    },
  );
}

/** Number of times that items are listed again, because a list may lag. */
const maxLooks = 5;

interface Key {
  /** The listed value, which was not validated. */
  readonly pk: unknown;
  readonly sk: string | null;
}

/**
 * Deletes the items of a database whose partition key contains the run id, until a scan finds none of them.
 *
 * @throws RunError when some remain or cannot be listed
 */
export async function removeItems(
  client: Client,
  as: Caller,
  databaseId: string,
  run: string,
): Promise<void> {
  for (let look = 0; look < maxLooks; look++) {
    const found = await itemsOf(client, as, databaseId, run);
    if (found.length === 0) return;
    for (let start = 0; start < found.length; start += 25)
      await deleteAll(client, as, databaseId, found.slice(start, start + 25));
  }
  const left = await itemsOf(client, as, databaseId, run);
  if (left.length > 0) throw new RunError(`${left.length} items from the run still exist`);
}

async function deleteAll(
  client: Client,
  as: Caller,
  databaseId: string,
  keys: readonly Key[],
): Promise<void> {
  const items = keys.map(({ pk, sk }) => ({ operation: "Delete", pk, ...(sk === null ? {} : { sk }) }));
  const call = { setUp: true, as, path: { databaseId }, body: { items } };
  const { status, text } = await client.call("batchWriteItems", call);
  if (status !== 200) throw new RunError(`items could not be deleted: ${status} ${text.slice(0, 200)}`);
}

async function itemsOf(client: Client, as: Caller, databaseId: string, run: string): Promise<readonly Key[]> {
  const call = { setUp: true, as, path: { databaseId } };
  const items = await readAllPages<Key>(
    "items",
    // how large a page may be is open
    (cursor) => client.call("scanItems", { ...call, body: cursor === undefined ? {} : { cursor } }),
    ({ status, text }) => {
      throw new RunError(`the items could not be listed: ${status} ${text.slice(0, 200)}`);
    },
  );
  return items.filter(({ pk }) => typeof pk === "string" && pk.includes(run));
}
