import { afterEach, describe, expect, it } from "vitest";
import { databaseStatuses } from "../../openapi/schemas/databases.js";
import { createEmptyDatabase, ItemsClient } from "../testing/items-client.js";
import { type TestEmulator, createTestEmulator } from "../testing/test-client.js";

/** Every operation on the data of a database, with its status while the database is Active. */
const operations = {
  put: [(items: ItemsClient) => items.put("p", "s", { fresh: true }), 200],
  get: [(items: ItemsClient) => items.get("p", "s"), 200],
  getAlone: [(items: ItemsClient) => items.get("p"), 200],
  query: [(items: ItemsClient) => items.query({ partitionKey: "p" }), 200],
  scan: [(items: ItemsClient) => items.scan(), 200],
  delete: [(items: ItemsClient) => items.delete("q", "s"), 204],
  deleteAlone: [(items: ItemsClient) => items.delete("q"), 204],
} as const;

describe("databases that data operations cannot reach", () => {
  let running: TestEmulator;
  afterEach(() => running.emulator.close());

  async function begin(): Promise<ItemsClient> {
    running = await createTestEmulator();
    const items = await createEmptyDatabase(running);
    await items.put("p", "s", {});
    await items.put("p", null, {});
    return items;
  }

  it("accepts data operations only while Active", async () => {
    const items = await begin();
    for (const status of databaseStatuses) {
      await running.control.patch(`/_emulator/databases/${items.databaseId}`, { status });
      const usable = status === "Active";
      for (const [name, [operate, usual]] of Object.entries(operations)) {
        const answered = await operate(items);
        expect(answered.status, `${name} while ${status}`).toBe(usable ? usual : 409);
        if (!usable) {
          const problem = answered.body as { type: string; detail: string };
          expect(problem.type).toMatch(/database-unavailable$/);
          expect(problem.detail).toContain(status);
        }
      }
      const database = await items.client.get(`/api/v1/management/databases/${items.databaseId}`);
      expect(database.body).toMatchObject({ status });
    }
  });

  it("an unavailable database keeps its items", async () => {
    const items = await begin();
    const before = (await items.scan()).text;
    running.emulator.databases.change(items.databaseId, { status: "Maintenance" });
    await items.put("p", "s", { lost: true });
    await items.delete("p");
    running.emulator.databases.change(items.databaseId, { status: "Active" });
    expect((await items.scan()).text).toBe(before);
  });

  it("[GEN-05] treats another organization's database as missing", async () => {
    const items = await begin();
    const strangers = new ItemsClient(
      await running.login("outsider@demo.test", "org_demo_free"),
      items.databaseId,
    );
    const keys = items.as("dsk_demo_all");
    for (const foreign of [strangers, keys]) {
      const missing = new ItemsClient(foreign.client, "db_none");
      for (const [name, [operate]] of Object.entries(operations)) {
        const [refused, unknown] = [await operate(foreign), await operate(missing)];
        expect([refused.status, refused.text], name).toEqual([unknown.status, unknown.text]);
        expect(refused.status).toBe(404);
        expect([...refused.headers.keys()]).toEqual([...unknown.headers.keys()]);
      }
    }
    expect((await items.get("p", "s")).body).toMatchObject({ data: {} });
  });

  it("[DB-12] the items of a deleted database are gone at once", async () => {
    const items = await begin();
    await items.client.delete(`/api/v1/management/databases/${items.databaseId}`);
    for (const [name, [operate]] of Object.entries(operations))
      expect((await operate(items)).status, name).toBe(404);
    const next = await createEmptyDatabase(running);
    expect((await next.scan()).body).toMatchObject({ count: 0 });
  });
});
