/** The key of an item; `sk` is null for an item without a sort key. */
export interface ItemKey {
  readonly pk: string;
  readonly sk: string | null;
}

export type ItemData = Readonly<Record<string, unknown>>;

export interface ModelItem extends ItemKey {
  readonly data: ItemData;
}

/** Model of items according to part 4.2 alone. */
export class ItemsModel {
  readonly #items = new Map<string, ModelItem>();

  has(key: ItemKey): boolean {
    return this.#items.has(formatItemKey(key));
  }

  /** Creates an item or replaces it completely (rule 1). */
  put(key: ItemKey, data: ItemData): void {
    this.#items.set(formatItemKey(key), { pk: key.pk, sk: key.sk, data });
  }

  get all(): readonly ModelItem[] {
    return [...this.#items.values()];
  }

  /** Returns the items of a partition, in no particular order. */
  partition(pk: string): readonly ModelItem[] {
    return this.all.filter((item) => item.pk === pk);
  }
}

/** Formats the key of an item. */
export function formatItemKey({ pk, sk }: ItemKey): string {
  return JSON.stringify([pk, sk]);
}
