import { defineGaps } from "./gap.js";

/** Questions about raw items. */
export const itemGaps = defineGaps({
  "put-item-route": {
    part: "4.2",
    question: "What are method and path of Put item?",
    choices: ["PUT /items", "POST /items", "PUT /items/{pk}[/{sk}]"],
    route: { methods: ["PUT", "POST", "PATCH"], parameters: ["databaseId"], keys: true },
    samples: ["POST /api/v1/databases/{databaseId}/items/put", "PUT /v1/{databaseId}/records/{pk}[/{sk}]"],
    observable: "yes",
    note:
      "The first three are below `/api/v1/databases/{databaseId}`; any other is written whole. With the keys in the " +
      "path the body may leave out `pk` and `sk`; where it has them, they must equal the path's.",
  },
  "condition-failed-status": {
    part: "7",
    question: "Which status answers a single Put whose condition is false?",
    choices: [409, 412, 400],
    anyRefusal: true,
    samples: [418],
    observable: "yes",
  },
  "item-too-large-status": {
    part: "7",
    question: "Which status answers an item over 400 KB?",
    choices: [413, 400, 422],
    anyRefusal: true,
    samples: [418],
    observable: "yes",
  },
  "delete-missing-item": {
    part: "4.2",
    question: "Which status answers DELETE of an item that is not there?",
    choices: [204, 404],
    observable: "yes",
  },
  "created-at-on-replace": {
    part: "4.2 rule 1",
    question: "What is createdAt after a Put over an existing item?",
    choices: ["kept", "reset"],
    observable: "yes",
  },
  "limit-counts": {
    part: "4.2 rule 5",
    question: "What does `limit` count when there is a filter?",
    choices: ["examined", "returned"],
    observable: "yes",
    note: "`examined`: a page ends after `limit` candidates, however few of them match.",
  },
  "condition-grammar": {
    part: "4.2 rule 1",
    question: "Which operators and functions does a `conditionExpression` know?",
    choices: ["full", "documented"],
    observable: "yes",
    note:
      "`full`: attribute_exists, attribute_not_exists, = <> < <= > >=, AND, OR, NOT, parentheses, BETWEEN, IN, " +
      "begins_with, contains, size. `documented`: one of attribute_exists(pk), attribute_not_exists(pk) and " +
      "<attribute> <comparison> :name.",
  },
  "condition-values": {
    part: "4.2 rule 1",
    question: "Which member beside `conditionExpression` holds the values of its `:name`s?",
    choices: ["conditionValues", "expressionAttributeValues"],
    observable: "yes",
  },
  "item-filter-grammar": {
    part: "4.2",
    question: "What does the `filterExpression` object of query and scan know?",
    choices: ["operators", "equality"],
    observable: "yes",
    note:
      "`operators`: field → value, or field → {$eq, $ne, $gt, $gte, $lt, $lte, $in, $exists, $beginsWith, $contains}, " +
      "and $and, $or, $not. `equality`: field → value alone.",
  },
  "expression-length-max": {
    part: "8",
    question: "How long may an expression be?",
    choices: [],
    range: { minimum: 256, maximum: 65_536, unit: "characters" },
    default: 4096,
    samples: [4096, 512],
    observable: "yes",
    note: "Expressions nest at most 50 levels deep.",
  },
});
