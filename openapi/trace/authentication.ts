import type { Statement } from "./statement.js";

/** Part 5: credentials, what they open and how long they last. */
export const authenticationStatements: readonly Statement[] = [
  { part: "5", says: "Both kinds of credential go as Authorization: Bearer", clauses: ["AUTH-15"] },
  {
    part: "5",
    says: "API keys open items, repositories and SQL",
    clauses: ["ITEM-37", "REPO-39", "SQL-43"],
    gaps: ["data-credential"],
  },
  {
    part: "5",
    says: "API keys are generated in the dashboard",
    reason: "the dashboard is no part of the interface",
  },
  { part: "5", says: "`database:read`: read items", clauses: ["AUTH-19"] },
  { part: "5", says: "`database:write`: write and delete items", clauses: ["AUTH-20"] },
  { part: "5", says: "`database:*`: full access to databases", clauses: ["AUTH-21", "REPO-43"] },
  { part: "5", says: "`repository:read`: read entities", clauses: ["REPO-40"] },
  { part: "5", says: "`repository:write`: write and delete entities", clauses: ["REPO-41"] },
  { part: "5", says: "`repository:*`: full access to repositories", clauses: ["AUTH-23", "REPO-42"] },
  { part: "5", says: "`*`: everything", clauses: ["AUTH-22"] },
  {
    part: "5",
    says: "Items require database:read or database:write, by the operation",
    clauses: ["ITEM-37"],
  },
  { part: "5", says: "A key may have an expiration date", clauses: ["AUTH-24"] },
  { part: "5", says: "A key's header: Bearer and the key", clauses: ["AUTH-15"] },
  {
    part: "5",
    says: "JWTs serve the dashboard and sessions",
    reason: "a use, which asks nothing of an answer",
  },
  {
    part: "5",
    says: "The Management API requires a JWT",
    clauses: ["AUTH-18"],
    gaps: ["wrong-credential-kind-status"],
  },
  { part: "5", says: "Payment info requires a JWT", clauses: ["BILL-07"] },
  { part: "5", says: "A JWT's header: Bearer and the access token", clauses: ["AUTH-15"] },
  { part: "5", says: "Access token: one hour, expiresIn 3600", clauses: ["AUTH-07", "AUTH-08"] },
  { part: "5", says: "Refresh token: 7 days", clauses: ["AUTH-10"] },
  { part: "5", says: "Refresh token: gets a new access token", clauses: ["AUTH-11"] },
  {
    part: "5",
    says: "A refresh returns a new refresh token too",
    clauses: ["AUTH-11"],
    gaps: ["refresh-token-reuse"],
  },
  { part: "5", says: "The session carries permissions and roles", clauses: ["AUTH-25"] },
  {
    part: "5",
    says: "Switching returns tokens for the chosen organization",
    clauses: ["AUTH-12", "AUTH-13"],
  },
  { part: "5", says: "Public: health", clauses: ["HEALTH-06"] },
  { part: "5", says: "Public: the plan catalog", clauses: ["BILL-24"] },
  {
    part: "5",
    says: "Not shown: MFA challenge, registration, email verification",
    reason: "there is nothing to call; the login statuses for them are in part 7",
  },
  {
    part: "5",
    says: "Not shown: the answer to a missing, invalid or expired credential",
    clauses: ["AUTH-16", "AUTH-17"],
    gaps: ["unauthenticated-status"],
  },
  { part: "5", says: "Not said: the answer to a credential without the right", gaps: ["forbidden-status"] },
  {
    part: "5",
    says: "Not shown: the credential of the other payment operations",
    gaps: ["payment-credential"],
  },
  { part: "5", says: "Not shown: which scopes are which SQL level", gaps: ["sql-key-levels"] },
];
