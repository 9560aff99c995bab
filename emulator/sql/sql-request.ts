import type { Profile } from "../../openapi/gaps/profile.js";
import type { JsonObject } from "../json/json-value.js";
import type { Catalog } from "./catalog.js";
import type { StatementCache } from "./statement-cache.js";
import type { InputValue } from "./types/codec.js";

/** The levels of part 4.8 rule 5, lowest first. */
export const sqlPermissions = ["read", "write", "admin"] as const;

/** Permission level of a credential (part 4.8 rule 5); each includes the ones before. */
export type SqlPermission = (typeof sqlPermissions)[number];

/** The context of a statement: database, permission, time and profile. */
export interface SqlContext {
  readonly databaseId: string;
  readonly permission: SqlPermission;
  /** ISO 8601 UTC: `createdAt` of a table. */
  readonly now: string;
  readonly profile: Profile;
}

/** Body of a query. */
export interface SqlQuery {
  readonly sql: string;
  readonly parameters?: JsonObject;
  readonly limit?: number;
  readonly pageToken?: string;
}

/** What a statement changed. */
interface SqlEffect {
  /** Number of rows that a write changed, whatever `rowCount` shows; 0 for a SELECT. */
  readonly affectedRows: number;
  /** How much the storage of the database grew. */
  readonly bytesDelta: number;
  /** Bytes that a write put in place or removed. */
  readonly bytesWritten: number;
}

/** Answer to a query, but for the time it took. */
export interface SqlResult extends SqlEffect {
  /** JSON text of the array of rows: complete, and to be sent as it is. */
  readonly rowsJson: string;
  readonly rowCount: number;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly nextPageToken: string | null;
}

/** Answer to a definition. */
export interface DefinitionResult extends SqlEffect {
  readonly message: string;
}

/** The context of an execution. */
export interface SqlStore {
  readonly statements: StatementCache;
  readonly catalog: Catalog;
  /** Makes sure that there is memory for bytes that the request does not hold itself. @throws when there is not */
  readonly reserve: (bytes: number) => void;
}

/** One run of a compiled statement. */
export interface PlanInput {
  readonly query: SqlQuery;
  /** As many as the statement has markers, in their order. */
  readonly parameters: readonly InputValue[];
}

/** A statement checked against its table, to be run any number of times while the table stays as it is. */
export interface StatementPlan {
  readonly run: (input: PlanInput) => SqlResult;
  /** Approximate memory of its SQL texts and columns, which a short statement may have many of. */
  readonly bytes: number;
}

/** Approximate memory of a plan for each column that it keeps something for. */
export const bytesOfPlanColumn = 200;
