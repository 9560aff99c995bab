import { defineGaps } from "./gap.js";

/** Questions about raw items. */
export const itemGaps = defineGaps({
  "put-item-route": {
    part: "4.2",
    question: "What are method and path of Put item?",
    choices: ["PUT /items", "POST /items", "PUT /items/{pk}[/{sk}]"],
    route: { methods: ["PUT", "POST", "PATCH"], parameters: ["databaseId"], keys: true },
    samples: ["POST /api/v1/databases/{databaseId}/items/put", "PUT /v1/{databaseId}/records/{pk}[/{sk}]"],
    note:
      "The first three are below `/api/v1/databases/{databaseId}`; any other is written whole. With the keys in the " +
      "path the body may leave out `pk` and `sk`; where it has them, they must equal the path's.",
  },
  "condition-failed-status": {
    part: "7",
    question: "Which status answers a single Put whose condition is false?",
    choices: [409, 412, 400],
    anyRefusal: true,
  },
  "too-large-status": {
    part: "7",
    question: "Which status answers an item over 400 KB, and a transaction over 4 MB?",
    choices: [413, 400, 422],
    anyRefusal: true,
  },
  "delete-missing-item": {
    part: "4.2",
    question: "Which status answers DELETE of an item that is not there?",
    choices: [204, 404],
    anyRefusal: true,
  },
  "number-precision": {
    part: "2",
    question: "What is kept of a number that no double holds?",
    choices: ["exact", "double"],
    note:
      "`exact`: every digit, and the spelling with them. `double`: the nearest double; 9007199254740993 comes back as " +
      "9007199254740992. Holds for data of items and entities, and for the values that they are compared with.",
  },
  "key-characters": {
    part: "2",
    question: "Which texts may be keys of items?",
    choices: ["any", "plain"],
    note:
      "`plain`: up to 255 of A-Z, a-z, 0-9 and - _ . : # @ ~, which go through every gateway and into every store. Others are " +
      "refused with `validation-status`, as `pk`, `sk` or `partitionKey` and in the path.",
  },
  "item-updated-at": {
    part: "2",
    question: "When does updatedAt of an item change?",
    choices: ["each-put", "when-data-changes", "never"],
    note:
      'The specification: "Raw items: […] timestamps and versioning manual." `each-put`: with every Put and Update, ' +
      "even of the same data. `never`: it stays that of the item's first write.",
  },
  "scan-order": {
    part: "4.2 rule 6",
    question: "In which order do the partitions of a scan come?",
    choices: ["by-key", "scattered"],
    note:
      "`by-key`: in the order of the UTF-8 bytes of `pk`. `scattered`: in one that keys do not tell, the same each time, as " +
      "of stores that spread partitions by a hash. In a partition items come in the order of their sort keys.",
  },
  "between-split": {
    part: "4.2 rule 3",
    question:
      "Which colon of `between:low:high` ends the lower bound when the bounds have colons themselves?",
    choices: ["middle", "first", "last", "refused"],
    note:
      "`middle`: bounds with equally many colons work. Where there is no middle colon, or the bounds that it leaves are " +
      "in the wrong order, another one may have been meant, and the condition is refused.",
  },
  "limit-with-filter": {
    part: "4.2 rule 5",
    question: "What does `limit` count when there is a filter?",
    choices: ["examined", "returned"],
    note: "`examined`: a page ends after `limit` candidates, however few of them match.",
  },
  "condition-grammar": {
    part: "4.2 rule 1",
    question: "Which operators and functions does a `conditionExpression` know?",
    choices: ["full", "documented"],
    note:
      "`full`: attribute_exists, attribute_not_exists, = <> < <= > >=, AND, OR, NOT, parentheses, BETWEEN, IN, " +
      "begins_with, contains, size. `documented`: one of attribute_exists(pk), attribute_not_exists(pk) and " +
      "<attribute> <comparison> :name.",
  },
  "condition-values": {
    part: "4.2 rule 1",
    question: "Which member beside `conditionExpression` holds the values of its `:name`s?",
    choices: ["filterValues", "conditionValues", "expressionAttributeValues"],
    name: {
      of: "a member",
      pattern: "^(?!(?:pk|sk|data|operation|action|conditionExpression)$)[A-Za-z_][A-Za-z0-9_]{0,63}$",
    },
    samples: ["values"],
    note: "`filterValues` is what the specification calls them beside the filter of a repository query.",
  },
  "missing-attribute": {
    part: "4.2",
    question: "What does a condition or filter make of an attribute that is not there?",
    choices: ["unequal", "as-null", "no-match"],
    note:
      "`unequal`: it is unequal to every value (`<>`, `$ne`) and equal to none. `as-null`: it equals null, and is unequal to " +
      "every other value. `no-match`: every comparison with it is false, as in SQL. Of items and entities; `<` and the like " +
      "are false in any case.",
  },
  "item-filter-grammar": {
    part: "4.2",
    question: "What does the `filterExpression` object of query and scan know?",
    choices: ["operators", "equality"],
    note:
      "`operators`: field → value, or field → {$eq, $ne, $gt, $gte, $lt, $lte, $in, $exists, $beginsWith, $contains}, " +
      "and $and, $or, $not. `equality`: field → value alone.",
  },
});
