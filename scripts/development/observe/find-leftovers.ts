import { loadSqlite, openDatabase } from "../../../emulator/sqlite/sqlite.js";

/** What carries the id of a run, in the tables of a namespace; what goes with its database or organization does not count. */
const remains = `
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
 * What a run has left behind, as the deployment itself knows it: it may be hidden from who asks through a fault.
 *
 * @param world the bytes of a namespace
 * @param run the id that begins every name the run gives
 */
export async function findLeftovers(world: Uint8Array, run: string): Promise<readonly string[]> {
  const sqlite = await loadSqlite();
  const database = openDatabase(sqlite, world);
  try {
    const [found] = database.exec(remains, { $mark: `${run}%` });
    return (found?.values ?? []).map(([thing]) => String(thing));
  } finally {
    database.close();
  }
}
