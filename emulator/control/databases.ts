import { Problem } from "../domain/problem.js";
import type { ControlHandler } from "./control-handler.js";

/** PATCH /_emulator/databases/{databaseId}. */
export const changeDatabase: ControlHandler<"changeDatabase"> = ({ path, body }, { world }) => {
  const { store, clock } = world;
  const database = store.databases.find(path.databaseId);
  if (database === undefined)
    throw new Problem("database-not-found", "There is no database of this id in the namespace.");
  store.databases.setStatus(database.ref, body.status, clock.now());
  return { status: 200, body: { databaseId: database.databaseId, status: body.status } };
};
