import type { OperationId } from "../../openapi/service.js";
import type { Answer, Caller, Client } from "../client/client.js";
import { RunTrouble } from "../violation.js";
import type { Resource } from "./ledger.js";
import { type ListedMember, possibleMemberIds } from "./member-ids.js";

/** The suite stops reading a list after this many pages: a cursor may lead in circles. */
const mostPages = 10_000;

/**
 * Removes a resource of a ledger. One that is gone already, or that was never made, is removed.
 *
 * @throws RunTrouble when the deployment does not let go of it
 */
export async function removeResource(client: Client, as: Caller, resource: Resource): Promise<void> {
  const { kind, name, parent = "" } = resource;
  switch (kind) {
    case "namespace": {
      const target = `/_emulator/namespaces/${encodeURIComponent(name)}`;
      gone(await client.send("DELETE", target, { at: parent }), resource);
      return;
    }
    case "database": {
      for (const databaseId of await idsOf(
        client,
        as,
        resource,
        "listDatabases",
        "databases",
        "databaseId",
        {},
      ))
        await removeThere(client, as, resource, "deleteDatabase", "getDatabase", { databaseId });
      return;
    }
    case "repository": {
      const path = { databaseId: parent };
      for (const repositoryId of await idsOf(
        client,
        as,
        resource,
        "listRepositories",
        "repositories",
        "repositoryId",
        path,
      ))
        await removeThere(client, as, resource, "deleteRepository", "getRepository", {
          ...path,
          repositoryId,
        });
      return;
    }
    case "table": {
      const body = { sql: `DROP TABLE ${name}` };
      gone(
        await client.call("executeSql", { setUp: true, as, path: { databaseId: parent }, body }),
        resource,
      );
      return;
    }
    case "organization": {
      for (const organizationId of await organizationIds(client, as, resource))
        await removeThere(client, as, resource, "deleteOrganization", "getOrganization", { organizationId });
      return;
    }
    case "member": {
      const path = { organizationId: parent };
      const list = await client.call("listMembers", { setUp: true, as, path });
      const { members = [] } = (list.body ?? {}) as { members?: ListedMember[] };
      for (const member of members)
        if (member.email === name) await removeMember(client, as, parent, member, resource);
      return;
    }
    case "items": {
      await removeItems(client, as, parent, name);
    }
  }
}

/** Removes something. Where that is refused it may be gone already, with whatever status that is told. */
async function removeThere(
  client: Client,
  as: Caller,
  resource: Resource,
  remove: OperationId,
  look: OperationId,
  path: Readonly<Record<string, string>>,
): Promise<void> {
  const answer = await client.call(remove, { setUp: true, as, path });
  if (answer.status < 300) return;
  const seen = await client.call(look, { setUp: true, as, path });
  const { status } = (seen.body ?? {}) as { status?: unknown };
  const isGone = [404, 410].includes(seen.status) || ["deleted", "Deleting"].includes(String(status));
  if (!isGone) gone(answer, resource);
}

/**
 * Removes a member under whichever id it goes by. An invitation that goes by none cannot be taken back by anybody: it
 * is no fault of the deployment, and nothing is left to be done about it.
 */
async function removeMember(
  client: Client,
  as: Caller,
  organizationId: string,
  member: ListedMember,
  resource: Resource,
): Promise<void> {
  let answer: Answer | undefined;
  for (const memberId of possibleMemberIds(member)) {
    answer = await client.call("removeMember", { setUp: true, as, path: { organizationId, memberId } });
    if (answer.status < 300) return;
  }
  const isRefused = answer !== undefined && answer.status < 500;
  if (answer !== undefined && !(isRefused && member.userId === null)) gone(answer, resource);
}

/** The ids of a resource: the known one, or those of that very name in the list. */
async function idsOf(
  client: Client,
  as: Caller,
  { id, name }: Resource,
  list: OperationId,
  member: string,
  idMember: string,
  path: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  if (id !== undefined) return [id];
  const ids: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const answer = await client.call(list, {
      setUp: true,
      as,
      path,
      query: cursor === undefined ? {} : { cursor },
    });
    if (answer.status !== 200) break;
    const body = answer.body as Record<string, unknown>;
    for (const entry of (body[member] ?? []) as Record<string, string>[])
      if (entry.name === name && entry[idMember] !== undefined) ids.push(entry[idMember]);
    if (typeof body.nextCursor !== "string") break;
    cursor = body.nextCursor;
  }
  return ids;
}

async function organizationIds(
  client: Client,
  as: Caller,
  { id, name }: Resource,
): Promise<readonly string[]> {
  if (id !== undefined) return [id];
  const answer = await client.call("listOrganizations", { setUp: true, as });
  const { organizations = [] } = (answer.body ?? {}) as {
    organizations?: { organizationId: string; organizationName: string }[];
  };
  return organizations
    .filter(({ organizationName }) => organizationName === name)
    .map(({ organizationId }) => organizationId);
}

/** Deletes the items of a database whose partition key begins with the run id. */
async function removeItems(client: Client, as: Caller, databaseId: string, run: string): Promise<void> {
  const path = { databaseId };
  const found: { readonly pk: string; readonly sk: string | null }[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const answer = await client.call("scanItems", {
      setUp: true,
      as,
      path,
      // how large a page may be is open
      body: cursor === undefined ? {} : { cursor },
    });
    if (answer.status !== 200) throw new RunTrouble(`the items could not be listed: ${answer.status}`);
    const { items, nextCursor } = answer.body as {
      items: { pk: string; sk: string | null }[];
      nextCursor: string | null;
    };
    found.push(...items.filter(({ pk }) => pk.startsWith(run)));
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  for (let start = 0; start < found.length; start += 25) {
    const items = found.slice(start, start + 25).map(({ pk, sk }) => ({
      operation: "Delete",
      pk,
      ...(sk === null ? {} : { sk }),
    }));
    const answer = await client.call("batchWriteItems", { setUp: true, as, path, body: { items } });
    if (answer.status !== 200)
      throw new RunTrouble(`items could not be deleted: ${answer.status} ${answer.text}`);
  }
}

function gone(answer: Answer, { kind, name }: Resource): void {
  if (answer.status < 300 || answer.status === 404) return;
  // a table that was never made, or that went with its database
  const { code = "" } = (answer.body ?? {}) as { code?: string };
  if (["DATABASE_NOT_FOUND", "TABLE_NOT_FOUND"].includes(code)) return;
  throw new RunTrouble(`${kind} ${name} could not be removed: ${answer.status} ${answer.text.slice(0, 200)}`);
}
