import type { SeedMistake } from "./seed-mistake.js";

/** The ids of one kind: those that are given, and those that are made of names. */
export class IdBook {
  readonly #taken = new Set<string>();
  readonly #mistakes: SeedMistake[];
  readonly #what: string;

  /** @param what what has the ids, for messages */
  constructor(mistakes: SeedMistake[], what: string) {
    this.#mistakes = mistakes;
    this.#what = what;
  }

  /** Notes an id that is given; nothing for none. */
  take(id: string | undefined, pointer: string): void {
    if (id === undefined) return;
    if (this.#taken.has(id))
      this.#mistakes.push({ pointer, detail: `another ${this.#what} has ${id} as well; choose another` });
    this.#taken.add(id);
  }

  /** An id that is free: the wanted one, or that with a number behind it. */
  make(wanted: string): string {
    let id = wanted;
    for (let number = 2; this.#taken.has(id); number += 1) id = `${wanted}_${number}`;
    this.#taken.add(id);
    return id;
  }
}
