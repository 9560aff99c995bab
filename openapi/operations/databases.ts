import { cursorParameter, limitParameter } from "./parameters.js";
import { defineOperations } from "./operation.js";
import { ref } from "../schemas/ref.js";
import { allRoles, writingRoles } from "../schemas/roles.js";

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
export const databaseOperations = defineOperations({
  createDatabase: {
    tag: "Databases",
    summary: "Create a database",
    routes: { method: "post", path: prefix },
    access: { kind: "protected", roles: writingRoles, roleIn: "token" },
    effect: "write",
    requestBody: ref("CreateDatabaseRequest"),
    successes: () => [
      { status: 201, description: "The database is being provisioned.", schema: ref("DatabaseCreated") },
    ],
    problems: ["conflict", "ceiling-reached"],
    clauses: [
      "DB-01",
      "DB-02",
      "DB-03",
      "DB-04",
      "DB-05",
      "DB-06",
      "DB-14",
      "AUTH-16",
      "AUTH-18",
      "AUTH-26",
      "GEN-01",
      "GEN-02",
      "GEN-06",
      "GEN-08",
      "GEN-09",
    ],
    example: {
      request: { name: "orders", region: "eu-west-1" },
      response: { ...created, databaseId: "db_5x1c", name: "orders" },
    },
  },
  listDatabases: {
    tag: "Databases",
    summary: "List the databases of the organization",
    routes: { method: "get", path: prefix },
    access: { kind: "protected", roles: allRoles, roleIn: "token" },
    effect: "read",
    parameters: (strictness) => [limitParameter(strictness), cursorParameter(strictness)],
    successes: () => [{ status: 200, description: "A page of databases.", schema: ref("DatabasePage") }],
    problems: [],
    clauses: ["DB-07", "DB-08", "DB-09", "DB-10", "DB-13", "GEN-03", "GEN-04", "GEN-05", "GEN-07", "AUTH-18"],
    example: { response: { databases: [database], nextCursor: null } },
  },
  getDatabase: {
    tag: "Databases",
    summary: "Get a database",
    routes: { method: "get", path: `${prefix}/{databaseId}` },
    access: { kind: "protected", roles: allRoles, roleIn: "token" },
    effect: "read",
    successes: () => [{ status: 200, description: "The database.", schema: ref("Database") }],
    problems: ["database-not-found", "foreign-resource"],
    clauses: ["DB-07", "DB-08", "DB-11", "DB-13", "DB-15", "DB-16", "GEN-05", "AUTH-18"],
    example: { parameters: { databaseId: "db_demo" }, response: database },
  },
  deleteDatabase: {
    tag: "Databases",
    summary: "Delete a database and everything in it",
    routes: { method: "delete", path: `${prefix}/{databaseId}` },
    access: { kind: "protected", roles: writingRoles, roleIn: "token" },
    effect: "write",
    successes: () => [
      { status: 204, description: "The database and its data are gone.", gap: "database-deletion" },
    ],
    problems: ["database-not-found", "foreign-resource"],
    clauses: ["DB-12", "GEN-05", "AUTH-18", "AUTH-26"],
    example: { parameters: { databaseId: "db_demo" } },
  },
});
