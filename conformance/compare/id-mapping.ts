/** Fields whose values are ids of the same resources. */
const idSpaces: Readonly<Record<string, string>> = {
  ownerUserId: "userId",
  invitedBy: "userId",
  personalOrgId: "organizationId",
  billingEmail: "email",
  productId: "id",
};

/**
 * Why two texts cannot correspond: only one was sent (`sent`), both correspond to other texts (`both known`), or one of them
 * does (`first known`, `second known`).
 */
export type BindingConflict = "sent" | "both known" | "first known" | "second known";

/** Number of recent instants with which a new instant is compared. */
const maxInstants = 400;

/**
 * Maps values of the first target to values of the second within one history: ids and tokens one to one, instants by their
 * order. Values are mapped when they first occur; mappings made after a savepoint can be undone.
 */
export class IdMapping {
  /** Corresponding values in both directions, by namespace and value. */
  readonly #forward = new Map<string, string>();
  readonly #backward = new Map<string, string>();
  /** The namespaces of all mappings. */
  readonly #spaces = new Set(["sent"]);
  /** Instants on both targets, with the response that contained them first. */
  readonly #instants: { readonly first: number; readonly second: number; readonly answer: number }[] = [];
  readonly #countDifferences = new Map<string, number>();
  readonly #undo: (() => void)[] = [];

  /** @param toleranceMs instants with a smaller distance count as equal */
  constructor(private readonly toleranceMs = 0) {}

  /** Records a text that was sent to both targets and therefore corresponds to itself, or two corresponding texts. */
  addSent(first: string, second = first): void {
    this.#forward.set(`sent ${first}`, second);
  }

  /** Whether a text was sent, or is mapped on one of the targets. */
  has(text: string): boolean {
    return [this.#forward, this.#backward].some((texts) => [...texts.values()].includes(text));
  }

  /** Whether two texts are known to correspond. */
  areBound(first: string, second: string): boolean {
    return [...this.#spaces].some((space) => this.#forward.get(`${space} ${first}`) === second);
  }

  /**
   * Maps two texts to each other.
   *
   * @param field the field that contains the texts, because different resources may have equal ids
   * @returns why they cannot correspond; undefined if they do
   */
  bind(first: string, second: string, field: string): BindingConflict | undefined {
    if ([first, second].some((text) => this.#forward.get(`sent ${text}`) === text))
      return first === second ? undefined : "sent";
    const space = idSpaces[field] ?? field;
    const [firstKey, secondKey] = [`${space} ${first}`, `${space} ${second}`];
    const [known, back] = [this.#forward.get(firstKey), this.#backward.get(secondKey)];
    if (known === second && back === first) return undefined;
    if (known !== undefined && back !== undefined) return "both known";
    if (back !== undefined) return "second known";
    if (known !== undefined) return "first known";
    this.#spaces.add(space);
    this.#forward.set(firstKey, second);
    this.#backward.set(secondKey, first);
    this.#undo.push(() => {
      this.#forward.delete(firstKey);
      this.#backward.delete(secondKey);
    });
    return undefined;
  }

  /**
   * Compares the order of two instants with that of all other instants, except those in the same response, because a service
   * may use one instant or several for a batch.
   *
   * @returns whether the order is the same
   */
  bindInstants(first: number, second: number, answer: number): boolean {
    const order = (difference: number) =>
      Math.abs(difference) < this.toleranceMs ? 0 : Math.sign(difference);
    // A pair is compared only once, so that its difference is reported only once.
    if (this.#instants.some((known) => known.first === first && known.second === second)) return true;
    for (const known of this.#instants)
      if (known.answer !== answer && order(first - known.first) !== order(second - known.second))
        return false;
    const pair = { first, second, answer };
    this.#instants.push(pair);
    if (this.#instants.length > maxInstants) this.#instants.shift();
    this.#undo.push(() => {
      if (this.#instants.at(-1) === pair) this.#instants.pop();
    });
    return true;
  }

  /**
   * Whether two counts have grown by the same amount since they first occurred.
   *
   * @param place what is counted; undefined if the count began at zero
   */
  haveEqualGrowth(first: number, second: number, place: string | undefined): boolean {
    if (place === undefined) return first === second;
    const known = this.#countDifferences.get(place);
    if (known !== undefined) return first - second === known;
    this.#countDifferences.set(place, first - second);
    this.#undo.push(() => void this.#countDifferences.delete(place));
    return true;
  }

  /** The state that {@link IdMapping.rollback} restores. */
  createSavepoint(): number {
    return this.#undo.length;
  }

  rollback(savepoint: number): void {
    while (this.#undo.length > savepoint) this.#undo.pop()?.();
  }
}
