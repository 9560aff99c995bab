import type { Profile } from "../../../openapi/gaps/profile.js";
import type { Given } from "./codec.js";

/** The answers to gaps that decide how values look in parameters and rows, and which of them a column takes. */
export type ValueForms = Pick<
  Profile,
  | "sql-number-form"
  | "sql-parameter-numbers"
  | "sql-date-time-form"
  | "sql-timestamp-form"
  | "sql-time-digits"
  | "sql-blob-form"
  | "sql-uuid-case"
  | "sql-map-form"
  | "sql-set-duplicates"
  | "sql-empty-collection"
  | "sql-decimal-digits"
  | "sql-integer-overflow"
  | "sql-value-error-code"
>;

/**
 * How a profile writes the values of a type where that is not how they are written here. Columns are stored in one
 * way under every profile, so that a profile can change.
 */
export interface Form {
  /** What the caller gives, as the codec takes it. @throws ValueRefusal */
  readonly read: (given: Given) => Given;
  /** The profile's JSON text of a value, from the codec's. */
  readonly write: (json: string) => string;
}
