import { describe, expect, it } from "vitest";
import { measureCostRatio } from "../testing/measure-cost-ratio.js";
import { TestSqlEngine } from "../testing/test-sql-engine.js";

/** Creates an engine with tables of these names. */
function createEngineWithTables(names: readonly string[]): TestSqlEngine {
  const engine = new TestSqlEngine();
  engine.database.run("PRAGMA foreign_keys = OFF");
  engine.database.run(
    "INSERT INTO sql_tables SELECT NULL, 'db_1', value, '2030-01-01T00:00:00.000Z', 0, 0, '' FROM json_each(?)",
    [JSON.stringify(names)],
  );
  return engine;
}

function getHint(engine: TestSqlEngine, name: string): string {
  return engine.refusal(() => engine.query(`SELECT * FROM "${name}"`)).details;
}

describe("the hint for an unknown table", () => {
  it.each([
    ["orders", "order"],
    ["orders", "ordres"],
    ["orders", "xorderss"],
    ["orders", "ORDERS"],
    ["Orders", "0rd3rs"],
    ["abc", "ab"],
    ["ab", "a"],
    ["größe", "grösse"],
  ])("names %s for %s", (name, given) => {
    expect(getHint(createEngineWithTables(["other_table", name, "another"]), given)).toContain(
      `Did you mean ${JSON.stringify(name)}?`,
    );
  });

  it("finds a table among thousands of others", () => {
    const others = Array.from({ length: 1500 }, (_, at) => `a_log_of_the_day_${at}`);
    expect(getHint(createEngineWithTables([...others, "users"]), "usres")).toContain('Did you mean "users"?');
  });

  it.each([
    ["one that begins differently", "y"],
    ["one that begins in the same way", "x"],
  ])("takes little longer than listing 20,000 tables: %s", (_what, letter) => {
    const engine = createEngineWithTables(
      Array.from({ length: 20_000 }, (_, at) => `${"x".repeat(50)}${100_000 + at}`),
    );
    const list = () => engine.engine.listTables("db_1");
    expect(measureCostRatio(list, () => getHint(engine, letter.repeat(56)), 3)).toBeLessThan(8);
  });
});
