import type { Requirement } from "../target/needs.js";

/** What a check that needs it changes for all others that need it as well: ceilings and lists. */
const shared: readonly Requirement[] = [
  "create-databases",
  "create-organizations",
  "invitations",
  "checkout",
];

/** Lets one at a time work with what cannot be shared. */
export class Locks {
  /** Ends when all have ended who have asked so far. */
  readonly #last = new Map<Requirement, Promise<unknown>>();

  /**
   * Works while nobody else does who needs the same. Whoever holds something must not ask for more.
   *
   * @param needs what the work needs; what can be shared is nobody's to hold
   */
  async holding<Result>(needs: readonly Requirement[], work: () => Promise<Result>): Promise<Result> {
    const held = shared.filter((need) => needs.includes(need));
    if (held.length === 0) return work();
    // all places in the queues are taken at once, so that nobody waits for somebody who waits for them
    const before = Promise.allSettled(held.map(async (need) => this.#last.get(need)));
    const done = before.then(work);
    for (const need of held) this.#last.set(need, done);
    return done;
  }
}
