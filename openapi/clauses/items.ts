import { defineClauses } from "./clause.js";

/** Parts 2, 4.2, 7 and 8: raw items. */
export const itemClauses = defineClauses({
  "4.2": {
    "ITEM-01": "Put answers 200 with pk, sk and updatedAt.",
    "ITEM-08": "A Put without pk, or without data, is refused.",
    "ITEM-12": "GET /{pk} and GET /{pk}/{sk} answer 200 with pk, sk, data, createdAt and updatedAt.",
    "ITEM-15": "DELETE of an item answers 204 with an empty body; the item is gone.",
    "ITEM-28": "Query and scan answer items of pk, sk and data, nextCursor, count and scannedCount.",
    "ITEM-29":
      "count is the number of items on the page, on all pages, on those up to it or on those from it on; scannedCount is a number of items of the partition, and what a filter looks at is scanned.",
    "ITEM-31": "Query and scan return at most `limit` items, 20 without one.",
    "ITEM-32":
      "With a filterExpression query and scan return only the items it matches, and over all pages all of them.",
    "ITEM-34": "A query without partitionKey is refused.",
  },
  "4.2 rule 1": {
    "ITEM-02": "Put creates the item when there is none of that pk and sk.",
    "ITEM-03": "Put replaces an existing item: its data becomes the given data, whole.",
    "ITEM-04": "With attribute_not_exists(pk), Put writes only when the item does not exist.",
    "ITEM-05": "With attribute_exists(pk), Put writes only when the item exists.",
    "ITEM-06":
      "With a comparison of an attribute and a named value, Put writes only when the comparison holds.",
    "ITEM-07": "A Put whose condition is false writes nothing, and is not answered like one that was done.",
  },
  "2": {
    "ITEM-09":
      "Attributes may be strings, numbers, booleans, null, arrays and objects; data comes back as it was put, numbers as doubles.",
    "ITEM-10": "sk is optional; an item without one has sk null.",
    "ITEM-11": "pk and sk identify an item: items that differ in either are different items.",
    "ITEM-38":
      "createdAt and updatedAt are fields of an item: get and batch get return when it was created, and the updatedAt of its last Put.",
  },
  "4.2 rule 2": {
    "ITEM-13": "Get of a missing item answers 404 with a problem body.",
  },
  "7": {
    "ITEM-14": "The problem body of a missing item has type (a URL), title, status and detail.",
  },
  "4.2 rule 6": {
    "ITEM-16": "Query returns items of one partition: the one with the given key.",
    "ITEM-25":
      "Whatever is made of a sortKeyCondition in none of these formats, the query reads its partition alone.",
    "ITEM-33": "Scan reads all items of the database.",
  },
  "4.2 rule 3": {
    "ITEM-17":
      "Without sortKeyCondition all items of the partition are candidates, the one without sort key included.",
    "ITEM-18": "`=:value` selects the item with that sort key.",
    "ITEM-19": "`<:value` selects sort keys below the value.",
    "ITEM-20": "`<=:value` selects sort keys up to and including the value.",
    "ITEM-21": "`>:value` selects sort keys above the value.",
    "ITEM-22": "`>=:value` selects sort keys from the value on.",
    "ITEM-23": "`begins_with:prefix` selects sort keys that begin with the prefix.",
    "ITEM-24": "`between:low:high` selects sort keys from low to high, both included.",
  },
  "4.2 rule 4": {
    "ITEM-26": "scanForward true, the default, returns ascending sort-key order.",
    "ITEM-27": "scanForward false returns descending sort-key order.",
  },
  "4.2 rule 5": {
    "ITEM-30": "Passing nextCursor as cursor continues after the last item; null ends the results.",
  },
  "8": {
    "ITEM-35":
      "An item of 400 KB is accepted: one of a hundredth less, at least, of a KB being 1000 bytes. What counts to the byte is open.",
    "ITEM-36":
      "An item over 400 KB is refused, and nothing changes: one of a hundredth more, at least, of a KB being 1024 bytes.",
  },
  "5": {
    "ITEM-37":
      "Item operations take an API key with database:read or database:write, according to the operation.",
  },
});
