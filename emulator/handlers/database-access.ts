import type { DatabaseStatus } from "../../openapi/schemas/databases.js";
import { planNumbers } from "../../openapi/limits.js";
import { Problem } from "../problem.js";
import type { DatabaseRow } from "../store/databases.js";
import type { Context } from "./handler.js";

/** The organization whose resources the caller works with. */
export function organizationOf({ caller }: Context): string {
  if (caller.kind === "anonymous") throw new Error("a protected operation has a caller");
  return caller.organizationId;
}

/**
 * The database of this id, if the caller's organization owns it (clause GEN-05). Another organization's is
 * told apart from a missing one only where the profile says so.
 */
export function visibleDatabase(databaseId: string, context: Context): DatabaseRow {
  const row = context.store.databases.byId(databaseId);
  if (row?.organizationId === organizationOf(context)) return row;
  if (row !== undefined && context.profile["foreign-resource-status"] === 403)
    throw new Problem("foreign-resource", "The database belongs to another organization.");
  throw new Problem("database-not-found", "There is no database of this id in the organization.");
}

/** The database of this id, if the caller's organization owns it and its data can be worked with. */
export function usableDatabase(databaseId: string, context: Context): DatabaseRow {
  const row = visibleDatabase(databaseId, context);
  refuseUnavailable(row, context.now);
  return row;
}

/** Refuses data operations on a database that is neither Active nor becoming so. */
export function refuseUnavailable(row: DatabaseRow, now: number): void {
  const status = statusOfDatabase(row, now);
  if (status !== "Active" && status !== "Creating")
    throw new Problem(
      "database-unavailable",
      `The database is ${status}; its data cannot be reached at present.`,
    );
}

/** The status at this moment: a database that is Creating becomes Active by itself. */
export function statusOfDatabase({ status, readyAt }: DatabaseRow, now: number): DatabaseStatus {
  return status === "Creating" && readyAt !== null && now >= readyAt ? "Active" : status;
}

/** Clause DB-17: why what is to be added would take the organization over its plan's storage, or nothing. */
export function storageFault(
  addedBytes: number,
  { organizationId }: DatabaseRow,
  { store }: Context,
): string | undefined {
  if (addedBytes <= 0) return undefined;
  const plan = store.organizations.byId(organizationId)?.plan ?? "free";
  const maxGb = planNumbers[plan].limits?.maxStorageGb;
  if (maxGb === undefined) return undefined;
  return store.organizations.storageBytes(organizationId) + addedBytes > maxGb * 1024 ** 3
    ? `The organization may store ${maxGb} GB (plan ${plan}). Delete data or change the plan.`
    : undefined;
}

/** Refuses what {@link storageFault} finds. */
export function refuseAboveStorage(addedBytes: number, database: DatabaseRow, context: Context): void {
  const fault = storageFault(addedBytes, database, context);
  if (fault !== undefined) throw new Problem("ceiling-reached", fault);
}
