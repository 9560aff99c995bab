/** Numbers that look random and follow from a seed. */
export class Random {
  #state: number;

  /** @param seeds whole numbers; another one anywhere gives other numbers */
  constructor(...seeds: readonly number[]) {
    let state = 0x9e3779b9;
    for (const seed of seeds)
      for (const half of [seed >>> 0, Math.floor(seed / 2 ** 32)]) state = mix((state ^ half) + 0x6d2b79f5);
    this.#state = state;
  }

  /** A whole number from 0 up to below `below`. */
  below(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    return Math.floor((mix(this.#state) / 2 ** 32) * below);
  }

  /** True once in so many times. */
  once(inSoMany: number): boolean {
    return this.below(inSoMany) === 0;
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)] as Value;
  }

  /** Picks by weights. */
  weighted<Value>(values: readonly (readonly [weight: number, value: Value])[]): Value {
    let left = this.below(values.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, value] of values) if ((left -= weight) < 0) return value;
    throw new Error("there is nothing to pick from");
  }

  /** Small mostly, and rarely up to `most`. */
  size(most: number): number {
    return Math.floor(most ** (this.below(1000) / 1000));
  }
}

/** Spreads every bit of a number over all of it (the finalizer of MurmurHash3). */
function mix(number: number): number {
  let state = number | 0;
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}
