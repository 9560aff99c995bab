import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { limits, planTerms, type PlanType } from "../../openapi/clauses/limits.js";
import { organizationHandlers } from "../control/organizations.js";
import type { Namespace } from "../namespaces/namespace.js";
import { createDemoNamespace } from "../testing/demo-namespace.js";
import { createEmptyDatabase, ItemsClient } from "../testing/items-client.js";
import { createNamespaceClient } from "../testing/namespace-client.js";
import type { TestClient } from "../testing/test-client.js";
import { type Tokens } from "../testing/test-client.js";
import { useTestEmulator } from "../testing/use-test-emulator.js";

/** Creates data for an item of the given size with a one-byte key. */
function createDataForItemSize(bytes: number): { readonly v: string } {
  return { v: "a".repeat(bytes - 1 - '{"v":""}'.length) };
}

describe("usage of a database", () => {
  const running = useTestEmulator();
  let items: ItemsClient;
  beforeEach(async () => {
    running.emulator.reset();
    items = await createEmptyDatabase(running);
  });

  /** Returns how an action changes the usage. */
  async function measureUsageChange(act: () => Promise<unknown>) {
    const before = await items.usage();
    await act();
    const after = await items.usage();
    return {
      items: after.itemCount - before.itemCount,
      bytes: after.storageBytes - before.storageBytes,
      reads: after.readUnitsConsumed - before.readUnitsConsumed,
      writes: after.writeUnitsConsumed - before.writeUnitsConsumed,
      at: after.lastUpdated === before.lastUpdated ? "unchanged" : after.lastUpdated,
    };
  }
  const nothing = { items: 0, bytes: 0, reads: 0, writes: 0, at: "unchanged" };

  it("[DB-16] is all zero for a new database", async () => {
    const database = `/api/v1/management/databases/${items.databaseId}`;
    const { createdAt, usage } = (await items.client.get(database)).body as {
      createdAt: string;
      usage: object;
    };
    expect(usage).toEqual({
      itemCount: 0,
      storageBytes: 0,
      readUnitsConsumed: 0,
      writeUnitsConsumed: 0,
      lastUpdated: createdAt,
    });
  });

  it("[DB-16] counts items and their bytes as they are created, replaced and deleted", async () => {
    expect(await measureUsageChange(() => items.put("é", "s", { v: "é" }))).toMatchObject({
      items: 1,
      bytes: 2 + 1 + 10,
    });
    expect(await measureUsageChange(() => items.put("é", "s", { v: "" }))).toMatchObject({
      items: 0,
      bytes: -2,
    });
    expect(await measureUsageChange(() => items.put("é", null, {}))).toMatchObject({ items: 1, bytes: 4 });
    expect(await measureUsageChange(() => items.delete("é", "s"))).toMatchObject({ items: -1, bytes: -11 });
    expect(await measureUsageChange(() => items.delete("é"))).toMatchObject({ items: -1, bytes: -4 });
    expect(await items.usage()).toMatchObject({ itemCount: 0, storageBytes: 0 });
  });

  it("counts a write unit for every started 1,024 bytes written or deleted", async () => {
    for (const [bytes, units] of [
      [20, 1],
      [1024, 1],
      [1025, 2],
      [2048, 2],
      [2049, 3],
      [limits.itemBytes, 400],
    ] as const) {
      expect(
        await measureUsageChange(() => items.put("a", null, createDataForItemSize(bytes))),
      ).toMatchObject({
        writes: units,
        reads: 0,
      });
      expect(await measureUsageChange(() => items.delete("a"))).toMatchObject({ writes: units, reads: 0 });
    }
    await items.put("a", null, createDataForItemSize(5000));
    const replaced = await measureUsageChange(() => items.put("a", null, createDataForItemSize(100)));
    expect(replaced.writes, "the item that is written counts, not the one it replaces").toBe(1);
  });

  it("counts a read unit for every started 4,096 bytes that a request reads, at least one", async () => {
    for (const [bytes, units] of [
      [20, 1],
      [4096, 1],
      [4097, 2],
      [8192, 2],
      [8193, 3],
    ] as const) {
      await items.put("a", null, createDataForItemSize(bytes));
      expect(await measureUsageChange(() => items.get("a"))).toMatchObject({ reads: units, writes: 0 });
      expect(await measureUsageChange(() => items.query({ partitionKey: "a" }))).toMatchObject({
        reads: units,
      });
      expect(await measureUsageChange(() => items.scan())).toMatchObject({ reads: units });
    }
    expect(await measureUsageChange(() => items.get("missing"))).toMatchObject({ reads: 1 });
    expect(await measureUsageChange(() => items.query({ partitionKey: "missing" }))).toMatchObject({
      reads: 1,
    });
  });

  it("counts everything that a page examined, and nothing else", async () => {
    for (const pk of ["a", "b", "c", "d"]) await items.put(pk, null, createDataForItemSize(2048));
    expect(await measureUsageChange(() => items.scan())).toMatchObject({ reads: 2 });
    expect(await measureUsageChange(() => items.scan({ filterExpression: { v: "none" } }))).toMatchObject({
      reads: 2,
    });
    expect(await measureUsageChange(() => items.scan({ limit: 2 }))).toMatchObject({ reads: 1 });
    expect(await measureUsageChange(() => items.scanPages({ limit: 1 }))).toMatchObject({ reads: 4 });
  });

  it("refused requests and a Delete of a missing item use no units", async () => {
    await items.put("a", null, {});
    const refused = [
      () => items.put("a", null, {}, { conditionExpression: "attribute_not_exists(pk)" }),
      () => items.put("b", null, createDataForItemSize(limits.itemBytes + 1)),
      () => items.put("", null, {}),
      () => items.query({ partitionKey: "a", limit: 0 }),
      () => items.query({ partitionKey: "a", sortKeyCondition: "a" }),
      () => items.scan({ cursor: "garbage" }),
      () => items.as("dsk_demo_repository_all").get("a"),
      () => items.as(undefined).delete("a"),
      () => items.delete("b"),
    ];
    for (const act of refused) expect(await measureUsageChange(act), String(act)).toEqual(nothing);
  });

  it("lastUpdated is the time of the last request that changed a value", async () => {
    const put = (await items.put("a", null, {})).body as { updatedAt: string };
    expect((await items.usage()).lastUpdated).toBe(put.updatedAt);
    running.emulator.clock.set("2030-01-01T00:30:00.000Z");
    await items.get("a");
    running.emulator.clock.advance("PT1M");
    expect((await items.usage()).lastUpdated).toBe("2030-01-01T00:30:00.001Z");
    expect(await measureUsageChange(() => Promise.resolve())).toEqual(nothing);
  });

  it("[DB-16] counts each database separately, both in the list and in get", async () => {
    const other = await createEmptyDatabase(running, { name: "other" });
    await items.put("a", null, {});
    await items.get("a");
    await other.put("b", null, {});
    await other.put("c", null, {});
    const list = (await items.client.get("/api/v1/management/databases")).body as {
      databases: { databaseId: string; usage: object }[];
    };
    const listed = (of: ItemsClient) =>
      list.databases.find(({ databaseId }) => databaseId === of.databaseId)?.usage;
    expect(listed(items)).toMatchObject({ itemCount: 1, readUnitsConsumed: 1, writeUnitsConsumed: 1 });
    expect(listed(other)).toMatchObject({ itemCount: 2, readUnitsConsumed: 0, writeUnitsConsumed: 2 });
    expect(listed(items)).toEqual(await items.usage());
    expect(listed(other)).toEqual(await other.usage());
  });
});

