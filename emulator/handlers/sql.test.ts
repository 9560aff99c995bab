import { beforeEach, describe, expect, it } from "vitest";
import { createSqlTestClient, getStatusAndCode, type SqlTestClient } from "../testing/sql-test-client.js";
import { useTestEmulator } from "../testing/use-test-emulator.js";

const running = useTestEmulator();
let sql: SqlTestClient;
beforeEach(async () => {
  sql = await createSqlTestClient(running);
  await sql.run(
    "CREATE TABLE visits (page TEXT, at INT, day INT, who TEXT, score DECIMAL, PRIMARY KEY (page, at, day))",
    "INSERT INTO visits VALUES ('a', 1, 1, 'x', 1.5), ('a', 2, 1, 'y', 2.5), ('a', 2, 2, 'x', 3.5), ('b', 1, 1, 'z', NULL)",
  );
});

const all = "SELECT page, at, day FROM visits";
const key = (page: string, at: number, day: number) => ({ page, at, day });
const everyRow = [key("a", 1, 1), key("a", 2, 1), key("a", 2, 2), key("b", 1, 1)];

describe("query", () => {
  it("[SQL-01] [SQL-02] [SQL-03] [SQL-51] returns rows, their number, columns, the next page and the time", async () => {
    const answer = await sql.query(
      "SELECT who, score FROM visits WHERE page = ?",
      { page: "a" },
      { limit: 2 },
    );
    expect([answer.status, answer.headers.get("content-type"), answer.body]).toEqual([
      200,
      "application/json",
      {
        rows: [
          { who: "x", score: 1.5 },
          { who: "y", score: 2.5 },
        ],
        rowCount: 2,
        columns: [
          { name: "who", type: "VARCHAR" },
          { name: "score", type: "DECIMAL" },
        ],
        nextPageToken: expect.stringMatching(/./) as string,
        executionTimeMs: 0,
      },
    ]);
    const versioned = await sql.client.post(`/api/v1/databases/${sql.databaseId}/sql/query`, { sql: all });
    expect(versioned.status).toBe(404);
  });

  it("measures the time with the emulator's clock", async () => {
    running.emulator.clock.mode("system");
    const { executionTimeMs } = (await sql.query(all)).body as { executionTimeMs: number };
    expect(executionTimeMs).toBeGreaterThanOrEqual(0);
    running.emulator.clock.mode("manual");
    expect((await sql.query(all)).body).toMatchObject({ executionTimeMs: 0 });
  });

  it("[SQL-04] [SQL-10] runs SELECT, INSERT, UPDATE and DELETE", async () => {
    const insert = await sql.query("INSERT INTO visits (page, at, day, who) VALUES (?, ?, ?, ?)", {
      page: "c",
      at: 1,
      day: 2,
      who: "w",
    });
    expect(insert.body).toEqual({
      rows: [],
      rowCount: 1,
      columns: [],
      nextPageToken: null,
      executionTimeMs: 0,
    });
    const one = "SELECT * FROM visits WHERE page = 'c' AND at = 1 AND day = 2";
    expect(await sql.rows(one)).toEqual([{ ...key("c", 1, 2), who: "w", score: null }]);
    expect((await sql.query("UPDATE visits SET who = 'v' WHERE page = 'c'")).body).toMatchObject({
      rowCount: 1,
    });
    expect(await sql.rows(one)).toEqual([{ ...key("c", 1, 2), who: "v", score: null }]);
    expect((await sql.query("DELETE FROM visits WHERE page = 'c'")).body).toMatchObject({ rowCount: 1 });
    expect(await sql.rows(one)).toEqual([]);
  });

  it.each([
    "CREATE TABLE t (a INT PRIMARY KEY)",
    "ALTER TABLE visits ADD COLUMN n INT",
    "DROP TABLE visits",
    "CREATE INDEX i ON visits (who)",
    "DROP INDEX i",
  ])("[SQL-05] refuses %s and names the other endpoint", async (statement) => {
    const answer = await sql.query(statement);
    expect(getStatusAndCode(answer)).toEqual([400, "SQL_VALIDATION_ERROR"]);
    expect(answer.text).toContain("/sql/execute");
  });

  it("[SQL-09] binds markers as data, with any text", async () => {
    const evil = `'; DROP TABLE visits; -- " /* \u0000 ?`;
    await sql.query("INSERT INTO visits (page, at, day, who) VALUES (?, 9, 9, ?)", { p: evil, w: evil });
    expect(await sql.rows("SELECT who FROM visits WHERE page = ?", { p: evil })).toEqual([{ who: evil }]);
    expect(await sql.rows(all)).toHaveLength(5);
    for (const parameters of [undefined, {}, { a: 1, b: 2 }])
      expect(getStatusAndCode(await sql.query(`${all} WHERE page = ?`, parameters))).toEqual([
        400,
        "SQL_VALIDATION_ERROR",
      ]);
  });

  it("[SQL-11] [SQL-12] changes and deletes the rows that WHERE selects and no others", async () => {
    await sql.run("UPDATE visits SET who = 'u' WHERE page = 'a' AND at = 2");
    expect(await sql.rows("SELECT who FROM visits")).toEqual(["x", "u", "u", "z"].map((who) => ({ who })));
    await sql.run("DELETE FROM visits WHERE page = 'a' AND at = 2 AND day = 1");
    expect(await sql.rows(all)).toEqual([key("a", 1, 1), key("a", 2, 2), key("b", 1, 1)]);
  });

  it("[SQL-13] [SQL-14] selects exactly the rows that WHERE says, by key and by index", async () => {
    expect(await sql.rows(`${all} WHERE page = 'a' AND at >= 2`)).toEqual([key("a", 2, 1), key("a", 2, 2)]);
    expect(await sql.rows(`${all} WHERE page IN ('b', 'c')`)).toEqual([key("b", 1, 1)]);
    expect(getStatusAndCode(await sql.query(`${all} WHERE who = 'x'`))).toEqual([
      400,
      "SQL_VALIDATION_ERROR",
    ]);
    await sql.run("CREATE INDEX by_who ON visits (who)");
    expect(await sql.rows(`${all} WHERE who = 'x'`)).toEqual([key("a", 1, 1), key("a", 2, 2)]);
  });

  it("[SQL-15] [SQL-16] orders by clustering columns only", async () => {
    const inA = `${all} WHERE page = 'a' ORDER BY`;
    expect(await sql.rows(`${inA} at`)).toEqual(everyRow.slice(0, 3));
    expect(await sql.rows(`${inA} at DESC`)).toEqual(everyRow.slice(0, 3).reverse());
    expect(await sql.rows(`${inA} at DESC, day ASC`)).toEqual([
      key("a", 2, 1),
      key("a", 2, 2),
      key("a", 1, 1),
    ]);
    for (const column of ["page", "who", "score"])
      expect(getStatusAndCode(await sql.query(`${inA} ${column}`))).toEqual([400, "SQL_VALIDATION_ERROR"]);
  });

  it("[SQL-17] [SQL-18] limits with LIMIT and counts with COUNT", async () => {
    expect(await sql.rows(`${all} LIMIT 2`)).toEqual(everyRow.slice(0, 2));
    expect(await sql.rows(`${all} LIMIT ?`, { n: 3 })).toEqual(everyRow.slice(0, 3));
    expect(await sql.pages(`${all} LIMIT 3`, 2)).toEqual([everyRow.slice(0, 2), everyRow.slice(2, 3)]);
    const count = await sql.query("SELECT COUNT(*) FROM visits WHERE page = 'a'");
    expect(count.body).toMatchObject({
      rows: [{ count: 3 }],
      rowCount: 1,
      columns: [{ name: "count", type: "BIGINT" }],
    });
    expect(await sql.rows("SELECT COUNT(score) AS scored FROM visits")).toEqual([{ scored: 3 }]);
  });

  it("[SQL-20] refuses JOIN", () => refuses("SELECT * FROM visits JOIN visits", "JOIN"));
  it("[SQL-21] refuses subqueries", () =>
    refuses("SELECT * FROM visits WHERE page IN (SELECT page FROM visits)", "subquer"));
  it("[SQL-22] refuses GROUP BY", () => refuses("SELECT * FROM visits GROUP BY page", "GROUP BY"));
  it("[SQL-23] refuses complex expressions in SELECT", () =>
    refuses("SELECT at + 1 FROM visits", "not supported"));
  it.each(["SUM", "MIN", "MAX", "AVG"])("[SQL-24] refuses %s", (name) =>
    refuses(`SELECT ${name}(at) FROM visits`, name),
  );

  async function refuses(statement: string, named: string): Promise<void> {
    const answer = await sql.query(statement);
    expect(getStatusAndCode(answer)).toEqual([400, "SQL_SYNTAX_ERROR"]);
    expect(answer.text).toContain(named);
    expect((answer.body as { details: string }).details).toContain("line 1");
  }
});

