/** How an instant of one side stands to the other's, in the order of the first side. */
interface Instants {
  readonly first: number;
  readonly second: number;
  readonly pointer: string;
}

/**
 * Which values of one side stand for which of the other: bound at first sight, and held to it ever after. Ids and tokens
 * correspond one to one, instants keep their order. What was bound since a mark can be taken back.
 */
export class Correspondence {
  readonly #forward = new Map<string, string>();
  readonly #backward = new Map<string, string>();
  readonly #sent = new Set<string>();
  readonly #instants: Instants[] = [];
  readonly #figures = new Map<string, { readonly first: number; readonly second: number }>();
  /** Sorts of values that were met so far, for those who ask whether a text is bound at all. */
  readonly #sorts = new Set<string>();
  #undo: (() => void)[] = [];

  /** Says that a text was sent to both sides: it stands for itself. */
  sent(text: string): void {
    this.#sent.add(text);
  }

  /** Whether somebody has sent the text, or it is bound on one of the sides. */
  knows(text: string): boolean {
    return this.#sent.has(text) || this.#isBound(text);
  }

  #isBound(text: string): boolean {
    for (const sort of this.#sorts)
      if (this.#forward.has(sort + text) || this.#backward.has(sort + text)) return true;
    return false;
  }

  /** Whether two texts are known to stand for each other. */
  areBound(first: string, second: string): boolean {
    for (const sort of this.#sorts) if (this.#forward.get(sort + first) === second) return true;
    return false;
  }

  /**
   * Binds two texts to each other.
   *
   * @param member the member that holds them: ids of different things may be spelled alike
   * @returns why they cannot stand for each other; nothing where they do
   */
  bind(first: string, second: string, member: string): string | undefined {
    if (first === second && this.#sent.has(first)) return undefined;
    if (this.#sent.has(first) || this.#sent.has(second))
      return "one side answers what was sent, the other does not";
    const sort = sortOf(member);
    const [known, back] = [this.#forward.get(sort + first), this.#backward.get(sort + second)];
    if (known === second && back === first) return undefined;
    if (known !== undefined || back !== undefined)
      return known === undefined
        ? "the second side shows a value again, the first shows another one"
        : back === undefined
          ? "the first side shows a value again, the second shows another one"
          : "both sides show values again that do not belong together";
    this.#sorts.add(sort);
    this.#forward.set(sort + first, second);
    this.#backward.set(sort + second, first);
    this.#undo.push(() => {
      this.#forward.delete(sort + first);
      this.#backward.delete(sort + second);
    });
    return undefined;
  }

  /** @returns why two instants cannot stand for each other in the order of all others; nothing where they do */
  order(first: number, second: number, pointer: string): string | undefined {
    const index = this.#firstFrom(first);
    const [before, same] = [this.#instants[index - 1], this.#instants[index]];
    if (same?.first === first)
      return same.second === second
        ? undefined
        : `the same instant as ${same.pointer} on the first side, ${second < same.second ? "an earlier" : "a later"} one on the second`;
    if (before !== undefined && before.second >= second)
      return `later than ${before.pointer} on the first side, ${before.second === second ? "the same" : "earlier"} on the second`;
    if (same !== undefined && same.second <= second)
      return `earlier than ${same.pointer} on the first side, ${same.second === second ? "the same" : "later"} on the second`;
    const entry = { first, second, pointer };
    this.#instants.splice(index, 0, entry);
    this.#undo.push(() => void this.#instants.splice(this.#instants.indexOf(entry), 1));
    return undefined;
  }

  #firstFrom(instant: number): number {
    let [low, high] = [0, this.#instants.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#instants[middle]?.first ?? 0) < instant) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Whether figures have grown alike since they were first seen.
   *
   * @param place what the figure is about; nothing where it counts from nothing
   */
  haveGrownAlike(first: number, second: number, place: string | undefined): boolean {
    if (place === undefined) return first === second;
    const known = this.#figures.get(place);
    if (known !== undefined) return first - known.first === second - known.second;
    this.#figures.set(place, { first, second });
    this.#undo.push(() => void this.#figures.delete(place));
    return true;
  }

  /** The state that {@link Correspondence.rollback} goes back to. */
  mark(): number {
    return this.#undo.length;
  }

  rollback(mark: number): void {
    while (this.#undo.length > mark) this.#undo.pop()?.();
  }
}

/** Members whose values are ids of the same things. */
const sortsOfMembers: Readonly<Record<string, string>> = {
  ownerUserId: "userId",
  invitedBy: "userId",
  personalOrgId: "organizationId",
  billingEmail: "email",
  productId: "id",
};

/** What the values of a member are ids of, with something behind it that no id has. */
function sortOf(member: string): string {
  return `${sortsOfMembers[member] ?? member}\0`;
}
