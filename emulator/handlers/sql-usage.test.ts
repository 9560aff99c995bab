import { expect, it } from "vitest";
import { planTerms } from "../../openapi/clauses/limits.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { createDemoNamespace } from "../testing/demo-namespace.js";
import { ContractWatcher } from "../testing/contract-watcher.js";
import { getContract } from "../request/get-contract.js";
import { ItemsClient } from "../testing/items-client.js";
import { createSqlTestClient, getStatusAndCode, SqlTestClient } from "../testing/sql-test-client.js";
import { TestClient } from "../testing/test-client.js";
import { useTestEmulator } from "../testing/use-test-emulator.js";
import { getApp } from "../testing/get-app.js";

const running = useTestEmulator();

const usage = ({ client, databaseId }: SqlTestClient) => new ItemsClient(client, databaseId).usage();

it("[DB-16] counts bytes and units of rows, and no items", async () => {
  const sql = await createSqlTestClient(running);
  await sql.run("CREATE TABLE t (a INT PRIMARY KEY, b TEXT)");
  const empty = await usage(sql);
  expect(empty).toMatchObject({ itemCount: 0, storageBytes: 0, readUnitsConsumed: 0, writeUnitsConsumed: 1 });

  await sql.query("INSERT INTO t VALUES (1, ?), (2, '')", { b: "x".repeat(3000) });
  const filled = await usage(sql);
  expect(filled.itemCount).toBe(0);
  expect(filled.storageBytes).toBeGreaterThanOrEqual(3000);
  // slightly more than 3,000 bytes are three units, more than for two rows
  expect(filled.writeUnitsConsumed).toBe(4);

  await sql.rows("SELECT a FROM t");
  await sql.rows("SELECT * FROM t");
  await sql.query("INSERT INTO t VALUES (3, ?)", { b: "x".repeat(6000) });
  await sql.rows("SELECT b FROM t WHERE a = 3");
  const read = await usage(sql);
  expect(read.readUnitsConsumed).toBe(4);

  await sql.run("UPDATE t SET b = 'y' WHERE a = 1", "UPDATE t SET b = 'y' WHERE a = 99");
  const updated = await usage(sql);
  expect(updated.writeUnitsConsumed).toBe(read.writeUnitsConsumed + 1);
  expect(updated.storageBytes).toBe(read.storageBytes - 2999);

  await sql.run("DELETE FROM t");
  expect((await usage(sql)).storageBytes).toBe(0);
  await sql.run("INSERT INTO t VALUES (1, 'x')", "DROP TABLE t");
  expect((await usage(sql)).storageBytes).toBe(0);
});

it("[DB-16] counts the demo's tables from the start", async () => {
  running.emulator.reset();
  const sql = new SqlTestClient(await running.login("owner@demo.test", "org_demo_pro"), "db_demo");
  const before = await usage(sql);
  await sql.run("DELETE FROM products", "DROP TABLE page_views");
  const after = await usage(sql);
  expect(after.storageBytes).toBeLessThan(before.storageBytes);
  expect(after.itemCount).toBe(before.itemCount);
});

/**
 * Creates a client for an organization with the given number of bytes of free storage. The rest is recorded as used
 * without being written.
 */
async function createClientWithFreeStorage(bytes: number): Promise<SqlTestClient> {
  const namespace = await createDemoNamespace();
  const { store, clock } = namespace.world;
  const database = store.databases.find("db_demo");
  if (database === undefined) throw new Error("the demo has a database");
  const room = (planTerms.pro.limits?.maxStorageGb ?? 0) * 1024 ** 3;
  const stored = room - store.databases.storageBytes(database.organizationId) - bytes;
  store.databases.addWrite(database.ref, { items: 0, bytes: stored, writeUnits: 0 }, clock.now());
  const app = getApp(namespace);
  const watcher = new ContractWatcher(getContract(defaultProfile));
  const client = new TestClient(
    async (target, init) => app.fetch(new Request(`http://localhost${target}`, init)),
    () => watcher,
  );
  return new SqlTestClient(client.as("dsk_demo_all"), "db_demo");
}

it("[DB-17] refuses rows that exceed the storage, and stores none of them", async () => {
  const sql = await createClientWithFreeStorage(200);
  await sql.run("CREATE TABLE t (a INT PRIMARY KEY, b TEXT)", "INSERT INTO t VALUES (1, 'x')");
  const long = { b: "x".repeat(300) };
  for (const statement of ["INSERT INTO t VALUES (2, 'small'), (3, ?)", "UPDATE t SET b = ? WHERE a = 1"]) {
    const answer = await sql.query(statement, long);
    expect([answer.status, answer.body]).toMatchObject([
      403,
      { type: expect.stringMatching(/ceiling-reached$/) as string },
    ]);
  }
  expect(await sql.rows("SELECT * FROM t")).toEqual([{ a: 1, b: "x" }]);
  expect((await sql.tables()).body).toMatchObject({ tables: [{}, {}, { name: "t", rowCount: 1 }] });
  const grown = await sql.execute(`ALTER TABLE t ADD COLUMN c TEXT NOT NULL DEFAULT '${"x".repeat(300)}'`);
  expect(grown.status).toBe(403);
  expect((await sql.schema("t")).body).toMatchObject({ columns: [{ name: "a" }, { name: "b" }] });
  // deletions are still possible, and so is the definition that was rolled back
  await sql.run("DELETE FROM products", "ALTER TABLE t ADD COLUMN c INT", "INSERT INTO t VALUES (2, 'y', 3)");
  expect(await sql.rows("SELECT * FROM t")).toEqual([
    { a: 1, b: "x", c: null },
    { a: 2, b: "y", c: 3 },
  ]);
});

it("answers the same bytes to the same requests", async () => {
  const texts: string[] = [];
  for (const round of [1, 2]) {
    const sql = await createSqlTestClient(running);
    await sql.run("CREATE TABLE t (a INT PRIMARY KEY)", "INSERT INTO t VALUES (1), (2)");
    const page = await sql.query("SELECT * FROM t", undefined, { limit: 1 });
    texts.push((await sql.tables()).text + page.text);
    expect([round, getStatusAndCode(page)]).toEqual([round, [200, undefined]]);
  }
  expect(texts[0]).toBe(texts[1]);
});
