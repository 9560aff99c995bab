/**
 * Counts the size of an item: UTF-8 bytes of both keys and of the compact JSON of its data.
 *
 * @param sk the empty string for an item without a sort key
 * @param data compact JSON text
 */
export function countItemBytes(pk: string, sk: string, data: string): number {
  return Buffer.byteLength(pk) + Buffer.byteLength(sk) + Buffer.byteLength(data);
}

/** Counts the read units of a request: one for every 4,096 bytes read, rounded up, and at least one. */
export function countReadUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 4096));
}

/** Counts the write units of an item: one for every 1,024 bytes written or deleted, rounded up, and at least one. */
export function countWriteUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 1024));
}
