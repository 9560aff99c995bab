import { defineClauses } from "./clause.js";

/** Parts 4.2, 7 and 8: batches and transactions. */
export const batchClauses = defineClauses({
  "BATCH-01": {
    part: "4.2",
    statement: "Batch write answers 200 with successCount, failedCount and errors.",
  },
  "BATCH-02": { part: "4.2", statement: "Every Put of a batch write creates or replaces its item." },
  "BATCH-03": { part: "4.2", statement: "Every Delete of a batch write removes its item." },
  "BATCH-04": {
    part: "4.2 rule 7",
    statement:
      "Entries of a batch write are independent: some may fail while others succeed, and the answer is still 200.",
  },
  "BATCH-05": {
    part: "4.2 rule 7",
    statement:
      "failedCount counts the failed entries; errors is null or an array, and lists the keys of those that failed with a message.",
  },
  "BATCH-06": {
    part: "4.2",
    statement: "An operation other than Put and Delete, or a Put without data, is refused.",
  },
  "BATCH-07": { part: "8", statement: "A batch write of 25 items is accepted." },
  "BATCH-08": {
    part: "8",
    statement: "A batch write of more than 25 items is refused, and nothing changes.",
  },
  "BATCH-09": {
    part: "4.2",
    statement:
      "Batch get answers the items of its keys, with pk, sk, data, createdAt and updatedAt, and nothing else.",
  },
  "BATCH-10": {
    part: "4.2 rule 8",
    statement:
      "unprocessedKeys is null or an array; it lists keys that could not be processed, to be asked for again.",
  },
  "BATCH-11": { part: "8", statement: "A batch get of 100 keys is accepted." },
  "BATCH-12": { part: "8", statement: "A batch get of more than 100 keys is refused." },
});

/** Parts 4.2, 7 and 8: transactions. */
export const transactionClauses = defineClauses({
  "TX-01": {
    part: "4.2",
    statement:
      "Transact get answers, for every item, pk, sk, item (an object with its attributes, or null) and itemExists.",
  },
  "TX-02": {
    part: "4.2",
    statement:
      "With a projectionExpression transact get answers, of the attributes of an item, the named ones alone.",
  },
  "TX-03": {
    part: "4.2 rule 11",
    statement: "Transact get reads all items at one consistent point in time.",
  },
  "TX-04": { part: "8", statement: "A transact get of 100 items is accepted." },
  "TX-05": { part: "8", statement: "A transact get of more than 100 items is refused." },
  "TX-06": {
    part: "4.2",
    statement:
      "A transact write answers 200 with successCount, the number of operations applied, and errors, null or an array.",
  },
  "TX-07": { part: "4.2", statement: "Put and Delete of a transaction write and remove their items." },
  "TX-08": {
    part: "4.2 rule 10",
    statement: "Update sets the given attributes of an existing item and leaves its others.",
  },
  "TX-09": {
    part: "4.2 rule 10",
    statement: "ConditionCheck verifies its condition and modifies nothing, timestamps included.",
  },
  "TX-10": {
    part: "4.2 rule 9",
    statement: "When any operation fails nothing is applied and successCount is 0.",
  },
  "TX-11": {
    part: "7",
    statement:
      "A failed transaction has failure entries with the itemIndex, pk and sk of an operation, error and errorType.",
  },
  "TX-12": {
    part: "7",
    statement:
      "An operation whose condition is false fails its transaction; errorType ConditionalCheckFailed says so, of such an operation alone.",
  },
  "TX-13": {
    part: "7",
    statement:
      "errorType is one of ConditionalCheckFailed, ItemCollectionSizeLimitExceeded, TransactionCanceled, ValidationError and InternalServerError.",
  },
  "TX-14": {
    part: "4.2 rule 12",
    statement:
      "A repeated clientRequestToken within 10 minutes answers the original result of what was done, without executing again.",
  },
  "TX-15": { part: "8", statement: "Some time after 10 minutes a clientRequestToken executes anew." },
  "TX-16": { part: "8", statement: "A transact write of 25 items is accepted." },
  "TX-17": {
    part: "8",
    statement: "A transact write of more than 25 items is refused, and nothing changes.",
  },
  "TX-18": {
    part: "8",
    statement:
      "A transaction request over 4 MB in total is not applied, no part of it; one below it is accepted. A hundredth around both units is open.",
  },
  "TX-19": {
    part: "8",
    statement:
      "A transaction with an item over 400 KB is not applied, no part of it; one with items below it is accepted. A hundredth around both units is open.",
  },
  "TX-20": {
    part: "4.2",
    statement:
      "A transaction with an action other than Put, Update, Delete and ConditionCheck is not applied, no part of it.",
  },
});
