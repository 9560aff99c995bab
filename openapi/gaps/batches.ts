import { defineGaps } from "./gap.js";

/** Gaps about batches and transactions. */
export const batchGaps = defineGaps({
  "batch-too-large-status": {
    part: "7",
    question: "Which status is returned for a batch or transaction with too many entries?",
    choices: [400, 413, 422],
    anyRefusal: true,
  },
  "batch-conditions": {
    part: "4.2 rule 7",
    question: "How is a `conditionExpression` in a batch write entry handled?",
    choices: ["evaluate", "ignore", "reject", "fail-entry"],
    note: "`reject`: the whole request is rejected with `validation-status`. `fail-entry`: only the entry fails.",
  },
  "duplicate-keys": {
    part: "4.2",
    question: "What happens to a batch or transaction with two entries for the same key?",
    choices: ["allow", "reject"],
    note:
      "`allow`: entries take effect in order; a batch get returns the item once, a transactional get once for each " +
      "entry. `reject`: a transaction fails, with a ValidationError for each operation on a key that an earlier operation already uses; other " +
      "requests are rejected with `validation-status`.",
  },
  "transact-get-item": {
    part: "4.2",
    question: "What does `item` contain in the response to a transactional get?",
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
    note: "`create`: the item is created with the given attributes. Otherwise, the transaction fails with this `errorType`.",
  },
});
