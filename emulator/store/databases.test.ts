import { afterEach, describe, expect, it } from "vitest";
import { createEmulator, type Emulator } from "../emulator.js";
import { pageOfOrganization } from "./databases.js";
import { loadSqlite } from "./sqlite.js";

let emulator: Emulator | undefined;
afterEach(() => emulator?.close());

describe("the databases of an organization", () => {
  it("are at hand in the order of creation: a page sorts none of them", async () => {
    emulator = await createEmulator();
    const { Database } = await loadSqlite();
    const database = new Database(emulator.export());
    const [plan] = database.exec(`EXPLAIN QUERY PLAN ${pageOfOrganization}`);
    database.close();
    expect(String(plan?.values.map((row) => row[3]))).toMatch(
      /^SEARCH databases USING INDEX databases_in_order \(organization_id=\? AND rowid>\?\)$/,
    );
  });
});
