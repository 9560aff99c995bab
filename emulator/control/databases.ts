import { getDatabaseStatus } from "../handlers/database-access.js";
import { Problem } from "../domain/problem.js";
import { formatTimestamp } from "../time/timestamp.js";
import type { ControlHandler } from "./control-types.js";

/** GET /_emulator/databases. */
export const listAllDatabases: ControlHandler<"listAllDatabases"> = (
  _request,
  { world: { store, clock } },
) => ({
  databases: store.databases.all().map(({ ref, databaseId, organizationId, name, region, ...row }) => ({
    databaseId,
    organizationId,
    name,
    region,
    status: getDatabaseStatus({ ref, databaseId, organizationId, ...row }, clock.now()),
    items: row.usage.itemCount,
    repositories: store.repositories.count(ref),
    sqlTables: store.sql.listTables(databaseId).length,
    createdAt: formatTimestamp(row.createdAt),
  })),
});

/** PATCH /_emulator/databases/{databaseId}. */
export const changeDatabase: ControlHandler<"changeDatabase"> = ({ path, body }, { world }) => {
  const { store, clock } = world;
  const database = store.databases.find(path.databaseId);
  if (database === undefined)
    throw new Problem("database-not-found", "There is no database of this id in the namespace.");
  store.databases.setStatus(database.ref, body.status, clock.now());
  return { databaseId: database.databaseId, status: body.status };
};
