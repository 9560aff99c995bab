import { createHash } from "node:crypto";
import * as fc from "fast-check";
import type { SqlJsStatic, SqlValue } from "sql.js";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { LinearPattern } from "../repositories/linear-pattern.js";
import { serviceOperations } from "../../openapi/operations/register.js";
import { createEmulator, type Emulator } from "../api/emulator.js";
import { getPropertyRuns } from "../testing/property-runs.js";
import { readEverything } from "../testing/read-everything.js";
import { loadSqlite } from "../sqlite/sqlite.js";
import { tablesSql } from "../store/schema.js";
import { fillWorld } from "../testing/fill-world.js";
import { serviceTables, getTableRules } from "./table-rules.js";
import { measureCostRatio } from "../testing/measure-cost-ratio.js";
import { measureProcessorMs } from "../testing/measure-processor-ms.js";

let sqlite: SqlJsStatic;
let emulator: Emulator;
/** A state in which every table has rows, without its seal. */
let state: Uint8Array;

beforeAll(async () => {
  sqlite = await loadSqlite();
  emulator = await createEmulator({ journal: 10_000 });
  await fillWorld(emulator);
  state = emulator.export().slice(0, -12);
});
afterAll(() => emulator.close());

/** The state after another program has run SQL on it. */
function changedBy(sql: string, values?: SqlValue[]): Uint8Array {
  const database = new sqlite.Database(state.slice());
  try {
    database.run(sql, values);
    return database.export();
  } finally {
    database.close();
  }
}

/** The same where SQLite may refuse the SQL, because the table itself does not take what it writes. */
function perhapsChangedBy(sql: string, values?: SqlValue[]): Uint8Array | undefined {
  try {
    return changedBy(sql, values);
  } catch {
    return undefined;
  }
}

/** The message of the refusal; nothing for a file that is taken. */
function refusalOf(file: Uint8Array): string | undefined {
  try {
    emulator.snapshots.upload("given", file);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // a refusal is a problem with a sentence for people
    expect(message).toMatch(/^The file cannot be used: .+\.$/);
    return message;
  }
}

function columnsOf(table: string): string[] {
  const database = new sqlite.Database();
  database.run(tablesSql);
  const names = Object.keys(getTableRules(database, table).columns);
  database.close();
  return names;
}

/** How many files were taken. */
let taken = 0;

/** Takes a file and reads all in it, unless it is refused. */
async function failuresOf(file: Uint8Array) {
  if (refusalOf(file) !== undefined) return [];
  taken += 1;
  emulator.snapshots.restore("given");
  // what was read before is in the journal, which is read as well
  emulator.journal.clear();
  return (await readEverything(emulator)).failures;
}

