import { planTerms } from "../../openapi/clauses/limits.js";
import { rawJson } from "../json/stringify-body.js";
import { stringifyJson } from "../json/stringify-json.js";
import { Problem } from "../domain/problem.js";
import type { DatabaseRow } from "../store/databases.js";
import type { OrganizationRow } from "../store/organizations.js";
import { formatTimestamp } from "../time/timestamp.js";
import type { HandlerContext, Handler } from "./handler.js";
import {
  getCallerOrganization,
  getCallerOrganizationId,
  getDatabaseStatus,
  requireOwnedDatabase,
} from "./database-access.js";
import { getBodyField } from "./body-field.js";
import { readPage } from "./read-page.js";

/** POST /api/v1/management/databases. */
export const createDatabase: Handler<"createDatabase"> = ({ body, json }, context) => {
  const { store, ids, now, profile } = context;
  const { name, region } = body;
  const organization = getCallerOrganization(context);
  const { organizationId, allowedRegions: regions } = organization;
  if (regions?.includes(region) === false)
    throw new Problem(
      "forbidden",
      `The organization allows only the regions ${regions.join(", ")}, not ${region}.`,
    );
  if (profile["duplicate-name"] === "reject" && store.databases.hasName(organizationId, name))
    throw new Problem(
      "conflict",
      `The organization already has a database named ${name}. Choose another name.`,
    );
  rejectAboveDatabaseLimit(organization, context);
  const settings = getBodyField(json, "settings");
  const databaseId = ids.next("db");
  const ready = profile["database-ready"];
  store.databases.insert({
    databaseId,
    organizationId,
    name,
    region,
    status: ready === "next-request" ? "Active" : "Creating",
    readyAt: ready === "next-request" ? null : now + ready,
    settings: settings === undefined ? null : stringifyJson(settings),
    createdAt: now,
    updatedAt: now,
  });
  return {
    status: 201,
    body: { databaseId, name, region, status: "Creating", createdAt: formatTimestamp(now) },
  };
};

/** GET /api/v1/management/databases. */
export const listDatabases: Handler<"listDatabases"> = ({ query }, context) => {
  const organizationId = getCallerOrganizationId(context);
  const { rows, nextCursor } = readPage(`databases/${organizationId}`, query, context, (after, limit) =>
    context.store.databases.page(organizationId, after, limit),
  );
  return { status: 200, body: { databases: rows.map((row) => describeDatabase(row, context)), nextCursor } };
};

/** GET /api/v1/management/databases/{databaseId}. */
export const getDatabase: Handler<"getDatabase"> = ({ path }, context) => {
  requireOwnedDatabase(path.databaseId, context);
  const row = context.store.databases.withUsage(path.databaseId);
  if (row === undefined) throw new Error("a visible database has no row");
  return { status: 200, body: describeDatabase(row, context) };
};

/** DELETE /api/v1/management/databases/{databaseId}: the database with everything in it (gap `database-deletion`). */
export const deleteDatabase: Handler<"deleteDatabase"> = ({ path }, context) => {
  const { store, now, profile } = context;
  const database = requireOwnedDatabase(path.databaseId, context);
  const duration = profile["database-deletion"];
  if (duration === "at-once") store.databases.remove(database);
  else if (database.status !== "Deleting" || database.readyAt === null)
    store.databases.beginDeletion(database, now + duration, now);
  return { status: 204 };
};

/** Enforces the ceilings of the plan and of the organization's settings (clause DB-14). */
function rejectAboveDatabaseLimit(
  { organizationId, plan, maxDatabases }: OrganizationRow,
  { store }: HandlerContext,
): void {
  const ceiling = Math.min(planTerms[plan].limits?.maxDatabases ?? Infinity, maxDatabases);
  if (store.databases.count(organizationId) >= ceiling)
    throw new Problem(
      "ceiling-reached",
      `The organization can have at most ${ceiling} databases (plan ${plan}). Delete a database or ` +
        "switch to a plan with a higher limit.",
    );
}

function describeDatabase(row: DatabaseRow, { now }: HandlerContext) {
  return {
    databaseId: row.databaseId,
    name: row.name,
    region: row.region,
    status: getDatabaseStatus(row, now),
    createdAt: formatTimestamp(row.createdAt),
    updatedAt: formatTimestamp(row.updatedAt),
    settings: row.settings === null ? null : rawJson(row.settings),
    usage: {
      itemCount: row.itemCount,
      storageBytes: row.storageBytes,
      readUnitsConsumed: row.readUnits,
      writeUnitsConsumed: row.writeUnits,
      lastUpdated: formatTimestamp(row.usageUpdatedAt),
    },
  };
}
