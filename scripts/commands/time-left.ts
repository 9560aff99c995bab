/** A guess at less of the run than this says nothing. */
const leastShare = 0.02;
/** In which part of the time that has passed a new guess outweighs the old one: what is guessed late is guessed better. */
const settlingShare = 0.15;

/**
 * Reckons how long a run still takes. What it says goes down with time and is drawn towards each new guess, so that one
 * check that takes longer than usual does not make it jump.
 */
export class TimeLeft {
  #last: { readonly at: number; readonly left: number } | undefined;

  /**
   * @param elapsed milliseconds since the run began
   * @param share how much of it is done, from 0 to 1
   * @returns milliseconds; infinite as long as nobody knows
   */
  after(elapsed: number, share: number): number {
    if (share < leastShare) return Infinity;
    const guess = (elapsed / share) * (1 - share);
    const { at, left } = this.#last ?? { at: elapsed, left: guess };
    const passed = elapsed - at;
    const weight = passed === 0 ? 0 : 1 - Math.exp(-passed / (settlingShare * elapsed));
    const drawn = left - passed + (guess - (left - passed)) * weight;
    this.#last = { at: elapsed, left: Math.max(0, drawn) };
    return this.#last.left;
  }
}
