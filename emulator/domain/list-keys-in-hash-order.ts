import { createHash } from "node:crypto";

/**
 * Partition keys in an order that does not depend on their order, as in stores that distribute them by a hash.
 *
 * @param after the key after which to start; the empty text for all keys
 */
export function listKeysInHashOrder(partitionKeys: readonly string[], after: string): readonly string[] {
  const from = after === "" ? "" : hashOf(after);
  return partitionKeys
    .map((pk) => ({ pk, hash: hashOf(pk) }))
    .filter(({ hash }) => hash > from)
    .sort((a, b) => (a.hash < b.hash ? -1 : 1))
    .map(({ pk }) => pk);
}

/** Orders two partition keys as {@link listKeysInHashOrder} does. */
export function compareByHash(a: string, b: string): number {
  return hashOf(a) < hashOf(b) ? -1 : 1;
}

function hashOf(pk: string): string {
  return createHash("sha256").update(pk).digest("hex");
}
