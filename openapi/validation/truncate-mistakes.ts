import { emulatorDefinedLimits } from "../clauses/limits.js";

/** One place that is not valid, in what a client gave. */
export interface Mistake {
  /** JSON pointer to the place. */
  readonly pointer: string;
  /** What is wrong, and what to do about it. */
  readonly detail: string;
}

/**
 * Returns as many mistakes as a response names: millions of mistakes, or a few with long names, must not make a response
 * of that size.
 *
 * @param note makes the last one, which says that there are others
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