describe("pages", () => {
  it("[SQL-25] [SQL-26] limits a page, continues after it, and returns every row once", async () => {
    for (const limit of [1, 2, 3, 4, 5]) {
      const pages = await sql.pages(all, limit);
      expect(pages.flat()).toEqual(everyRow);
      expect(pages.every((page) => page.length <= limit)).toBe(true);
      expect(pages).toHaveLength(Math.ceil(everyRow.length / limit));
    }
  });

  it.each(["at", "at DESC", "at, day DESC", "at DESC, day"])(
    "[SQL-26] keep the order of %s",
    async (order) => {
      const statement = `${all} WHERE page = 'a' ORDER BY ${order}`;
      const whole = await sql.rows(statement);
      for (const limit of [1, 2]) expect((await sql.pages(statement, limit)).flat()).toEqual(whole);
    },
  );

  it("[SQL-26] returns every remaining row, whatever is written between pages", async () => {
    await sql.run("CREATE TABLE t (p INT, c INT, PRIMARY KEY (p, c))");
    const old = Array.from({ length: 20 }, (_, index) => ({ p: 1, c: index * 10 }));
    await sql.run(`INSERT INTO t VALUES ${old.map(({ c }) => `(1, ${c})`).join(", ")}`);
    const gone = { p: 1, c: 190 };
    const pages = await sql.pages("SELECT * FROM t WHERE p = 1 ORDER BY c", 3, async (page) => {
      // insert a row before those already read; delete the last row read, and one not read yet
      await sql.query("INSERT INTO t VALUES (1, ?)", { c: -page });
      if (page === 2)
        await sql.run("DELETE FROM t WHERE p = 1 AND c = 50", "DELETE FROM t WHERE p = 1 AND c = 190");
    });
    expect(pages.flat()).toEqual(old.filter(({ c }) => c !== gone.c));
  });

  it("refuses tokens of other statements and made-up ones with SQL_VALIDATION_ERROR", async () => {
    const { nextPageToken } = (await sql.query(all, undefined, { limit: 1 })).body as {
      nextPageToken: string;
    };
    for (const [statement, pageToken] of [
      [`${all} WHERE page = 'a'`, nextPageToken],
      [all, `${nextPageToken}x`],
      [all, "nonsense"],
      [all, ""],
      [all, 5],
      ["INSERT INTO visits (page, at, day) VALUES ('q', 1, 1)", nextPageToken],
    ] as const)
      expect(getStatusAndCode(await sql.query(statement, undefined, { pageToken }))).toEqual([
        400,
        "SQL_VALIDATION_ERROR",
      ]);
    expect(await sql.rows(all)).toEqual(everyRow);
  });
});

