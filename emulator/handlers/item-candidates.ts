import type { KeyRange } from "../domain/key-range.js";
import { matchesSortKey, type SortKeyCondition } from "../domain/sort-key-condition.js";
import { type CompareSortKeys, sortKeyComparison } from "../domain/sort-key-order.js";
import { scattered } from "../domain/scattered.js";
import { sortKeyRange } from "../domain/sort-key-range.js";
import { compareUtf8 } from "../json/utf8-order.js";
import type { DatabaseIdentity } from "../store/databases.js";
import type { ItemRow } from "../store/items.js";
import type { Context } from "./handler.js";

/** What a query may look at. */
export interface PartitionRange {
  readonly pk: string;
  /** Nothing where all items of the partition are candidates. */
  readonly condition: SortKeyCondition | undefined;
  readonly forward: boolean;
  /** The sort key of the last item of the page before. */
  readonly after: string | undefined;
}

/**
 * The candidates of a query, in the order of sort keys (gap `sort-key-order`).
 *
 * @param limit how many are wanted at most; -1 for all
 */
export function partitionCandidates(
  { ref }: DatabaseIdentity,
  { pk, condition, forward, after }: PartitionRange,
  limit: number,
  { store, profile }: Context,
): Iterable<ItemRow> {
  const noSortKey = profile["no-sort-key-in-range"];
  if (profile["sort-key-order"] === "utf-8") {
    const range = condition === undefined ? {} : sortKeyRange(condition, noSortKey);
    const rest = after === undefined ? range : startAfter(range, after, forward);
    return store.items.range(ref, pk, rest, forward, limit);
  }
  // the store keeps the order of UTF-8 bytes: what is ordered otherwise is looked at whole
  const ascending = sortKeyComparison(profile["sort-key-order"]);
  const compare: CompareSortKeys = forward ? ascending : (a, b) => ascending(b, a);
  return [...store.items.range(ref, pk, {}, true, -1)]
    .filter(
      ({ sk }) =>
        (condition === undefined || matchesSortKey(condition, sk, ascending, noSortKey)) &&
        (after === undefined || compare(sk, after) > 0),
    )
    .sort((a, b) => compare(a.sk, b.sk));
}

/** The candidates of a scan after a key: partition by partition (gap `scan-order`), each in the order of sort keys. */
export function databaseCandidates(
  database: DatabaseIdentity,
  [afterPk, afterSk]: readonly [string, string],
  limit: number,
  context: Context,
): Iterable<ItemRow> {
  const { store, profile } = context;
  const { ref } = database;
  if (profile["scan-order"] === "scattered")
    return scatteredCandidates(database, [afterPk, afterSk], limit, context);
  if (profile["sort-key-order"] === "utf-8") return store.items.scan(ref, afterPk, afterSk, limit);
  const compare = sortKeyComparison(profile["sort-key-order"]);
  // the partition of the page before may hold keys that the store has before the last one, and this order after it
  const rest = store.items.scan(ref, afterPk, "", -1);
  return reordered(rest, compare, ({ pk, sk }) => pk !== afterPk || compare(sk, afterSk) > 0);
}

/** What is left of the partition of the page before, and the partitions after it. */
function* scatteredCandidates(
  database: DatabaseIdentity,
  [afterPk, afterSk]: readonly [string, string],
  limit: number,
  context: Context,
): Generator<ItemRow, void> {
  const whole = { condition: undefined, forward: true, after: undefined };
  if (afterPk !== "")
    yield* partitionCandidates(database, { ...whole, pk: afterPk, after: afterSk }, limit, context);
  for (const pk of scattered(context.store.items.partitions(database.ref), afterPk))
    yield* partitionCandidates(database, { ...whole, pk }, limit, context);
}

/** Items in the order of their partitions, each partition in an order of its own. */
function* reordered(
  items: Iterable<ItemRow>,
  compare: CompareSortKeys,
  isWanted: (item: ItemRow) => boolean,
): Generator<ItemRow, void> {
  let partition: ItemRow[] = [];
  for (const item of items) {
    if (item.pk !== partition[0]?.pk) {
      yield* partition.sort((a, b) => compare(a.sk, b.sk));
      partition = [];
    }
    if (isWanted(item)) partition.push(item);
  }
  yield* partition.sort((a, b) => compare(a.sk, b.sk));
}

/** What is left of a range after a key, which need not be in it (gap `cursor-of-other-query`). */
function startAfter(range: KeyRange, key: string, forward: boolean): KeyRange {
  const { lower, upper } = range;
  const bound = { value: key, inclusive: false };
  if (forward)
    return lower !== undefined && compareUtf8(lower.value, key) > 0 ? range : { ...range, lower: bound };
  return upper !== undefined && compareUtf8(upper.value, key) < 0 ? range : { ...range, upper: bound };
}
