import type { Statement } from "./statement.js";

/** Parts 8 and 9: limits, plans and versioning. */
export const limitStatements: readonly Statement[] = [
  { part: "8", says: "Batch write: 25 items", clauses: ["BATCH-07", "BATCH-08"] },
  { part: "8", says: "Batch get: 100 keys", clauses: ["BATCH-11", "BATCH-12"] },
  { part: "8", says: "Transact get: 100 items", clauses: ["TX-04", "TX-05"] },
  { part: "8", says: "Transact write: 25 items", clauses: ["TX-16", "TX-17"] },
  { part: "8", says: "Transaction: 4 MB in all", clauses: ["TX-18"], gaps: ["size-unit"] },
  {
    part: "8",
    says: "Item: 400 KB",
    clauses: ["ITEM-35", "ITEM-36", "TX-19"],
    gaps: ["size-unit"],
  },
  { part: "8", says: "Not said: whether the 400 KB of an item bound an entity as well", open: true },
  { part: "8", says: "Not said: what the size of an item counts, beside its data", open: true },
  { part: "8", says: "Idempotency window: 10 minutes", clauses: ["TX-14", "TX-15"] },
  { part: "8", says: "Page: 20 for list, query, scan", clauses: ["GEN-07"], gaps: ["sql-page-size"] },
  { part: "8", says: "Database name: 3 to 63 characters", clauses: ["DB-04"] },
  { part: "8", says: "Organization name: 2 to 100 characters", clauses: ["ORG-06"] },
  { part: "8", says: "Access token: 1 hour", clauses: ["AUTH-08"] },
  { part: "8", says: "Refresh token: 7 days", clauses: ["AUTH-10"] },
  { part: "8", says: "Plans bound databases", clauses: ["DB-14"], gaps: ["ceiling-status"] },
  {
    part: "8",
    says: "Plans bound storage",
    clauses: ["DB-17"],
    gaps: ["ceiling-status", "storage-ceiling"],
  },
  { part: "8", says: "Plans bound requests a month", clauses: ["BILL-26"], gaps: ["monthly-requests"] },
  {
    part: "8",
    says: "Plans bound team members",
    clauses: ["ORG-34"],
    gaps: ["ceiling-status", "pending-members-count"],
  },
  {
    part: "8",
    says: "Free: 3 databases, 0.1 GB, 10000 requests, 1 member, no trial, 0, 0",
    clauses: ["BILL-21"],
  },
  {
    part: "8",
    says: "Pro: 10 databases, 10 GB, 1000000 requests, 10 members, 14 days, 2900, 29000",
    clauses: ["BILL-22", "BILL-25"],
  },
  {
    part: "8",
    says: "Enterprise: unlimited, limits null, no trial, prices listed as 0",
    clauses: ["BILL-23"],
  },
  { part: "8", says: "Not said: which integer stands for no ceiling", open: true },
  { part: "8", says: "Organizations carry a ceiling of databases", clauses: ["DB-14"] },
  {
    part: "8",
    says: "Organizations carry a ceiling of API keys",
    clauses: ["ORG-12"],
    reason: "no endpoint makes keys, so none can be one too many",
  },
  { part: "8", says: "Organizations carry a ceiling of members", clauses: ["ORG-34"] },
  { part: "8", says: "Not shown: rate limits and throttling", gaps: ["rate-limit"] },
  { part: "8", says: "Not shown: the largest limit of a page", gaps: ["page-limit-max", "page-limit-over"] },
  { part: "8", says: "Not said: a limit below 1", open: true },
  {
    part: "8",
    says: "Not said: how large and how deep a request may be",
    gaps: ["request-bytes-max"],
  },
  { part: "8", says: "Not said: how deep arrays and objects may nest in a body", open: true },
  {
    part: "8",
    says: "Not said: how long expressions, SQL statements and client request tokens may be",
    open: true,
  },

  {
    part: "9",
    says: "Items, repositories, management, organizations, billing: under /api/v1",
    clauses: ["GEN-08"],
  },
  { part: "9", says: "Login and health: no version prefix", clauses: ["GEN-08"] },
  { part: "9", says: "SQL: no version prefix", clauses: ["SQL-51"] },
  {
    part: "9",
    says: "Not shown: future versions, deprecation, compatibility",
    reason: "a policy, which no answer shows",
  },
];
