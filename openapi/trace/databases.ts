import type { Statement } from "./statement.js";

/** Part 4.5: management of databases. */
export const databaseStatements: readonly Statement[] = [
  { part: "4.5", says: "Managing databases takes a JWT", clauses: ["AUTH-18"] },
  { part: "4.5", says: "POST requires name and region", clauses: ["DB-06"] },
  { part: "4.5", says: "POST takes optional settings", clauses: ["DB-15"] },
  {
    part: "4.5",
    says: "POST answers 201 with databaseId, name, region, status, createdAt",
    clauses: ["DB-01"],
  },
  { part: "4.5", says: "Not said: two databases of one name", gaps: ["duplicate-name"] },
  { part: "4.5", says: "List takes limit, 20 without one", clauses: ["DB-10", "GEN-07"] },
  { part: "4.5", says: "Not said: the order of the list", open: true },
  { part: "4.5", says: "List takes cursor, null without one", clauses: ["DB-10"] },
  { part: "4.5", says: "List answers 200 with databases and nextCursor", clauses: ["DB-09", "GEN-03"] },
  { part: "4.5", says: "GET answers 200 with the database", clauses: ["DB-11"] },
  { part: "4.5", says: "DELETE answers 204 without a body", clauses: ["DB-12"] },
  { part: "4.5", says: "List holds the organization's databases", clauses: ["DB-09"] },
];
