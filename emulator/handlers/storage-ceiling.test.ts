import { expect, it } from "vitest";
import { bytesPerGigabyte, planTerms } from "../../openapi/clauses/limits.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { createDemoNamespace } from "../testing/demo-namespace.js";
import { ContractWatcher } from "../testing/contract-watcher.js";
import { getContract } from "../request/get-contract.js";
import { ItemsClient } from "../testing/items-client.js";
import { TestClient } from "../testing/test-client.js";
import { getApp } from "../testing/get-app.js";

/**
 * Creates a client for an organization with the given number of bytes of free storage. The rest is recorded as used
 * without being written.
 */
async function createItemsClientWithFreeStorage(bytes: number): Promise<ItemsClient> {
  return new ItemsClient(await createClientWithFreeStorage(bytes), "db_demo");
}

async function createClientWithFreeStorage(bytes: number): Promise<TestClient> {
  const namespace = await createDemoNamespace();
  const { store, clock } = namespace.world;
  const database = store.databases.find("db_demo");
  if (database === undefined) throw new Error("the demo has a database");
  const stored =
    (planTerms.pro.limits?.maxStorageGb ?? 0) * bytesPerGigabyte -
    store.databases.storageBytes(database.organizationId) -
    bytes;
  store.databases.addWrite(database.ref, { items: 0, bytes: stored, writeUnits: 0 }, clock.now());
  const app = getApp(namespace);
  const watcher = new ContractWatcher(getContract(defaultProfile));
  const client = new TestClient(
    async (target, init) => app.fetch(new Request(`http://localhost${target}`, init)),
    () => watcher,
  );
  const login = await client.post("/auth/password", {
    email: "owner@demo.test",
    password: "demo-password",
  });
  const { accessToken } = (login.body as { authResponse: { accessToken: string } }).authResponse;
  const switched = await client
    .as(accessToken)
    .post("/auth/switch-organization", { organizationId: database.organizationId });
  return client.as((switched.body as { accessToken: string }).accessToken);
}

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
