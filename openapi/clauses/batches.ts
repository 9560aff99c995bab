import { defineClauses } from "./clause.js";

/** Parts 4.2, 7 and 8: batches and transactions. */
export const batchClauses = defineClauses({
  "4.2": {
    "BATCH-01": "Batch write answers 200 with successCount, failedCount and errors.",
    "BATCH-02": "Every Put of a batch write creates or replaces its item.",
    "BATCH-03": "Every Delete of a batch write removes its item.",
    "BATCH-06": "An operation other than Put and Delete, or a Put without data, is refused.",
    "BATCH-09":
      "Batch get answers the items of its keys, with pk, sk, data, createdAt and updatedAt, and nothing else.",
  },
  "4.2 rule 7": {
    "BATCH-04":
      "Entries of a batch write are independent: some may fail while others succeed, and the answer is still 200.",
    "BATCH-05":
      "failedCount counts the failed entries; errors is null or an array, and lists the keys of those that failed with a message.",
  },
  "8": {
    "BATCH-07": "A batch write of 25 items is accepted.",
    "BATCH-08": "A batch write of more than 25 items is refused, and nothing changes.",
    "BATCH-11": "A batch get of 100 keys is accepted.",
    "BATCH-12": "A batch get of more than 100 keys is refused.",
  },
  "4.2 rule 8": {
    "BATCH-10":
      "unprocessedKeys is null or an array; it lists keys that could not be processed, to be asked for again.",
  },
});

/** Parts 4.2, 7 and 8: transactions. */
export const transactionClauses = defineClauses({
  "4.2": {
    "TX-01":
      "Transact get answers, for every item, pk, sk, item (an object with its attributes, or null) and itemExists.",
    "TX-02":
      "With a projectionExpression transact get answers, of the attributes of an item, the named ones alone.",
    "TX-06":
      "A transact write answers 200 with successCount, the number of operations applied, and errors, null or an array.",
    "TX-07": "Put and Delete of a transaction write and remove their items.",
    "TX-20":
      "A transaction with an action other than Put, Update, Delete and ConditionCheck is not applied, no part of it.",
  },
  "4.2 rule 11": {
    "TX-03": "Transact get reads all items at one consistent point in time.",
  },
  "8": {
    "TX-04": "A transact get of 100 items is accepted.",
    "TX-05": "A transact get of more than 100 items is refused.",
    "TX-15": "Some time after 10 minutes a clientRequestToken executes anew.",
    "TX-16": "A transact write of 25 items is accepted.",
    "TX-17": "A transact write of more than 25 items is refused, and nothing changes.",
    "TX-18":
      "A transaction request over 4 MB in total is not applied, no part of it; one below it is accepted. A hundredth around both units is open.",
    "TX-19":
      "A transaction with an item over 400 KB is not applied, no part of it; one with items below it is accepted. A hundredth around both units is open.",
  },
  "4.2 rule 10": {
    "TX-08": "Update sets the given attributes of an existing item and leaves its others.",
    "TX-09": "ConditionCheck verifies its condition and modifies nothing, timestamps included.",
  },
  "4.2 rule 9": {
    "TX-10": "When any operation fails nothing is applied and successCount is 0.",
  },
  "7": {
    "TX-11":
      "A failed transaction has failure entries with the itemIndex, pk and sk of an operation, error and errorType.",
    "TX-12":
      "An operation whose condition is false fails its transaction; errorType ConditionalCheckFailed says so, of such an operation alone.",
    "TX-13":
      "errorType is one of ConditionalCheckFailed, ItemCollectionSizeLimitExceeded, TransactionCanceled, ValidationError and InternalServerError.",
  },
  "4.2 rule 12": {
    "TX-14":
      "A repeated clientRequestToken within 10 minutes answers the original result of what was done, without executing again.",
  },
});
