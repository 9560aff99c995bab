import { defineClauses } from "./clause.js";

/** Parts 2, 4.2, 7 and 8: raw items. */
export const itemClauses = defineClauses({
  "4.2": {
    "ITEM-01": "Put returns 200 with pk, sk and updatedAt.",
    "ITEM-08": "A Put without `pk` or without `data` is rejected.",
    "ITEM-12": "GET /{pk} and GET /{pk}/{sk} return 200 with pk, sk, data, createdAt and updatedAt.",
    "ITEM-15": "DELETE of an item returns 204 with an empty body, and the item no longer exists.",
    "ITEM-28":
      "Query and scan return items with pk, sk and data, as well as nextCursor, count and scannedCount.",
    "ITEM-29":
      "count has one of four meanings: the number of items on this page, on all pages, on all pages up to and including this one, or on this page and all later ones.",
    "ITEM-39":
      "scannedCount counts items in the partition before filtering, including items that the filter rejects.",
    "ITEM-31": "Query and scan return at most `limit` items, or 20 without `limit`.",
    "ITEM-32":
      "With a filterExpression, all pages of a query or scan together contain the matching items and no others.",
    "ITEM-34": "A query without partitionKey is rejected.",
  },
  "4.2 rule 1": {
    "ITEM-02": "Put creates the item if no item has this pk and sk.",
    "ITEM-03": "Put replaces an existing item: the given data replaces all of its data.",
    "ITEM-04": "With the condition attribute_not_exists(pk), Put writes only if the item does not exist.",
    "ITEM-05": "With the condition attribute_exists(pk), Put writes only if the item exists.",
    "ITEM-06":
      "With a condition that compares an attribute with the value of a placeholder, Put writes only if the comparison is true.",
    "ITEM-07":
      "A Put whose condition is false writes nothing, and its response differs from that of a successful Put.",
  },
  "2": {
    "ITEM-09":
      "Attributes can be strings, numbers, booleans, null, arrays and objects; data is returned as it was put, with at least the precision of doubles.",
    "ITEM-10": "sk is optional; it is null for an item without a sort key.",
    "ITEM-11": "pk and sk identify an item: items that differ in either are different items.",
    "ITEM-38":
      "Get and batch get return createdAt (the time at which the item was created) and updatedAt (the time of its last Put).",
  },
  "4.2 rule 2": {
    "ITEM-13": "A Get of a missing item returns 404 with a problem body.",
  },
  "7": {
    "ITEM-14": "The problem body for a missing item has type (a URL), title, status and detail.",
  },
  "4.2 rule 6": {
    "ITEM-16": "A query returns only items of the partition with the given key.",
    "ITEM-25":
      "A query with a sortKeyCondition in an undocumented format reads only the partition with the given key, regardless of how the condition is handled.",
    "ITEM-33": "Scan reads all items of the database.",
  },
  "4.2 rule 3": {
    "ITEM-17":
      "Without sortKeyCondition, a query covers all items of the partition, including the item without a sort key.",
    "ITEM-18": "`=:value` selects the item with that sort key.",
    "ITEM-19": "`<:value` selects sort keys less than the value.",
    "ITEM-20": "`<=:value` selects sort keys less than or equal to the value.",
    "ITEM-21": "`>:value` selects sort keys greater than the value.",
    "ITEM-22": "`>=:value` selects sort keys greater than or equal to the value.",
    "ITEM-23": "`begins_with:prefix` selects sort keys that start with the prefix.",
    "ITEM-24": "`between:low:high` selects sort keys from low to high, inclusive.",
  },
  "4.2 rule 4": {
    "ITEM-26": "With scanForward true, the default, a query returns items in ascending sort-key order.",
    "ITEM-27": "With scanForward false, a query returns items in descending sort-key order.",
  },
  "4.2 rule 5": {
    "ITEM-30":
      "Passing nextCursor as cursor continues after the last item of the page; nextCursor is null when there are no more results.",
  },
  "8": {
    "ITEM-35":
      "An item of 400 KB is accepted. The specification does not say how many bytes 400 KB are, so this clause applies only to items at least 1% smaller than 400,000 bytes.",
    "ITEM-36":
      "An item over 400 KB is rejected, and nothing changes. The specification does not say how many bytes 400 KB are, so this clause applies only to items at least 1% larger than 409,600 bytes.",
  },
  "5": {
    "ITEM-37":
      "Item operations accept an API key with database:read or database:write, depending on the operation.",
  },
});
