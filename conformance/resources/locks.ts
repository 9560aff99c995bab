import type { Requirement } from "../target/needs.js";

/** Requirements through which checks affect each other: limits and lists. */
const shared: readonly Requirement[] = [
  "create-databases",
  "create-organizations",
  "invitations",
  "checkout",
];

/** Gives a check exclusive access to resources that cannot be shared. */
export class Locks {
  /** Settles when all requests so far have ended. */
  readonly #last = new Map<Requirement, Promise<unknown>>();

  /**
   * Does work while no other work with the same needs runs. The work must not request another lock.
   *
   * @param needs what the work needs; shareable needs are not locked
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
