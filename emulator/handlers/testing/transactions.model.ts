/**
 * A model of batches and transactions in the simplest possible code, independent of the emulator. Data is a list of names and
 * JSON texts, so that no digit and no order is lost.
 */
export type Data = readonly (readonly [name: string, text: string])[];

export interface Key {
  readonly pk: string;
  readonly sk: string | null;
}

export interface Item extends Key {
  readonly data: Data;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A condition on the item of an operation. Comparisons compare the number in an attribute. */
export type Condition =
  | { readonly kind: "exists" | "absent" }
  | {
      readonly kind: "compare";
      readonly attribute: string;
      readonly comparator: "=" | "<" | ">=";
      readonly number: number;
    }
  | { readonly kind: "not"; readonly term: Condition };

export type Operation = Key & { readonly condition?: Condition | undefined } & (
    | { readonly action: "Put"; readonly data: Data }
    | { readonly action: "Update"; readonly data: Data }
    | { readonly action: "Delete" }
    | { readonly action: "ConditionCheck"; readonly condition: Condition }
  );

/** The gap answers that the model supports. */
export interface ModelProfile {
  readonly updateMissingItem: "ConditionalCheckFailed" | "ValidationError" | "create";
}

export interface Fault extends Key {
  readonly itemIndex: number;
  readonly errorType: "ConditionalCheckFailed" | "ValidationError";
}

export class ItemsModel {
  #items: ReadonlyMap<string, Item> = new Map();
  readonly #profile: ModelProfile;

  constructor(profile: ModelProfile) {
    this.#profile = profile;
  }

  item({ pk, sk }: Key): Item | undefined {
    return this.#items.get(JSON.stringify([pk, sk]));
  }

  /** Returns all items in order of pk and sk, items without sk first. The tests use only ASCII keys. */
  all(): readonly Item[] {
    return [...this.#items.values()].sort(
      (a, b) => compareText(a.pk, b.pk) || compareText(a.sk ?? "", b.sk ?? ""),
    );
  }

  /** Applies a single operation. Returns whether its condition was true. */
  write(operation: Operation, now: string): boolean {
    return this.#apply(operation, now) === undefined;
  }

  /** Applies all operations or none. */
  transact(operations: readonly Operation[], now: string): readonly Fault[] {
    const before = this.#items;
    const faults = operations.flatMap((operation, itemIndex): Fault[] => {
      const { pk, sk } = operation;
      const errorType = this.#apply(operation, now);
      return errorType === undefined ? [] : [{ itemIndex, pk, sk, errorType }];
    });
    if (faults.length > 0) this.#items = before;
    return faults;
  }

  #apply(operation: Operation, now: string): Fault["errorType"] | undefined {
    const { pk, sk, condition } = operation;
    const existing = this.item(operation);
    if (condition !== undefined && !holds(condition, existing)) return "ConditionalCheckFailed";
    if (operation.action === "ConditionCheck") return undefined;
    const items = new Map(this.#items);
    const key = JSON.stringify([pk, sk]);
    if (operation.action === "Delete") items.delete(key);
    else {
      const updates = operation.action === "Update";
      if (updates && existing === undefined && this.#profile.updateMissingItem !== "create")
        return this.#profile.updateMissingItem;
      items.set(key, {
        pk,
        sk,
        data: updates ? merge(existing?.data ?? [], operation.data) : operation.data,
        createdAt: existing?.createdAt ?? now,
        updatedAt:
          existing === undefined || existing.updatedAt < now ? now : addMillisecond(existing.updatedAt),
      });
    }
    this.#items = items;
    return undefined;
  }
}

/** Every write to an item has a time of its own. */
function addMillisecond(time: string): string {
  return new Date(Date.parse(time) + 1).toISOString();
}

/** Sets attributes. Existing attributes keep their places; new attributes follow. */
function merge(data: Data, attributes: Data): Data {
  const kept = data.map((entry) => attributes.find(([name]) => name === entry[0]) ?? entry);
  return [...kept, ...attributes.filter(([name]) => !data.some((entry) => entry[0] === name))];
}

function holds(condition: Condition, item: Item | undefined): boolean {
  switch (condition.kind) {
    case "exists":
      return item !== undefined;
    case "absent":
      return item === undefined;
    case "not":
      return !holds(condition.term, item);
    case "compare": {
      const text = item?.data.find(([name]) => name === condition.attribute)?.[1];
      if (text === undefined) return false;
      // All comparisons with NaN are false.
      const value = Number(text);
      if (condition.comparator === "=") return value === condition.number;
      return condition.comparator === "<" ? value < condition.number : value >= condition.number;
    }
  }
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export type RecallResult = { readonly answer: string } | "refused" | undefined;

/** The responses to transactions by kind and token, for 10 minutes. */
export class TransactionTokensModel {
  readonly #known = new Map<string, { fingerprint: string; answer: string; until: number }>();

  /** Returns the stored response, a refusal of a different body, or undefined for a token that is new or expired. */
  recall(kind: string, token: string, fingerprint: string, now: number): RecallResult {
    const known = this.#known.get(`${kind} ${token}`);
    if (known === undefined || now >= known.until) return undefined;
    return known.fingerprint === fingerprint ? { answer: known.answer } : "refused";
  }

  remember(kind: string, token: string, fingerprint: string, answer: string, now: number): void {
    this.#known.set(`${kind} ${token}`, { fingerprint, answer, until: now + 600_000 });
  }
}
