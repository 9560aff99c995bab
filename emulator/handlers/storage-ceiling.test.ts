import { expect, it } from "vitest";
import { ItemsClient } from "../testing/items-client.js";
import { createClientWithFreeStorage } from "../testing/namespace-client.js";

const createItemsClientWithFreeStorage = async (bytes: number) =>
  new ItemsClient(await createClientWithFreeStorage(bytes), "db_demo");

it("[DB-17] [BATCH-04] a batch write fails the entries that exceed the storage and writes the others", async () => {
  const items = await createItemsClientWithFreeStorage(10);
  // key and data have 3 bytes in total
  const answer = await items.batchWrite([
    { operation: "Put", pk: "a", data: {} },
    { operation: "Put", pk: "too much", data: {} },
    { operation: "Put", pk: "b", data: {} },
    { operation: "Put", pk: "c", data: {} },
    { operation: "Delete", pk: "a" },
    { operation: "Put", pk: "d", data: {} },
    { operation: "Put", pk: "b", data: {} },
  ]);
  expect([answer.status, answer.body]).toMatchObject([
    200,
    { successCount: 6, failedCount: 1, errors: [{ pk: "too much", sk: null }] },
  ]);
});

it("[DB-17] [TX-14] a transaction that exceeds the storage is refused, changes nothing, and leaves its token unused", async () => {
  const items = await createItemsClientWithFreeStorage(5);
  const transaction = [
    { action: "Put", pk: "a", data: {} },
    { action: "Put", pk: "b", data: {} },
  ];
  const refused = await items.unchangedBy(() => items.transactWrite(transaction, "token"));
  expect([refused.status, refused.body]).toEqual([
    403,
    expect.objectContaining({ type: expect.stringMatching(/ceiling-reached$/) as string }),
  ]);
  // the storage that the transaction frees is available to its own writes
  const swap = [...transaction, { action: "Delete", pk: "settings", sk: "currency" }];
  expect((await items.transactWrite(swap, "token")).body).toEqual({ successCount: 3, errors: null });
});