describe("execute", () => {
  it("[SQL-06] [SQL-08] runs CREATE, ALTER and DROP of tables and indexes", async () => {
    for (const statement of [
      "CREATE TABLE t (a INT PRIMARY KEY, b TEXT)",
      "ALTER TABLE t ADD COLUMN c BIGINT DEFAULT 7",
      "CREATE UNIQUE INDEX i ON t (b)",
      "DROP INDEX i",
      "DROP TABLE t",
    ]) {
      const answer = await sql.execute(statement);
      expect([answer.status, answer.body]).toEqual([
        200,
        { success: true, message: expect.stringMatching(/./) as string, affectedRows: 0 },
      ]);
    }
  });

  it.each([
    all,
    "INSERT INTO visits (page, at, day) VALUES ('q', 1, 1)",
    "UPDATE visits SET who = 'x'",
    "DELETE FROM visits",
  ])("[SQL-07] refuses %s and names the other endpoint", async (statement) => {
    const answer = await sql.execute(statement);
    expect(getStatusAndCode(answer)).toEqual([400, "SQL_VALIDATION_ERROR"]);
    expect(answer.text).toContain("/sql/query");
    expect(await sql.rows(all)).toEqual(everyRow);
  });

  it("[SQL-52] drops a table with its rows, and adds and drops columns in schema and rows", async () => {
    await sql.run("ALTER TABLE visits ADD COLUMN n INT DEFAULT 7", "ALTER TABLE visits DROP COLUMN who");
    expect(await sql.rows("SELECT * FROM visits WHERE page = 'b'")).toEqual([
      { ...key("b", 1, 1), score: null, n: 7 },
    ]);
    const { columns } = (await sql.schema("visits")).body as { columns: { name: string }[] };
    expect(columns.map(({ name }) => name)).toEqual(["page", "at", "day", "score", "n"]);
    await sql.run("DROP TABLE visits");
    expect(getStatusAndCode(await sql.query(all))).toEqual([400, "TABLE_NOT_FOUND"]);
    await sql.run("CREATE TABLE visits (page TEXT, at INT, day INT, PRIMARY KEY (page, at, day))");
    expect(await sql.rows(all)).toEqual([]);
  });

  it("undoes a failed definition completely", async () => {
    await sql.run("INSERT INTO visits (page, at, day, who) VALUES ('q', 1, 1, 'x')");
    expect(getStatusAndCode(await sql.execute("CREATE UNIQUE INDEX i ON visits (who)"))).toEqual([
      400,
      "SQL_VALIDATION_ERROR",
    ]);
    expect((await sql.schema("visits")).body).toMatchObject({ indexes: [] });
    await sql.run("CREATE INDEX i ON visits (who)");
  });
});

