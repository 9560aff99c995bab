import type { Profile } from "../../../openapi/gaps/profile.js";

/**
 * What is wrong with these mutants answers a gap otherwise than the emulator does by default: an observer that says so is
 * right.
 */
export const answersOfMutants: Readonly<Record<string, Partial<Profile>>> = {
  // what is missing is sorted as the text "undefined"
  "entities/order-of-text": { "sort-missing-field": "last" },
  "sql/insert-in-table-order": { "sql-parameter-order": "name" },
  // what it remembers, it remembers by the token alone
  "concurrency/token-race": { "token-reuse-other-body": "original-result" },
  "time/token-forever": { "token-reuse-other-body": "original-result" },
};
