import { planTerms } from "../../openapi/clauses/limits.js";
import { rawJson } from "../json/raw-json.js";
import { writeJson } from "../json/write-json.js";
import { invalidBody, Problem } from "../domain/problem.js";
import type { DatabaseRow } from "../store/databases.js";
import { timestamp } from "../time/timestamp.js";
import type { Context, Handler } from "./handler.js";
import { organizationOf, statusOfDatabase, visibleDatabase } from "./database-access.js";
import { bodyMember } from "./body-member.js";
import { listPage } from "./list-page.js";
import { pageSize } from "./page-size.js";

/** POST /api/v1/management/databases. */
export const createDatabase: Handler<"createDatabase"> = ({ body, json }, context) => {
  const { store, ids, now, profile } = context;
  const { name, region } = body;
  const organizationId = organizationOf(context);
  const organization = store.organizations.byId(organizationId);
  const regions = organization?.allowedRegions;
  if (regions?.includes(region) === false)
    throw new Problem(
      "forbidden",
      `The organization allows the regions ${regions.join(", ")} only, not ${region}.`,
    );
  if (profile["duplicate-name"] === "reject" && store.databases.hasName(organizationId, name))
    throw new Problem(
      "conflict",
      `The organization already has a database named ${name}. Choose another name.`,
    );
  refuseAboveCeiling(organizationId, context);
  const settings = bodyMember(json, "settings");
  const databaseId = ids.next("db");
  const ready = profile["database-ready"];
  store.databases.insert({
    databaseId,
    organizationId,
    name,
    region,
    status: ready === "next-request" ? "Active" : "Creating",
    readyAt: ready === "next-request" ? null : now + ready,
    settings: settings === undefined ? null : writeJson(settings),
    createdAt: now,
    updatedAt: now,
  });
  return { status: 201, body: { databaseId, name, region, status: "Creating", createdAt: timestamp(now) } };
};

/** GET /api/v1/management/databases. */
export const listDatabases: Handler<"listDatabases"> = ({ query }, context) => {
  const organizationId = organizationOf(context);
  const limit = pageSize(query.limit === undefined ? undefined : Number(query.limit), context.profile);
  const { page, nextCursor } = listPage(
    { list: `databases/${organizationId}`, cursor: query.cursor, limit },
    (after, most) => context.store.databases.page(organizationId, after, most),
  );
  return { status: 200, body: { databases: page.map((row) => describeDatabase(row, context)), nextCursor } };
};

/** GET /api/v1/management/databases/{databaseId}. */
export const getDatabase: Handler<"getDatabase"> = ({ path }, context) => {
  visibleDatabase(path.databaseId, context);
  const row = context.store.databases.withUsage(path.databaseId);
  if (row === undefined) throw new Error("a visible database has a row");
  return { status: 200, body: describeDatabase(row, context) };
};

/** DELETE /api/v1/management/databases/{databaseId}: the database with everything in it (gap `database-deletion`). */
export const deleteDatabase: Handler<"deleteDatabase"> = ({ path }, context) => {
  const { store, now, profile } = context;
  const database = visibleDatabase(path.databaseId, context);
  const takes = profile["database-deletion"];
  if (takes === "at-once") store.databases.remove(database);
  else if (database.status !== "Deleting" || database.readyAt === null)
    store.databases.beginDeletion(database, now + takes, now);
  return { status: 204 };
};

/** Clause DB-14: the plan and the organization's settings both set a ceiling. */
function refuseAboveCeiling(organizationId: string, { store }: Context): void {
  const organization = store.organizations.byId(organizationId);
  if (organization === undefined) throw invalidBody("", "the organization does not exist");
  const ofPlan = planTerms[organization.plan].limits?.maxDatabases ?? Infinity;
  const ceiling = Math.min(ofPlan, organization.maxDatabases);
  if (store.databases.count(organizationId) >= ceiling)
    throw new Problem(
      "ceiling-reached",
      `The organization may hold ${ceiling} databases (plan ${organization.plan}). Delete one or change the plan.`,
    );
}

function describeDatabase(row: DatabaseRow, context: Context) {
  const { usage } = row;
  const { now } = context;
  return {
    databaseId: row.databaseId,
    name: row.name,
    region: row.region,
    status: statusOfDatabase(row, now),
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
    settings: row.settings === null ? null : rawJson(row.settings),
    usage: {
      itemCount: usage.itemCount,
      storageBytes: usage.storageBytes,
      readUnitsConsumed: usage.readUnits,
      writeUnitsConsumed: usage.writeUnits,
      lastUpdated: timestamp(usage.updatedAt),
    },
  };
}
