import { describe, expect, it } from "vitest";
import { deleteExpiredTokensSql } from "./credentials.js";
import { selectDatabasePageSql } from "./databases.js";
import { selectOwnersSql } from "./organizations.js";
import { tablesSql } from "./schema.js";
import { loadSqlite } from "../sqlite/sqlite.js";

/** Returns the steps of SQLite's query plan for a statement. */
async function getQueryPlan(statement: string): Promise<readonly unknown[]> {
  const { Database } = await loadSqlite();
  const database = new Database();
  try {
    database.run(tablesSql);
    const [plan] = database.exec(`EXPLAIN QUERY PLAN ${statement}`);
    return plan?.values.map((row) => row[3]) ?? [];
  } finally {
    database.close();
  }
}

describe("queries whose cost does not depend on the amount of data", () => {
  // sorting, or reading additional rows, would appear in the plan as another step or a shorter condition
  it("reads a page of databases: none before or after it", async () => {
    expect(await getQueryPlan(selectDatabasePageSql)).toEqual([
      "SEARCH databases USING INDEX databases_in_order (organization_id=? AND rowid>?)",
    ]);
  });

  it("reads the owners: no other member", async () => {
    expect(await getQueryPlan(selectOwnersSql)).toEqual([
      "SEARCH members USING INDEX active_owners (organization_id=?)",
    ]);
  });

  it("removes expired refresh tokens: no other session of the user is read", async () => {
    expect(await getQueryPlan(deleteExpiredTokensSql)).toEqual([
      "SEARCH refresh_tokens USING INDEX refresh_tokens_by_user (user_id=? AND expires_at<?)",
    ]);
  });
});
