import { databasePages, readPages } from "../steps/pages.js";
import type { Caller } from "../client/client.js";
import type { ObserverContext } from "./observer-context.js";

/** Whether a token is for the organization of a database: the list of a caller shows no others. */
export async function listsDatabase(
  context: ObserverContext,
  as: Caller,
  databaseId: string,
): Promise<boolean> {
  return (await readPages(context.check, { ...databasePages, as })).ids.includes(databaseId);
}
