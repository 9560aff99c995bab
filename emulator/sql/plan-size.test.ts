import { afterEach, expect, it, vi } from "vitest";
import { statementPool } from "../memory/cache-pool.js";
import { TestSqlEngine } from "../testing/test-sql-engine.js";

/** Creates a table with 201 columns, whose names and SQL texts are much longer than the statements in the tests. */
function createWideTable(): TestSqlEngine {
  const engine = new TestSqlEngine();
  const columns = Array.from({ length: 200 }, (_, at) => `c${at}_${"x".repeat(40)} BIGINT DEFAULT 1`);
  engine.execute(`CREATE TABLE w (id INT PRIMARY KEY, ${columns.join(",")})`);
  return engine;
}

afterEach(() => {
  vi.restoreAllMocks();
});

it("shares the answer columns of SELECT * between the plans of a table", () => {
  const engine = createWideTable();
  const { columns } = engine.query("SELECT * FROM w WHERE id=1");
  expect(columns).toHaveLength(201);
  expect(engine.query("SELECT * FROM w WHERE id=2").columns).toBe(columns);
  engine.execute("ALTER TABLE w ADD COLUMN more INT");
  expect(engine.query("SELECT * FROM w WHERE id=1").columns).toHaveLength(202);
});

it.each([
  "SELECT * FROM w WHERE id=#",
  "SELECT * FROM w WHERE id>#",
  "INSERT INTO w(id) VALUES(#)",
  "DELETE FROM w WHERE id=#",
])("counts the SQL text of a plan: %s", (pattern) => {
  const engine = createWideTable();
  const prepare = vi.spyOn(engine.database, "prepare");
  engine.query(pattern.replace("#", "1"));
  const longest = Math.max(...prepare.mock.calls.map(([sql]) => sql.length));
  expect(longest).toBeGreaterThan(1000);
  const sql = pattern.replace("#", "2");
  const add = vi.spyOn(statementPool, "add");
  engine.query(sql);
  const entries = new Set(add.mock.calls.map(([entry]) => entry));
  expect(entries.size).toBe(1);
  for (const { bytes } of entries) expect(bytes).toBeGreaterThan(100 * sql.length + longest);
  // an outdated plan would keep its table in memory
  const remove = vi.spyOn(statementPool, "remove");
  engine.engine.forget();
  for (const entry of entries) expect(remove).toHaveBeenCalledWith(entry);
});

it("keeps no values with a prepared statement", () => {
  const engine = createWideTable();
  engine.execute("CREATE TABLE texts (id INT PRIMARY KEY, text TEXT)");
  const prepare = vi.spyOn(engine.database, "prepare");
  const long = "x".repeat(20_000);
  for (const sql of [
    `INSERT INTO texts (id, text) VALUES (1, '${long}')`,
    `UPDATE texts SET text = '${long}' WHERE id = 1`,
    `SELECT * FROM texts WHERE text = '${long}' ALLOW FILTERING`,
    "DELETE FROM texts WHERE id = 1",
  ])
    engine.query(sql);
  const statements = prepare.mock.results.map(({ value }) => value as object);
  expect(statements.length).toBeGreaterThan(3);
  // sql.js keeps the memory of bound values in arrays of each statement
  const held = statements.flatMap((statement) =>
    (Object.values(statement) as unknown[]).filter(Array.isArray),
  );
  expect(held.length).toBeGreaterThan(0);
  expect(held.flat()).toEqual([]);
});
