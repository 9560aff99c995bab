import { serviceOperations } from "../../../openapi/operations/register.js";
import type { batchOperations } from "../../../openapi/operations/batches.js";
import type { itemOperations } from "../../../openapi/operations/items.js";
import { defaultProfile } from "../../../openapi/gaps/profile.js";
import { refused, type Traffic, unavailable } from "./traffic.js";
import type { World } from "./traffic-world.js";

/** Items, batches and transactions, on the items of the examples. */
export function itemTraffic(
  world: World,
): Traffic<keyof typeof itemOperations | keyof typeof batchOperations> {
  const { pk, sk } = serviceOperations.putItem.example.request as {
    readonly pk: string;
    readonly sk: string;
  };
  const key = { pk, sk };
  const missing = { pk: "nobody", sk: "nothing" };
  const failing = { conditionExpression: "attribute_not_exists(pk)" };
  const large = { pk: "large", data: { text: "x".repeat(400 * 1024) } };
  return {
    putItem: [
      { status: 200 },
      { status: 200, body: { pk: "no sort key", data: { "": [null, true, 1e21, "ü"] } } },
      { status: refused("condition-failed"), body: { ...key, data: {}, ...failing } },
      { status: refused("item-too-large"), body: large },
      unavailable(world),
    ],
    getItem: [
      { status: 200 },
      { status: refused("item-not-found"), parameters: missing },
      { status: 200, credential: "dsk_demo_database_read" },
      unavailable(world),
    ],
    getItemWithSortKey: [
      { status: 200 },
      { status: refused("item-not-found"), parameters: missing },
      unavailable(world),
    ],
    deleteItem: [{ status: 204 }, { status: 204, parameters: missing }, unavailable(world)],
    deleteItemWithSortKey: [{ status: 204 }, { status: 204, parameters: missing }, unavailable(world)],
    queryItems: [
      { status: 200 },
      { status: 200, body: { partitionKey: pk, limit: 1 } },
      { status: 200, body: { partitionKey: "nobody", scanForward: false } },
      { status: refused("validation-failed"), body: { partitionKey: pk, cursor: "stale" } },
      unavailable(world),
    ],
    scanItems: [
      { status: 200 },
      { status: 200, body: {} },
      { status: 200, body: { limit: 1 } },
      unavailable(world),
    ],
    batchWriteItems: [
      { status: 200 },
      {
        status: 200,
        body: {
          items: [
            { operation: "Put", ...large },
            { operation: "Delete", ...key },
          ],
        },
      },
      {
        status: refused("batch-too-large"),
        body: { items: Array.from({ length: 26 }, (_, at) => ({ operation: "Delete", pk: `${at}` })) },
      },
      unavailable(world),
    ],
    batchGetItems: [
      { status: 200 },
      { status: 200, body: { keys: [key, missing, { pk: key.pk }] } },
      {
        status: refused("batch-too-large"),
        body: { keys: Array.from({ length: 101 }, (_, at) => ({ pk: `${at}` })) },
      },
      unavailable(world),
    ],
    transactGetItems: [
      { status: 200 },
      { status: 200, body: { items: [missing, key], clientRequestToken: "read-1" } },
      unavailable(world),
    ],
    transactWriteItems: [
      {
        status: 200,
        body: {
          items: [
            { action: "Put", ...missing, data: {} },
            { action: "Delete", ...key },
          ],
        },
      },
      // the example puts what is there already: a transaction that fails
      { status: defaultProfile["transaction-failed-status"] },
      {
        status: refused("batch-too-large"),
        body: { items: Array.from({ length: 26 }, (_, at) => ({ action: "Delete", pk: `${at}` })) },
      },
      unavailable(world),
    ],
  };
}
