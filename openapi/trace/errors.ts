import type { Statement } from "./statement.js";

const notCaused = "no request brings it about for certain, so a check could not tell it from another error";

/** Parts 6 and 7: events and errors. */
export const errorStatements: readonly Statement[] = [
  { part: "6", says: "Not shown: events, notifications, webhooks", reason: "there is nothing to observe" },

  { part: "7", says: "Login status Success: authResponse holds tokens", clauses: ["AUTH-05", "AUTH-01"] },
  {
    part: "7",
    says: "Login status InvalidCredentials: wrong email or password",
    clauses: ["AUTH-02", "AUTH-05"],
  },
  {
    part: "7",
    says: "Login status EmailVerificationRequired: verify the email first",
    clauses: ["AUTH-03", "AUTH-05"],
  },
  { part: "7", says: "Login status MfaRequired: complete the challenge", clauses: ["AUTH-04", "AUTH-05"] },
  { part: "7", says: "Login status Error: an error occurred", clauses: ["AUTH-05"], reason: notCaused },
  { part: "7", says: "Missing items: 404 with type (a URL), title, status, detail", clauses: ["ITEM-14"] },
  {
    part: "7",
    says: "Not said: the status for anything else that is missing",
    gaps: ["missing-resource-status"],
  },
  { part: "7", says: "SQL errors: 400 with code, message, details", clauses: ["SQL-46"] },
  {
    part: "7",
    says: "Not said: whether there are other codes",
    clauses: ["SQL-46"],
    reason: "the contract lists the six that are shown, as what the field may be",
  },
  {
    part: "7",
    says: "SQL_SYNTAX_ERROR: errors of syntax",
    clauses: ["SQL-47"],
  },
  {
    part: "7",
    says: "Not said: the code for forms that are not supported (JOIN, GROUP BY, SUM, …)",
    open: true,
  },
  {
    part: "7",
    says: "SQL_VALIDATION_ERROR: valid SQL that violates constraints",
    clauses: ["SQL-48"],
  },
  {
    part: "7",
    says: "Not said: the code for a value that does not fit the type of its column",
    open: true,
  },
  { part: "7", says: "ACCESS_DENIED: the caller lacks the permission", clauses: ["SQL-44", "SQL-45"] },
  { part: "7", says: "TABLE_NOT_FOUND: no such table", clauses: ["SQL-49"] },
  { part: "7", says: "DATABASE_NOT_FOUND: the database id is invalid", clauses: ["SQL-50"] },
  {
    part: "7",
    says: "SQL_EXECUTION_ERROR: an error during execution",
    clauses: ["SQL-46"],
    reason: notCaused,
  },
  { part: "7", says: "Entries of a failed batch write: pk, sk, error", clauses: ["BATCH-05"] },
  {
    part: "7",
    says: "Entries of a failed transaction: itemIndex, pk, sk, error, errorType",
    clauses: ["TX-11"],
    gaps: ["transaction-errors"],
  },
  { part: "7", says: "Not said: the number from which `itemIndex` counts", open: true },
  { part: "7", says: "ConditionalCheckFailed: the condition is false", clauses: ["TX-12", "TX-13"] },
  {
    part: "7",
    says: "ItemCollectionSizeLimitExceeded: too large",
    clauses: ["TX-13"],
    reason: "no bound of a collection is told",
  },
  {
    part: "7",
    says: "TransactionCanceled: the transaction was canceled",
    clauses: ["TX-13"],
    reason: notCaused,
  },
  {
    part: "7",
    says: "ValidationError: invalid request parameters",
    clauses: ["TX-13"],
    reason: "an invalid request may be refused as a whole, and its body is not told",
  },
  { part: "7", says: "InternalServerError: an error of the server", clauses: ["TX-13"], reason: notCaused },
  { part: "7", says: "Health: 503 with status and details", clauses: ["HEALTH-02", "HEALTH-04"] },
  {
    part: "7",
    says: "Not shown: the errors of all else, and their statuses",
    gaps: [
      "error-body",
      "validation-status",
      "conflict-status",
      "condition-failed-status",
      "too-large-status",
    ],
  },
  {
    part: "7",
    says: "Not said: the statuses of an unknown path, another method, too large a body",
    reason: "HTTP has them: 404, 405 and 413; no clause asks for them",
  },
  {
    part: "7",
    says: "Not said: the status of one request too many",
    gaps: ["rate-limit", "monthly-requests"],
    reason: "HTTP has 429 for it; what is open is whether there is such a bound",
  },
  {
    part: "7",
    says: "Not shown: the status of a failed batch or transaction",
    gaps: ["batch-too-large-status", "transaction-failed-status", "batch-all-failed-status"],
  },
];
