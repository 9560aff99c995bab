import { defineClauses } from "./clause.js";

/** Parts 2, 4.2, 7 and 8: raw items. */
export const itemClauses = defineClauses({
  "ITEM-01": { part: "4.2", statement: "Put answers 200 with pk, sk and updatedAt." },
  "ITEM-02": { part: "4.2 rule 1", statement: "Put creates the item when there is none of that pk and sk." },
  "ITEM-03": {
    part: "4.2 rule 1",
    statement: "Put replaces an existing item: its data becomes the given data, whole.",
  },
  "ITEM-04": {
    part: "4.2 rule 1",
    statement: "With attribute_not_exists(pk), Put writes only when the item does not exist.",
  },
  "ITEM-05": {
    part: "4.2 rule 1",
    statement: "With attribute_exists(pk), Put writes only when the item exists.",
  },
  "ITEM-06": {
    part: "4.2 rule 1",
    statement:
      "With a comparison of an attribute and a named value, Put writes only when the comparison holds.",
  },
  "ITEM-07": {
    part: "4.2 rule 1",
    statement: "A Put whose condition is false writes nothing, and is not answered like one that was done.",
  },
  "ITEM-08": { part: "4.2", statement: "A Put without pk, or without data, is refused." },
  "ITEM-09": {
    part: "2",
    statement:
      "Attributes may be strings, numbers, booleans, null, arrays and objects; data comes back as it was put, numbers as doubles.",
  },
  "ITEM-10": { part: "2", statement: "sk is optional; an item without one has sk null." },
  "ITEM-11": {
    part: "2",
    statement: "pk and sk identify an item: items that differ in either are different items.",
  },
  "ITEM-12": {
    part: "4.2",
    statement: "GET /{pk} and GET /{pk}/{sk} answer 200 with pk, sk, data, createdAt and updatedAt.",
  },
  "ITEM-13": { part: "4.2 rule 2", statement: "Get of a missing item answers 404 with a problem body." },
  "ITEM-14": {
    part: "7",
    statement: "The problem body of a missing item has type (a URL), title, status and detail.",
  },
  "ITEM-15": {
    part: "4.2",
    statement: "DELETE of an item answers 204 with an empty body; the item is gone.",
  },
  "ITEM-16": {
    part: "4.2 rule 6",
    statement: "Query returns items of one partition: the one with the given key.",
  },
  "ITEM-17": {
    part: "4.2 rule 3",
    statement:
      "Without sortKeyCondition all items of the partition are candidates, the one without sort key included.",
  },
  "ITEM-18": { part: "4.2 rule 3", statement: "`=:value` selects the item with that sort key." },
  "ITEM-19": { part: "4.2 rule 3", statement: "`<:value` selects sort keys below the value." },
  "ITEM-20": { part: "4.2 rule 3", statement: "`<=:value` selects sort keys up to and including the value." },
  "ITEM-21": { part: "4.2 rule 3", statement: "`>:value` selects sort keys above the value." },
  "ITEM-22": { part: "4.2 rule 3", statement: "`>=:value` selects sort keys from the value on." },
  "ITEM-23": {
    part: "4.2 rule 3",
    statement: "`begins_with:prefix` selects sort keys that begin with the prefix.",
  },
  "ITEM-24": {
    part: "4.2 rule 3",
    statement: "`between:low:high` selects sort keys from low to high, both included.",
  },
  "ITEM-25": {
    part: "4.2 rule 6",
    statement:
      "Whatever is made of a sortKeyCondition in none of these formats, the query reads its partition alone.",
  },
  "ITEM-26": {
    part: "4.2 rule 4",
    statement: "scanForward true, the default, returns ascending sort-key order.",
  },
  "ITEM-27": { part: "4.2 rule 4", statement: "scanForward false returns descending sort-key order." },
  "ITEM-28": {
    part: "4.2",
    statement: "Query and scan answer items of pk, sk and data, nextCursor, count and scannedCount.",
  },
  "ITEM-29": {
    part: "4.2",
    statement:
      "count is the number of items on the page, on all pages, on those up to it or on those from it on; scannedCount is a number of items of the partition, and what a filter looks at is scanned.",
  },
  "ITEM-30": {
    part: "4.2 rule 5",
    statement: "Passing nextCursor as cursor continues after the last item; null ends the results.",
  },
  "ITEM-31": { part: "4.2", statement: "Query and scan return at most `limit` items, 20 without one." },
  "ITEM-32": {
    part: "4.2",
    statement:
      "With a filterExpression query and scan return only the items it matches, and over all pages all of them.",
  },
  "ITEM-33": { part: "4.2 rule 6", statement: "Scan reads all items of the database." },
  "ITEM-34": { part: "4.2", statement: "A query without partitionKey is refused." },
  "ITEM-35": {
    part: "8",
    statement:
      "An item of 400 KB is accepted: one of a hundredth less, at least, of a KB being 1000 bytes. What counts to the byte is open.",
  },
  "ITEM-36": {
    part: "8",
    statement:
      "An item over 400 KB is refused, and nothing changes: one of a hundredth more, at least, of a KB being 1024 bytes.",
  },
  "ITEM-37": {
    part: "5",
    statement:
      "Item operations take an API key with database:read or database:write, according to the operation.",
  },
  "ITEM-38": {
    part: "2",
    statement:
      "createdAt and updatedAt are fields of an item: get and batch get return when it was created, and the updatedAt of its last Put.",
  },
});
