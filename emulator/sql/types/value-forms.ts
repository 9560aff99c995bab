import type { Profile } from "../../../openapi/profile.js";

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
  | "sql-decimal-digits"
  | "sql-integer-overflow"
  | "sql-value-error-code"
>;
