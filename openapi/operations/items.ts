import type { ClauseId } from "../clauses/register.js";
import type { ProblemKind } from "./problems.js";
import { openRoutes } from "./open-routes.js";
import { type Access, defineOperations, type Success } from "./operation.js";
import { ref } from "../schemas/ref.js";
import { allRoles, writingRoles } from "../schemas/roles.js";

/** Where the paths of item operations begin. */
export const itemsPrefix = "/api/v1/databases/{databaseId}/items";

/** Any role reads, and a key with database:read. */
export const readingItems: Access = {
  kind: "protected",
  roles: allRoles,
  roleIn: "token",
  scope: "database:read",
  tokenGap: "data-credential",
};
/** Every role but readonly writes, and a key with database:write. */
export const writingItems: Access = {
  kind: "protected",
  roles: writingRoles,
  roleIn: "token",
  scope: "database:write",
  tokenGap: "data-credential",
};
/** What can be wrong with the database of a data operation. */
export const databaseProblems: readonly ProblemKind[] = [
  "database-not-found",
  "foreign-resource",
  "database-unavailable",
  "quota-exhausted",
];
/** Clauses that bind every item operation. */
export const itemAccessClauses: readonly ClauseId[] = [
  "AUTH-15",
  "AUTH-16",
  "AUTH-17",
  "AUTH-21",
  "AUTH-22",
  "AUTH-23",
  "AUTH-24",
  "ITEM-37",
  "GEN-05",
  "GEN-06",
  "GEN-08",
];

const item = {
  pk: "customer#ada",
  sk: "order#2029-12-30",
  data: { total: 129.99, status: "open" },
  createdAt: "2030-01-01T00:00:00.000Z",
  updatedAt: "2030-01-01T00:00:00.000Z",
};
const page = {
  items: [{ pk: item.pk, sk: item.sk, data: item.data }],
  nextCursor: null,
  count: 1,
  scannedCount: 1,
};
const keys = { databaseId: "db_demo", pk: item.pk };

const getClauses: readonly ClauseId[] = [
  "ITEM-09",
  "ITEM-10",
  "ITEM-11",
  "ITEM-12",
  "ITEM-13",
  "ITEM-14",
  "ITEM-38",
  "GEN-01",
  "AUTH-19",
  "AUTH-20",
  ...itemAccessClauses,
];
const deleteClauses: readonly ClauseId[] = [
  "ITEM-11",
  "ITEM-15",
  "AUTH-19",
  "AUTH-20",
  "AUTH-26",
  ...itemAccessClauses,
];

const deleted: readonly Success[] = [
  { status: 204, description: "The item is gone, or was not there.", gap: "delete-missing-item" },
];

