import type { Statement } from "./statement.js";

/** Part 1: what the service does, and what holds everywhere. */
export const generalStatements: readonly Statement[] = [
  { part: "1", says: "Items are told apart by pk and an optional sk", clauses: ["ITEM-10", "ITEM-11"] },
  { part: "1", says: "Items carry a free-form `data` object", clauses: ["ITEM-09"] },
  { part: "1", says: "Items can be put, got and deleted", clauses: ["ITEM-01", "ITEM-12", "ITEM-15"] },
  { part: "1", says: "Items can be queried and scanned", clauses: ["ITEM-16", "ITEM-33"] },
  { part: "1", says: "Items can be written and read in batches", clauses: ["BATCH-01", "BATCH-09"] },
  { part: "1", says: "Items can be written and read in transactions", clauses: ["TX-01", "TX-06"] },
  { part: "1", says: "Repositories are typed collections of entities in a database", clauses: ["REPO-44"] },
  { part: "1", says: "A schema is optional; entity ids are generated", clauses: ["REPO-03", "REPO-25"] },
  { part: "1", says: "Entities have automatic timestamps", clauses: ["REPO-26"] },
  {
    part: "1",
    says: "Entities have a version counter",
    clauses: ["REPO-27"],
    gaps: ["entity-version-field"],
  },
  {
    part: "1",
    says: "Not said: whether an update that changes nothing moves updatedAt and the version",
    open: true,
  },
  { part: "1", says: "SQL: queries and DDL", clauses: ["SQL-01", "SQL-08"] },
  { part: "1", says: "SQL: listing of tables, schema of a table", clauses: ["SQL-27", "SQL-29"] },
  { part: "1", says: "The Management API manages databases and repositories", clauses: ["DB-01", "REPO-01"] },
  { part: "1", says: "The Management API manages organizations and members", clauses: ["ORG-01", "ORG-19"] },
  { part: "1", says: "Billing: subscription and checkout", clauses: ["BILL-01", "BILL-08"] },
  { part: "1", says: "Billing: portal link and status check", clauses: ["BILL-11", "BILL-12"] },
  { part: "1", says: "Billing: usage figures", clauses: ["BILL-15"] },
  { part: "1", says: "Billing: a public plan catalog", clauses: ["BILL-18", "BILL-24"] },
  { part: "1", says: "Health endpoints for monitoring", clauses: ["HEALTH-01", "HEALTH-03", "HEALTH-05"] },
  { part: "1 rule 1", says: "Timestamps are ISO 8601 strings in UTC", clauses: ["GEN-01"] },
  { part: "1 rule 2", says: "Identifiers are opaque strings", clauses: ["GEN-02"] },
  {
    part: "1 rule 3",
    says: "Paginated lists carry `nextCursor`, at the end null",
    clauses: ["GEN-03", "GEN-04"],
  },
  { part: "1 rule 3", says: "SQL pages carry `nextPageToken`, at the end null", clauses: ["SQL-26"] },
  {
    part: "1 rule 3",
    says: "Not said: a cursor of another query, one that is none, or an empty text for one",
    open: true,
  },
  {
    part: "1 rule 4",
    says: "Resources belong to organizations, and are isolated between them",
    clauses: ["GEN-05"],
  },
  {
    part: "1 rule 4",
    says: "Not said: how a request for another organization's resource is answered",
    gaps: ["foreign-resource-status"],
  },
];
