import { expect, it } from "vitest";
import { ItemsClient } from "../testing/items-client.js";
import { createSqlTestClient, getStatusAndCode, SqlTestClient } from "../testing/sql-test-client.js";
import { createClientWithFreeStorage } from "../testing/namespace-client.js";
import { useTestEmulator } from "../testing/use-test-emulator.js";

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

const createSqlClientWithFreeStorage = async (bytes: number) =>
  new SqlTestClient(await createClientWithFreeStorage(bytes), "db_demo");

it("[DB-17] refuses rows that exceed the storage, and stores none of them", async () => {
  const sql = await createSqlClientWithFreeStorage(200);
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
