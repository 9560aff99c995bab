import { defineClauses } from "./clause.js";

/** Parts 4.2, 7 and 8: batches and transactions. */
export const batchClauses = defineClauses({
  "4.2": {
    "BATCH-01": "A batch write returns 200 with successCount, failedCount and errors.",
    "BATCH-02": "Every Put in a batch write creates or replaces its item.",
    "BATCH-03": "Every Delete in a batch write deletes its item.",
    "BATCH-06":
      "In a batch write, an operation other than Put or Delete, or a Put without `data`, is rejected.",
    "BATCH-09":
      "A batch get returns each requested item with pk, sk, data, createdAt and updatedAt, and no other items.",
  },
  "4.2 rule 7": {
    "BATCH-04":
      "Entries in a batch write are independent: even if some entries fail, others can succeed, and the status is 200.",
    "BATCH-05":
      "failedCount is the number of failed entries; errors is null or an array with a key and a message for each failed entry.",
  },
  "8": {
    "BATCH-07": "A batch write of 25 items is accepted.",
    "BATCH-08": "A batch write of more than 25 items is rejected, and nothing changes.",
    "BATCH-11": "A batch get of 100 keys is accepted.",
    "BATCH-12": "A batch get of more than 100 keys is rejected.",
  },
  "4.2 rule 8": {
    "BATCH-10":
      "unprocessedKeys is null or an array of keys that could not be processed and should be requested again.",
  },
});

/** Parts 4.2, 7 and 8: transactions. */
export const transactionClauses = defineClauses({
  "4.2": {
    "TX-01":
      "For every item, a transactional get returns pk, sk, item (an object with its attributes, or null) and itemExists.",
    "TX-02": "With a projectionExpression, a transactional get returns only the named attributes of an item.",
    "TX-06":
      "A transactional write returns 200 with successCount (the number of operations applied) and errors (null or an array).",
    "TX-07": "In a transaction, a Put writes its item and a Delete deletes its item.",
    "TX-20":
      "A transaction with an action other than Put, Update, Delete or ConditionCheck is not applied, not even in part.",
  },
  "4.2 rule 11": {
    "TX-03": "A transactional get reads all items at one consistent point in time.",
  },
  "8": {
    "TX-04": "A transactional get of 100 items is accepted.",
    "TX-05": "A transactional get of more than 100 items is rejected.",
    "TX-15":
      "A clientRequestToken expires, but not within 10 minutes of its first use; after it expires, the next request with this token is executed.",
    "TX-16": "A transactional write of 25 items is accepted.",
    "TX-17": "A transactional write of more than 25 items is rejected, and nothing changes.",
    "TX-18":
      "A transaction request over 4 MB in total is not applied, not even in part; a smaller request is accepted. " +
      "This clause applies only to requests at least 1% larger than 4,194,304 bytes or at least 1% smaller than 4,000,000 bytes.",
    "TX-19":
      "A transaction with an item over 400 KB is not applied, not even in part; a transaction with smaller items is " +
      "accepted. This clause applies only to items at least 1% larger than 409,600 bytes or at least 1% smaller than 400,000 bytes.",
  },
  "4.2 rule 10": {
    "TX-08": "Update sets the given attributes of an existing item and keeps its other attributes.",
    "TX-09": "ConditionCheck verifies its condition and modifies nothing, not even timestamps.",
  },
  "4.2 rule 9": {
    "TX-10": "If any operation of a transaction fails, nothing is applied and successCount is 0.",
  },
  "7": {
    "TX-11":
      "Each error of a failed transaction has the itemIndex, pk and sk of an operation, as well as error and errorType.",
    "TX-12":
      "An operation whose condition is false causes its transaction to fail; only such an operation has the errorType ConditionalCheckFailed.",
    "TX-13":
      "errorType is one of ConditionalCheckFailed, ItemCollectionSizeLimitExceeded, TransactionCanceled, ValidationError and InternalServerError.",
  },
  "4.2 rule 12": {
    "TX-14":
      "If a transaction was applied, repeating its clientRequestToken within 10 minutes returns the original result without executing the transaction again.",
  },
});
