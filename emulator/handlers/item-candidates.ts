import type { Profile } from "../../openapi/gaps/profile.js";
import type { KeyRange } from "../domain/sort-key-condition.js";
import { compareByHash, listKeysInHashOrder } from "../domain/list-keys-in-hash-order.js";
import { compareUtf8 } from "../json/utf8-order.js";
import type { DatabaseSummary } from "../store/databases.js";
import type { ItemRow } from "../store/items.js";
import type { HandlerContext } from "./handler.js";

/** What a query may look at. */
export interface PartitionRange {
  readonly pk: string;
  /** Empty where all items of the partition are candidates. */
  readonly range: KeyRange;
  readonly forward: boolean;
  /** The sort key of the last item of the page before. */
  readonly after: string | undefined;
}

/**
 * The candidates of a query, in the order of sort keys: that of their UTF-8 bytes.
 *
 * @param limit how many are wanted at most; -1 for all
 */
export function readPartitionRange(
  { ref }: DatabaseSummary,
  { pk, range, forward, after }: PartitionRange,
  limit: number,
  { store }: HandlerContext,
): Iterable<ItemRow> {
  const rest = after === undefined ? range : skipToKey(range, after, forward);
  return store.items.range(ref, pk, rest, forward, limit);
}

/** The candidates of a scan after a key: partition by partition (gap `scan-order`), each in the order of sort keys. */
export function readDatabase(
  database: DatabaseSummary,
  [afterPk, afterSk]: readonly [string, string],
  limit: number,
  context: HandlerContext,
): Iterable<ItemRow> {
  const { store, profile } = context;
  const { ref } = database;
  if (profile["scan-order"] === "scattered")
    return readInHashOrder(database, [afterPk, afterSk], limit, context);
  return store.items.scan(ref, afterPk, afterSk, limit);
}

/** Orders two keys as a scan shows them: negative when the first comes first. */
export function compareScanOrder(
  [pk, sk]: readonly [string, string],
  [otherPk, otherSk]: readonly [string, string],
  profile: Profile,
): number {
  if (pk === otherPk) return compareUtf8(sk, otherSk);
  return profile["scan-order"] === "scattered" ? compareByHash(pk, otherPk) : compareUtf8(pk, otherPk);
}

/** What is left of the partition of the page before, and the partitions after it. */
function* readInHashOrder(
  database: DatabaseSummary,
  [afterPk, afterSk]: readonly [string, string],
  limit: number,
  context: HandlerContext,
): Generator<ItemRow, void> {
  const whole = { range: {}, forward: true, after: undefined };
  if (afterPk !== "")
    yield* readPartitionRange(database, { ...whole, pk: afterPk, after: afterSk }, limit, context);
  for (const pk of listKeysInHashOrder(context.store.items.partitions(database.ref), afterPk))
    yield* readPartitionRange(database, { ...whole, pk }, limit, context);
}

/** What is left of a range after a key of it. */
function skipToKey(range: KeyRange, key: string, forward: boolean): KeyRange {
  const bound = { value: key, inclusive: false };
  return forward ? { ...range, lower: bound } : { ...range, upper: bound };
}
