/** The key of an item; `sk` is null for an item without a sort key. */
export interface ItemKey {
  readonly pk: string;
  readonly sk: string | null;
}

export type ItemData = Readonly<Record<string, unknown>>;

export interface ModelItem extends ItemKey {
  readonly data: ItemData;
}

/** One operation of a transaction, as in a request; its conditions have the forms of rule 1. */
export interface ModelOperation extends ItemKey {
  readonly action: "Put" | "Update" | "Delete" | "ConditionCheck";
  readonly data?: ItemData;
  readonly condition?: ExistenceCondition;
}

/** The conditions of rule 1 that need no values. */
export type ExistenceCondition = "attribute_exists(pk)" | "attribute_not_exists(pk)";

/** Model of items according to part 4.2 alone. */
export class ItemsModel {
  readonly #items = new Map<string, ModelItem>();

  get(key: ItemKey): ItemData | undefined {
    return this.#items.get(formatItemKey(key))?.data;
  }

  has(key: ItemKey): boolean {
    return this.#items.has(formatItemKey(key));
  }

  /** Creates an item or replaces it completely (rule 1). */
  put(key: ItemKey, data: ItemData): void {
    this.#items.set(formatItemKey(key), { pk: key.pk, sk: key.sk, data });
  }

  delete(key: ItemKey): void {
    this.#items.delete(formatItemKey(key));
  }

  get all(): readonly ModelItem[] {
    return [...this.#items.values()];
  }

  holds(condition: ExistenceCondition, key: ItemKey): boolean {
    return this.has(key) === (condition === "attribute_exists(pk)");
  }

  /** Returns the items of a partition, in no particular order. */
  partition(pk: string): readonly ModelItem[] {
    return this.all.filter((item) => item.pk === pk);
  }

  /**
   * Applies all operations or none of them (rules 9 and 10). Each key may occur once.
   *
   * @returns the indexes of the failed operations; empty if all were applied
   */
  transact(operations: readonly ModelOperation[]): readonly number[] {
    const faults = operations.flatMap((operation, index) =>
      operation.condition === undefined || this.holds(operation.condition, operation) ? [] : [index],
    );
    if (faults.length > 0) return faults;
    for (const { action, data = {}, ...key } of operations) {
      if (action === "Put") this.put(key, data);
      if (action === "Update") this.put(key, { ...this.get(key), ...data });
      if (action === "Delete") this.delete(key);
    }
    return [];
  }
}

/** Formats the key of an item. */
export function formatItemKey({ pk, sk }: ItemKey): string {
  return JSON.stringify([pk, sk]);
}
