import { Ids } from "../world/ids.js";

/** Ids that are chosen for what is made next, by their kind; where none is, one is made as ever. */
export class ChosenIds extends Ids {
  readonly #chosen = new Map<string, string>();

  /** @param ids by the prefix that is asked for */
  choose(ids: Readonly<Record<string, string>>): void {
    this.#chosen.clear();
    for (const [prefix, id] of Object.entries(ids)) this.#chosen.set(prefix, id);
  }

  override next(prefix: string, length?: number): string {
    const chosen = this.#chosen.get(prefix);
    if (chosen === undefined) return super.next(prefix, length);
    this.#chosen.delete(prefix);
    return chosen;
  }
}
