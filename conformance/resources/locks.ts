import type { Requirement } from "../target/requirements.js";

/** Requirements through which concurrent checks would affect each other, because of limits and lists. */
const exclusive: readonly Requirement[] = [
  "create-databases",
  "create-organizations",
  "invitations",
  "checkout",
];

/** Gives checks exclusive access to what they cannot share. */
export class Locks {
  /** The last work for each requirement. */
  readonly #last = new Map<Requirement, Promise<unknown>>();

  /**
   * Does work while no other work with the same requirements runs. The work must not request another lock.
   *
   * @param needs the requirements of the work; those that can be shared are not locked
   */
  async withLocks<Result>(needs: readonly Requirement[], work: () => Promise<Result>): Promise<Result> {
    const locked = exclusive.filter((need) => needs.includes(need));
    if (locked.length === 0) return work();
    // All locks are requested at once, so that no deadlock can occur.
    const previous = Promise.allSettled(locked.map(async (need) => this.#last.get(need)));
    const done = previous.then(work);
    for (const need of locked) this.#last.set(need, done);
    return done;
  }
}