/** Single raw items, query and scan (part 4.2). */
export const itemOperations = defineOperations({
  putItem: {
    tag: "Items",
    summary: "Create or replace an item",
    routes: openRoutes("put-item-route", {
      "PUT /items": [{ method: "put", path: itemsPrefix }],
      "POST /items": [{ method: "post", path: itemsPrefix }],
      "PUT /items/{pk}[/{sk}]": [
        { method: "put", path: `${itemsPrefix}/{pk}` },
        { method: "put", path: `${itemsPrefix}/{pk}/{sk}` },
      ],
    }),
    access: writingItems,
    effect: "write",
    requestBody: ref("PutItemRequest"),
    successes: () => [{ status: 200, description: "The item is written.", schema: ref("PutItemResult") }],
    problems: [...databaseProblems, "condition-failed", "item-too-large", "ceiling-reached"],
    clauses: [
      "ITEM-01",
      "ITEM-02",
      "ITEM-03",
      "ITEM-04",
      "ITEM-05",
      "ITEM-06",
      "ITEM-07",
      "ITEM-08",
      "ITEM-09",
      "ITEM-10",
      "ITEM-11",
      "ITEM-35",
      "ITEM-36",
      "ITEM-38",
      "DB-17",
      "AUTH-19",
      "AUTH-20",
      "AUTH-26",
      "GEN-09",
      ...itemAccessClauses,
    ],
    example: {
      parameters: { ...keys, sk: item.sk },
      request: { pk: item.pk, sk: item.sk, data: item.data },
      response: { pk: item.pk, sk: item.sk, updatedAt: item.updatedAt },
    },
  },
  getItem: {
    tag: "Items",
    summary: "Get the item of a partition key that has no sort key",
    routes: { method: "get", path: `${itemsPrefix}/{pk}` },
    access: readingItems,
    effect: "read",
    successes: () => [{ status: 200, description: "The item.", schema: ref("Item") }],
    problems: [...databaseProblems, "item-not-found"],
    clauses: getClauses,
    example: { parameters: keys, response: { ...item, sk: null } },
  },
  getItemWithSortKey: {
    tag: "Items",
    summary: "Get the item of a partition key and sort key",
    routes: { method: "get", path: `${itemsPrefix}/{pk}/{sk}` },
    access: readingItems,
    effect: "read",
    successes: () => [{ status: 200, description: "The item.", schema: ref("Item") }],
    problems: [...databaseProblems, "item-not-found"],
    clauses: getClauses,
    example: { parameters: { ...keys, sk: item.sk }, response: item },
  },
  deleteItem: {
    tag: "Items",
    summary: "Delete the item of a partition key that has no sort key",
    routes: { method: "delete", path: `${itemsPrefix}/{pk}` },
    access: writingItems,
    effect: "write",
    successes: () => deleted,
    problems: [...databaseProblems, "item-not-found", "nothing-to-delete"],
    clauses: deleteClauses,
    example: { parameters: keys },
  },
  deleteItemWithSortKey: {
    tag: "Items",
    summary: "Delete the item of a partition key and sort key",
    routes: { method: "delete", path: `${itemsPrefix}/{pk}/{sk}` },
    access: writingItems,
    effect: "write",
    successes: () => deleted,
    problems: [...databaseProblems, "item-not-found", "nothing-to-delete"],
    clauses: deleteClauses,
    example: { parameters: { ...keys, sk: item.sk } },
  },
  queryItems: {
    tag: "Items",
    summary: "Read items of one partition, in sort-key order",
    routes: { method: "post", path: `${itemsPrefix}/query` },
    access: readingItems,
    effect: "read",
    requestBody: ref("QueryItemsRequest"),
    successes: () => [{ status: 200, description: "A page of items.", schema: ref("ItemPage") }],
    problems: databaseProblems,
    clauses: [
      "BILL-26",
      "ITEM-16",
      "ITEM-17",
      "ITEM-18",
      "ITEM-19",
      "ITEM-20",
      "ITEM-21",
      "ITEM-22",
      "ITEM-23",
      "ITEM-24",
      "ITEM-25",
      "ITEM-26",
      "ITEM-27",
      "ITEM-28",
      "ITEM-29",
      "ITEM-30",
      "ITEM-31",
      "ITEM-32",
      "ITEM-34",
      "GEN-03",
      "GEN-04",
      "GEN-07",
      "AUTH-19",
      "AUTH-20",
      "GEN-09",
      ...itemAccessClauses,
    ],
    example: {
      parameters: { databaseId: keys.databaseId },
      request: { partitionKey: item.pk, sortKeyCondition: "begins_with:order#", limit: 10 },
      response: page,
    },
  },
  scanItems: {
    tag: "Items",
    summary: "Read all items of the database",
    routes: { method: "post", path: `${itemsPrefix}/scan` },
    access: readingItems,
    effect: "read",
    requestBody: ref("ScanItemsRequest"),
    successes: () => [{ status: 200, description: "A page of items.", schema: ref("ScanPage") }],
    problems: databaseProblems,
    clauses: [
      "ITEM-28",
      "ITEM-29",
      "ITEM-30",
      "ITEM-31",
      "ITEM-32",
      "ITEM-33",
      "GEN-03",
      "GEN-04",
      "GEN-07",
      "AUTH-19",
      "AUTH-20",
      "GEN-09",
      ...itemAccessClauses,
    ],
    example: {
      parameters: { databaseId: keys.databaseId },
      request: { filterExpression: { status: "open" } },
      response: page,
    },
  },
});
