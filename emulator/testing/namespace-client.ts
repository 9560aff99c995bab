import { bytesPerGigabyte, planTerms } from "../../openapi/clauses/limits.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import type { Namespace } from "../namespaces/namespace.js";
import { getContract } from "../request/get-contract.js";
import { ContractWatcher } from "./contract-watcher.js";
import { createDemoNamespace } from "./demo-namespace.js";
import { getApp } from "./get-app.js";
import { TestClient } from "./test-client.js";

/** Creates a client, without a credential, for a namespace that a test has created. */
export function createNamespaceClient(namespace: Namespace): TestClient {
  const app = getApp(namespace);
  const watcher = new ContractWatcher(getContract(defaultProfile));
  return new TestClient(
    async (target, init) => app.fetch(new Request(`http://localhost${target}`, init)),
    () => watcher,
  );
}

/**
 * Creates a client for the organization of `db_demo`, with the given number of bytes of free storage. The rest is
 * recorded as used without being written.
 */
export async function createClientWithFreeStorage(bytes: number): Promise<TestClient> {
  const namespace = await createDemoNamespace();
  const { store, clock } = namespace.world;
  const database = store.databases.find("db_demo");
  if (database === undefined) throw new Error("the demo has a database");
  const room = (planTerms.pro.limits?.maxStorageGb ?? 0) * bytesPerGigabyte;
  const stored = room - store.databases.storageBytes(database.organizationId) - bytes;
  store.databases.addWrite(database.ref, { items: 0, bytes: stored, writeUnits: 0 }, clock.now());
  return createNamespaceClient(namespace).as("dsk_demo_all");
}