describe("a state with rows in every table", () => {
  it("is accepted, and every reading operation of the service responds", async () => {
    const database = new sqlite.Database(state);
    for (const table of serviceTables)
      expect(database.exec(`SELECT 1 FROM ${table} LIMIT 1`), table).toHaveLength(1);
    database.close();
    expect(refusalOf(state)).toBeUndefined();
    emulator.snapshots.restore("given");
    emulator.journal.clear();
    const { failures } = await readEverything(emulator);
    expect(failures).toEqual([]);
    const answered = emulator.journal
      .entries()
      .filter(({ response }) => [200, 503].includes(response.status))
      .map(({ operationId }) => operationId);
    for (const [id, { effect }] of Object.entries(serviceOperations))
      if (effect === "read") expect(answered).toContain(id);
  });

  it("has rules for every column of every table", () => {
    const database = new sqlite.Database();
    database.run(tablesSql);
    const [tables] = database.exec("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
    expect(tables?.values.map(([name]) => name)).toEqual([...serviceTables].sort());
    for (const table of serviceTables) {
      const { key, columns } = getTableRules(database, table);
      expect(Object.keys(columns), table).toEqual(expect.arrayContaining([...key]));
    }
    database.close();
  });
});

describe("expressions that another program has written into a file", () => {
  const writable = "PRAGMA writable_schema = ON; ";
  const insert = (type: string, name: string, table: string, sql: string, root = 0) =>
    `${writable}INSERT INTO sqlite_schema VALUES ('${type}', '${name}', '${table}', ${root}, '${sql}')`;
  const endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n";
  it.each([
    [
      "a trigger named for SQLite",
      insert(
        "trigger",
        "sqlite_t",
        "items",
        "CREATE TRIGGER sqlite_t AFTER INSERT ON items BEGIN DELETE FROM users; END",
      ),
    ],
    [
      "a trigger that never ends",
      insert(
        "trigger",
        "sqlite_u",
        "items",
        `CREATE TRIGGER sqlite_u AFTER INSERT ON items BEGIN ${endless}; END`,
      ),
    ],
    [
      "a trigger with the name of a table",
      "CREATE TRIGGER sql_table_1 AFTER INSERT ON items BEGIN DELETE FROM users; END",
    ],
    [
      "a trigger with the name of a table of the emulator",
      "CREATE TRIGGER items AFTER INSERT ON items BEGIN DELETE FROM users; END",
    ],
    ["an index of an expression", `CREATE INDEX sqlx ON items (length(hex(zeroblob(length(pk) + 100000))))`],
    [
      "such an index in the place of one of the emulator",
      "DROP INDEX sql_index_1; CREATE INDEX sql_index_1 ON sql_table_1 (hex(zeroblob(1000000) || c3))",
    ],
    [
      "a partial index",
      "DROP INDEX sql_index_1; CREATE INDEX sql_index_1 ON sql_table_1 (c3) WHERE c3 > hex(zeroblob(9))",
    ],
    ["a view in the place of a table", `DROP TABLE items; CREATE VIEW items AS ${endless}`],
    ["a virtual table", "CREATE VIRTUAL TABLE v USING fts3(a)"],
    [
      "a check",
      `${writable}UPDATE sqlite_schema SET sql = replace(sql, 'bytes INTEGER NOT NULL', 'bytes INTEGER CHECK (hex(zeroblob(bytes)) > 0)') WHERE name = 'items'`,
    ],
    [
      "a generated column",
      `${writable}UPDATE sqlite_schema SET sql = replace(sql, 'c1 TEXT', 'c1 TEXT AS (hex(zeroblob(9)))') WHERE name = 'sql_table_1'`,
    ],
    [
      "a default",
      `${writable}UPDATE sqlite_schema SET sql = replace(sql, 'bytes INTEGER NOT NULL', 'bytes INTEGER NOT NULL DEFAULT (random())') WHERE name = 'items'`,
    ],
    [
      "a collation",
      `${writable}UPDATE sqlite_schema SET sql = replace(sql, 'pk TEXT', 'pk TEXT COLLATE NOCASE') WHERE name = 'items'`,
    ],
    ["an entry without a name", `${writable}INSERT INTO sqlite_schema VALUES ('table', NULL, NULL, 1, NULL)`],
    ["an entry of another kind", insert("event", "e", "e", "whatever")],
    [
      "an entry twice",
      `${writable}INSERT INTO sqlite_schema SELECT * FROM sqlite_schema WHERE name = 'items'`,
    ],
    [
      "an index that comes with no table",
      `${writable}INSERT INTO sqlite_schema VALUES ('index', 'sqlite_autoindex_items_1', 'items', 30, NULL)`,
    ],
    [
      "two tables in one place",
      `${writable}UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'users') WHERE name = 'items'`,
    ],
    ["a table that is nowhere", `${writable}UPDATE sqlite_schema SET rootpage = 0 WHERE name = 'items'`],
    ["a table beyond the end", `${writable}UPDATE sqlite_schema SET rootpage = 100000 WHERE name = 'items'`],
    ["statistics", "ANALYZE"],
  ])("are refused before they are evaluated: %s", (_what, sql) => {
    const file = changedBy(sql);
    let refusal: string | undefined;
    // what is evaluated takes seconds or does not end; this is no measure of the machine
    expect(measureProcessorMs(() => (refusal = refusalOf(file)))).toBeLessThan(30_000);
    expect(refusal).toMatch(
      /not one of the emulator's tables|differs from|lacks|lists .* twice|nowhere|cannot be read|not match the catalog|damaged/,
    );
  });

  it("are refused if pages of the list form a cycle", () => {
    const pageSize = 2048;
    const file = Buffer.from(changedBy("SELECT 1"));
    // the root of the list, made an inner page whose children are all the root itself
    expect([0x05, 0x0d]).toContain(file[100]);
    const root = file.subarray(0, pageSize);
    root[100] = 0x05;
    root.writeUInt16BE(100, 103);
    root.writeUInt32BE(1, 108);
    for (let cell = 0; cell < 100; cell += 1) root.writeUInt16BE(1000, 112 + cell * 2);
    root.writeUInt32BE(1, 1000);
    expect(refusalOf(file)).toContain("it is damaged: database disk image is malformed");
  });
});

describe("patterns of repository schemas", () => {
  /** The state with repositories that have these patterns, five each, and one with the last patterns. */
  function withPatterns(patterns: readonly string[], last: readonly string[] = []): Uint8Array {
    const database = new sqlite.Database(state.slice());
    const insert = database.prepare(
      "INSERT INTO repositories SELECT ?, ?, ref, ?, 'E', ?, ?, 0, 0, 0, 0, 0 FROM databases LIMIT 1",
    );
    const schemas = Array.from({ length: Math.ceil(patterns.length / 5) }, (_, at) =>
      patterns.slice(at * 5, at * 5 + 5),
    );
    for (const [at, fields] of [...schemas, ...(last.length > 0 ? [last] : [])].entries()) {
      const schema = JSON.stringify(
        Object.fromEntries(fields.map((pattern, index) => [`f${index}`, { type: "string", pattern }])),
      );
      const hash = createHash("sha256").update(schema).digest("base64url");
      insert.run([1000 + at, `repo_${at}`, `n${at}`, schema, hash]);
    }
    insert.free();
    const file = database.export();
    database.close();
    return file;
  }

  /** How many patterns are compiled to check a file, and why it is refused, if it is. */
  function check(patterns: readonly string[], last?: readonly string[]) {
    const compile = vi.spyOn(LinearPattern, "compile");
    const refusal = refusalOf(withPatterns(patterns, last));
    const compiled = compile.mock.calls.length;
    compile.mockRestore();
    return { refusal, compiled };
  }

  const large = (at: number) => `a{900}b{900}c{900}d{900}${at}`;

  it("are compiled up to a total size, and the others at their first use", async () => {
    const { compiled: compiledBefore } = check([]);
    const patterns = Array.from({ length: 300 }, (_, at) => large(at));
    const { refusal, compiled } = check([...patterns, "("]);
    expect(refusal).toBeUndefined();
    expect(compiled - compiledBefore).toBe(Math.ceil(100_000 / 3605));
    expect(await failuresOf(withPatterns([...patterns, "("]))).toEqual([]);
    expect(check(["(", ...patterns]).refusal).toContain("is not a usable pattern");
  });

  it("are checked for their length and size even where they are not compiled", () => {
    const patterns = Array.from({ length: 30 }, (_, at) => large(at));
    expect(check([...patterns, `${"a".repeat(1000)}(`]).refusal).toContain("at most 1000 are allowed");
    expect(check([...patterns, "((a{1000}){1000}){1000}"]).refusal).toContain("too many repetitions");
  });

  it("are not kept beyond the total size of a schema", () => {
    const patterns = Array.from({ length: 30 }, (_, at) => large(at));
    const six = patterns.slice(0, 6);
    expect(check(patterns, [...six, "("]).refusal).toContain("too large in total");
    expect(check(patterns, six.slice(1)).refusal).toBeUndefined();
  });

  it("are compiled once where schemas are equal", () => {
    const { compiled: compiledBefore } = check([]);
    const patterns = Array.from({ length: 50 }, (_, at) => `a${at % 5}`);
    expect(check(patterns).compiled - compiledBefore).toBe(5);
  });
});

describe("a file is checked in a time that does not grow with the square of", () => {
  const upTo = (count: number) =>
    `WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;

  it("its views", () => {
    const withViews = (count: number) =>
      changedBy(
        `PRAGMA writable_schema = ON;
        INSERT INTO sqlite_schema ${upTo(count)}
          SELECT 'view', 'v' || i, 'v' || i, 0, 'CREATE VIEW v' || i || ' AS SELECT 1' FROM n`,
      );
    const [few, many] = [withViews(2000), withViews(16_000)];
    expect(refusalOf(many)).toBeUndefined();
    expect(
      measureCostRatio(
        () => refusalOf(few),
        () => refusalOf(many),
        2,
      ),
    ).toBeLessThan(10);
  });

  it("the columns of an SQL table", () => {
    const withColumns = (keys: number) => {
      const ids = JSON.stringify(Array.from({ length: keys }, (_, id) => id));
      const columns = JSON.stringify(
        Array.from({ length: 40_000 }, (_, id) => ({
          id,
          defaultJson: null,
          type: { kind: "scalar", name: "INT" },
        })),
      );
      return changedBy(
        "UPDATE sql_tables SET definition = ? WHERE table_id = (SELECT min(table_id) FROM sql_tables)",
        [`{"columns":${columns},"partition":${ids},"clustering":[]}`],
      );
    };
    const [few, many] = [withColumns(1), withColumns(40_000)];
    for (const file of [few, many])
      expect(refusalOf(file)).toContain("has a definition that does not describe a valid table");
    expect(
      measureCostRatio(
        () => refusalOf(few),
        () => refusalOf(many),
        2,
      ),
    ).toBeLessThan(3);
  });
});

describe("a file with an oddity is refused, or everything in it can be read", () => {
  const odd: readonly SqlValue[] = [
    null,
    -1,
    2,
    0.5,
    9e15,
    1e300,
    "",
    "nobody",
    "{}",
    "[[]]",
    '{"a":1e999,"b":"\\ud800"}',
    new Uint8Array([0xff, 0xfe]),
  ];
  const columns: { readonly table: string; readonly column: string }[] = [];
  beforeAll(() => {
    for (const table of serviceTables) columns.push(...columnsOf(table).map((column) => ({ table, column })));
  });

  it("with any value in any column", { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...columns),
        fc.constantFrom(...odd),
        async ({ table, column }, value) => {
          const file = perhapsChangedBy(`UPDATE OR IGNORE ${table} SET ${column} = ?`, [value]);
          if (file !== undefined) expect(await failuresOf(file)).toEqual([]);
        },
      ),
      { numRuns: getPropertyRuns(12) },
    );
  });

  it("is refused if a text is not UTF-8", { timeout: 60_000 }, () => {
    let texts = 0;
    for (const { table, column } of columns) {
      const file = perhapsChangedBy(
        `UPDATE ${table} SET ${column} = CAST(CAST(${column} AS BLOB) || x'80' AS TEXT) WHERE typeof(${column}) = 'text'`,
      );
      if (file === undefined || Buffer.compare(file.subarray(100), state.subarray(100)) === 0) continue;
      texts += 1;
      expect(refusalOf(file), `${table} ${column}`).toBeDefined();
    }
    expect(texts).toBeGreaterThan(60);
  });

  it("is refused if a row refers to a missing one", () => {
    const database = new sqlite.Database(state.slice());
    const [found] = database.exec(
      `SELECT s.name, k."from" FROM sqlite_schema s JOIN pragma_foreign_key_list(s.name) k WHERE s.type = 'table'`,
    );
    database.close();
    expect(found?.values).toHaveLength(15);
    for (const [table, column] of found?.values ?? []) {
      // an order is named for its organization, which is looked at before
      const also = table === "orders" ? ", order_id = 'order__' || number" : "";
      const odd = String(column).endsWith("_ref") || column === "table_id" ? "999" : "'org_'";
      const refusal = refusalOf(
        changedBy(`UPDATE OR IGNORE ${String(table)} SET ${String(column)} = ${odd}${also}`),
      );
      expect(refusal).toMatch(
        new RegExp(`a row in the table \\w+ has no matching row in \\w+ for its ${String(column)}`),
      );
    }
  });

  it("is refused if the count of ids is near its end", () => {
    const file = changedBy(
      `UPDATE meta SET value = json_set(value, '$.ids.count', 9007199254740991) WHERE name = 'clockAndIds'`,
    );
    expect(refusalOf(file)).toMatch(/clock and id generator cannot be read/);
  });

  it("when a row is missing from any table", async () => {
    for (const table of serviceTables)
      expect(await failuresOf(changedBy(`DELETE FROM ${table}`)), table).toEqual([]);
  });

  it("with any bytes changed", { timeout: 300_000 }, async () => {
    const before = taken;
    const change = fc.record({
      at: fc.integer({ min: 0, max: state.length - 1 }),
      by: fc.integer({ min: 1, max: 255 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const file = state.slice();
        for (const { at, by } of changes) file[at] = (file[at] ?? 0) ^ by;
        expect(await failuresOf(file)).toEqual([]);
      }),
      { numRuns: getPropertyRuns(25) },
    );
    // not all were refused
    expect(taken).toBeGreaterThan(before);
  });

  it("with any bytes of its rows changed", { timeout: 300_000 }, async () => {
    // where text is, so that the changes are not all in pages and numbers
    const text = [...state.keys()].filter((at) => /[\w" {}:,-]/.test(String.fromCharCode(state[at] ?? 0)));
    const change = fc.record({ at: fc.constantFrom(...text), by: fc.constantFrom(1, 2, 4, 16, 32, 128) });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const file = state.slice();
        for (const { at, by } of changes) file[at] = (file[at] ?? 0) ^ by;
        expect(await failuresOf(file)).toEqual([]);
      }),
      { numRuns: getPropertyRuns(25) },
    );
  });
});
