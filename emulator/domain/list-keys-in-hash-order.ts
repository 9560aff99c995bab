import { hashText } from "../../openapi/text/hash-text.js";
import { compareUtf8 } from "../json/utf8-order.js";

/** More partitions than fit into memory; times the largest hash, it is still an exact number. */
const maxPartitions = 2 ** 27;

/**
 * Partition keys in an order that does not depend on their order, as in stores that distribute them by a hash.
 *
 * @param partitionKeys in the order of their UTF-8 bytes
 * @param after the key after which to start; the empty text for all keys
 */
export function* listKeysInHashOrder(
  partitionKeys: readonly string[],
  after: string,
): Generator<string, void> {
  // numbers are sorted several times as fast as objects with a hash and a key
  const places = Float64Array.from(partitionKeys, (pk, index) => hashOf(pk) * maxPartitions + index).sort();
  const first = after === "" ? 0 : hashOf(after) * maxPartitions;
  for (const place of places) {
    if (place < first) continue;
    const pk = partitionKeys[place % maxPartitions] ?? "";
    if (after === "" || compareByHash(pk, after) > 0) yield pk;
  }
}

/** Orders two partition keys as {@link listKeysInHashOrder} does. */
export function compareByHash(a: string, b: string): number {
  return hashOf(a) - hashOf(b) || compareUtf8(a, b);
}

/** A hash of 26 bits; without the final mix, similar keys would be close to each other. */
function hashOf(pk: string): number {
  let hash = hashText(pk);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 6;
}
