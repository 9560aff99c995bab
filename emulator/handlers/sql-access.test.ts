import { beforeEach, describe, expect, it } from "vitest";
import { type Role, roles, type Scope, scopes } from "../../openapi/schemas/roles.js";
import { eachAnswer } from "../testing/each-answer.js";
import { getStatusAndCode, SqlTestClient } from "../testing/sql-test-client.js";
import { type TestResponse } from "../testing/test-client.js";
import { useTestEmulator } from "../testing/use-test-emulator.js";

const running = useTestEmulator();
beforeEach(() => {
  running.emulator.reset();
  running.emulator.profile.set({});
});

type Level = "none" | "read" | "write" | "admin";
const levels: readonly Level[] = ["none", "read", "write", "admin"];

/** One statement of each kind, with the level that part 4.8 rule 5 requires. */
const statements: readonly {
  readonly needs: Level;
  readonly run: (sql: SqlTestClient) => Promise<TestResponse>;
}[] = [
  { needs: "read", run: (sql) => sql.query("SELECT * FROM products") },
  { needs: "read", run: (sql) => sql.tables() },
  { needs: "read", run: (sql) => sql.schema("products") },
  {
    needs: "write",
    run: (sql) => sql.query("INSERT INTO products (sku, name, price) VALUES ('x', 'x', 1)"),
  },
  { needs: "write", run: (sql) => sql.query("UPDATE products SET stock = 1 WHERE sku = 'x'") },
  { needs: "write", run: (sql) => sql.query("DELETE FROM products WHERE sku = 'x'") },
  { needs: "admin", run: (sql) => sql.execute("CREATE TABLE t (a INT PRIMARY KEY, b INT)") },
  { needs: "admin", run: (sql) => sql.execute("ALTER TABLE t ADD COLUMN c INT") },
  { needs: "admin", run: (sql) => sql.execute("CREATE INDEX i ON t (b)") },
  { needs: "admin", run: (sql) => sql.execute("DROP INDEX i") },
  { needs: "admin", run: (sql) => sql.execute("DROP TABLE t") },
];

async function hasLevel(sql: SqlTestClient, level: Level): Promise<void> {
  for (const { needs, run } of statements) {
    const allowed = levels.indexOf(level) >= levels.indexOf(needs);
    expect([needs, ...getStatusAndCode(await run(sql))]).toEqual(
      allowed ? [needs, 200, undefined] : [needs, 400, "ACCESS_DENIED"],
    );
  }
}

const asUser = async (role: Role) =>
  new SqlTestClient(await running.login(`${role}@demo.test`, "org_demo_pro"), "db_demo");

function asKey(...wanted: readonly Scope[]): SqlTestClient {
  const { key } = running.emulator.apiKeys.create({
    organizationId: "org_demo_pro",
    name: "key",
    scopes: [...wanted],
  });
  return new SqlTestClient(running.client.as(key), "db_demo");
}

describe("levels", () => {
  it.each(roles)("[SQL-43] the JWT of role %s", async (role) => {
    await hasLevel(await asUser(role), role === "readonly" ? "read" : "admin");
  });

  const levelOf: Readonly<Record<Scope, Level>> = {
    "database:read": "read",
    "database:write": "write",
    "database:*": "admin",
    "*": "admin",
    "repository:read": "none",
    "repository:write": "none",
    "repository:*": "none",
  };
  it.each(scopes)("[SQL-43] [SQL-44] [SQL-45] a key with %s", (scope) =>
    hasLevel(asKey(scope), levelOf[scope]),
  );

  it("are the highest of a key's scopes", async () => {
    await hasLevel(asKey("database:read", "database:write"), "write");
    running.emulator.reset();
    await hasLevel(asKey("repository:*", "database:read"), "read");
  });

  eachAnswer("sql-readonly-user", "says what a readonly user may do", async (answer, profile) => {
    running.emulator.profile.set(profile);
    await hasLevel(await asUser("readonly"), answer === "everything" ? "admin" : "read");
  });
});

describe("isolation", () => {
  it("[GEN-05] keeps tables of the same name in different databases apart", async () => {
    const owner = await running.login("owner@demo.test", "org_demo_pro");
    const other = await owner.post("/api/v1/management/databases", { name: "other", region: "x" });
    const sql = new SqlTestClient(owner, (other.body as { databaseId: string }).databaseId);
    expect(getStatusAndCode(await sql.query("SELECT * FROM products"))).toEqual([400, "TABLE_NOT_FOUND"]);
    expect((await sql.tables()).body).toEqual({ tables: [] });
    await sql.run("CREATE TABLE products (sku TEXT PRIMARY KEY)", "INSERT INTO products VALUES ('theirs')");
    await sql.run("DELETE FROM products", "DROP TABLE products");
    expect(await (await asUser("owner")).rows("SELECT sku FROM products")).toHaveLength(4);
  });

  it("[GEN-05] refuses a page token of another database", async () => {
    const owner = await running.login("owner@demo.test", "org_demo_pro");
    const other = await owner.post("/api/v1/management/databases", { name: "other", region: "x" });
    const sql = new SqlTestClient(owner, (other.body as { databaseId: string }).databaseId);
    const statement = "SELECT sku FROM products";
    const page = await (await asUser("owner")).query(statement, undefined, { limit: 1 });
    await sql.run("CREATE TABLE products (sku TEXT PRIMARY KEY)");
    const { nextPageToken } = page.body as { nextPageToken: string };
    expect(getStatusAndCode(await sql.query(statement, undefined, { pageToken: nextPageToken }))).toEqual([
      400,
      "SQL_VALIDATION_ERROR",
    ]);
  });

  it("[DB-12] removes a database with its tables", async () => {
    const owner = await running.login("owner@demo.test", "org_demo_pro");
    expect((await owner.delete("/api/v1/management/databases/db_demo")).status).toBe(204);
    const sql = await asUser("owner");
    expect(getStatusAndCode(await sql.query("SELECT * FROM products"))).toEqual([400, "DATABASE_NOT_FOUND"]);
    expect(getStatusAndCode(await sql.tables())).toEqual([400, "DATABASE_NOT_FOUND"]);
    running.emulator.reset();
    expect(await (await asUser("owner")).rows("SELECT sku FROM products")).toHaveLength(4);
  });
});

describe("organizations and databases that are not active", () => {
  it("a suspended organization can read, not write", async () => {
    const [sql, reader] = [await asUser("owner"), asKey("database:read")];
    running.emulator.organizations.change("org_demo_pro", { status: "suspended" });
    for (const { needs, run } of statements) {
      const answer = await run(sql);
      expect([needs, answer.status]).toEqual([needs, needs === "read" ? 200 : 403]);
      if (needs !== "read")
        expect(answer.body).toMatchObject({ type: expect.stringMatching(/forbidden$/) as string });
    }
    expect(await sql.rows("SELECT sku FROM products")).toHaveLength(4);
    expect(getStatusAndCode(await reader.query("DELETE FROM products"))).toEqual([400, "ACCESS_DENIED"]);
  });

  it("a database that is not Active is unavailable, with a problem", async () => {
    const sql = await asUser("owner");
    running.emulator.databases.change("db_demo", { status: "Maintenance" });
    for (const { run } of statements) {
      const answer = await run(sql);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([409, "application/problem+json"]);
    }
  });
});
