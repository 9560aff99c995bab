import type { DatabaseStatus } from "../../openapi/schemas/databases.js";
import { bytesPerGigabyte, planTerms } from "../../openapi/clauses/limits.js";
import { revealsForeignResources } from "../access/authorize.js";
import { Problem } from "../domain/problem.js";
import type { DatabaseSummary } from "../store/databases.js";
import type { OrganizationRow } from "../store/organizations.js";
import type { HandlerContext } from "./handler.js";

export function getCallerOrganizationId({ caller }: HandlerContext): string {
  if (caller.kind === "anonymous") throw new Error("a protected operation has no caller");
  return caller.organizationId;
}

/** Returns the organization whose resources the caller can use. */
export function getCallerOrganization(context: HandlerContext): OrganizationRow {
  const organization = context.store.organizations.byId(getCallerOrganizationId(context));
  if (organization === undefined) throw new Error("a valid credential's organization has no row");
  return organization;
}

/**
 * Finds a database of the caller's organization (clause GEN-05). The profile decides whether the database of another
 * organization gets a different problem than a missing database.
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

/** Returns a hint for a missing resource, which may belong to another organization than the credential. */
export function describeCredential({ caller }: HandlerContext): string {
  if (caller.kind === "anonymous") return "";
  const { organizationId } = caller;
  return caller.kind === "apiKey"
    ? `Your API key is for ${organizationId}; each organization has its own keys.`
    : `Your access token is for ${organizationId}; POST /auth/switch-organization returns a token for another organization.`;
}

/** Finds a database of the caller's organization whose data is available. */
export function findUsableDatabase(databaseId: string, context: HandlerContext): DatabaseSummary {
  const row = requireOwnedDatabase(databaseId, context);
  rejectUnavailableDatabase(row, context);
  return row;
}

/** Rejects operations on the data of a database that is not Active. */
export function rejectUnavailableDatabase(row: DatabaseSummary, { now }: HandlerContext): void {
  const status = getDatabaseStatus(row, now);
  if (status !== "Active")
    throw new Problem(
      "database-unavailable",
      `The database has the status ${status}; its data is currently unavailable.`,
    );
}

/** Returns the current status. A database with the status Creating becomes Active by itself. */
export function getDatabaseStatus({ status, readyAt }: DatabaseSummary, now: number): DatabaseStatus {
  return status === "Creating" && readyAt !== null && now >= readyAt ? "Active" : status;
}

/** The storage that a plan allows. */
export interface RemainingStorage {
  /** The number of bytes that the organization can still store. */
  readonly bytes: number;
  /** The message if this is not enough. */
  readonly message: string;
}

/** Returns how much the organization of a database can still store (clause DB-17). */
export function getRemainingStorage(
  { organizationId }: DatabaseSummary,
  { store }: HandlerContext,
): RemainingStorage {
  const plan = store.organizations.byId(organizationId)?.plan ?? "free";
  const maxGb = planTerms[plan].limits?.maxStorageGb;
  if (maxGb === undefined) return { bytes: Infinity, message: "" };
  return {
    bytes: maxGb * bytesPerGigabyte - store.databases.storageBytes(organizationId),
    message: `The organization can store at most ${maxGb} GB (plan ${plan}). Delete data or switch to a plan with a higher limit.`,
  };
}

/** Rejects a write that exceeds the storage of the organization's plan. */
export function rejectStorageOverflow(
  addedBytes: number,
  database: DatabaseSummary,
  context: HandlerContext,
): void {
  if (addedBytes <= 0) return;
  const remaining = getRemainingStorage(database, context);
  if (addedBytes > remaining.bytes) throw new Problem("ceiling-reached", remaining.message);
}