describe("tables and schemas", () => {
  it("[SQL-27] [SQL-28] lists tables with row count and creation time", async () => {
    running.emulator.clock.set("2030-01-01T00:30:00.000Z");
    await sql.run("CREATE TABLE later (a INT PRIMARY KEY)");
    expect((await sql.tables()).body).toEqual({
      tables: [
        { name: "later", rowCount: 0, createdAt: "2030-01-01T00:30:00.001Z" },
        { name: "visits", rowCount: 4, createdAt: expect.stringMatching(/^2030-01-01T00:00:/) as string },
      ],
    });
    await sql.run("INSERT INTO later VALUES (1), (2)", "DELETE FROM later WHERE a = 1");
    expect((await sql.tables()).body).toMatchObject({ tables: [{ rowCount: 1 }, { rowCount: 4 }] });
  });

  it("[SQL-19] [SQL-29] [SQL-30] [SQL-31] [SQL-32] describes a table as declared", async () => {
    await sql.run(
      "CREATE TABLE t (d INT, c TEXT, b UUID, a BIGINT, n DECIMAL NOT NULL DEFAULT 12345678901234567890.5, l LIST<LONG>, PRIMARY KEY ((b, a), d, c))",
      "CREATE INDEX second ON t (n)",
      "CREATE UNIQUE INDEX first ON t (n, c)",
    );
    const column = (name: string, type: string, more = {}) => ({
      name,
      type,
      isPartitionKey: false,
      isClusteringKey: false,
      isNullable: false,
      defaultValue: null,
      ...more,
    });
    const answer = await sql.schema("t");
    expect(answer.body).toEqual({
      tableName: "t",
      columns: [
        column("d", "INT", { isClusteringKey: true }),
        column("c", "VARCHAR", { isClusteringKey: true }),
        column("b", "UUID", { isPartitionKey: true }),
        column("a", "BIGINT", { isPartitionKey: true }),
        column("n", "DECIMAL", { defaultValue: 12345678901234567890 }),
        column("l", "LIST<BIGINT>", { isNullable: true }),
      ],
      primaryKey: { partitionKeys: ["b", "a"], clusteringKeys: ["d", "c"] },
      indexes: [
        { name: "first", columns: ["n", "c"], isUnique: true },
        { name: "second", columns: ["n"], isUnique: false },
      ],
    });
    expect(answer.text).toContain('"defaultValue":12345678901234567890.5}');
  });

  it("finds tables with any name", async () => {
    const name = `a/b "c" ?#% é 😀`;
    await sql.run(`CREATE TABLE "${name.replaceAll('"', '""')}" (a INT PRIMARY KEY)`);
    expect((await sql.schema(name)).body).toMatchObject({ tableName: name });
    expect((await sql.tables()).body).toMatchObject({ tables: [{ name }, { name: "visits" }] });
  });
});

