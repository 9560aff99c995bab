import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEmulator, type Emulator } from "../api/emulator.js";
import { loadSqlite } from "../sqlite/sqlite.js";
import { fullWorld } from "../testing/full-world.js";
import { propertyRuns } from "../testing/property-runs.js";
import { openState, sealState } from "./state-file.js";
import { withoutViews } from "./views.js";

const sqlite = await loadSqlite();
let emulator: Emulator;

beforeAll(async () => {
  emulator = await createEmulator();
  await fullWorld(emulator);
});
afterAll(() => emulator.close());

function ask(file: Uint8Array, sql: string) {
  const database = new sqlite.Database(file.slice());
  try {
    return database.exec(sql)[0]?.values ?? [];
  } finally {
    database.close();
  }
}

describe("the views of an exported file", () => {
  it("show items, entities and rows by names that people know", () => {
    const file = emulator.export();
    expect(ask(file, "SELECT name FROM sqlite_schema WHERE type = 'view'").flat()).toEqual([
      "demo.items",
      "demo.entities.products",
      "demo.entities.events",
      "demo.sql.products",
      "demo.sql.page_views",
      "demo.sql.all types",
      "second.items",
    ]);
    expect(ask(file, `SELECT pk, sk, createdAt FROM "demo.items" WHERE pk = 'settings'`)).toEqual([
      ["settings", "currency", "2030-01-01T00:00:00.000Z"],
      ["settings", "shipping", "2030-01-01T00:00:00.000Z"],
    ]);
    expect(ask(file, `SELECT id, sku, price FROM "demo.entities.products" LIMIT 1`)).toEqual([
      ["ent_demo_teapot", "KIT-1001", 24.5],
    ]);
    expect(ask(file, `SELECT sku, price, tags FROM "demo.sql.products" ORDER BY price LIMIT 1`)).toEqual([
      ["sku-21", 8.4, '["paper"]'],
    ]);
  });

  it("show every type of the SQL interface as the service does, decimals as doubles", async () => {
    const file = emulator.export();
    const [shown] = ask(file, `SELECT h, i, l, o FROM "demo.sql.all types" WHERE a = 'ä'`);
    expect(shown).toEqual([
      123456789012345680,
      "true",
      "2030-01-31T12:00:00.000Z",
      "123e4567-e89b-12d3-a456-426614174000",
    ]);
    const decimals = fc.tuple(
      fc.constantFrom("-", ""),
      fc.stringMatching(/^(?:0|[1-9]\d{0,7})\.\d{1,6}$/),
      fc.integer({ min: -20, max: 20 }),
    );
    const world = emulator.fork("decimals");
    const run = (operation: string, body: object) =>
      world.fetch(`/databases/db_demo/sql/${operation}`, {
        method: "POST",
        headers: { Authorization: "Bearer dsk_demo_all", "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
    await run("execute", { sql: "CREATE TABLE decimals (n INT PRIMARY KEY, d DECIMAL)" });
    const samples = fc
      .sample(decimals, { numRuns: 200, seed: 1 })
      .map(([sign, text, power]) => `${sign}${text}e${power}`);
    const values = samples.map((text, n) => `(${n}, ${text})`).join(", ");
    expect((await run("query", { sql: `INSERT INTO decimals (n, d) VALUES ${values}` })).status).toBe(200);
    ask(world.export(), `SELECT d FROM "demo.sql.decimals" ORDER BY n`).forEach(([found], n) => {
      expect(Number(found)).toBeCloseTo(Number(samples[n]) || 0, 6);
      expect(Math.abs(Number(found) - Number(samples[n]))).toBeLessThanOrEqual(
        Math.abs(Number(samples[n])) * 1e-14,
      );
    });
  });

  it("are never part of a world: what is read has none, not even one that another program made", () => {
    const file = emulator.export();
    const state = openState(sqlite, file);
    expect(ask(state, "SELECT count(*) FROM sqlite_schema WHERE type = 'view'")).toEqual([[0]]);
    const dump = (bytes: Uint8Array) => ask(bytes, "SELECT name, sql FROM sqlite_schema ORDER BY name");
    expect(dump(openState(sqlite, sealState(sqlite, state)))).toEqual(dump(state));
    // a file of a version that wrote none
    const bare = withoutViews(sqlite, file.slice(0, -12));
    expect(Buffer.compare(openState(sqlite, bare), bare)).toBe(0);
    const database = new sqlite.Database(bare.slice());
    database.run(
      "CREATE VIEW endless AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n",
    );
    const foreign = database.export();
    database.close();
    expect(dump(openState(sqlite, foreign))).toEqual(dump(bare));
  });

  it("are there whatever names clients give", async () => {
    const world = await createEmulator();
    const odd = fc.constantFrom("\0", "\u2400", '"', "'", "]", "\\", "a", "A", "É", "é");
    const names = fc.uniqueArray(fc.string({ unit: odd, minLength: 1, maxLength: 3 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(names, async (given) => {
        world.reset();
        const owner = world.token({ email: "owner@demo.test", organizationId: "org_demo_pro" });
        for (const name of given) {
          const { status } = await world.fetch("/api/v1/management/databases/db_demo/repositories", {
            method: "POST",
            headers: { Authorization: `Bearer ${owner}`, "Content-Type": "application/json" },
            body: JSON.stringify({ name, entityName: "Thing", schema: { a: { type: "string" } } }),
          });
          expect(status).toBe(201);
        }
        const file = world.export();
        const views = ask(file, "SELECT name FROM sqlite_schema WHERE name LIKE 'demo.entities.%'");
        expect(views).toHaveLength(2 + given.length);
        openState(sqlite, file);
      }),
      { numRuns: propertyRuns(20), examples: [[["\0"]]] },
    );
    await world.close();
  });

  it("tell databases of one name apart, and names that differ in case", async () => {
    const world = await createEmulator({
      fixture: {
        users: ["ada@acme.test"],
        organizations: [
          { name: "One", plan: "pro" },
          { name: "Two", plan: "pro" },
        ],
        databases: [
          {
            name: "shop",
            organization: "One",
            tables: [
              { create: 'CREATE TABLE "T" (k INT PRIMARY KEY)' },
              { create: "CREATE TABLE t (k INT PRIMARY KEY)" },
            ],
          },
          { name: "shop", organization: "Two" },
        ],
      },
    });
    expect(ask(world.export(), "SELECT name FROM sqlite_schema WHERE type = 'view'").flat()).toEqual([
      "db_shop.items",
      "db_shop.sql.T",
      "db_shop.sql.t (2)",
      "db_shop_2.items",
    ]);
    await world.close();
  });
});
