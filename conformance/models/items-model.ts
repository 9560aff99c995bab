/** What identifies an item; null for an item without a sort key. */
export interface ItemKey {
  readonly pk: string;
  readonly sk: string | null;
}

export type ItemData = Readonly<Record<string, unknown>>;

export interface ModelItem extends ItemKey {
  readonly data: ItemData;
}

/** One operation of a transaction, as a request carries it; conditions are forms of rule 1. */
export interface ModelOperation extends ItemKey {
  readonly action: "Put" | "Update" | "Delete" | "ConditionCheck";
  readonly data?: ItemData;
  readonly condition?: ExistenceCondition;
}

/** The conditions of rule 1 that need no values. */
export type ExistenceCondition = "attribute_exists(pk)" | "attribute_not_exists(pk)";

/** What part 4.2 says about items, and nothing else. */
export class ItemsModel {
  readonly #items = new Map<string, ModelItem>();

  get(key: ItemKey): ItemData | undefined {
    return this.#items.get(nameOf(key))?.data;
  }

  has(key: ItemKey): boolean {
    return this.#items.has(nameOf(key));
  }

  /** Rule 1: creates or replaces, whole. */
  put(key: ItemKey, data: ItemData): void {
    this.#items.set(nameOf(key), { pk: key.pk, sk: key.sk, data });
  }

  delete(key: ItemKey): void {
    this.#items.delete(nameOf(key));
  }

  get all(): readonly ModelItem[] {
    return [...this.#items.values()];
  }

  holds(condition: ExistenceCondition, key: ItemKey): boolean {
    return this.has(key) === (condition === "attribute_exists(pk)");
  }

  /** The items of a partition, in no order. */
  partition(pk: string): readonly ModelItem[] {
    return this.all.filter((item) => item.pk === pk);
  }

  /**
   * Rules 9 and 10: applies all operations, or none. Every key may stand once.
   *
   * @returns the places of the operations at fault; none when all were applied
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

function nameOf({ pk, sk }: ItemKey): string {
  return JSON.stringify([pk, sk]);
}