describe("errors", () => {
  it("[SQL-46] have status 400, a code, a message and details", async () => {
    const answer = await sql.query("SELECT * FROM nowhere");
    expect([answer.status, answer.headers.get("content-type"), answer.body]).toEqual([
      400,
      "application/json",
      {
        code: "TABLE_NOT_FOUND",
        message: 'there is no table "nowhere"',
        details: expect.any(String) as string,
      },
    ]);
  });

  it.each([
    "",
    "SELEC",
    "SELECT * FROM visits; SELECT * FROM visits",
    "SELECT * FROM visits WHERE",
    "INSERT INTO",
  ])("[SQL-47] are SQL_SYNTAX_ERROR for %j", async (statement) => {
    expect(getStatusAndCode(await sql.query(statement))).toEqual([400, "SQL_SYNTAX_ERROR"]);
    expect(getStatusAndCode(await sql.execute(statement))).toEqual([400, "SQL_SYNTAX_ERROR"]);
  });

  it("[SQL-48] return SQL_VALIDATION_ERROR for violated constraints, and leave no change", async () => {
    const before = await sql.client.get(`/api/v1/management/databases/${sql.databaseId}`);
    for (const values of [
      "('n', 1, 1), ('a', 1, 1)",
      "('n', 1, 1), ('n', 1, 1)",
      "('n', 1, 1), ('m', 'x', 1)",
      "('n', 1, 1), (NULL, 1, 1)",
    ])
      expect(
        getStatusAndCode(await sql.query(`INSERT INTO visits (page, at, day) VALUES ${values}`)),
      ).toEqual([400, "SQL_VALIDATION_ERROR"]);
    expect(await sql.rows(all)).toEqual(everyRow);
    expect((await sql.tables()).body).toMatchObject({ tables: [{ rowCount: 4 }] });
    const after = await sql.client.get(`/api/v1/management/databases/${sql.databaseId}`);
    const stored = ({ body }: typeof after) =>
      (body as { usage: { storageBytes: number; writeUnitsConsumed: number } }).usage;
    expect(stored(after).storageBytes).toBe(stored(before).storageBytes);
    expect(stored(after).writeUnitsConsumed).toBe(stored(before).writeUnitsConsumed);
  });

  it("[SQL-49] return TABLE_NOT_FOUND for a missing table", async () => {
    for (const statement of [
      "SELECT * FROM t",
      "INSERT INTO t VALUES (1)",
      "UPDATE t SET a = 1",
      "DELETE FROM t",
    ])
      expect(getStatusAndCode(await sql.query(statement))).toEqual([400, "TABLE_NOT_FOUND"]);
    for (const statement of ["DROP TABLE t", "ALTER TABLE t ADD COLUMN a INT", "CREATE INDEX i ON t (a)"])
      expect(getStatusAndCode(await sql.execute(statement))).toEqual([400, "TABLE_NOT_FOUND"]);
    expect(getStatusAndCode(await sql.schema("t"))).toEqual([400, "TABLE_NOT_FOUND"]);
  });

  it("[SQL-50] return DATABASE_NOT_FOUND for an unknown id", async () => {
    for (const [method, path, body] of [
      ["POST", "query", { sql: all }],
      ["POST", "execute", { sql: "DROP TABLE visits" }],
      ["GET", "tables", undefined],
      ["GET", "tables/visits/schema", undefined],
    ] as const)
      expect(
        getStatusAndCode(await sql.client.request(method, `/databases/db_nowhere/sql/${path}`, { body })),
      ).toEqual([400, "DATABASE_NOT_FOUND"]);
  });

  it.each([
    ["no body", ""],
    ["no JSON", "{"],
    ["no object", "[]"],
    ["no statement", "{}"],
    ["a statement that is no text", '{"sql":1}'],
    ["parameters that are no object", '{"sql":"x","parameters":[1]}'],
    ["a limit of none", '{"sql":"x","limit":0}'],
    ["a limit that is no whole number", '{"sql":"x","limit":1.5}'],
    ["half a surrogate pair", '{"sql":"\\ud800"}'],
    ["a number that no double reaches", '{"sql":"x","parameters":{"a":1e999}}'],
    ["too deep a nesting", `{"sql":"x","parameters":{"a":${"[".repeat(2000)}${"]".repeat(2000)}}}`],
    ["text that is no UTF-8", Uint8Array.from([0x22, 0xff, 0x22])],
  ])("are SQL_VALIDATION_ERROR for a body with %s", async (_, rawBody) => {
    expect(getStatusAndCode(await sql.queryRaw(rawBody))).toEqual([400, "SQL_VALIDATION_ERROR"]);
  });

  it("are problems for HTTP errors: content type and size of the body", async () => {
    const body = JSON.stringify({ sql: all });
    const text = await sql.queryRaw(body, { "Content-Type": "text/plain" });
    expect([text.status, text.headers.get("content-type")]).toEqual([415, "application/problem+json"]);
    running.emulator.profile.set({ "request-bytes-max": 5 * 1024 * 1024 });
    const large = await sql.queryRaw(`${body}${" ".repeat(6 * 1024 * 1024)}`);
    expect([large.status, large.headers.get("content-type")]).toEqual([413, "application/problem+json"]);
    const target = await sql.client.request("GET", `/databases/${sql.databaseId}/sql/tables/%FF/schema`);
    expect([target.status, target.headers.get("content-type")]).toEqual([400, "application/problem+json"]);
  });
});
