import { emulatorDefinedLimits } from "../clauses/limits.js";

/** An invalid place in a client's input. */
export interface Mistake {
  /** JSON pointer to the place. */
  readonly pointer: string;
  /** What is wrong, and how to correct it. */
  readonly detail: string;
}

/**
 * Limits the number and total length of the mistakes in a response.
 *
 * @param note creates the last entry, which says that there are more mistakes
 */
export function truncateMistakes<One extends Mistake>(
  all: readonly One[],
  note: (detail: string) => One,
): readonly One[] {
  const { mistakesShown, mistakeCharacters } = emulatorDefinedLimits;
  let characters = 0;
  const end = all.findIndex(({ pointer, detail }, index) => {
    characters += pointer.length + detail.length;
    return index >= mistakesShown || (index > 0 && characters > mistakeCharacters);
  });
  if (end < 0) return all;
  return [...all.slice(0, end), note("more mistakes were found, but are not shown")];
}
