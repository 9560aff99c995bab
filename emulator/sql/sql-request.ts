import type { Profile } from "../../openapi/gaps/profile.js";
import type { JsonObject } from "../json/json-value.js";
import type { Catalog } from "./catalog.js";
import type { StatementCache } from "./statement-cache.js";
import type { InputValue } from "./types/codec.js";

/** The levels of part 4.8 rule 5, lowest first. */
export const sqlPermissions = ["read", "write", "admin"] as const;

/** The permission level of a credential (part 4.8 rule 5). Each level includes the lower ones. */
export type SqlPermission = (typeof sqlPermissions)[number];

/** The context of a statement. */
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

/** The result of a query. */
export interface SqlResult {
  /** JSON text of the array of rows. */
  readonly rowsJson: string;
  /** Number of rows that a SELECT returns, or that a write changed. */
  readonly rowCount: number;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly nextPageToken: string | null;
  /** The growth of the database's storage. */
  readonly bytesDelta: number;
  /** Bytes that a write wrote or removed. */
  readonly bytesWritten: number;
}

/** The result of a definition. */
export interface DefinitionResult {
  readonly message: string;
  /** The growth of the database's storage. */
  readonly bytesDelta: number;
}

/** The SQL tables of a namespace. */
export interface SqlStore {
  readonly statements: StatementCache;
  readonly catalog: Catalog;
  /** Reserves memory for bytes that the request itself does not contain. @throws if there is not enough */
  readonly reserve: (bytes: number) => void;
}

/** A compiled statement, which is valid until the definition of its table changes. */
export interface StatementPlan {
  /** @param parameters one value for each marker of the statement */
  readonly run: (query: SqlQuery, parameters: readonly InputValue[]) => SqlResult;
  /** Approximate memory of the plan's SQL texts and columns. */
  readonly bytes: number;
}

/** Approximate memory of a column in a plan. */
export const planBytesPerColumn = 200;
