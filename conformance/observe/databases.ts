import type { databaseGaps } from "../../openapi/gaps/databases.js";
import type { Answer, Caller } from "../client/client.js";
import { writeJson } from "../client/json-text.js";
import { ceilingOf } from "../models/ceilings.js";
import { listOrder } from "./list-order.js";
import { listsDatabase } from "./lists-database.js";
import { eitherWay, fitting, refusalStatus, seen } from "./makers.js";
import type { ObserversOf } from "./observer.js";
import type { ObserverContext } from "./observer-context.js";
import { databasePages, readPages } from "../steps/pages.js";
import { waited } from "./waited.js";

/** A database that stands in the ledger, as soon as it is made. */
async function made(context: ObserverContext, body: object = {}): Promise<string> {
  return context.succeeded(await context.tryDatabase(body), "createDatabase").body.databaseId as string;
}

async function statusOf(context: ObserverContext, databaseId: string): Promise<string | undefined> {
  const { body } = await context.call("getDatabase", { path: { databaseId } });
  return (body as { status?: string } | undefined)?.status;
}

/** What `settings` of a new database shows. */
async function shownSettings(context: ObserverContext, settings?: object): Promise<unknown> {
  const databaseId = await made(context, settings === undefined ? {} : { settings });
  await context.resources.untilReady(databaseId);
  const { body } = await context.must("getDatabase", { path: { databaseId } });
  await context.resources.remove("database", databaseId);
  return body.settings;
}

/** An object with its members in the order of their names. */
function inOrder(value: unknown): unknown {
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;
}

/** A figure that may lag behind: read until it stays the same. */
async function settled<Value>(context: ObserverContext, read: () => Promise<Value>): Promise<Value> {
  for (let before = await read(), look = 0; look < 10; look++) {
    await context.pause(50);
    const now = await read();
    if (now === before) return now;
    before = now;
  }
  return context.undecided("the figure does not come to rest");
}

/** Regions that services have. */
const usualRegions = [
  "eu-west-1",
  "eu-central-1",
  "eu-north-1",
  "us-east-1",
  "us-west-2",
  "ap-southeast-1",
  "ap-northeast-1",
];

async function isRegion(context: ObserverContext, region: string): Promise<boolean> {
  const answer = await context.tryDatabase({ region });
  if (!context.accepted(answer)) return false;
  const { databaseId } = answer.body as { databaseId: string };
  await context.resources.untilReady(databaseId);
  await context.resources.remove("database", databaseId);
  return true;
}

const noRegion = "certify-nowhere-9";

async function regionList(context: ObserverContext): Promise<"any" | string[]> {
  const { region } = context.resources;
  if (!(await isRegion(context, region))) context.undecided(`no database can be created in ${region}`);
  if (await isRegion(context, noRegion)) return "any";
  const named = context.extras.regions;
  const tried = new Set([...(named ?? []), ...usualRegions]);
  const found = [region];
  for (const other of tried) if (other !== region && (await isRegion(context, other))) found.push(other);
  // whoever has one region of a name of their own may have others of such names
  if (found.length === 1 && named === undefined)
    context.undecided(
      `beside ${region}, none of ${usualRegions.join(", ")} is a region; \`observe.regions\` of the target file may name others`,
    );
  return found.toSorted();
}

/** Everything that the databases of the owner's organization store, in bytes. */
async function storedBytes(context: ObserverContext): Promise<number> {
  const { entries } = await readPages(context.check, { ...databasePages, counts: () => true });
  return entries.reduce((sum: number, { usage }) => sum + Number(usage.storageBytes), 0);
}

/** What a GB of the figures is. */
async function gigabyte(context: ObserverContext): Promise<1_073_741_824 | 1_000_000_000> {
  const items = await context.items();
  const data = { v: "x".repeat(300_000) };
  for (const sk of ["a", "b", "c"]) context.succeeded(await items.put(items.key(sk), data), "putItem");
  const bytes = await settled(context, () => storedBytes(context));
  const { totalStorageGb } = (await context.must("getUsage")).body;
  const ratio = bytes / totalStorageGb;
  for (const answer of [1_073_741_824, 1_000_000_000] as const)
    if (Math.abs(ratio / answer - 1) < 0.01) return answer;
  if (!Number.isFinite(ratio)) context.undecided(`${bytes} bytes are shown as ${totalStorageGb} GB`);
  return context.other(
    `${bytes} bytes are shown as ${totalStorageGb} GB`,
    "1073741824 or 1000000000 bytes a GB",
  );
}

/** The only database that somebody has. */
export async function databaseOf(context: ObserverContext, as: Caller): Promise<string> {
  const [database] = (await context.must("listDatabases", { as })).body.databases;
  return (
    (database?.databaseId as string | undefined) ?? context.undecided("the organization has no database")
  );
}

