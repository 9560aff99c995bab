import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Scope } from "../../openapi/schemas/roles.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { eachAnswer } from "../testing/each-answer.js";
import { beginSql, codeOf, type SqlCalls } from "../testing/sql-calls.js";
import { type TestEmulator, testEmulator } from "../testing/test-client.js";

let running: TestEmulator;
beforeAll(async () => {
  running = await testEmulator();
});
afterAll(() => running.emulator.close());

interface SeenRows {
  readonly rows: readonly object[];
  readonly rowCount: number;
  readonly nextPageToken: string | null;
}

async function begin(profile: Partial<Profile>): Promise<SqlCalls> {
  const sql = await beginSql(running, profile);
  await sql.run(
    "CREATE TABLE t (p INT, c INT, n INT DEFAULT 7, PRIMARY KEY (p, c))",
    "INSERT INTO t VALUES (1, 1, 1), (1, 2, 2)",
  );
  return sql;
}

describe("answers to gaps", () => {
  eachAnswer("list-tables-route", "is where tables are listed", async (answer, profile) => {
    const { client, databaseId } = await begin(profile);
    const base = `/databases/${databaseId}`;
    const tried = [
      [`GET ${base}/sql/tables`, () => client.get(`${base}/sql/tables`)],
      [`GET ${base}/tables`, () => client.get(`${base}/tables`)],
      [`POST ${base}/sql/list-tables`, () => client.post(`${base}/sql/list-tables`, undefined)],
    ] as const;
    for (const [route, list] of tried) {
      const isRoute = answer === route.replace(databaseId, "{databaseId}");
      const listed = await list();
      expect([route, listed.status]).toEqual([route, isRoute ? 200 : 404]);
      if (isRoute) expect(listed.body).toMatchObject({ tables: [{ name: "t", rowCount: 2 }] });
    }
  });

  eachAnswer("sql-insert-existing", "is what INSERT does over a row", async (answer, profile) => {
    const sql = await begin(profile);
    const insert = await sql.query("INSERT INTO t (p, c) VALUES (1, 1), (1, 3)");
    expect(codeOf(insert)).toEqual(answer === "overwrite" ? [200, undefined] : [400, answer]);
    expect(await sql.rows("SELECT c, n FROM t")).toEqual(
      answer === "overwrite"
        ? [
            { c: 1, n: 7 },
            { c: 2, n: 2 },
            { c: 3, n: 7 },
          ]
        : [
            { c: 1, n: 1 },
            { c: 2, n: 2 },
          ],
    );
  });

  eachAnswer("sql-filtering", "is whether any column can be filtered by", async (answer, profile) => {
    const sql = await begin(profile);
    const filter = "SELECT c FROM t WHERE n = 2";
    expect(codeOf(await sql.query(filter))).toEqual(
      answer === "always" ? [200, undefined] : [400, "SQL_VALIDATION_ERROR"],
    );
    expect(await sql.rows(`${filter} ALLOW FILTERING`)).toEqual([{ c: 2 }]);
  });

  eachAnswer("sql-parameter-order", "is the order of parameters", async (answer, profile) => {
    const sql = await begin(profile);
    const send = (parameters: string) =>
      sql.queryRaw(`{"sql":"SELECT c FROM t WHERE p = ? AND c = ?","parameters":${parameters}}`);
    // by name the two values change places, and no row fits
    for (const parameters of ['{"b":1,"a":2}', '{"10":1,"9":2}', '{"p10":1,"p2":2}']) {
      const { rows } = (await send(parameters)).body as { rows: unknown[] };
      expect([parameters, rows]).toEqual([parameters, answer === "document" ? [{ c: 2 }] : []]);
    }
  });

  eachAnswer("sql-unused-parameters", "are refused, or nobody looks at them", async (answer, profile) => {
    for (const order of ["document", "name"] as const) {
      const sql = await begin({ ...profile, "sql-parameter-order": order });
      const send = (statement: string, parameters: string) =>
        sql.queryRaw(JSON.stringify({ sql: statement }).replace("}", `,"parameters":${parameters}}`));
      const filter = "SELECT c FROM t WHERE p = 1 AND c = ?";
      const refused = [400, "SQL_VALIDATION_ERROR"];
      const accepted = answer === "refused" ? refused : [200, undefined];
      for (const [statement, parameters, expected] of [
        [filter, '{"a":2}', [200, undefined]],
        [filter, "{}", refused],
        [filter, '{"a":2,"b":1}', accepted],
        ["SELECT c FROM t WHERE p = 1", '{"a":2}', accepted],
        // a value that nobody takes need not be one that a column could take
        [filter, '{"a":2,"b":{"deep":[null]}}', accepted],
        ["UPDATE t SET n = ? WHERE p = 1 AND c = ?", '{"a":5}', refused],
        ["UPDATE t SET n = ? WHERE p = 1 AND c = ?", '{"a":5,"b":1,"c":2}', accepted],
      ] as const)
        expect([statement, parameters, codeOf(await send(statement, parameters))]).toEqual([
          statement,
          parameters,
          expected,
        ]);
      if (answer === "refused") continue;
      expect(await sql.rows("SELECT n FROM t WHERE p = 1")).toEqual([{ n: 5 }, { n: 2 }]);
      // the first in the order in force
      const { rows } = (await send(filter, '{"b":1,"a":2}')).body as { rows: unknown[] };
      expect(rows).toEqual([{ c: order === "document" ? 1 : 2 }]);
    }
  });

  eachAnswer("sql-number-form", "is the form of long numbers", async (answer, profile) => {
    const sql = await begin(profile);
    await sql.run(
      "CREATE TABLE wide (b BIGINT PRIMARY KEY, d DECIMAL, i INT)",
      "INSERT INTO wide VALUES (9223372036854775807, 0.10000000000000000000001, 5)",
    );
    const { text } = await sql.query("SELECT * FROM wide");
    expect(text).toContain(
      answer === "number"
        ? '"rows":[{"b":9223372036854775807,"d":0.10000000000000000000001,"i":5}]'
        : '"rows":[{"b":"9223372036854775807","d":"0.10000000000000000000001","i":5}]',
    );
  });

  eachAnswer("sql-parameter-numbers", "is what is kept of a number", async (answer, profile) => {
    const sql = await begin(profile);
    await sql.run(
      "CREATE TABLE wide (p INT PRIMARY KEY, b BIGINT, d DECIMAL, l LIST<BIGINT>, m MAP<VARCHAR, DECIMAL>)",
      "INSERT INTO wide (p, b, d) VALUES (1, 9007199254740993, 0.12345678901234567891)",
    );
    const send = (p: number, b: string, d: string) =>
      sql.queryRaw(
        `{"sql":"INSERT INTO wide VALUES (?, ?, ?, ?, ?)","parameters":{"1":${p},"2":${b},"3":${d},"4":[${b}],"5":{"x":${d}}}}`,
      );
    const large = ["9007199254740993", "0.12345678901234567891"] as const;
    expect((await send(2, ...large)).status).toBe(200);
    const asTexts = await send(3, `"${large[0]}"`, `"${large[1]}"`);
    expect(asTexts.status).toBe(answer === "double" ? 200 : 400);
    // beyond every double: as any number that is too large
    expect(codeOf(await send(4, "1e400", "0"))).toEqual([400, "SQL_VALIDATION_ERROR"]);
    expect(codeOf(await send(4, "0", "1e400"))).toEqual([400, "SQL_VALIDATION_ERROR"]);
    const row = (p: number, b: string, d: string) => `{"p":${p},"b":${b},"d":${d},"l":[${b}],"m":{"x":${d}}}`;
    const { text } = await sql.query("SELECT * FROM wide WHERE p IN (2, 3)");
    expect(text).toContain(
      answer === "exact" ? row(2, ...large) : row(2, "9007199254740992", "0.12345678901234568"),
    );
    if (answer === "double") expect(text).toContain(row(3, ...large));
    expect((await sql.query("SELECT b, d FROM wide WHERE p = 1")).text).toContain(
      `{"b":${large[0]},"d":${large[1]}}`,
    );
  });

  eachAnswer("sql-default-value-form", "is the form of defaults", async (answer, profile) => {
    const sql = await begin(profile);
    const { columns } = (await sql.schema("t")).body as { columns: { defaultValue: unknown }[] };
    expect(columns.map(({ defaultValue }) => defaultValue)).toEqual([
      null,
      null,
      answer === "text" ? "7" : 7,
    ]);
  });

  eachAnswer("sql-row-count", "says whose rows rowCount counts", async (answer, profile) => {
    const sql = await begin(profile);
    const rows = Array.from({ length: 7 }, (_, index) => `(2, ${index})`);
    await sql.run(`INSERT INTO t (p, c) VALUES ${rows.join(", ")}`);
    for (const limit of [1, 2, 7, 9, 20])
      for (const [statement, parameters, total] of [
        ["SELECT c FROM t", {}, 9],
        ["SELECT c FROM t WHERE p = ? AND c > ? ORDER BY c DESC", { p1: 2, p2: 1 }, 5],
        ["SELECT c FROM t WHERE p = 3", {}, 0],
        ["SELECT c FROM t WHERE p = 2 LIMIT 5", {}, 5],
        ["SELECT c FROM t WHERE p = 2 LIMIT ?", { p1: 50 }, 7],
        ["SELECT c FROM t LIMIT 0", {}, 0],
        ["SELECT COUNT(*) FROM t", {}, 1],
      ] as const) {
        let token: string | null | undefined;
        let shown = 0;
        while (token !== null) {
          const page = await sql.query(statement, parameters, { limit, ...(token && { pageToken: token }) });
          const { rows, rowCount, nextPageToken } = page.body as SeenRows;
          expect([statement, rowCount]).toEqual([statement, answer === "page" ? rows.length : total]);
          shown += rows.length;
          token = nextPageToken;
        }
        expect([statement, shown]).toEqual([statement, total]);
      }
  });

  eachAnswer("sql-write-row-count", "is rowCount of a write", async (answer, profile) => {
    const sql = await begin(profile);
    const update = await sql.query("UPDATE t SET n = 3 WHERE p = 1");
    expect(update.body).toMatchObject({ rows: [], columns: [], rowCount: answer === "affected" ? 2 : 0 });
  });

  eachAnswer("sql-default-limit", "is the size of a page without limit", async (answer, profile) => {
    const sql = await begin(profile);
    const rows = Array.from({ length: answer + 1 }, (_, index) => `(2, ${index})`);
    for (let from = 0; from < rows.length; from += 500)
      await sql.run(`INSERT INTO t (p, c) VALUES ${rows.slice(from, from + 500).join(", ")}`);
    const page = await sql.query("SELECT c FROM t WHERE p = 2");
    expect(page.body).toMatchObject({ rowCount: answer, nextPageToken: expect.any(String) as string });
  });

  eachAnswer("sql-identifier-case", "is what becomes of capital letters", async (answer, profile) => {
    const sql = await begin(profile);
    expect(codeOf(await sql.query("SELECT P FROM T"))).toEqual(
      answer === "exact" ? [400, "TABLE_NOT_FOUND"] : [200, undefined],
    );
    await sql.run("CREATE TABLE Mixed (A INT PRIMARY KEY)", "INSERT INTO Mixed (A) VALUES (1)");
    const folded = (name: string) =>
      ({ lower: name.toLowerCase(), upper: name.toUpperCase(), exact: name })[answer];
    expect((await sql.tables()).body).toMatchObject({
      tables: [{ name: folded("Mixed") }, { name: folded("t") }].sort((a, b) => (a.name < b.name ? -1 : 1)),
    });
    expect((await sql.schema("Mixed")).body).toMatchObject({ columns: [{ name: folded("A") }] });
    expect(await sql.rows('SELECT A, A AS "Kept" FROM Mixed')).toEqual([{ [folded("A")]: 1, Kept: 1 }]);
  });

  eachAnswer("sql-unsupported-code", "is the code of forms of other dialects", async (answer, profile) => {
    const sql = await begin(profile);
    for (const statement of ["SELECT * FROM t JOIN t", "SELECT p FROM t GROUP BY p", "SELECT SUM(n) FROM t"])
      expect(codeOf(await sql.query(statement))).toEqual([400, answer]);
    expect(codeOf(await sql.query("SELECT FROM"))).toEqual([400, "SQL_SYNTAX_ERROR"]);
  });

  eachAnswer("sql-wrong-endpoint", "is what the other endpoint does", async (answer, profile) => {
    const sql = await begin(profile);
    const outcome = answer === "run" ? [200, undefined] : [400, "SQL_VALIDATION_ERROR"];
    const added = await sql.query("ALTER TABLE t ADD COLUMN m INT");
    expect(codeOf(added)).toEqual(outcome);
    if (answer === "run") expect(added.body).toMatchObject({ rows: [], columns: [], nextPageToken: null });
    const inserted = await sql.execute("INSERT INTO t (p, c) VALUES (2, 2), (2, 3)");
    expect(codeOf(inserted)).toEqual(outcome);
    if (answer === "run") expect(inserted.body).toMatchObject({ success: true, affectedRows: 2 });
    expect(codeOf(await sql.execute("SELECT * FROM t"))).toEqual(outcome);
    const { columns } = (await sql.schema("t")).body as { columns: unknown[] };
    expect([columns.length, (await sql.rows("SELECT c FROM t")).length]).toEqual(
      answer === "run" ? [4, 4] : [3, 2],
    );
    expect(codeOf(await sql.query("DROP TABLE t"))).toEqual(outcome);
    expect((await sql.tables()).body).toMatchObject({ tables: answer === "run" ? [] : [{ name: "t" }] });
  });

  it("asks for the level of a statement at either endpoint", async () => {
    const sql = await begin({ "sql-wrong-endpoint": "run" });
    const organizationId = "org_demo_pro";
    const key = (scope: Scope) =>
      sql.as(running.emulator.apiKeys.create({ organizationId, name: scope, scopes: [scope] }).key);
    expect(codeOf(await key("database:write").query("DROP TABLE t"))).toEqual([400, "ACCESS_DENIED"]);
    expect(codeOf(await key("database:read").execute("DELETE FROM t"))).toEqual([400, "ACCESS_DENIED"]);
    expect(codeOf(await key("database:read").execute("SELECT * FROM t"))).toEqual([200, undefined]);
    expect(await sql.rows("SELECT c FROM t")).toHaveLength(2);
  });

  eachAnswer("sql-update-missing", "is what UPDATE does without a row", async (answer, profile) => {
    const sql = await begin(profile);
    const upserts = answer === "upsert";
    for (const [where, makes] of [
      ["p = 9 AND c = 8", true],
      ["c = 8 AND p = 10", true],
      ["p = 9", false],
      ["p = 11 AND c >= 8", false],
      ["p = 11 AND c = 8 AND c = 8", false],
      ["p = 11 OR c = 8", false],
    ] as const) {
      const update = await sql.query(`UPDATE t SET n = 5 WHERE ${where}`);
      if (makes && answer === "SQL_VALIDATION_ERROR") expect(codeOf(update)).toEqual([400, answer]);
      else if (makes) expect(update.body).toMatchObject({ rowCount: upserts ? 1 : 0 });
      else expect([where, update.status]).toEqual([where, 200]);
    }
    expect(await sql.rows("SELECT p, c, n FROM t WHERE p > 8")).toEqual(
      upserts
        ? [
            { p: 9, c: 8, n: 5 },
            { p: 10, c: 8, n: 5 },
          ]
        : [],
    );
    expect((await sql.tables()).body).toMatchObject({ tables: [{ rowCount: upserts ? 4 : 2 }] });
    // one that is there is changed
    expect((await sql.query("UPDATE t SET n = 6 WHERE p = 1 AND c = 1")).body).toMatchObject({ rowCount: 1 });
    expect(await sql.rows("SELECT n FROM t WHERE p = 1 AND c = 1")).toEqual([{ n: 6 }]);
  });

  it("does not upsert a row that lacks a value it needs", async () => {
    const sql = await begin({ "sql-update-missing": "upsert" });
    await sql.run("CREATE TABLE strict (k INT PRIMARY KEY, a INT NOT NULL, b INT)");
    const update = await sql.query("UPDATE strict SET b = 1 WHERE k = 1");
    // whether it would be needed is known before the rows are
    expect(codeOf(update)).toEqual([400, "SQL_VALIDATION_ERROR"]);
    expect(await sql.rows("SELECT * FROM strict")).toEqual([]);
  });

  eachAnswer("sql-value-error-code", "is the code of values that do not fit", async (answer, profile) => {
    const sql = await begin(profile);
    for (const statement of [
      "INSERT INTO t VALUES (1, 5, 2147483648)",
      "UPDATE t SET n = 'x' WHERE p = 1",
      "SELECT c FROM t WHERE p = 'x'",
    ])
      expect([statement, ...codeOf(await sql.query(statement))]).toEqual([statement, 400, answer]);
    expect(codeOf(await sql.execute("ALTER TABLE t ADD COLUMN x INT DEFAULT 'x'"))).toEqual([400, answer]);
    // constraints keep their code
    for (const statement of ["INSERT INTO t VALUES (1, NULL, 1)", "INSERT INTO t VALUES (1, 1, 1)"])
      expect(codeOf(await sql.query(statement))).toEqual([400, "SQL_VALIDATION_ERROR"]);
  });

  eachAnswer("sql-integer-overflow", "is what becomes of other numbers", async (answer, profile) => {
    const sql = await begin(profile);
    await sql.run("CREATE TABLE w (k INT PRIMARY KEY, t TINYINT, b BIGINT, l LIST<TINYINT>)");
    const insert = await sql.queryRaw(
      '{"sql":"INSERT INTO w (k, t, b) VALUES (1, ?, ?)","parameters":{"p1":-129,"p2":9223372036854775808}}',
    );
    if (answer === "refuse") {
      expect(codeOf(insert)).toEqual([400, "SQL_VALIDATION_ERROR"]);
      return;
    }
    const [t, b] = answer === "wrap" ? ["127", "-9223372036854775808"] : ["-128", "9223372036854775807"];
    expect((await sql.query("SELECT t, b FROM w")).text).toContain(`[{"t":${t},"b":${b}}]`);
    for (const statement of [
      "SELECT * FROM w WHERE k = 2147483648",
      "INSERT INTO w (k, t) VALUES (2, 1.5)",
      "INSERT INTO w (k, l) VALUES (2, [128])",
    ])
      expect(codeOf(await sql.query(statement))).toEqual([400, "SQL_VALIDATION_ERROR"]);
  });

  eachAnswer("sql-type-names", "is the name of types in answers", async (answer, profile) => {
    const sql = await begin(profile);
    await sql.run("CREATE TABLE w (k TEXT PRIMARY KEY, m MAP<INT, SET<BYTE>>, d DOUBLE)");
    const types =
      answer === "first"
        ? ["VARCHAR", "MAP<INT, SET<TINYINT>>", "DOUBLE"]
        : ["STRING", "MAP<INTEGER, SET<BYTE>>", "DOUBLE"];
    for (const answered of [await sql.query("SELECT * FROM w"), await sql.schema("w")]) {
      const { columns } = answered.body as { columns: { type: string }[] };
      expect(columns.map(({ type }) => type)).toEqual(types);
    }
    expect((await sql.query("SELECT COUNT(*) FROM w")).body).toMatchObject({
      columns: [{ type: answer === "first" ? "BIGINT" : "LONG" }],
    });
  });

  eachAnswer("sql-count-column", "is the name of the column of a COUNT", async (answer, profile) => {
    const sql = await begin(profile);
    const named = (expression: string) => (answer === "count" ? "count" : expression);
    expect(await sql.rows("SELECT count(*) FROM t")).toEqual([{ [named("COUNT(*)")]: 2 }]);
    expect(await sql.rows("SELECT COUNT(n) FROM t")).toEqual([{ [named("COUNT(n)")]: 2 }]);
    expect(await sql.rows("SELECT COUNT(*) AS many FROM t")).toEqual([{ many: 2 }]);
  });

  eachAnswer("sql-wrong-endpoint-code", "is the code at the other endpoint", async (answer, profile) => {
    const sql = await begin(profile);
    expect(codeOf(await sql.query("DROP TABLE t"))).toEqual([400, answer]);
    expect(codeOf(await sql.execute("SELECT * FROM t"))).toEqual([400, answer]);
  });

  eachAnswer("sql-length-max", "bounds a statement", async (answer, profile) => {
    const sql = await begin(profile);
    const padded = (length: number) => "SELECT p FROM t".padEnd(length);
    expect((await sql.query(padded(answer))).status).toBe(200);
    expect(codeOf(await sql.query(padded(answer + 1)))).toEqual([400, "SQL_VALIDATION_ERROR"]);
    expect(codeOf(await sql.execute("DROP TABLE t".padEnd(answer + 1)))).toEqual([
      400,
      "SQL_VALIDATION_ERROR",
    ]);
    // characters are code points
    const emoji = `SELECT p FROM t -- ${"😀".repeat(answer - 19)}`;
    expect((await sql.query(emoji)).status).toBe(200);
    expect(codeOf(await sql.query(`${emoji}😀`))).toEqual([400, "SQL_VALIDATION_ERROR"]);
  });

  it("clamps or refuses a limit above the largest, as pages elsewhere", async () => {
    const sql = await begin({ "page-limit-max": 20, "page-limit-over": "clamp" });
    expect((await sql.query("SELECT * FROM t", undefined, { limit: 21 })).status).toBe(200);
    running.emulator.profile.set({ "page-limit-max": 20 });
    expect(codeOf(await sql.query("SELECT * FROM t", undefined, { limit: 21 }))).toEqual([
      400,
      "SQL_VALIDATION_ERROR",
    ]);
  });

  it("refuses a limit below 1, or takes it for none, as pages elsewhere", async () => {
    const sql = await begin({ "page-limit-under": "default", "sql-default-limit": 1 });
    const known = (await sql.query("SELECT * FROM t")).body as { rowCount: number };
    for (const limit of [0, -1]) {
      const answer = await sql.query("SELECT * FROM t", undefined, { limit });
      const { rowCount } = answer.body as { rowCount: number };
      expect([answer.status, rowCount]).toEqual([200, known.rowCount]);
    }
    running.emulator.profile.set({ "page-limit-under": "reject" });
    const refused = await sql.query("SELECT * FROM t", undefined, { limit: 0 });
    expect(codeOf(refused)).toEqual([400, "SQL_VALIDATION_ERROR"]);
  });

  it("does not follow the gaps of problems: status of validation, body of errors", async () => {
    const sql = await begin({
      "validation-status": 422,
      "error-body": "error-message",
      "foreign-resource-status": 403,
    });
    expect(codeOf(await sql.query("x".repeat(100_000)))).toEqual([400, "SQL_VALIDATION_ERROR"]);
    expect((await sql.queryRaw("{")).body).toEqual({
      code: "SQL_VALIDATION_ERROR",
      message: expect.any(String) as string,
      details: expect.any(String) as string,
    });
    const outsider = await running.login("outsider@demo.test", "org_demo_free");
    expect(codeOf(await outsider.get("/databases/db_demo/sql/tables"))).toEqual([400, "DATABASE_NOT_FOUND"]);
  });
});
