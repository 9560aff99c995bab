/** One operation of a concurrent history on one object. */
export interface TimedOperation<State> {
  /** Unique times at which the request was sent and answered; the latter is `Infinity` without an answer. */
  readonly called: number;
  readonly returned: number;
  /** Description of the operation, for reports. */
  readonly name: string;
  /** Returns the next state if the operation is possible in a state with the given answer; otherwise `undefined`. */
  readonly apply: (state: State) => { readonly state: State } | undefined;
}

/** Maximum number of operations in a history, so that a set of operations fits into the bits of a number. */
export const maxHistoryLength = 30;

/**
 * Finds an order in which the operations of a history could have been executed one after the other, each between its call
 * and its answer. An operation without an answer may have been executed at any time after its call, or never.
 *
 * @param nameOf returns a unique name for each state
 * @returns the names in such an order; undefined if there is no such order
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
