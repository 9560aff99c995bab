import { chosenLimits } from "../../openapi/limits.js";

/** One place that is not valid, in a repository schema or in the data of an entity. */
export interface Mistake {
  /** JSON pointer to the place. */
  readonly pointer: string;
  /** What is wrong there, and what to do about it. */
  readonly detail: string;
}

/** As many mistakes as an answer names, and a count of the others: millions of faults shall not make an answer of that size. */
export function shownMistakes(all: readonly Mistake[]): readonly Mistake[] {
  const shown = all.slice(0, chosenLimits.mistakesShown).map(({ pointer, detail }) => ({ pointer, detail }));
  if (shown.length < all.length)
    shown.push({ pointer: "", detail: `${all.length - shown.length} more places are not valid` });
  return shown;
}
