import { loadSqlite, openDatabase } from "../../../emulator/sqlite/sqlite.js";

/** Selects the data of a run by the run id in names; data that is deleted along with its database or organization does not count. */
const leftoversQuery = `
  SELECT 'database ' || name FROM databases WHERE name LIKE $mark AND status <> 'Deleting'
  UNION ALL
  SELECT 'organization ' || name FROM organizations WHERE name LIKE $mark AND status <> 'deleted'
  UNION ALL
  SELECT 'member ' || email FROM members JOIN organizations USING (organization_id)
    WHERE email LIKE $mark AND organizations.status <> 'deleted'
  UNION ALL
  SELECT 'repository ' || repositories.name FROM repositories JOIN databases ON databases.ref = database_ref
    WHERE repositories.name LIKE $mark AND databases.name NOT LIKE $mark
  UNION ALL
  SELECT 'item ' || pk FROM items JOIN databases ON databases.ref = database_ref
    WHERE pk LIKE $mark AND databases.name NOT LIKE $mark`;

/**
 * Finds the data that a run has left behind, in the database of the emulator: a mutant may hide data from requests.
 *
 * @param world the bytes of a namespace
 * @param run the id with which all names of the run begin
 */
export async function findLeftovers(world: Uint8Array, run: string): Promise<readonly string[]> {
  const sqlite = await loadSqlite();
  const database = openDatabase(sqlite, world);
  try {
    const [found] = database.exec(leftoversQuery, { $mark: `${run}%` });
    return (found?.values ?? []).map(([name]) => String(name));
  } finally {
    database.close();
  }
}
