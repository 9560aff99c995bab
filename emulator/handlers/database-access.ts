import type { DatabaseStatus } from "../../openapi/schemas/databases.js";
import { getBytesPerGigabyte, planTerms } from "../../openapi/clauses/limits.js";
import { revealsForeignResources } from "../access/authorize.js";
import { Problem } from "../domain/problem.js";
import type { DatabaseSummary } from "../store/databases.js";
import type { HandlerContext } from "./handler.js";

/** The organization whose resources the caller works with. */
export function getCallerOrganizationId({ caller }: HandlerContext): string {
  if (caller.kind === "anonymous") throw new Error("a protected operation has no caller");
  return caller.organizationId;
}

/**
 * The database of this id, if the caller's organization owns it (clause GEN-05). Another organization's is
 * told apart from a missing one only where the profile says so.
 */
export function requireOwnedDatabase(databaseId: string, context: HandlerContext): DatabaseSummary {
  const row = context.store.databases.find(databaseId);
  if (row?.organizationId === getCallerOrganizationId(context)) return row;
  if (row !== undefined && revealsForeignResources(context))
    throw new Problem(
      "foreign-resource",
      `The database belongs to another organization. ${describeCredential(context)}`,
    );
  throw new Problem(
    "database-not-found",
    `There is no database with this id in the organization${describeDatabases(context)}. ${describeCredential(context)}`,
  );
}

/** Names the first databases of the caller's organization, in words that end a sentence. */
export function describeDatabases(context: HandlerContext): string {
  const { rows, hasMore } = context.store.databases.page(getCallerOrganizationId(context), 0, 3);
  if (rows.length === 0) return "";
  const ids = rows.map(({ databaseId }) => databaseId);
  return `, which has ${ids.join(", ")}${hasMore ? " and others" : ""}`;
}

/** A hint for a missing resource: it may belong to another organization than the credential. */
export function describeCredential({ caller }: HandlerContext): string {
  if (caller.kind === "anonymous") return "";
  const { organizationId } = caller;
  return caller.kind === "apiKey"
    ? `Your API key is for ${organizationId}; each organization has its own keys.`
    : `Your access token is for ${organizationId}; POST /auth/switch-organization returns a token for another organization.`;
}

/** The database of this id, if the caller's organization owns it and its data can be worked with. */
export function findUsableDatabase(databaseId: string, context: HandlerContext): DatabaseSummary {
  const row = requireOwnedDatabase(databaseId, context);
  rejectUnavailableDatabase(row, context);
  return row;
}

/** Refuses data operations on a database that is not Active, nor becoming so (gap `creating-database`). */
export function rejectUnavailableDatabase(row: DatabaseSummary, { now, profile }: HandlerContext): void {
  const status = getDatabaseStatus(row, now);
  if (status === "Active") return;
  if (status !== "Creating" || profile["creating-database"] === "refused")
    throw new Problem(
      "database-unavailable",
      `The database has the status ${status}; its data is currently unavailable.`,
    );
}

/** Refuses to put anything new into a database that is on its way out. */
export function rejectDatabaseBeingDeleted({ status }: DatabaseSummary): void {
  if (status === "Deleting")
    throw new Problem(
      "database-unavailable",
      "The database is being deleted, so nothing can be created in it.",
    );
}

/** The status at this moment: a database that is Creating becomes Active by itself. */
export function getDatabaseStatus({ status, readyAt }: DatabaseSummary, now: number): DatabaseStatus {
  return status === "Creating" && readyAt !== null && now >= readyAt ? "Active" : status;
}

/** The bytes that a plan lets an organization store, and what is left of them. */
export interface RemainingStorage {
  readonly left: number;
  /** Says that there is not enough left, and what to do. */
  readonly fault: string;
}

/** How much the organization of a database may still store (clause DB-17, gap `storage-ceiling`). */
export function getRemainingStorage(
  { organizationId }: DatabaseSummary,
  { store, profile }: HandlerContext,
): RemainingStorage {
  const plan = store.organizations.byId(organizationId)?.plan ?? "free";
  const maxGb = planTerms[plan].limits?.maxStorageGb;
  if (maxGb === undefined || profile["storage-ceiling"] === "not-enforced")
    return { left: Infinity, fault: "" };
  return {
    left: maxGb * getBytesPerGigabyte(profile["size-unit"]) - store.databases.storageBytes(organizationId),
    fault: `The organization can store at most ${maxGb} GB (plan ${plan}). Delete data or switch to a plan with a higher limit.`,
  };
}

/** Refuses what would take the organization over its plan's storage. */
export function rejectStorageOverflow(
  addedBytes: number,
  database: DatabaseSummary,
  context: HandlerContext,
): void {
  if (addedBytes <= 0) return;
  const room = getRemainingStorage(database, context);
  if (addedBytes > room.left) throw new Problem("ceiling-reached", room.fault);
}
