import type { Caller, Client } from "../client/client.js";
import { RunTrouble } from "../client/violation.js";
import { readList } from "./read-list.js";

/** How often the items are looked for again: a list may lag. */
const maxLooks = 5;

interface Key {
  /** What is listed was not held against the contract. */
  readonly pk: unknown;
  readonly sk: string | null;
}

/**
 * Deletes the items of a database whose partition key holds the run id, until a scan finds none of them.
 *
 * @throws RunTrouble when some stay, or cannot be looked for
 */
export async function removeItems(
  client: Client,
  as: Caller,
  databaseId: string,
  run: string,
): Promise<void> {
  for (let look = 0; look < maxLooks; look++) {
    const found = await itemsOf(client, as, databaseId, run);
    if (found.length === 0) return;
    for (let start = 0; start < found.length; start += 25)
      await deleteAll(client, as, databaseId, found.slice(start, start + 25));
  }
  const left = await itemsOf(client, as, databaseId, run);
  if (left.length > 0) throw new RunTrouble(`${left.length} items of the run are still there`);
}

async function deleteAll(
  client: Client,
  as: Caller,
  databaseId: string,
  keys: readonly Key[],
): Promise<void> {
  const items = keys.map(({ pk, sk }) => ({ operation: "Delete", pk, ...(sk === null ? {} : { sk }) }));
  const answer = await client.call("batchWriteItems", {
    setUp: true,
    as,
    path: { databaseId },
    body: { items },
  });
  if (answer.status !== 200)
    throw new RunTrouble(`items could not be deleted: ${answer.status} ${answer.text.slice(0, 200)}`);
}

async function itemsOf(client: Client, as: Caller, databaseId: string, run: string): Promise<readonly Key[]> {
  const items = await readList<Key>(
    "items",
    (cursor) =>
      client.call("scanItems", {
        setUp: true,
        as,
        path: { databaseId },
        // how large a page may be is open
        body: cursor === undefined ? {} : { cursor },
      }),
    ({ status, text }) => {
      throw new RunTrouble(`the items could not be listed: ${status} ${text.slice(0, 200)}`);
    },
  );
  return items.filter(({ pk }) => typeof pk === "string" && pk.includes(run));
}
