import type { Statement } from "./statement.js";

/** Part 4.2: batches and transactions of items. */
export const batchStatements: readonly Statement[] = [
  { part: "4.2", says: "Batch write takes up to 25 items", clauses: ["BATCH-07", "BATCH-08"] },
  {
    part: "4.2",
    says: "Batch write: operation is Put or Delete",
    clauses: ["BATCH-02", "BATCH-03", "BATCH-06"],
  },
  { part: "4.2", says: "Batch write: pk and an optional sk", clauses: ["BATCH-02", "BATCH-03"] },
  { part: "4.2", says: "Batch write: Put requires data", clauses: ["BATCH-06"] },
  {
    part: "4.2",
    says: "Batch write answers successCount, failedCount and errors or null",
    clauses: ["BATCH-01"],
  },
  { part: "4.2", says: "Batch get takes up to 100 keys of pk and sk", clauses: ["BATCH-11", "BATCH-12"] },
  { part: "4.2", says: "Batch get answers whole items", clauses: ["BATCH-09"] },
  { part: "4.2", says: "Batch get answers unprocessedKeys, keys or null", clauses: ["BATCH-10"] },
  { part: "4.2", says: "Not said: a key that a batch get names twice", gaps: ["batch-get-duplicate-key"] },
  { part: "4.2", says: "Not said: a batch or transaction without entries", gaps: ["empty-batch"] },
  {
    part: "4.2",
    says: "Transact get takes up to 100 items of pk and an optional sk",
    clauses: ["TX-01", "TX-04"],
  },
  { part: "4.2", says: "Transact get takes a projectionExpression of attribute names", clauses: ["TX-02"] },
  { part: "4.2", says: "Transact get takes an optional clientRequestToken", clauses: ["TX-14"] },
  { part: "4.2", says: "Transact get answers pk, sk, item or null, itemExists", clauses: ["TX-01"] },
  { part: "4.2", says: "Transact write takes up to 25 items", clauses: ["TX-16", "TX-17"] },
  {
    part: "4.2",
    says: "Transact write: action is Put, Update, Delete or ConditionCheck",
    clauses: ["TX-07", "TX-08", "TX-09"],
  },
  { part: "4.2", says: "Transact write: pk, sk and data", clauses: ["TX-07", "TX-08"] },
  { part: "4.2", says: "Transact write: conditionExpression", clauses: ["TX-09", "TX-12"] },
  { part: "4.2", says: "Transact write takes an optional clientRequestToken", clauses: ["TX-14"] },
  { part: "4.2", says: "Transact write answers successCount and errors or null", clauses: ["TX-06"] },

  { part: "4.2 rule 7", says: "Entries of a batch write are independent", clauses: ["BATCH-04"] },
  { part: "4.2 rule 7", says: "The answer is 200 when some fail", clauses: ["BATCH-04"] },
  {
    part: "4.2 rule 7",
    says: "failedCount is above 0 then, and errors lists the keys",
    clauses: ["BATCH-05"],
  },
  { part: "4.2 rule 7", says: "Not said: a condition in an entry", gaps: ["batch-conditions"] },
  { part: "4.2 rule 7", says: "Not said: two entries on one key", gaps: ["batch-write-duplicate-key"] },
  { part: "4.2 rule 8", says: "Keys not processed are in unprocessedKeys, for retry", clauses: ["BATCH-10"] },
  { part: "4.2 rule 9", says: "Transact write is all or nothing", clauses: ["TX-10"] },
  { part: "4.2 rule 9", says: "When an operation fails successCount is 0", clauses: ["TX-10"] },
  { part: "4.2 rule 9", says: "Not said: two operations on one key", gaps: ["transaction-duplicate-key"] },
  { part: "4.2 rule 10", says: "ConditionCheck verifies and changes nothing", clauses: ["TX-09"] },
  { part: "4.2 rule 10", says: "Update updates attributes of an existing item", clauses: ["TX-08"] },
  {
    part: "4.2 rule 10",
    says: "Not said: Update of an item that is not there",
    gaps: ["update-missing-item"],
  },
  { part: "4.2 rule 11", says: "Transact get reads at one point in time", clauses: ["TX-03"] },
  {
    part: "4.2 rule 12",
    says: "A token repeated within 10 minutes gets the first result, executing nothing",
    clauses: ["TX-14"],
  },
  { part: "4.2 rule 12", says: "Not said: the token with another body", gaps: ["token-reuse-other-body"] },
];
