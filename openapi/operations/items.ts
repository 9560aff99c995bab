import { type ClauseId, getClauseRange } from "../clauses/register.js";
import type { ProblemKind } from "./problems.js";
import { defineGapRoutes } from "./gap-routes.js";
import { defineDataAccess, defineOperationGroup, defineSuccess, get, post, remove } from "./operation.js";
import { pagingDescription } from "./parameters.js";
import { ref } from "../schemas/ref.js";
import { allRoles, writeAccessRoles } from "../schemas/roles.js";

/** Path prefix of the item operations. */
export const itemsPathPrefix = "/api/v1/databases/{databaseId}/items";

/** Any role may read, and a key with database:read. */
export const itemReadAccess = defineDataAccess(allRoles, "database:read");
/** Every role except readonly may write, and a key with database:write. */
export const itemWriteAccess = defineDataAccess(writeAccessRoles, "database:write");
/** Problems with the database of a data operation. */
const databaseProblems: readonly ProblemKind[] = [
  "database-not-found",
  "foreign-resource",
  "database-unavailable",
];
/** Clauses that apply to every item operation. */
const itemAccessClauses: readonly ClauseId[] = [
  ...getClauseRange("AUTH-15", "AUTH-17"),
  ...getClauseRange("AUTH-19", "AUTH-24"),
  "ITEM-37",
  "GEN-05",
  "GEN-06",
  "GEN-08",
];

/** The item of the examples. */
export const exampleItem = {
  pk: "customer#ada",
  sk: "order#2029-12-30",
  data: { total: 129.99, status: "open" },
  createdAt: "2030-01-01T00:00:00.000Z",
  updatedAt: "2030-01-01T00:00:00.000Z",
};
const item = exampleItem;
const page = {
  items: [{ pk: item.pk, sk: item.sk, data: item.data }],
  nextCursor: null,
  count: 1,
  scannedCount: 1,
};

const getClauses: readonly ClauseId[] = [
  "ITEM-12",
  ...getClauseRange("ITEM-09", "ITEM-14"),
  "ITEM-38",
  "GEN-01",
];
const deleteClauses: readonly ClauseId[] = ["ITEM-15", "ITEM-11"];

const deleteSuccesses = [
  defineSuccess(204, "The item was deleted, or did not exist.", undefined, {
    gap: "delete-missing-item-status",
  }),
];

/** Operations on raw items. */
export const defineItemOperations = defineOperationGroup({
  tag: "Items",
  clauses: itemAccessClauses,
  problems: databaseProblems,
});

/** Describes conditions, for the operations that have them. */
export const conditionDescription =
  "`conditionExpression` supports `attribute_exists(pk)`, `attribute_not_exists(pk)` and comparisons of an attribute with a " +
  "named value, such as `total >= :least`; `filterValues` contains the value of `:least` (gap `condition-values`). If the " +
  "gap `condition-grammar` has the answer `full`, conditions can also contain AND, OR, NOT, parentheses, BETWEEN, IN, " +
  "`begins_with`, `contains` and `size`.";

const filterDescription =
  '`filterExpression` is an object that maps attributes to conditions, which must all be true: `{"status": "open"}` for equality, ' +
  'or `{"total": {"$gte": 10}}` with one of the operators `$eq`, `$ne`, `$gt`, `$gte`, `$lt`, `$lte`, `$in`, `$exists`, ' +
  "`$beginsWith` and `$contains`. `$and`, `$or` and `$not` combine conditions (gap `item-filter-grammar`).";

