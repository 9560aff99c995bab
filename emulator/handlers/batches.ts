import { readUnitsOf } from "../domain/item-size.js";
import { isJsonArray, type JsonValue } from "../json/json-value.js";
import { invalidBody, Problem } from "../problem.js";
import type { DatabaseIdentity, UsageChange } from "../store/databases.js";
import { bodyMember } from "./body-member.js";
import { type Condition, conditionOf } from "./conditions.js";
import { type StorageRoom, storageRoom, usableDatabase } from "./database-access.js";
import type { Context, Handler, RequestOf } from "./handler.js";
import {
  countWrites,
  dataText,
  eraseItem,
  itemBefore,
  newItem,
  putRow,
  sizeFault,
  writeItem,
} from "./item-writes.js";
import { describeItem, sortKeyOrNull } from "./items.js";

type WriteEntry = RequestOf<"batchWriteItems">["body"]["items"][number];

/**
 * POST /items/batch/write: entries one after another, each on its own (4.2 rule 7). Once the first is written, nothing
 * throws.
 */
export const batchWriteItems: Handler<"batchWriteItems"> = ({ path, body, json }, context) => {
  const database = usableDatabase(path.databaseId, context);
  const entries = entriesOf(json, "items");
  // faults of form refuse the whole request, so conditions are read before anything is written
  const conditions = entries.map((entry, index) =>
    context.profile["batch-conditions"] === "evaluate"
      ? conditionOf(entry, `/items/${index}`, context.profile)
      : undefined,
  );
  if (context.profile["batch-write-duplicate-key"] === "reject") refuseRepeatedKeys(body.items, "items");
  const errors: { pk: string; sk: string | null; error: string }[] = [];
  const changes: UsageChange[] = [];
  const room = storageRoom(database, context);
  const failing = context.fault?.("partial")?.count ?? 0;
  let added = 0;
  body.items.forEach((entry, index) => {
    const left = { fault: room.fault, left: room.left - added };
    const outcome =
      index < failing
        ? "A fault rule of the control plane failed the entry."
        : writeEntry(entry, entries[index], conditions[index], database, context, left);
    if (typeof outcome === "string") errors.push({ pk: entry.pk, sk: entry.sk ?? null, error: outcome });
    else {
      changes.push(outcome);
      added += outcome.bytes;
    }
  });
  countWrites(database, changes, context);
  return {
    status: 200,
    body: {
      successCount: body.items.length - errors.length,
      failedCount: errors.length,
      errors: errors.length > 0 ? errors : null,
    },
  };
};

/** POST /items/batch/get: the items found, in the order of the keys. */
export const batchGetItems: Handler<"batchGetItems"> = ({ path, body }, context) => {
  const { store, now, profile } = context;
  const database = usableDatabase(path.databaseId, context);
  const repeated = profile["batch-get-duplicate-key"];
  if (repeated === "reject") refuseRepeatedKeys(body.keys, "keys");
  const keys = repeated === "once" ? firstOfEach(body.keys) : body.keys;
  const unprocessed = context.fault?.("unprocessed")?.count ?? 0;
  const processed = Math.max(0, keys.length - unprocessed);
  const found = keys
    .slice(0, processed)
    .flatMap(({ pk, sk }) => store.items.get(database.ref, pk, sk ?? "") ?? []);
  store.databases.addRead(database.ref, readUnitsOf(found.reduce((sum, { bytes }) => sum + bytes, 0)), now);
  return {
    status: 200,
    body: {
      items: found.map(describeItem),
      unprocessedKeys:
        processed < keys.length
          ? keys.slice(processed).map(({ pk, sk }) => ({ pk, sk: sortKeyOrNull(sk ?? "") }))
          : null,
    },
  };
};

/** Writes one entry: what it changed, or why it was not written. */
function writeEntry(
  entry: WriteEntry,
  json: JsonValue | undefined,
  condition: Condition | undefined,
  database: DatabaseIdentity,
  context: Context,
  room: StorageRoom,
): UsageChange | string {
  const { pk } = entry;
  const sk = entry.sk ?? "";
  const existing = problemAsText(() => itemBefore(database, { pk, sk }, condition, context));
  if (typeof existing === "string") return existing;
  if (existing === false) return "The conditionExpression does not hold for the item.";
  if (entry.operation === "Delete") return eraseItem(database, { pk, sk }, existing, context);
  const item = newItem(pk, sk, dataText(entry, json));
  const tooLarge = sizeFault(item);
  if (tooLarge !== undefined) return tooLarge;
  const addedBytes = item.bytes - (existing?.bytes ?? 0);
  if (addedBytes > 0 && addedBytes > room.left) return room.fault;
  return writeItem(database, putRow(item, existing, context.profile, context.now), existing, context);
}

/** A condition that costs too much fails its entry alone: entries before it are written already. */
function problemAsText<Result>(read: () => Result): Result | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}

/** The entries of a batch or transaction, without loss. */
export function entriesOf(json: JsonValue | undefined, member: string): readonly JsonValue[] {
  const entries = bodyMember(json, member);
  return isJsonArray(entries) ? entries : [];
}

interface Key {
  readonly pk: string;
  readonly sk?: string | null;
}

/** Text that is the same for the same key alone. */
export function keyText({ pk, sk }: Key): string {
  return JSON.stringify([pk, sk ?? null]);
}

function firstOfEach<Entry extends Key>(keys: readonly Entry[]): Entry[] {
  const seen = new Set<string>();
  return keys.filter((key) => {
    const text = keyText(key);
    return !seen.has(text) && seen.add(text);
  });
}

function refuseRepeatedKeys(entries: readonly Key[], member: string): void {
  const seen = new Map<string, number>();
  entries.forEach((entry, index) => {
    const text = keyText(entry);
    const first = seen.get(text);
    if (first !== undefined) throw invalidBody(`/${member}/${index}`, `names the same key as entry ${first}`);
    seen.set(text, index);
  });
}
