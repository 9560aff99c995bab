import { describe, expect, it } from "vitest";
import type { Profile } from "../../openapi/gaps/profile.js";
import { eachAnswer } from "../testing/each-answer.js";
import { createSqlTestClient, getStatusAndCode, type SqlTestClient } from "../testing/sql-test-client.js";
import { useTestEmulator } from "../testing/use-test-emulator.js";

const running = useTestEmulator();

async function begin(profile: Partial<Profile> = {}): Promise<SqlTestClient> {
  const sql = await createSqlTestClient(running, profile);
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
    expect(getStatusAndCode(insert)).toEqual(answer === "overwrite" ? [200, undefined] : [400, answer]);
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
    expect(getStatusAndCode(await sql.query(filter))).toEqual(
      answer === "always" ? [200, undefined] : [400, "SQL_VALIDATION_ERROR"],
    );
    expect(await sql.rows(`${filter} ALLOW FILTERING`)).toEqual([{ c: 2 }]);
  });

  eachAnswer("sql-parameter-order", "is the order of parameters", async (answer, profile) => {
    const sql = await begin(profile);
    const send = (parameters: string) =>
      sql.queryRaw(`{"sql":"SELECT c FROM t WHERE p = ? AND c = ?","parameters":${parameters}}`);
    // sorted by name, the two values are swapped, and no row matches
    for (const parameters of ['{"b":1,"a":2}', '{"10":1,"9":2}', '{"p10":1,"p2":2}']) {
      const { rows } = (await send(parameters)).body as { rows: unknown[] };
      expect([parameters, rows]).toEqual([parameters, answer === "document" ? [{ c: 2 }] : []]);
    }
  });

  it("has 20 rows on a page without limit", async () => {
    const sql = await begin({});
    const rows = Array.from({ length: 21 }, (_, index) => `(2, ${index})`);
    await sql.run(`INSERT INTO t (p, c) VALUES ${rows.join(", ")}`);
    const page = await sql.query("SELECT c FROM t WHERE p = 2");
    expect(page.body).toMatchObject({ rowCount: 20, nextPageToken: expect.any(String) as string });
  });

  eachAnswer("sql-identifier-case", "is what becomes of capital letters", async (answer, profile) => {
    const sql = await begin(profile);
    expect(getStatusAndCode(await sql.query("SELECT P FROM T"))).toEqual(
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

  it("[SQL-05] [SQL-07] rejects statements of the other endpoint", async () => {
    const sql = await begin();
    const outcome = [400, "SQL_VALIDATION_ERROR"];
    expect(getStatusAndCode(await sql.query("ALTER TABLE t ADD COLUMN m INT"))).toEqual(outcome);
    expect(getStatusAndCode(await sql.execute("INSERT INTO t (p, c) VALUES (2, 2)"))).toEqual(outcome);
    expect(getStatusAndCode(await sql.execute("SELECT * FROM t"))).toEqual(outcome);
    expect(await sql.rows("SELECT c FROM t")).toHaveLength(2);
  });

  it("[SQL-11] changes nothing with UPDATE if no row has the key", async () => {
    const sql = await begin();
    const update = await sql.query("UPDATE t SET n = 5 WHERE p = 9 AND c = 8");
    expect(update.body).toMatchObject({ rowCount: 0 });
    expect((await sql.tables()).body).toMatchObject({ tables: [{ rowCount: 2 }] });
  });

  it("clamps or refuses a limit that is too large, like other pages", async () => {
    const sql = await begin({ "page-limit-max": 20, "page-limit-over": "clamp" });
    expect((await sql.query("SELECT * FROM t", undefined, { limit: 21 })).status).toBe(200);
    running.emulator.profile.set({ "page-limit-max": 20 });
    expect(getStatusAndCode(await sql.query("SELECT * FROM t", undefined, { limit: 21 }))).toEqual([
      400,
      "SQL_VALIDATION_ERROR",
    ]);
  });

  it("refuses a limit below 1, like other pages", async () => {
    const sql = await begin({});
    const refused = await sql.query("SELECT * FROM t", undefined, { limit: 0 });
    expect(getStatusAndCode(refused)).toEqual([400, "SQL_VALIDATION_ERROR"]);
  });

  it("does not depend on the gaps of problems: status of validation, body of errors", async () => {
    const sql = await begin({
      "validation-status": 422,
      "error-body": "error-message",
      "foreign-resource-status": 403,
    });
    expect(getStatusAndCode(await sql.query("x".repeat(100_000)))).toEqual([400, "SQL_VALIDATION_ERROR"]);
    expect((await sql.queryRaw("{")).body).toEqual({
      code: "SQL_VALIDATION_ERROR",
      message: expect.any(String) as string,
      details: expect.any(String) as string,
    });
    const outsider = await running.login("outsider@demo.test", "org_demo_free");
    expect(getStatusAndCode(await outsider.get("/databases/db_demo/sql/tables"))).toEqual([
      400,
      "DATABASE_NOT_FOUND",
    ]);
  });
});
