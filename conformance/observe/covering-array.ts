/** One value of each factor, as the place of the value. */
export type Row = readonly number[];

export interface CoveringOptions {
  /** Same seed, same rows. */
  readonly seed: number;
  /** Whether two values may stand in one row; all may without this. */
  readonly allows?: (one: Choice, other: Choice) => boolean;
}

/** A value of a factor. */
export interface Choice {
  readonly factor: number;
  readonly value: number;
}

/** How many rows are tried for each one that is taken. */
const candidates = 6;

/**
 * Rows in which every pair of values of any two factors occurs, but for those that must not. Greedy: each row takes,
 * factor by factor, the value that brings most pairs that no row has yet; the best of a few rows is taken.
 *
 * @param sizes how many values each factor has
 */
export function coveringArray(
  sizes: readonly number[],
  { seed, allows = () => true }: CoveringOptions,
): readonly Row[] {
  const random = randomFrom(seed);
  const open = new Pairs(sizes, allows);
  const rows: Row[] = [];
  while (open.count > 0) {
    const first = open.first();
    const tried = Array.from({ length: candidates }, () => newRow(sizes, first, open, random));
    const [best] = tried
      .filter((row) => row !== undefined)
      .map((row) => ({ row, gain: open.gainOf(row) }))
      .toSorted((a, b) => b.gain - a.gain);
    if (best === undefined || best.gain === 0) throw new Error("a pair fits into no row");
    open.cover(best.row);
    rows.push(best.row);
  }
  return rows;
}

function newRow(
  sizes: readonly number[],
  first: readonly [Choice, Choice],
  open: Pairs,
  random: (below: number) => number,
): Row | undefined {
  const row = sizes.map(() => -1);
  for (const { factor, value } of first) row[factor] = value;
  const chosen: Choice[] = [...first];
  const others = shuffled(
    sizes.flatMap((_, factor) => (row[factor] === -1 ? [factor] : [])),
    random,
  );
  for (const factor of others) {
    let best: number[] = [];
    let most = -1;
    for (let value = 0; value < (sizes[factor] ?? 0); value++) {
      const gain = open.gainWith(chosen, { factor, value });
      if (gain === undefined) continue;
      if (gain > most) [best, most] = [[value], gain];
      else if (gain === most) best.push(value);
    }
    const value = best[random(best.length)];
    if (value === undefined) return undefined;
    row[factor] = value;
    chosen.push({ factor, value });
  }
  return row;
}

/** What a pair is in {@link Pairs}: one that must not occur, one that a row has, one that no row has yet. */
const forbidden = 0;
const covered = 1;
const uncovered = 2;

/** Which pairs may occur, and which of them no row has yet. What may is asked once for each pair. */
class Pairs {
  readonly #sizes: readonly number[];
  readonly #offsets: readonly number[];
  readonly #total: number;
  /** Both ways round. */
  readonly #states: Uint8Array;
  count = 0;

  constructor(sizes: readonly number[], allows: (one: Choice, other: Choice) => boolean) {
    this.#sizes = sizes;
    this.#offsets = sizes.map((_, factor) => sizes.slice(0, factor).reduce((sum, size) => sum + size, 0));
    this.#total = sizes.reduce((sum, size) => sum + size, 0);
    this.#states = new Uint8Array(this.#total ** 2);
    for (const [one, other] of allPairs(sizes))
      if (allows(one, other)) {
        this.#set(one, other, uncovered);
        this.count++;
      }
  }

  /** How many pairs that no row has yet a choice would bring to others, or none where it must not stand with one. */
  gainWith(others: readonly Choice[], choice: Choice): number | undefined {
    const start = this.#place(choice) * this.#total;
    let gain = 0;
    for (const other of others) {
      const state = this.#states[start + this.#place(other)];
      if (state === forbidden) return undefined;
      if (state === uncovered) gain++;
    }
    return gain;
  }

  first(): readonly [Choice, Choice] {
    for (const [one, other] of allPairs(this.#sizes)) if (this.#isOpen(one, other)) return [one, other];
    throw new Error("all pairs are covered");
  }

  gainOf(row: Row): number {
    let gain = 0;
    for (const [one, other] of pairsOf(row)) if (this.#isOpen(one, other)) gain++;
    return gain;
  }

  cover(row: Row): void {
    for (const [one, other] of pairsOf(row))
      if (this.#isOpen(one, other)) {
        this.#set(one, other, covered);
        this.count--;
      }
  }

  #isOpen(one: Choice, other: Choice): boolean {
    return this.#states[this.#place(one) * this.#total + this.#place(other)] === uncovered;
  }

  #set(one: Choice, other: Choice, to: number): void {
    const [a, b] = [this.#place(one), this.#place(other)];
    this.#states[a * this.#total + b] = to;
    this.#states[b * this.#total + a] = to;
  }

  #place({ factor, value }: Choice): number {
    return (this.#offsets[factor] ?? 0) + value;
  }
}

function* allPairs(sizes: readonly number[]): Generator<readonly [Choice, Choice]> {
  for (let a = 0; a < sizes.length; a++)
    for (let b = a + 1; b < sizes.length; b++)
      for (let one = 0; one < (sizes[a] ?? 0); one++)
        for (let other = 0; other < (sizes[b] ?? 0); other++)
          yield [
            { factor: a, value: one },
            { factor: b, value: other },
          ];
}

function* pairsOf(row: Row): Generator<readonly [Choice, Choice]> {
  for (const [a, one] of row.entries())
    for (let b = a + 1; b < row.length; b++)
      yield [
        { factor: a, value: one },
        { factor: b, value: row[b] ?? 0 },
      ];
}

function shuffled<Value>(values: readonly Value[], random: (below: number) => number): readonly Value[] {
  const result = [...values];
  for (let last = result.length - 1; last > 0; last--) {
    const other = random(last + 1);
    [result[last], result[other]] = [result[other] as Value, result[last] as Value];
  }
  return result;
}

/** A linear congruential generator: the same numbers on every machine. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
