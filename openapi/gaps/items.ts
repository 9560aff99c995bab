import { defineGaps } from "./gap.js";

/** Gaps about raw items. */
export const itemGaps = defineGaps({
  "put-item-route": {
    part: "4.2",
    question: "What are the method and path for putting an item?",
    choices: ["PUT /items", "POST /items", "PUT /items/{pk}[/{sk}]"],
    route: { methods: ["PUT", "POST", "PATCH"], parameters: ["databaseId"], keys: true },
    samples: ["POST /api/v1/databases/{databaseId}/items/put", "PUT /v1/{databaseId}/records/{pk}[/{sk}]"],
    note:
      "The first three paths are relative to `/api/v1/databases/{databaseId}`; any other path must be given in full. If the " +
      "path contains the keys, the body can omit `pk` and `sk`; a `pk` or `sk` in the body must equal the key in the " +
      "path.",
  },
  "condition-failed-status": {
    part: "7",
    question: "Which status is returned for a single Put if its condition is false?",
    choices: [409, 412, 400],
    anyRefusal: true,
  },
  "too-large-status": {
    part: "7",
    question: "Which status is returned for an item over 400 KB or a transaction over 4 MB?",
    choices: [413, 400, 422],
    anyRefusal: true,
  },
  "delete-missing-item-status": {
    part: "4.2",
    question: "Which status is returned if the item to delete does not exist?",
    choices: [204, 404],
    anyRefusal: true,
  },
  "number-precision": {
    part: "2",
    question: "How are numbers stored if a double cannot represent them exactly?",
    choices: ["exact", "double"],
    note: "`exact`: with all digits, as they were written. `double`: as the nearest double; for example, 9007199254740993 is returned as 9007199254740992. This applies to item and entity data, and to the values that conditions and filters compare with it.",
  },
  "key-characters": {
    part: "2",
    question: "Which strings are valid item keys?",
    choices: ["any", "plain"],
    note:
      "`plain`: at most 255 characters, all of them A-Z, a-z, 0-9 or - _ . : # @ ~. Every gateway and store supports such keys. " +
      "Other keys are rejected with `validation-status`, both in the path and as `pk`, `sk` or `partitionKey`.",
  },
  "item-updated-at": {
    part: "2",
    question: "When does an item's `updatedAt` change?",
    choices: ["each-put", "when-data-changes", "never"],
    note:
      'The specification says: "Raw items: […] timestamps and versioning manual." `each-put`: on every Put and ' +
      "Update, even if the data stays the same. `never`: `updatedAt` remains the time of the item's first write.",
  },
  "scan-order": {
    part: "4.2 rule 6",
    question: "In which order does a scan return partitions?",
    choices: ["by-key", "scattered"],
    note:
      "`by-key`: in the order of the UTF-8 bytes of `pk`. `scattered`: in a fixed order unrelated to the order of the " +
      "keys, as in stores that distribute partitions by hash. Within a partition, items are returned in sort-key order.",
  },
  "between-split": {
    part: "4.2 rule 3",
    question:
      "Which colon of `between:low:high` ends the lower bound if the bounds themselves contain colons?",
    choices: ["middle", "first", "last", "refused"],
    note:
      "`middle`: the middle one of all colons, so both bounds must have the same number of colons. If there is no middle " +
      "colon, or if there are several colons and the resulting bounds are in the wrong order, the condition is ambiguous " +
      "and is rejected.",
  },
  "limit-with-filter": {
    part: "4.2 rule 5",
    question: "What does `limit` count if there is a filter?",
    choices: ["examined", "returned"],
    note: "`examined`: a page ends after `limit` items have been scanned, even if few of them match.",
  },
  "condition-grammar": {
    part: "4.2 rule 1",
    question: "Which operators and functions does a `conditionExpression` support?",
    choices: ["full", "documented"],
    note:
      "`full`: attribute_exists, attribute_not_exists, = <> < <= > >=, AND, OR, NOT, parentheses, BETWEEN, IN, " +
      "begins_with, contains, size. `documented`: exactly one of attribute_exists(pk), attribute_not_exists(pk) and " +
      "<attribute> <comparison> :name.",
  },
  "condition-values": {
    part: "4.2 rule 1",
    question: "Which field contains the value for each `:<name>` in a `conditionExpression`?",
    choices: ["filterValues", "conditionValues", "expressionAttributeValues"],
    name: {
      of: "field",
      pattern: "^(?!(?:pk|sk|data|operation|action|conditionExpression)$)[A-Za-z_][A-Za-z0-9_]{0,63}$",
    },
    samples: ["values"],
    note: "The specification uses `filterValues` for the filter of a repository query.",
  },
  "missing-attribute": {
    part: "4.2",
    question: "How does a condition or filter treat a missing attribute?",
    choices: ["unequal", "as-null", "no-match"],
    note: "`unequal`: the attribute is unequal to every value (`<>`, `$ne`) and equal to no value. `as-null`: the attribute equals null and is unequal to every other value. `no-match`: every comparison with the attribute is false, so its negation with NOT or `$not` is true. This applies to items and entities. Whatever the answer, a missing attribute makes comparisons that use `<`, `<=`, `>` or `>=` false.",
  },
  "item-filter-grammar": {
    part: "4.2",
    question: "What does the `filterExpression` object of query and scan support?",
    choices: ["operators", "equality"],
    note: "`operators`: $eq, $ne, $gt, $gte, $lt, $lte, $in, $exists, $beginsWith and $contains test an attribute; $and, $or and $not combine filters. `equality`: a filter can only test whether attributes equal given values.",
  },
});
