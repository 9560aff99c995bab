/** One operation of a concurrent history on one object. */
export interface TimedOperation<State> {
  /** When it was sent, and when its answer came, on one clock that no two events share; `Infinity` without an answer. */
  readonly called: number;
  readonly returned: number;
  /** In words, for the witness. */
  readonly name: string;
  /** The state after it, when it may take place in this state with the answer that came; `undefined` when it may not. */
  readonly apply: (state: State) => { readonly state: State } | undefined;
}

/** Operations in a history, so that a set of them fits the bits of a number. */
export const maxHistoryLength = 30;

/**
 * Looks for an order in which the operations of a history could have taken place one after the other, each between its
 * call and its answer. An operation without an answer may have taken place at any time after its call, or never.
 *
 * @param nameOf tells states apart
 * @returns the names in such an order; nothing when there is none
 */
export function findLinearization<State>(
  initial: State,
  operations: readonly TimedOperation<State>[],
  nameOf: (state: State) => string,
): readonly string[] | undefined {
  if (operations.length > maxHistoryLength)
    throw new Error(`a history has at most ${maxHistoryLength} operations`);
  const hopeless = new Set<string>();
  const search = (left: number, state: State): readonly string[] | undefined => {
    const remaining = operations.filter((_, index) => (left & (1 << index)) !== 0);
    if (remaining.every(({ returned }) => returned === Infinity)) return [];
    const place = `${left} ${nameOf(state)}`;
    if (hopeless.has(place)) return undefined;
    const firstReturn = Math.min(...remaining.map(({ returned }) => returned));
    for (const [index, { called, name, apply }] of operations.entries()) {
      // what was called after another one had returned comes after it
      if ((left & (1 << index)) === 0 || called > firstReturn) continue;
      const next = apply(state);
      const rest = next === undefined ? undefined : search(left & ~(1 << index), next.state);
      if (rest !== undefined) return [name, ...rest];
    }
    hopeless.add(place);
    return undefined;
  };
  return search(2 ** operations.length - 1, initial);
}