export const databaseObservers = {
  "list-order": listOrder,
  "database-ready": seen(
    ["create-databases"],
    async (context) => {
      const databaseId = await made(context);
      const began = context.now();
      if ((await statusOf(context, databaseId)) === "Active") return "next-request";
      const isOver = async () => {
        const status = await statusOf(context, databaseId);
        if (status !== "Active" && status !== "Creating")
          context.undecided(`a new database is ${String(status)}`);
        return status === "Active";
      };
      return waited(context, began, isOver);
    },
    { alone: true },
  ),
  "creating-database": seen(
    ["create-databases"],
    async (context) => {
      // found out beforehand, while there is time
      const as = await context.resources.workerFor("queryItems");
      const databaseId = await made(context);
      const body = { partitionKey: context.resources.name() };
      const call = { as, path: { databaseId }, body };
      // it may be refused with 503, which is not waited for here
      const { status } = await context.provoke("queryItems", { ...call, impatient: true, unjudged: true });
      if ((await statusOf(context, databaseId)) !== "Creating")
        context.undecided("the database was ready before anything could be asked of it");
      if (status === 500) context.undecided(`the deployment failed with ${status}`);
      return status < 300 ? "allowed" : "refused";
    },
    {
      alone: true,
      hidden: [
        {
          by: "database-ready",
          when: (other) => other === "next-request",
          because: "no request meets a database that is Creating",
        },
      ],
    },
  ),
  "database-deletion": seen(
    ["create-databases"],
    async (context) => {
      const databaseId = await made(context);
      await context.resources.untilReady(databaseId);
      await context.must("deleteDatabase", { path: { databaseId } });
      const began = context.now();
      if ((await statusOf(context, databaseId)) !== "Deleting") return "at-once";
      return waited(context, began, async () => (await statusOf(context, databaseId)) !== "Deleting");
    },
    { alone: true },
  ),
  "database-settings": seen(["create-databases"], async (context) =>
    fitting(
      context,
      {
        nothing: [null, { note: "x" }],
        "empty-object": [{}, { note: "x" }],
        defaults: [{ deletionProtection: false }, { deletionProtection: false, note: "x" }],
      },
      [inOrder(await shownSettings(context)), inOrder(await shownSettings(context, { note: "x" }))],
    ),
  ),
  "item-count": seen(["create-databases", "sql", "repositories"], async (context) => {
    const { databaseId } = await context.resources.newDatabase();
    const path = { databaseId };
    const pk = context.resources.name();
    await context.must("batchWriteItems", { path, body: { items: [{ operation: "Put", pk, data: {} }] } });
    const repositoryId = await context.resources.newRepository(databaseId);
    for (let entity = 0; entity < 2; entity++)
      await context.must("createEntity", { path: { repositoryId }, body: { data: {} } });
    const table = context.resources.tableName();
    await context.must("executeSql", {
      path,
      body: { sql: `CREATE TABLE ${table} (k INT, PRIMARY KEY (k))` },
    });
    for (let row = 0; row < 3; row++)
      await context.must("runSqlQuery", { path, body: { sql: `INSERT INTO ${table} (k) VALUES (${row})` } });
    const count = await settled(
      context,
      async () => (await context.must("getDatabase", { path })).body.usage.itemCount as number,
    );
    return fitting(context, { items: 1, "items-and-entities": 3, "items-entities-and-rows": 6 }, count);
  }),
  "region-list": seen(["create-databases"], regionList, { after: ["database-ready"] }),
  "allowed-regions": eitherWay(
    ["situation restricted", "create-databases"],
    { accepted: "stored-only", refused: "enforced" },
    async (context) => {
      const as = await context.actor("restricted");
      const organizationId = await context.organizationOf("restricted");
      const { settings } = (await context.must("getOrganization", { as, path: { organizationId } })).body;
      const allowed = settings.allowedRegions as readonly string[] | null;
      const known = context.neededAnswerTo("region-list");
      const other = (known === "any" ? usualRegions : known).find(
        (region) => allowed?.includes(region) === false,
      );
      if (other === undefined || allowed?.[0] === undefined)
        return context.undecided("no region is known that the organization does not allow");
      const inAllowed = context.succeeded(
        await context.tryDatabase({ region: allowed[0] }, { as }, "restricted"),
        "createDatabase",
      );
      await needOnlyIn(context, as, organizationId, inAllowed.body.databaseId as string);
      const inOther = await context.tryDatabase({ region: other }, { as }, "restricted");
      if (context.accepted(inOther))
        await context.must("getDatabase", { as, path: { databaseId: inOther.body.databaseId as string } });
      return inOther;
    },
    { after: ["region-list"] },
  ),
  "duplicate-database-name": eitherWay(
    ["create-databases"],
    { accepted: "allow", refused: "reject" },
    async (context) => {
      const name = context.resources.name();
      await context.resources.untilReady(await made(context, { name }));
      const again = await context.tryDatabase({ name });
      // there was room for it
      if (!context.accepted(again)) await made(context);
      return again;
    },
  ),
  "ceiling-status": refusalStatus(["create-organizations", "invitations"], async (context) => {
    const spaceIn = async (organizationId: string) => {
      const path = { organizationId };
      const room = ceilingOf("members", (await context.must("getOrganization", { path })).body);
      const members = (await context.must("listMembers", { path })).body.members as readonly unknown[];
      return { organizationId, space: room - members.length };
    };
    // new ones may have no ceiling, and pending members may not count: the one with less space tells more
    const newOne = await spaceIn(await context.resources.newOrganization());
    const personal = await spaceIn((await context.check.actors.details("owner")).personalOrgId);
    const { organizationId, space } = personal.space < newOne.space ? personal : newOne;
    if (space >= 10)
      context.check.notOffered(
        `a new organization has space for ${newOne.space} members, the owner's personal one for ${personal.space}: too many to be invited`,
      );
    for (let invited = 0; invited < space; invited++)
      context.succeeded(await invite(context, organizationId), "inviteMember");
    return invite(context, organizationId);
  }),
  "storage-ceiling": eitherWay(
    ["situation full", "sql"],
    { accepted: "not-enforced", refused: "enforced" },
    async (context) => {
      const as = await context.actor("full");
      const databaseId = await databaseOf(context, as);
      const path = { databaseId };
      const table = context.resources.tableName();
      const create = { sql: `CREATE TABLE ${table} (k INT, v VARCHAR, PRIMARY KEY (k))` };
      context.succeeded(
        await context.resources.make(
          { kind: "table", name: table, parent: databaseId, by: "full" },
          undefined,
          () => context.call("executeSql", { as, path, body: create }),
        ),
        "CREATE TABLE",
      );
      // an access token opens SQL whatever else it opens; a few rows may still find room
      let answer: Answer | undefined;
      for (let k = 0; k < 20; k++) {
        const parameters = { v: "x".repeat(400_000) };
        const body = { sql: `INSERT INTO ${table} (k, v) VALUES (${k}, ?)`, parameters };
        answer = await context.provoke("runSqlQuery", { as, path, rawBody: writeJson(body) });
        if (!context.accepted(answer)) return answer;
      }
      return answer ?? context.undecided("nothing was written");
    },
    { alone: true },
  ),
  gigabyte: seen(["database"], gigabyte, { alone: true }),
  "database-unavailable-status": seen(["unavailable-database"], async (context) => {
    const databaseId = context.extras.unavailableDatabaseId ?? "";
    const body = { partitionKey: context.resources.name() };
    // one that is not there is refused as well
    await context.must("getDatabase", { path: { databaseId } });
    if (context.check.offers("database"))
      await context.must("queryItems", { path: { databaseId: await context.database() }, body });
    // 503 is an answer here as well
    const { status, text } = await context.provoke("queryItems", {
      path: { databaseId },
      body,
      impatient: true,
      unjudged: true,
    });
    if (status < 300) return context.other(`${status} ${text}`, "a refusal");
    return status === 500 ? context.undecided(`the deployment failed with ${status}`) : status;
  }),
} as const satisfies ObserversOf<typeof databaseGaps>;

/** Makes sure that a database which a user has made is in the organization that they are said to work in. */
async function needOnlyIn(
  context: ObserverContext,
  as: Caller,
  organizationId: string,
  databaseId: string,
): Promise<void> {
  if (!(await listsDatabase(context, as, databaseId))) context.undecided("a new database is not listed");
  const { organizations } = (await context.must("listOrganizations", { as })).body;
  const elsewhere = (organizations as readonly { readonly organizationId: string }[]).find(
    (own) => own.organizationId !== organizationId,
  );
  if (elsewhere === undefined) return;
  if (await listsDatabase(context, await context.ownerIn(elsewhere.organizationId, as), databaseId))
    context.undecided("switching to another organization changes nothing");
}

/** Invites somebody into an organization of the run. */
async function invite(context: ObserverContext, organizationId: string): Promise<Answer> {
  const email = context.resources.inviteAddress();
  return context.resources.make({ kind: "member", name: email, parent: organizationId }, undefined, () =>
    context.provoke("inviteMember", { path: { organizationId }, body: { email, role: "readonly" } }),
  );
}
