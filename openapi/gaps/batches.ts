import { defineGaps } from "./gap.js";

/** Gaps about batches and transactions. */
export const batchGaps = defineGaps({
  "batch-too-large-status": {
    part: "7",
    question: "Which status is returned for a batch or transaction with too many entries?",
    choices: [400, 413, 422],
    anyRefusal: true,
  },
  "empty-batch": {
    part: "4.2",
    question: "What happens to a batch or transaction without entries?",
    choices: ["reject", "accept"],
  },
  "batch-conditions": {
    part: "4.2 rule 7",
    question: "How is a `conditionExpression` in a batch write entry handled?",
    choices: ["evaluate", "ignore", "reject", "fail-entry"],
    note: "`reject`: the whole request is rejected with `validation-status`. `fail-entry`: only the entry fails.",
  },
  "batch-all-failed-status": {
    part: "7",
    question: "Which status is returned for a batch write if all its entries fail?",
    choices: [200, 400, 409],
    anyRefusal: true,
    note: "Whatever the status, `successCount` is 0 and `errors` lists the failed entries.",
  },
  "large-item-in-batch": {
    part: "4.2 rule 7",
    question: "What fails if a batch write or a transaction contains an item over 400 KB?",
    choices: ["fails-entry", "fails-request"],
    note:
      "`fails-entry`: in a batch write, only the entry with this item fails; a transaction fails with a ValidationError. `fails-request`: the whole " +
      "request is rejected with `too-large-status`.",
  },
  "empty-list-members": {
    part: "4.2",
    question: "What is the value of `errors` or `unprocessedKeys` if there is nothing to list?",
    choices: ["as-null", "as-empty-array"],
  },
  "duplicate-keys": {
    part: "4.2",
    question: "What happens to a batch or transaction with two entries for the same key?",
    choices: ["allow", "reject"],
    note:
      "`allow`: entries take effect in order; a batch get returns the item once, a transactional get once for each " +
      "entry. `reject`: a transaction fails, with a ValidationError for each operation on a key that an earlier operation uses; other " +
      "requests are rejected with `validation-status`.",
  },
  "transact-get-item": {
    part: "4.2",
    question: "What is `item` in the response to a transactional get?",
    choices: ["data", "record"],
    note:
      "`data`: the item's attributes. `record`: an object with `pk`, `sk`, `data`, `createdAt` and `updatedAt`; " +
      "`projectionExpression` then applies to its `data`.",
  },
  "transaction-failed-status": {
    part: "7",
    question: "Which status is returned for a failed transaction?",
    choices: [200, 409, 400],
    anyRefusal: true,
    note: "Whatever the status, `successCount` is 0 and `errors` lists the failed operations.",
  },
  "size-unit": {
    part: "8",
    question: "In size limits, how many bytes are in 1 KB, how many KB in 1 MB, and how many MB in 1 GB?",
    choices: [1024, 1000],
    note: "This applies to the 400 KB limit on items, the 4 MB limit on transactions, `maxStorageGb` and `totalStorageGb`.",
  },
  "transaction-errors": {
    part: "7",
    question: "Which operations are listed in the `errors` of a failed transaction?",
    choices: ["at-fault", "first-at-fault", "every-operation"],
    note: "`every-operation`: operations that are not at fault are also listed, with the code `TransactionCanceled`.",
  },
  "update-object-attribute": {
    part: "4.2 rule 10",
    question: "How does an Update change an attribute whose old and new values are both objects?",
    choices: ["replace", "merge"],
    note: "`merge`: the fields of the new object are set in the old object; nested objects are merged in the same way.",
  },
  "update-missing-item": {
    part: "4.2 rule 10",
    question: "What is the result of a transactional Update if the item does not exist?",
    choices: ["ConditionalCheckFailed", "ValidationError", "create"],
  },
  "failed-transaction-token": {
    part: "4.2 rule 12",
    question: "What happens if the `clientRequestToken` of a failed transaction is sent again?",
    choices: ["original-result", "executed-again"],
    note:
      "`original-result`: failures are also stored, so the same failure is returned for 10 minutes. `executed-again`: only results of applied " +
      "transactions are stored, so the request is executed again.",
  },
  "token-reuse-other-body": {
    part: "4.2 rule 12",
    question: "What happens if a `clientRequestToken` is used again with a different body within 10 minutes?",
    choices: ["reject", "original-result"],
    note: "`reject`: the request is rejected with `validation-status`.",
  },
});
