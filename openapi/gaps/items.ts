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
    anyRefusal: true,
    samples: [418],
    observable: "yes",
  },
  "number-precision": {
    part: "2",
    question: "What is kept of a number that no double holds?",
    choices: ["exact", "double"],
    observable: "yes",
    note:
      "`exact`: every digit, and the spelling with them. `double`: the nearest double; 9007199254740993 comes back as " +
      "9007199254740992. Holds for data of items and entities, and for the values that they are compared with.",
  },
  "number-range": {
    part: "2",
    question: "Which numbers may data hold?",
    choices: ["doubles", "decimals"],
    observable: "yes",
    note:
      "`doubles`: up to about 1.8e308, with as many digits as there are. `decimals`: 0, and what has at most 38 digits and a " +
      "size from 1e-130 to below 1e126. Others are refused with `validation-status`. Holds for every number of a request " +
      "but those of the SQL interface, which has types of its own.",
  },
  "nul-characters": {
    part: "2",
    question: "May keys, data and other texts hold the character U+0000?",
    choices: ["accepted", "refused"],
    observable: "yes",
    note:
      "`refused` answers with `validation-status`, and at the SQL interface with SQL_VALIDATION_ERROR: some stores have no " +
      "room for that character.",
  },
  "key-characters": {
    part: "2",
    question: "Which texts may be keys of items?",
    choices: ["any", "plain"],
    observable: "yes",
    note:
      "`plain`: up to 255 of A-Z, a-z, 0-9 and - _ . : # @ ~, which go through every gateway and into every store. Others are " +
      "refused with `validation-status`, as `pk`, `sk` or `partitionKey` and in the path.",
  },
  "empty-sort-key": {
    part: "4.2 rule 3",
    question: "What is an empty text where a sort key, a sortKeyCondition or a value in one is expected?",
    choices: ["refused", "absent"],
    observable: "yes",
    note:
      '`absent`: `"sk": ""` names the item without sort key, a `sortKeyCondition` without characters is none, and a ' +
      "value without characters is the sort key of the item without one, which is below all others.",
  },
  "item-updated-at": {
    part: "2",
    question: "When does updatedAt of an item change?",
    choices: ["each-put", "when-data-changes", "never"],
    observable: "yes",
    note:
      'The specification: "Raw items: […] timestamps and versioning manual." `each-put`: with every Put and Update, ' +
      "even of the same data. `never`: it stays that of the item's first write.",
  },
  "created-at-on-replace": {
    part: "4.2 rule 1",
    question: "What is createdAt after a Put over an existing item?",
    choices: ["kept", "reset"],
    observable: "yes",
  },
  "sort-key-order": {
    part: "4.2 rule 4",
    question: "In which order do sort keys ascend?",
    choices: ["utf-8", "utf-16"],
    observable: "yes",
    note:
      "`utf-8`: that of their UTF-8 bytes, which is that of code points. `utf-16`: that of their UTF-16 units, in which " +
      "U+10000 and above come before U+E000. Conditions select by the same order.",
  },
  "scan-order": {
    part: "4.2 rule 6",
    question: "In which order do the partitions of a scan come?",
    choices: ["by-key", "scattered"],
    observable: "yes",
    note:
      "`by-key`: in the order of the UTF-8 bytes of `pk`. `scattered`: in one that keys do not tell, the same each time, as " +
      "of stores that spread partitions by a hash. In a partition items come in the order of their sort keys.",
  },
  "no-sort-key-in-range": {
    part: "4.2 rule 3",
    question: "Which range of sort keys has the item without one in it?",
    choices: ["none", "below"],
    observable: "yes",
    note: "`below`: it is below every sort key, so that `<:value` and `<=:value` select it.",
  },
  "between-split": {
    part: "4.2 rule 3",
    question:
      "Which colon of `between:low:high` ends the lower bound when the bounds have colons themselves?",
    choices: ["middle", "first", "last", "refused"],
    observable: "yes",
    note:
      "`middle`: bounds with equally many colons work. Where there is no middle colon, or the bounds that it leaves are " +
      "in the wrong order, another one may have been meant, and the condition is refused.",
  },
  "between-reversed": {
    part: "4.2 rule 3",
    question: "What does `between:low:high` select when low is above high?",
    choices: ["nothing", "refused"],
    observable: "yes",
  },
  "unknown-sort-key-condition": {
    part: "4.2 rule 3",
    question: "What becomes of a query whose sortKeyCondition has none of the formats?",
    choices: ["refused", "ignored", "selects-nothing"],
    observable: "yes",
  },
  "page-count": {
    part: "4.2",
    question: "What does `count` of a query or scan count where there are further pages?",
    choices: ["page", "all-pages"],
    observable: "yes",
    note:
      "`page`: the items of the page. `all-pages`: those of all pages together, from the first one on, whichever of them " +
      "is asked for; with a filter the items that it matches.",
  },
  "scanned-count": {
    part: "4.2",
    question: "What does `scannedCount` count?",
    choices: ["examined", "returned", "left-out"],
    observable: "yes",
    note:
      "`examined`: the candidates that were looked at for the page. `returned`: the items of the page. " +
      "`left-out`: the candidates that the filter left out.",
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
    choices: ["conditionValues", "expressionAttributeValues", "filterValues"],
    observable: "yes",
  },
  "missing-attribute-unequal": {
    part: "4.2 rule 1",
    question: "Is an attribute that is not there unequal to a value?",
    choices: ["no", "yes"],
    observable: "yes",
    note:
      "For `<>` and `$ne` in conditions and filters, of items and entities. `no`: a comparison with what is not there is " +
      "false, this one included, as in SQL. `yes`: it holds, as in many document stores.",
  },
  "missing-attribute-null": {
    part: "4.2",
    question: "Does an attribute that is not there equal null?",
    choices: ["no", "yes"],
    observable: "yes",
    note: "For `=`, IN, `$eq` and `$in` in conditions and filters, of items and entities, and what is their opposite.",
  },
  "unused-values": {
    part: "4.2 rule 1",
    question: "What becomes of a named value that no condition or filter uses?",
    choices: ["ignored", "refused"],
    observable: "yes",
    note:
      "In the member that gap `condition-values` names and in `filterValues`, which without condition or filter hold unused " +
      "values alone. `refused` answers with `validation-status`.",
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