/** Single raw items, query and scan (part 4.2). */
export const itemOperations = defineItemOperations({
  putItem: {
    summary: "Create or replace an item",
    description:
      "Replaces the whole item if it exists, including fields of `data` that are not in the request. With a " +
      "`conditionExpression`, the item is written only if the condition is true for the existing item. " +
      `${conditionDescription} The maximum size of an item is 400 KB.`,
    routes: defineGapRoutes("put-item-route", {
      "PUT /items": [{ method: "put", path: itemsPathPrefix }],
      "POST /items": [{ method: "post", path: itemsPathPrefix }],
      "PUT /items/{pk}[/{sk}]": [
        { method: "put", path: `${itemsPathPrefix}/{pk}` },
        { method: "put", path: `${itemsPathPrefix}/{pk}/{sk}` },
      ],
    }),
    access: itemWriteAccess,
    requestBody: ref("PutItemRequest"),
    successes: [defineSuccess(200, "The item was written.", "PutItemResult")],
    problems: ["condition-failed", "item-too-large", "ceiling-reached"],
    clauses: ["ITEM-01", ...getClauseRange("ITEM-02", "ITEM-11"), "ITEM-35", "ITEM-36", "ITEM-38", "DB-17"],
    example: {
      request: { pk: item.pk, sk: item.sk, data: item.data },
      response: { pk: item.pk, sk: item.sk, updatedAt: item.updatedAt },
    },
  },
  getItem: get(`${itemsPathPrefix}/{pk}`, "Get an item that has no sort key", {
    description:
      "Returns the item that was put without `sk`, and ignores items with the same partition key and a sort key. " +
      "Returns 404 with a problem body if there is no such item.",
    access: itemReadAccess,
    successes: [defineSuccess(200, "The item.", "Item")],
    problems: ["item-not-found"],
    clauses: getClauses,
    example: { response: { ...item, sk: null } },
  }),
  getItemWithSortKey: get(`${itemsPathPrefix}/{pk}/{sk}`, "Get an item that has a sort key", {
    description:
      "Percent-encode both keys in the path: `order#2029-12-30` becomes `order%232029-12-30`. Returns 404 with a problem " +
      "body if there is no such item.",
    access: itemReadAccess,
    successes: [defineSuccess(200, "The item.", "Item")],
    problems: ["item-not-found"],
    clauses: getClauses,
    example: { response: item },
  }),
  deleteItem: remove(`${itemsPathPrefix}/{pk}`, "Delete an item that has no sort key", {
    description:
      "Deletes only the item that was put without `sk`. Deleting an item that does not exist also returns 204 (gap " +
      "`delete-missing-item-status`), so you can safely send the request again.",
    access: itemWriteAccess,
    successes: deleteSuccesses,
    problems: ["item-not-found", "nothing-to-delete"],
    clauses: deleteClauses,
  }),
  deleteItemWithSortKey: remove(`${itemsPathPrefix}/{pk}/{sk}`, "Delete an item that has a sort key", {
    description:
      "Percent-encode both keys in the path. Deleting an item that does not exist also returns 204 (gap " +
      "`delete-missing-item-status`), so you can safely send the request again.",
    access: itemWriteAccess,
    successes: deleteSuccesses,
    problems: ["item-not-found", "nothing-to-delete"],
    clauses: deleteClauses,
  }),
  queryItems: post(`${itemsPathPrefix}/query`, "Read the items in one partition, in sort-key order", {
    description:
      "`sortKeyCondition` is one of `=:value`, `<:value`, `<=:value`, `>:value`, `>=:value`, `begins_with:prefix` and " +
      "`between:low:high` (inclusive). Without it, all items of the partition are read. `scanForward: false` reverses the " +
      `order. ${filterDescription} ${pagingDescription} With a filter, a page can contain fewer items than \`limit\`, or none, ` +
      "without being the last page (gap `limit-with-filter`).",
    access: itemReadAccess,
    effect: "read",
    requestBody: ref("QueryItemsRequest"),
    successes: [defineSuccess(200, "A page of items.", "ItemPage")],
    clauses: [
      "ITEM-28",
      "BILL-26",
      ...getClauseRange("ITEM-16", "ITEM-32"),
      "ITEM-34",
      "ITEM-39",
      "GEN-03",
      "GEN-04",
      "GEN-07",
    ],
    example: {
      request: { partitionKey: item.pk, sortKeyCondition: "begins_with:order#", limit: 10 },
      response: page,
    },
  }),
  scanItems: post(`${itemsPathPrefix}/scan`, "Read all items in a database", {
    description:
      "Reads every partition, so a scan takes longer as the database grows: prefer a query. Partitions are returned in " +
      `the order of their keys (gap \`scan-order\`). ${filterDescription} ${pagingDescription}`,
    access: itemReadAccess,
    effect: "read",
    requestBody: ref("ScanItemsRequest"),
    successes: [defineSuccess(200, "A page of items.", "ScanPage")],
    clauses: ["ITEM-28", ...getClauseRange("ITEM-29", "ITEM-33"), "ITEM-39", "GEN-03", "GEN-04", "GEN-07"],
    example: {
      request: { filterExpression: { status: "open" } },
      response: page,
    },
  }),
});
