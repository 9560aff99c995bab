import { defineGaps } from "./gap.js";

/** Questions about batches and transactions. */
export const batchGaps = defineGaps({
  "batch-too-large-status": {
    part: "7",
    question: "Which status answers a batch or transaction with more entries than the limit?",
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
    question: "What becomes of a `conditionExpression` in an entry of a batch write?",
    choices: ["evaluate", "ignore", "reject", "fail-entry"],
    note: "`reject` refuses the whole request with `validation-status`, `fail-entry` fails the entry alone.",
  },
  "batch-all-failed-status": {
    part: "7",
    question: "Which status answers a batch write every entry of which failed?",
    choices: [200, 400, 409],
    anyRefusal: true,
    note: "The body is the same: successCount 0 and the entries at fault.",
  },
  "large-item-in-batch": {
    part: "4.2 rule 7",
    question: "What does an item over 400 KB fail in a batch write or a transaction?",
    choices: ["fails-entry", "fails-request"],
    note:
      "`fails-entry`: its entry of a batch write, and a transaction with a ValidationError. `fails-request`: the request is " +
      "refused with `too-large-status`.",
  },
  "empty-list-members": {
    part: "4.2",
    question: "What are `errors` and `unprocessedKeys` when there is nothing to list?",
    choices: ["as-null", "as-empty-array"],
  },
  "duplicate-keys": {
    part: "4.2",
    question: "What happens to a batch or transaction with two entries on one key?",
    choices: ["allow", "reject"],
    note:
      "`allow`: entries take effect one after another; a batch get answers the key once, a transact get for each entry. `reject` " +
      "fails a transaction with a ValidationError for every operation on a key but the first, and refuses the others with " +
      "`validation-status`.",
  },
  "transact-get-item": {
    part: "4.2",
    question: "What is `item` in the answer of a transact get?",
    choices: ["data", "record"],
    note:
      "`data`: the item's attributes. `record`: an object with pk, sk, data, createdAt and updatedAt; a " +
      "`projectionExpression` names attributes in its `data`.",
  },
  "transaction-failed-status": {
    part: "7",
    question: "Which status answers a transaction that failed?",
    choices: [200, 409, 400],
    anyRefusal: true,
    note: "The body is the same: successCount 0 and the entries at fault.",
  },
  "size-unit": {
    part: "8",
    question: "How many bytes are a KB of the limits of sizes, how many KB an MB, and how many MB a GB?",
    choices: [1024, 1000],
    note: "The 400 KB of an item, and the 4 MB of a transaction; the GB of maxStorageGb and totalStorageGb.",
  },
  "transaction-errors": {
    part: "7",
    question: "Which operations do the `errors` of a failed transaction list?",
    choices: ["at-fault", "first-at-fault", "every-operation"],
    note: "`every-operation` lists those that are not at fault as TransactionCanceled.",
  },
  "update-object-attribute": {
    part: "4.2 rule 10",
    question: "What does an Update make of an attribute that is an object before and in the request?",
    choices: ["replace", "merge"],
    note: "`merge` sets the members of the new object in the old one, at any depth.",
  },
  "update-missing-item": {
    part: "4.2 rule 10",
    question: "What becomes of a transactional Update of an item that is not there?",
    choices: ["ConditionalCheckFailed", "ValidationError", "create"],
  },
  "failed-transaction-token": {
    part: "4.2 rule 12",
    question: "What answers the `clientRequestToken` of a transaction that failed?",
    choices: ["original-result", "executed-again"],
    note:
      "`original-result`: the failure, for 10 minutes, as the success of another. `executed-again`: only what was applied " +
      "is remembered, so that the same request tries again.",
  },
  "token-reuse-other-body": {
    part: "4.2 rule 12",
    question: "What answers a `clientRequestToken` that was used with another body within 10 minutes?",
    choices: ["reject", "original-result"],
    note: "`reject` answers with `validation-status`.",
  },
});
