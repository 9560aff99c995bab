import { getClauseRange } from "../clauses/register.js";
import { type Strictness, getStrictAnswer } from "../gaps/strictness.js";
import {
  conditionDescription,
  defineItemOperations,
  exampleItem,
  itemsPathPrefix,
  itemReadAccess,
  itemWriteAccess,
} from "./items.js";
import { defineSuccess, type ResponseDefinition, post } from "./operation.js";
import { ref } from "../schemas/ref.js";

const { pk, sk, data } = exampleItem;

/** The response for a failed transaction, if its status differs from that of a successful one. */
function describeFailedTransaction(strictness: Strictness): readonly ResponseDefinition[] {
  const gap = "transaction-failed-status";
  const status = getStrictAnswer(strictness, gap);
  if (status === undefined || status === 200) return [];
  const description = "The transaction failed; nothing was applied.";
  return [{ status, description, schema: ref("TransactWriteResponse"), gap }];
}

const tokenDescription =
  "If you repeat a request with the same `clientRequestToken` within 10 minutes, the service returns the original result " +
  "and does not execute the request again, so you can safely repeat a request whose response was lost. A different " +
  "request with the same token is rejected.";

/** Batches and transactions of raw items (part 4.2). */
export const batchOperations = defineItemOperations({
  batchWriteItems: post(`${itemsPathPrefix}/batch/write`, "Put and delete up to 25 items, independently", {
    description:
      "Entries are independent: some can fail while others succeed. The status is then still 200, `failedCount` is greater " +
      "than 0 and `errors` lists the keys that failed; send only these entries again. If one of two entries fails, the " +
      'response is `{"successCount": 1, "failedCount": 1, "errors": [{"pk": "customer#ada", "sk": null, "error": "…"}]}`. ' +
      "If an entry is malformed, the whole request is rejected. Entries with the same key take effect in order (gap " +
      "`duplicate-keys`). An entry may have a `conditionExpression` (gap `batch-conditions`).",
    access: itemWriteAccess,
    requestBody: ref("BatchWriteRequest"),
    successes: [defineSuccess(200, "The result of the batch.", "BatchWriteResponse")],
    problems: ["batch-too-large"],
    clauses: ["BATCH-01", ...getClauseRange("BATCH-02", "BATCH-08"), "DB-17"],
    example: {
      request: {
        items: [
          { operation: "Put", pk, sk, data },
          { operation: "Delete", pk, sk: "order#2029-12-31" },
        ],
      },
      response: { successCount: 2, failedCount: 0, errors: null },
    },
  }),
  batchGetItems: post(`${itemsPathPrefix}/batch/get`, "Get up to 100 items", {
    description:
      "Items that do not exist are omitted from `items`. `unprocessedKeys` lists keys that could not be processed: request " +
      "these keys again.",
    access: itemReadAccess,
    effect: "read",
    requestBody: ref("BatchGetRequest"),
    successes: [defineSuccess(200, "The items that were found.", "BatchGetResponse")],
    problems: ["batch-too-large"],
    clauses: ["BATCH-09", ...getClauseRange("BATCH-10", "BATCH-12"), "ITEM-38"],
    example: {
      request: { keys: [{ pk, sk }] },
      response: { items: [exampleItem], unprocessedKeys: null },
    },
  }),
  transactGetItems: post(`${itemsPathPrefix}/transact/get`, "Get up to 100 items at one point in time", {
    description:
      "All items are read at the same point in time. If an item does not exist, its `itemExists` is false. `projectionExpression` lists " +
      `the top-level attributes to return. ${tokenDescription}`,
    access: itemReadAccess,
    effect: "read",
    requestBody: ref("TransactGetRequest"),
    successes: [defineSuccess(200, "One entry for every key.", "TransactGetResponse")],
    problems: ["batch-too-large", "transaction-too-large"],
    clauses: ["TX-01", ...getClauseRange("TX-02", "TX-05"), "TX-14", "TX-15"],
    example: {
      request: { items: [{ pk, sk, projectionExpression: ["total"] }] },
      response: (strictness: Strictness) => {
        const projected = { total: data.total };
        const isRecord = getStrictAnswer(strictness, "transact-get-item") === "record";
        return {
          items: [
            { pk, sk, item: isRecord ? { ...exampleItem, data: projected } : projected, itemExists: true },
          ],
        };
      },
    },
  }),
  transactWriteItems: post(`${itemsPathPrefix}/transact/write`, "Apply up to 25 operations, all or none", {
    description:
      "If any operation fails, none is applied, `successCount` is 0 and `errors` lists the failed operations and the " +
      'reasons. The status is then still 200 (gap `transaction-failed-status`): `{"successCount": 0, "errors": ' +
      '[{"itemIndex": 1, "pk": "customer#ada", "sk": null, "error": "…", "errorType": "ConditionalCheckFailed"}]}`. ' +
      "`Update` sets the attributes in `data` and keeps the other attributes of an existing item. `ConditionCheck` " +
      `changes nothing. ${conditionDescription} ${tokenDescription} The maximum size of a request is 4 MB.`,
    access: itemWriteAccess,
    requestBody: ref("TransactWriteRequest"),
    successes: (strictness) => [
      { status: 200, description: "The result of the transaction.", schema: ref("TransactWriteResponse") },
      ...describeFailedTransaction(strictness),
    ],
    problems: ["batch-too-large", "transaction-too-large", "ceiling-reached"],
    clauses: ["TX-06", ...getClauseRange("TX-07", "TX-20"), "DB-17"],
    example: {
      request: {
        items: [
          { action: "Put", pk, sk, data, conditionExpression: "attribute_not_exists(pk)" },
          { action: "Update", pk, data: { orders: 3 } },
        ],
        clientRequestToken: "3f8a-1",
      },
      response: { successCount: 2, errors: null },
    },
  }),
});
