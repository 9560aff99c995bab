import { emulatorDefinedLimits } from "../clauses/limits.js";

interface Mistake {
  /** JSON pointer to the place. */
  readonly pointer: string;
  /** What is wrong there. */
  readonly detail: string;
}

/**
 * As many mistakes as an answer names, and a count of the others: millions of faults, or a few with long names above
 * them, shall not make an answer of that size.
 *
 * @param note makes the last one, which says how many others there are
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
  return [...all.slice(0, end), note(`${all.length - end} more mistakes are not shown`)];
}
