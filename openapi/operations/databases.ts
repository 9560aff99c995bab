import { getClauseRange } from "../clauses/register.js";
import { buildPageParameters, pagingDescription } from "./parameters.js";
import { defineOperationGroup, defineSuccess, get, post, remove } from "./operation.js";
import { ref } from "../schemas/ref.js";
import { allRoles, writeAccessRoles } from "../schemas/roles.js";

const prefix = "/api/v1/management/databases";
const created = {
  databaseId: "db_demo",
  name: "demo",
  region: "eu-west-1",
  status: "Creating",
  createdAt: "2030-01-01T00:00:00.000Z",
};
const database = {
  ...created,
  status: "Active",
  updatedAt: "2030-01-01T00:00:00.000Z",
  settings: null,
  usage: {
    itemCount: 2,
    storageBytes: 310,
    readUnitsConsumed: 14,
    writeUnitsConsumed: 2,
    lastUpdated: "2030-01-01T00:00:03.000Z",
  },
};

/** Database management (part 4.5). */
export const databaseOperations = defineOperationGroup({ tag: "Databases", clauses: ["AUTH-18"] })({
  createDatabase: post(prefix, "Create a database", {
    description:
      "The new database has the status `Creating` and cannot be used yet: poll the database until its " +
      "status is `Active`. The name must be unique in the organization (gap `duplicate-name`). The plan limits the number of " +
      "databases.",
    access: { kind: "protected", roles: writeAccessRoles, roleIn: "token" },
    requestBody: ref("CreateDatabaseRequest"),
    successes: [defineSuccess(201, "The database is being provisioned.", "DatabaseCreated")],
    problems: ["conflict", "ceiling-reached"],
    clauses: [
      "DB-01",
      ...getClauseRange("DB-02", "DB-06"),
      "DB-14",
      "AUTH-16",
      "GEN-01",
      "GEN-02",
      "GEN-06",
      "GEN-08",
    ],
    example: {
      request: { name: "orders", region: "eu-west-1" },
      response: { ...created, databaseId: "db_5x1c", name: "orders" },
    },
  }),
  listDatabases: get(prefix, "List the organization's databases", {
    description:
      "Returns the databases of the organization that the access token is for, oldest first, each with its usage. " +
      pagingDescription,
    access: { kind: "protected", roles: allRoles, roleIn: "token" },
    parameters: buildPageParameters,
    successes: [defineSuccess(200, "A page of databases.", "DatabasePage")],
    clauses: [
      "DB-07",
      ...getClauseRange("DB-08", "DB-10"),
      "DB-13",
      ...getClauseRange("GEN-03", "GEN-05"),
      "GEN-07",
    ],
    example: { response: { databases: [database], nextCursor: null } },
  }),
  getDatabase: get(`${prefix}/{databaseId}`, "Get a database", {
    description:
      "Returns the status, the settings and the usage: the number of items, the bytes stored, and the units consumed " +
      "by reads and writes.",
    access: { kind: "protected", roles: allRoles, roleIn: "token" },
    successes: [defineSuccess(200, "The database.", "Database")],
    problems: ["database-not-found", "foreign-resource"],
    clauses: ["DB-07", "DB-08", "DB-11", "DB-13", "DB-15", "DB-16", "GEN-05"],
    example: { response: database },
  }),
  deleteDatabase: remove(`${prefix}/{databaseId}`, "Delete a database and everything in it", {
    description:
      "The database's items, repositories and tables are deleted immediately (gap `database-deletion`) and cannot be restored.",
    access: { kind: "protected", roles: writeAccessRoles, roleIn: "token" },
    successes: [
      defineSuccess(204, "The database and its data were deleted.", undefined, { gap: "database-deletion" }),
    ],
    problems: ["database-not-found", "foreign-resource"],
    clauses: ["DB-12", "GEN-05"],
  }),
});
