/** The key of an item; `sk` is null for an item without a sort key. */
export interface ItemKey {
  readonly pk: string;
  readonly sk: string | null;
}

export type ItemData = Readonly<Record<string, unknown>>;

/** Formats the key of an item. */
export function formatItemKey({ pk, sk }: ItemKey): string {
  return JSON.stringify([pk, sk]);
}

/** Orders keys, for comparing sets of items. */
export function compareItemKeys(a: ItemKey, b: ItemKey): number {
  return formatItemKey(a) < formatItemKey(b) ? -1 : 1;
}
