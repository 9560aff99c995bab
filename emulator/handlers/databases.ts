import { planTerms } from "../../openapi/clauses/limits.js";
import { rawJson } from "../json/stringify-body.js";
import { stringifyJson } from "../json/stringify-json.js";
import { createInvalidBodyProblem, Problem } from "../domain/problem.js";
import type { DatabaseRow } from "../store/databases.js";
import { formatTimestamp } from "../time/timestamp.js";
import type { HandlerContext, Handler } from "./handler.js";
import { getCallerOrganizationId, getDatabaseStatus, requireOwnedDatabase } from "./database-access.js";
import { getBodyField } from "./body-field.js";
import { readPage } from "./read-page.js";

/** POST /api/v1/management/databases. */
export const createDatabase: Handler<"createDatabase"> = ({ body, json }, context) => {
  const { store, ids, now, profile } = context;
  const { name, region } = body;
  const organizationId = getCallerOrganizationId(context);
  const organization = store.organizations.byId(organizationId);
  const regions = organization?.allowedRegions;
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
  rejectAboveDatabaseLimit(organizationId, context);
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
  const takes = profile["database-deletion"];
  if (takes === "at-once") store.databases.remove(database);
  else if (database.status !== "Deleting" || database.readyAt === null)
    store.databases.beginDeletion(database, now + takes, now);
  return { status: 204 };
};

/** Clause DB-14: the plan and the organization's settings both set a ceiling. */
function rejectAboveDatabaseLimit(organizationId: string, { store }: HandlerContext): void {
  const organization = store.organizations.byId(organizationId);
  if (organization === undefined) throw createInvalidBodyProblem("", "the organization does not exist");
  const ofPlan = planTerms[organization.plan].limits?.maxDatabases ?? Infinity;
  const ceiling = Math.min(ofPlan, organization.maxDatabases);
  if (store.databases.count(organizationId) >= ceiling)
    throw new Problem(
      "ceiling-reached",
      `The organization can have at most ${ceiling} databases (plan ${organization.plan}). Delete a database or ` +
        "switch to a plan with a higher limit.",
    );
}

function describeDatabase(row: DatabaseRow, context: HandlerContext) {
  const { now } = context;
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
