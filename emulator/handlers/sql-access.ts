import type { DatabaseSummary } from "../store/databases.js";
import { SqlError } from "../sql/grammar/sql-error.js";
import { type SqlPermission, sqlPermissions } from "../sql/sql-request.js";
import {
  describeCredential,
  getCallerOrganizationId,
  describeDatabases,
  rejectUnavailableDatabase,
} from "./database-access.js";
import type { HandlerContext } from "./handler.js";

/**
 * The caller's level (part 4.8 rule 5): that of an API key follows from its scopes, that of a user from the role.
 *
 * @throws SqlError ACCESS_DENIED for a key that is good for repositories alone (clause AUTH-23)
 */
export function getSqlPermission({ caller, profile }: HandlerContext): SqlPermission {
  if (caller.kind !== "apiKey") {
    const looksOnly = caller.kind === "anonymous" || caller.role === "readonly";
    return looksOnly && profile["sql-readonly-user"] === "select" ? "read" : "admin";
  }
  const { scopes } = caller;
  // everything (part 5)
  if (scopes.includes("*")) return "admin";
  const levels = profile["sql-key-levels"];
  const level = sqlPermissions.findLast((known) =>
    scopes.some((scope) => levels.includes(`${scope} ${known}`)),
  );
  if (level !== undefined) return level;
  throw new SqlError(
    "ACCESS_DENIED",
    "this API key has no SQL permission level",
    `Its scopes are ${scopes.join(", ")}; the scopes with an SQL permission level are ${[...levels, "* admin"].join(", ")}.`,
  );
}

/**
 * The database of this id, if the caller's organization owns it and its data can be worked with. Another
 * organization's database looks like a missing one under every profile (part 7).
 *
 * @throws SqlError DATABASE_NOT_FOUND
 */
export function findSqlDatabase(databaseId: string, context: HandlerContext): DatabaseSummary {
  const row = context.store.databases.find(databaseId);
  if (row?.organizationId !== getCallerOrganizationId(context))
    throw new SqlError(
      "DATABASE_NOT_FOUND",
      `there is no database with this id in the organization${describeDatabases(context)}`,
      describeCredential(context),
    );
  rejectUnavailableDatabase(row, context);
  const fault = context.fault?.("sql");
  if (fault !== undefined)
    throw new SqlError(fault.code, "the statement failed", "A fault rule caused this failure.");
  return row;
}
