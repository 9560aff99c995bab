import { isRefused } from "../client/is-refused.js";
import type { OperationId } from "../../openapi/operations/service.js";
import type { Answer, Caller, Client } from "../client/client.js";
import { RunTrouble } from "../client/violation.js";
import type { Resource } from "../target/ledger.js";
import { type ListedMember, possibleMemberIds } from "./member-ids.js";
import { readList } from "./read-list.js";
import { removeItems } from "./remove-items.js";

/** How long a list may go on showing what was removed. */
const longestLagMs = 5000;

/** The deployment offers no way to remove something: it stays, and there is nothing to be done about it later. */
export class Unremovable extends RunTrouble {}

/** Something that a list still shows. */
interface Listed {
  /** How to remove it; each way is tried until one is taken. */
  readonly ways: readonly (() => Promise<Answer>)[];
  /** Whether nobody could remove it if all ways are refused. */
  readonly mayStay?: boolean;
}

/**
 * Removes a resource of a ledger, and looks into the lists whether it is gone: what a deployment answers to DELETE
 * says little. One that is gone already, or that was never made, is removed.
 *
 * @throws RunTrouble when it is still there
 * @throws Unremovable when the deployment has no way to remove it
 */
export async function removeResource(client: Client, as: Caller, resource: Resource): Promise<void> {
  const { kind, name, parent = "" } = resource;
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
  // since the first removal: until then a deployment that lets nobody hurry may have taken longer than any lag
  let until: number | undefined;
  let remaining = await listed(client, as, resource);
  // a list may hide what is there: whose id is known is removed all the same
  if (remaining.length === 0) await removalById(client, as, resource)?.();
  // a removal that was taken and is refused the next time has happened: the list lags
  let wasTaken = false;
  for (let pause = 20; remaining.length > 0; pause = Math.min(2 * pause, 1000)) {
    let last: Answer | undefined;
    for (const { ways, mayStay = false } of remaining) {
      for (const remove of ways) {
        last = await remove();
        if (last.status < 300) break;
      }
      wasTaken ||= last !== undefined && last.status < 300;
      if (mayStay && !wasTaken && (last === undefined || isRefused(last)))
        throw new Unremovable(`${kind} ${name} goes by no id that it can be removed by`);
    }
    if (last !== undefined && last.status >= 500) throw stillThere(resource, last);
    remaining = await listed(client, as, resource);
    if (remaining.length === 0) return;
    until ??= client.time.now() + longestLagMs;
    if (client.time.now() > until) throw stillThere(resource, last);
    await client.time.sleep(pause);
  }
}

/** The request that removes what has an id of its own; nothing where that is not known. */
function removalById(
  client: Client,
  as: Caller,
  { kind, id, parent = "" }: Resource,
): (() => Promise<Answer>) | undefined {
  if (id === undefined) return undefined;
  const call = (operationId: OperationId, path: Readonly<Record<string, string>>) => () =>
    client.call(operationId, { setUp: true, as, path });
  switch (kind) {
    case "database":
      return call("deleteDatabase", { databaseId: id });
    case "repository":
      return call("deleteRepository", { databaseId: parent, repositoryId: id });
    case "organization":
      return call("deleteOrganization", { organizationId: id });
    default:
      return undefined;
  }
}

function stillThere({ kind, name }: Resource, answer: Answer | undefined): RunTrouble {
  return new RunTrouble(
    `${kind} ${name} is still there; its removal was answered ${answer?.status ?? ""} ${answer?.text.slice(0, 200) ?? ""}`,
  );
}

/** What the lists of the deployment show of a resource, by its id, or by its name where the id is not known. */
async function listed(client: Client, as: Caller, resource: Resource): Promise<readonly Listed[]> {
  const { kind, id, name, parent = "" } = resource;
  const call = (operationId: OperationId, path: Readonly<Record<string, string>>) => () =>
    client.call(operationId, { setUp: true, as, path });
  const isIt = (entry: Entry, idMember: string, nameMember: string) =>
    id === undefined || entry[idMember] === undefined ? entry[nameMember] === name : entry[idMember] === id;
  switch (kind) {
    case "database": {
      const databases = await entriesOf(client, as, resource, "listDatabases", "databases", {});
      return databases
        .filter((entry) => isIt(entry, "databaseId", "name") && entry.status !== "Deleting")
        .map(({ databaseId }) => ({
          ways: [call("deleteDatabase", { databaseId: id ?? String(databaseId) })],
        }));
    }
    case "repository": {
      const path = { databaseId: parent };
      const repositories = await entriesOf(client, as, resource, "listRepositories", "repositories", path);
      return repositories
        .filter((entry) => isIt(entry, "repositoryId", "name"))
        .map(({ repositoryId }) => ({
          ways: [call("deleteRepository", { ...path, repositoryId: id ?? String(repositoryId) })],
        }));
    }
    case "organization": {
      const organizations = await entriesOf(client, as, resource, "listOrganizations", "organizations", {});
      const found: Listed[] = [];
      for (const entry of organizations.filter((own) => isIt(own, "organizationId", "organizationName"))) {
        const path = { organizationId: id ?? String(entry.organizationId) };
        if (!isDeleted(await call("getOrganization", path)()))
          found.push({ ways: [call("deleteOrganization", path)] });
      }
      return found;
    }
    case "member": {
      const path = { organizationId: parent };
      const members = await entriesOf(client, as, resource, "listMembers", "members", path);
      return members
        .filter(({ email }) => String(email).toLowerCase() === name.toLowerCase())
        .map((member) => ({
          ways: possibleMemberIds(member as ListedMember).map((memberId) =>
            call("removeMember", { ...path, memberId }),
          ),
          mayStay: member.userId === null,
        }));
    }
    case "table": {
      const path = { databaseId: parent };
      const schema = await call("getSqlTableSchema", { ...path, tableName: name })();
      if (schema.status !== 200) return [];
      const body = { sql: `DROP TABLE ${name}` };
      return [{ ways: [() => client.call("executeSql", { setUp: true, as, path, body })] }];
    }
    case "namespace":
    case "items":
      return [];
  }
}

/** A deleted organization may be shown as such, or refused with whatever status. */
function isDeleted(answer: Answer): boolean {
  return isRefused(answer) || (answer.body as { status?: unknown } | undefined)?.status === "deleted";
}

type Entry = Readonly<Record<string, unknown>>;

/** The entries of a list; none where what they are in is gone itself. */
async function entriesOf(
  client: Client,
  as: Caller,
  resource: Resource,
  list: OperationId,
  member: string,
  path: Readonly<Record<string, string>>,
): Promise<readonly Entry[]> {
  return readList(
    member,
    (cursor) =>
      client.call(list, { setUp: true, as, path, ...(cursor === undefined ? {} : { query: { cursor } }) }),
    (answer): readonly Entry[] => {
      if (resource.parent !== undefined && isRefused(answer)) return [];
      throw new RunTrouble(
        `whether ${resource.kind} ${resource.name} is gone could not be seen: ` +
          `${list} was answered ${answer.status} ${answer.text.slice(0, 200)}`,
      );
    },
  );
}
