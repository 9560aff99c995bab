import { type Strictness, strictAnswer } from "../gaps/strictness.js";
import { databaseProblems, itemAccessClauses, itemsPrefix, readingItems, writingItems } from "./items.js";
import { defineOperations, type Success } from "./operation.js";
import { ref } from "../schemas/ref.js";

const item = {
  pk: "customer#ada",
  sk: "order#2029-12-30",
  data: { total: 129.99, status: "open" },
  createdAt: "2030-01-01T00:00:00.000Z",
  updatedAt: "2030-01-01T00:00:00.000Z",
};
const { pk, sk, data } = item;
const parameters = { databaseId: "db_demo" };

/** A list of an answer that has nothing to list. */
function nothingToList(strictness: Strictness): readonly [] | null {
  return strictAnswer(strictness, "empty-list-members") === "as-empty-array" ? [] : null;
}

/** The answer of a request that failed, where its status is not that of one that succeeded. */
function failure(
  strictness: Strictness,
  gap: "transaction-failed-status" | "batch-all-failed-status",
  description: string,
  schema: Success["schema"],
): readonly Success[] {
  const status = strictAnswer(strictness, gap);
  return status === undefined || status === 200 || schema === undefined
    ? []
    : [{ status, description, schema, gap }];
}

/** Batches and transactions of raw items (part 4.2). */
export const batchOperations = defineOperations({
  batchWriteItems: {
    tag: "Items",
    summary: "Put and delete up to 25 items, independently",
    routes: { method: "post", path: `${itemsPrefix}/batch/write` },
    access: writingItems,
    effect: "write",
    requestBody: ref("BatchWriteRequest"),
    successes: (strictness) => [
      { status: 200, description: "What came of the entries.", schema: ref("BatchWriteResponse") },
      ...failure(
        strictness,
        "batch-all-failed-status",
        "Every entry failed; nothing was written.",
        ref("BatchWriteResponse"),
      ),
    ],
    problems: [...databaseProblems, "batch-too-large", "entry-too-large"],
    clauses: [
      "BATCH-01",
      "BATCH-02",
      "BATCH-03",
      "BATCH-04",
      "BATCH-05",
      "BATCH-06",
      "BATCH-07",
      "BATCH-08",
      "DB-17",
      "AUTH-19",
      "AUTH-20",
      "AUTH-26",
      "GEN-09",
      ...itemAccessClauses,
    ],
    example: {
      parameters,
      request: {
        items: [
          { operation: "Put", pk, sk, data },
          { operation: "Delete", pk, sk: "order#2029-12-31" },
        ],
      },
      response: (strictness: Strictness) => ({
        successCount: 2,
        failedCount: 0,
        errors: nothingToList(strictness),
      }),
    },
  },
  batchGetItems: {
    tag: "Items",
    summary: "Get up to 100 items",
    routes: { method: "post", path: `${itemsPrefix}/batch/get` },
    access: readingItems,
    effect: "read",
    requestBody: ref("BatchGetRequest"),
    successes: () => [{ status: 200, description: "The items found.", schema: ref("BatchGetResponse") }],
    problems: [...databaseProblems, "batch-too-large"],
    clauses: [
      "BATCH-09",
      "BATCH-10",
      "BATCH-11",
      "BATCH-12",
      "ITEM-38",
      "AUTH-19",
      "AUTH-20",
      "GEN-09",
      ...itemAccessClauses,
    ],
    example: {
      parameters,
      request: { keys: [{ pk, sk }] },
      response: (strictness: Strictness) => ({ items: [item], unprocessedKeys: nothingToList(strictness) }),
    },
  },
  transactGetItems: {
    tag: "Items",
    summary: "Get up to 100 items at one point in time",
    routes: { method: "post", path: `${itemsPrefix}/transact/get` },
    access: readingItems,
    effect: "read",
    requestBody: ref("TransactGetRequest"),
    successes: () => [
      { status: 200, description: "One entry for every key.", schema: ref("TransactGetResponse") },
    ],
    problems: [...databaseProblems, "batch-too-large", "transaction-too-large"],
    clauses: [
      "TX-01",
      "TX-02",
      "TX-03",
      "TX-04",
      "TX-05",
      "TX-14",
      "TX-15",
      "AUTH-19",
      "AUTH-20",
      "GEN-09",
      ...itemAccessClauses,
    ],
    example: {
      parameters,
      request: { items: [{ pk, sk, projectionExpression: ["total"] }] },
      response: (strictness: Strictness) => {
        const projected = { total: data.total };
        const isRecord = strictAnswer(strictness, "transact-get-item") === "record";
        return {
          items: [{ pk, sk, item: isRecord ? { ...item, data: projected } : projected, itemExists: true }],
        };
      },
    },
  },
  transactWriteItems: {
    tag: "Items",
    summary: "Apply up to 25 operations, all or none",
    routes: { method: "post", path: `${itemsPrefix}/transact/write` },
    access: writingItems,
    effect: "write",
    requestBody: ref("TransactWriteRequest"),
    successes: (strictness) => [
      { status: 200, description: "What came of the transaction.", schema: ref("TransactWriteResponse") },
      ...failure(
        strictness,
        "transaction-failed-status",
        "The transaction failed; nothing was applied.",
        ref("TransactWriteResponse"),
      ),
    ],
    problems: [
      ...databaseProblems,
      "batch-too-large",
      "entry-too-large",
      "transaction-too-large",
      "ceiling-reached",
    ],
    clauses: [
      "TX-06",
      "TX-07",
      "TX-08",
      "TX-09",
      "TX-10",
      "TX-11",
      "TX-12",
      "TX-13",
      "TX-14",
      "TX-15",
      "TX-16",
      "TX-17",
      "TX-18",
      "TX-19",
      "TX-20",
      "DB-17",
      "AUTH-19",
      "AUTH-20",
      "AUTH-26",
      "GEN-09",
      ...itemAccessClauses,
    ],
    example: {
      parameters,
      request: {
        items: [
          { action: "Put", pk, sk, data, conditionExpression: "attribute_not_exists(pk)" },
          { action: "Update", pk, data: { orders: 3 } },
        ],
        clientRequestToken: "3f8a-1",
      },
      response: (strictness: Strictness) => ({ successCount: 2, errors: nothingToList(strictness) }),
    },
  },
});
