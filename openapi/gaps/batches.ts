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
    choices: ["evaluate", "ignore", "reject"],
    observable: "yes",
    note: "`reject` refuses the whole request with `validation-status`.",
  },
  "batch-all-failed-status": {
    part: "7",
    question: "Which status answers a batch write every entry of which failed?",
    choices: [200, 400, 409],
    anyRefusal: true,
    samples: [418],
    observable: "yes",
    note: "The body is the same: successCount 0 and the entries at fault.",
  },
  "delete-missing-in-batch": {
    part: "4.2",
    question: "What becomes of a Delete in a batch write whose item is not there?",
    choices: ["succeeds", "fails"],
    observable: "yes",
    note: "`fails` fails its entry alone.",
  },
  "large-item-fails": {
    part: "4.2 rule 7",
    question: "What does an item over 400 KB fail in a batch write or a transaction?",
    choices: ["entry", "request"],
    observable: "yes",
    note:
      "`entry`: its entry of a batch write, and a transaction with a ValidationError. `request`: the request is " +
      "refused with `item-too-large-status`.",
  },
  "nothing-to-list": {
    part: "4.2",
    question: "What are `errors` and `unprocessedKeys` when there is nothing to list?",
    choices: ["null", "empty-array"],
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
  "batch-get-missing": {
    part: "4.2 rule 8",
    question: "How does a batch get answer a key whose item is not there?",
    choices: ["left-out", "unprocessed"],
    observable: "yes",
    note: "`unprocessed` lists it in `unprocessedKeys`, each time anew.",
  },
  "batch-get-order": {
    part: "4.2",
    question: "In which order does a batch get answer its items?",
    choices: ["request", "key"],
    observable: "yes",
    note: "`key`: by `pk` and `sk` in the order of their UTF-8 bytes, an item without `sk` first.",
  },
  "transact-get-order": {
    part: "4.2",
    question: "In which order does a transact get answer its entries?",
    choices: ["request", "key"],
    observable: "yes",
    note: "`key`: by `pk` and `sk` in the order of their UTF-8 bytes, an item without `sk` first.",
  },
  "transact-get-duplicate-key": {
    part: "4.2",
    question: "How is a key answered that a transact get names twice?",
    choices: ["each", "once", "reject"],
    observable: "yes",
    note: "`once` answers the first entry of the key alone.",
  },
  "transact-get-item": {
    part: "4.2",
    question: "What is `item` in the answer of a transact get?",
    choices: ["data", "record"],
    observable: "yes",
    note:
      "`data`: the item's attributes. `record`: an object with pk, sk, data, createdAt and updatedAt; a " +
      "`projectionExpression` names attributes in its `data`.",
  },
  "projection-absent-name": {
    part: "4.2",
    question:
      "How does a transact get answer a name of a `projectionExpression` that the item does not have?",
    choices: ["left-out", "null"],
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
  "size-unit": {
    part: "8",
    question: "How many bytes are a KB of the limits of sizes, and how many KB an MB?",
    choices: [1024, 1000],
    observable: "yes",
    note: "The 400 KB of an item, which may bound an entity as well, and the 4 MB of a transaction.",
  },
  "transaction-too-large-status": {
    part: "7",
    question: "Which status answers a transaction over 4 MB?",
    choices: [413, 400, 422],
    anyRefusal: true,
    samples: [418],
    observable: "yes",
  },
  "transaction-errors": {
    part: "7",
    question: "Which operations do the `errors` of a failed transaction list?",
    choices: ["at-fault", "first-at-fault", "every-operation"],
    observable: "yes",
    note: "`every-operation` lists those that are not at fault as TransactionCanceled.",
  },
  "item-index-base": {
    part: "7",
    question: "From which number does `itemIndex` count?",
    choices: [0, 1],
    observable: "yes",
  },
  "condition-check-counts": {
    part: "4.2 rule 10",
    question: "Does `successCount` count the ConditionChecks of a transaction?",
    choices: ["counted", "not-counted"],
    observable: "yes",
  },
  "condition-check-without-condition": {
    part: "4.2 rule 10",
    question: "What becomes of a ConditionCheck without `conditionExpression`?",
    choices: ["reject", "passes"],
    observable: "yes",
    note: "`reject` refuses the whole request with `validation-status`; `passes`: it verifies nothing.",
  },
  "delete-missing-in-transaction": {
    part: "4.2",
    question: "What becomes of a transactional Delete of an item that is not there?",
    choices: ["succeeds", "ConditionalCheckFailed", "ValidationError"],
    observable: "yes",
  },
  "update-object-attribute": {
    part: "4.2 rule 10",
    question: "What does an Update make of an attribute that is an object before and in the request?",
    choices: ["replace", "merge"],
    observable: "yes",
    note: "`merge` sets the members of the new object in the old one, at any depth.",
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
  "token-same-request": {
    part: "4.2 rule 12",
    question: "Which request with a used `clientRequestToken` repeats the transaction?",
    choices: ["same-json", "same-bytes"],
    observable: "yes",
    note:
      "`same-json`: one whose body differs in white space, escapes and the order of members at most. `same-bytes`: one " +
      "with the very same body. Any other comes with another body.",
  },
  "token-length-max": {
    part: "8",
    question: "How long may a `clientRequestToken` be?",
    choices: [],
    range: { minimum: 36, maximum: 65_536, unit: "characters" },
    default: 1024,
    samples: [1024, 36],
    observable: "yes",
  },
  "failed-transaction-token": {
    part: "4.2 rule 12",
    question: "What answers the `clientRequestToken` of a transaction that failed?",
    choices: ["original-result", "executed-again"],
    observable: "yes",
    note:
      "`original-result`: the failure, for 10 minutes, as the success of another. `executed-again`: only what was applied " +
      "is remembered, so that the same request tries again.",
  },
  "token-reuse-other-body": {
    part: "4.2 rule 12",
    question: "What answers a `clientRequestToken` that was used with another body within 10 minutes?",
    choices: ["reject", "original-result"],
    observable: "yes",
    note: "`reject` answers with `validation-status`.",
  },
});
