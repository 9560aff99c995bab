import { defineGaps } from "./gap.js";

/** Questions about batches and transactions. */
export const batchGaps = defineGaps({
  "batch-too-large-status": {
    part: "7",
    question: "Which status answers a batch or transaction with more entries than the limit?",
    choices: [400, 413, 422],
    anyRefusal: true,
    samples: [418],
    observable: "yes",
  },
  "empty-batch": {
    part: "4.2",
    question: "What happens to a batch or transaction without entries?",
    choices: ["reject", "accept"],
    observable: "yes",
  },
  "batch-conditions": {
    part: "4.2 rule 7",
    question: "What becomes of a `conditionExpression` in an entry of a batch write?",
    choices: ["evaluate", "ignore"],
    observable: "yes",
  },
  "batch-write-duplicate-key": {
    part: "4.2 rule 7",
    question: "What happens to two entries of one batch write on one key?",
    choices: ["in-order", "reject"],
    observable: "yes",
  },
  "batch-get-duplicate-key": {
    part: "4.2",
    question: "How is a key answered that a batch get names twice?",
    choices: ["once", "each", "reject"],
    observable: "yes",
  },
  "transaction-failed-status": {
    part: "7",
    question: "Which status answers a transaction that failed?",
    choices: [200, 409, 400],
    anyRefusal: true,
    samples: [418],
    observable: "yes",
    note: "The body is the same: successCount 0 and the entries at fault.",
  },
  "transaction-too-large-status": {
    part: "7",
    question: "Which status answers a transaction over 4 MB?",
    choices: [413, 400, 422],
    anyRefusal: true,
    samples: [418],
    observable: "yes",
  },
  "update-missing-item": {
    part: "4.2 rule 10",
    question: "What becomes of a transactional Update of an item that is not there?",
    choices: ["ConditionalCheckFailed", "ValidationError", "create"],
    observable: "yes",
  },
  "transaction-duplicate-key": {
    part: "4.2 rule 9",
    question: "What happens to two operations of one transaction on one key?",
    choices: ["reject", "allow"],
    observable: "yes",
    note: "`reject` fails the transaction with a ValidationError for every operation on a key but the first.",
  },
  "token-reuse-other-body": {
    part: "4.2 rule 12",
    question: "What answers a `clientRequestToken` that was used with another body within 10 minutes?",
    choices: ["reject", "original-result"],
    observable: "yes",
    note: "`reject` answers with `validation-status`.",
  },
});
