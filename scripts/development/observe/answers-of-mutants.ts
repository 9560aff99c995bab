import type { Profile } from "../../../openapi/gaps/profile.js";

/**
 * What is wrong with these mutants answers a gap otherwise than the emulator does by default: an observer that says so is
 * right.
 */
export const answersOfMutants: Readonly<Record<string, Partial<Profile>>> = {
  // what is missing is sorted as the text "undefined"
  "entities/order-of-text": { "sort-missing-field": "last" },
  // what is asked for is one more, or cut to a page
  "items/limit-plus-one": { "page-limit-max": 999 },
  "items/pages-of-ten-of-queryItems": { "page-limit-over": "clamp" },
  "items/updated-at-stays": { "item-updated-at": "never" },
  "transactions/update-replaces": { "update-missing-item": "create" },
  "transactions/false-condition-is-validation-error": { "update-missing-item": "ValidationError" },
  // the transaction that is observed has four operations
  "concurrency/half-a-transfer": { "transaction-errors": "first-at-fault" },
  // what stands in one transaction becomes two, one after the other
  "sequences/applied-by-halves": {},
  "session/refresh-keeps-token": { "refresh-token-reuse": "still-valid" },
  "time/refresh-for-ever": { "refresh-token-reuse": "still-valid" },
  "entities/time-stands-still": {},
  "entities/order-within-page": {},
  "sql/insert-in-table-order": { "sql-parameter-order": "name" },
  // what it remembers, it remembers by the token alone
  "concurrency/token-known-after-transaction": { "token-reuse-other-body": "original-result" },
  "time/token-for-ever": { "token-reuse-other-body": "original-result" },
};
