import { hashText } from "../../openapi/text/hash-text.js";
import { compareUtf8 } from "../json/utf8-order.js";

/** More partitions than fit into memory. Multiplied by the largest hash, it is still an exact number. */
const maxPartitions = 2 ** 27;

/**
 * Lists partition keys in the order of their hashes, as stores do that distribute partitions by a hash.
 *
 * @param partitionKeys in the order of their UTF-8 bytes
 * @param after the key after which to start; the empty string for all keys
 */
export function listKeysInHashOrder(partitionKeys: readonly string[], after: string): string[] {
  const firstHash = after === "" ? -1 : hashKey(after);
  const places = partitionKeys.flatMap((pk, index) => {
    const hash = hashKey(pk);
    const isAfter = hash > firstHash || (hash === firstHash && compareUtf8(pk, after) > 0);
    return isAfter ? [hash * maxPartitions + index] : [];
  });
  // Sorting numbers is several times as fast as sorting objects with a hash and a key.
  return Array.from(Float64Array.from(places).sort(), (place) => partitionKeys[place % maxPartitions] ?? "");
}

/** Returns a hash of 26 bits. Without the final mix, similar keys would be close to each other. */
function hashKey(pk: string): number {
  let hash = hashText(pk);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 6;
}