describe("the storage of a plan", () => {
  const organizationId = "org_demo_free";
  let namespace: Namespace;
  let owner: TestClient;
  beforeAll(async () => {
    namespace = await createDemoNamespace();
    const client = createNamespaceClient(namespace);
    const credentials = { email: "outsider@demo.test", password: "demo-password" };
    const login = (await client.post("/auth/password", credentials)).body as { authResponse: Tokens };
    const switched = await client
      .as(login.authResponse.accessToken)
      .post("/auth/switch-organization", { organizationId });
    owner = client.as((switched.body as Tokens).accessToken);
  });
  afterAll(() => namespace.close());

  const create = async (name: string) => {
    const created = await owner.post("/api/v1/management/databases", { name, region: "eu-west-1" });
    return new ItemsClient(owner, (created.body as { databaseId: string }).databaseId);
  };
  const setPlan = (plan: PlanType) =>
    organizationHandlers.changeOrganization(
      { path: { organizationId }, query: {}, body: { plan } },
      namespace,
    );

  it("[DB-17] is shared by all databases of the organization, exact to the byte, and follows the plan", async () => {
    const first = await create("first");
    const second = await create("second");
    const whole = Math.floor((planTerms.free.limits?.maxStorageGb ?? 0) * 1024 ** 3);
    const rest = 3000;
    const { databases } = namespace.world.store;
    // set the storage directly, because writing a hundred megabytes of items would take too long
    const { ref } = databases.find(first.databaseId) ?? { ref: 0 };
    databases.addWrite(ref, { items: 0, bytes: whole - rest, writeUnits: 0 }, namespace.world.clock.now());

    const overfull = await second.put("z", null, createDataForItemSize(rest + 1));
    expect([overfull.status, (overfull.body as { type: string }).type]).toEqual([
      403,
      "https://data-service.example/problems/ceiling-reached",
    ]);
    expect((await second.get("z")).status).toBe(404);
    expect((await second.put("z", null, createDataForItemSize(rest - 1))).status).toBe(200);
    expect(
      (await second.put("z", null, createDataForItemSize(rest))).status,
      "the last byte is there to be used",
    ).toBe(200);
    expect((await first.put("y", null, {})).status).toBe(403);
    expect(
      (await second.put("z", null, createDataForItemSize(rest + 1))).status,
      "a larger item in its place",
    ).toBe(403);
    expect((await second.get("z")).body).toMatchObject({ data: createDataForItemSize(rest) });
    expect((await second.put("z", null, createDataForItemSize(rest))).status, "one of the same size").toBe(
      200,
    );
    expect((await second.put("z", null, createDataForItemSize(rest - 3))).status, "a smaller one").toBe(200);
    expect((await first.put("y", null, {})).status, "three bytes are free").toBe(200);
    expect((await first.put("x", null, {})).status).toBe(403);
    expect((await first.delete("y")).status).toBe(204);
    expect((await first.put("x", null, {})).status, "what was deleted is free again").toBe(200);

    setPlan("pro");
    expect((await first.put("w", null, createDataForItemSize(10_000))).status).toBe(200);
    setPlan("free");
    expect((await first.put("v", null, {})).status, "over the ceiling of the smaller plan").toBe(403);
    expect(
      (await first.put("w", null, createDataForItemSize(100))).status,
      "but what takes less is welcome",
    ).toBe(200);
    setPlan("enterprise");
    expect((await first.put("v", null, createDataForItemSize(10_000))).status).toBe(200);

    setPlan("free");
    const another = new ItemsClient(owner.as("dsk_demo_all"), "db_demo");
    expect((await another.put("a", null, {})).status, "another organization has its own").toBe(200);
    expect((await second.put("u", null, {})).status).toBe(403);
    await owner.delete(`/api/v1/management/databases/${first.databaseId}`);
    expect((await second.put("u", null, {})).status, "a database that is gone takes no room").toBe(200);
  });
});
