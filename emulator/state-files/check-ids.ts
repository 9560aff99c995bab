import type { Database } from "sql.js";
import { idLetters, maxIdCount } from "../domain/id-letters.js";
import { StateFileError } from "./state-file-error.js";

/** Where ids and secrets stand that the emulator has made. */
const places: readonly (readonly [table: string, column: string])[] = [
  ["users", "user_id"],
  ["organizations", "organization_id"],
  ["api_keys", "api_key_id"],
  ["api_keys", "key"],
  ["refresh_tokens", "token"],
  ["subscriptions", "subscription_id"],
  ["checkouts", "checkout_id"],
  ["databases", "database_id"],
  ["repositories", "repository_id"],
  ["entities", "entity_id"],
];

/** How many behind the last known one are compared: not all that are made stay in a state. */
const looksAhead = 10_000;

/**
 * Looks whether the ids that come next stand in the state already: a count that another program has set too low would
 * have them made a second time.
 *
 * @throws StateFileError
 */
export function checkIds(database: Database): void {
  const clockAndIds = idsOf(database);
  if (clockAndIds === undefined) return;
  const known = new Set<string>();
  for (const [table, column] of places) {
    // those of the fixtures are words
    const [found] = database.exec(
      `SELECT ${column} FROM ${table} WHERE ${column} GLOB '*_[0-9a-z][0-9a-z]*'`,
    );
    for (const [id] of found?.values ?? []) known.add(String(id));
  }
  const { count } = clockAndIds;
  const least = leastIdCount(known, clockAndIds);
  if (least > count)
    throw new StateFileError(
      `it is damaged: it holds ids that its count of ids, ${count} in clockAndIds of meta, says to come; set it to ${least} at least`,
    );
}

/** How many ids have to count as given out, so that none of these is made again. */
export function leastIdCount(
  known: Iterable<string>,
  { seed, count }: { readonly seed: number; readonly count: number },
): number {
  const letters = new Set<string>();
  for (const id of known) letters.add(id.split("_").at(-1)?.slice(0, idLength) ?? "");
  let least = count;
  if (letters.size === 0) return least;
  for (let next = count + 1; next <= least + looksAhead; next += 1)
    if (letters.has(idLetters(seed, next, idLength))) least = next;
  return least;
}

/** Ids have more letters than that in some places, and begin with these. */
const idLength = 16;

/** The seed and the count, if they can be read; `open-world.ts` refuses others. */
function idsOf(database: Database): { readonly seed: number; readonly count: number } | undefined {
  const [found] = database.exec("SELECT value FROM meta WHERE name = 'clockAndIds'");
  try {
    const { ids } = JSON.parse(String(found?.values[0]?.[0])) as {
      readonly ids: { readonly seed: number; readonly count: number };
    };
    return Number.isSafeInteger(ids.seed) && Number.isSafeInteger(ids.count) && ids.count <= maxIdCount
      ? ids
      : undefined;
  } catch {
    return undefined;
  }
}
