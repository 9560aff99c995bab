import { prefixUpperBound } from "../domain/prefix-upper-bound.js";
import type { Encode } from "./check-value.js";
import { invalid } from "./grammar/sql-error.js";
import type { Column } from "./table.js";
import type { Stored } from "./types/codec.js";
import { describeGiven } from "./types/describe-given.js";

const patternLengthMax = 32_768;

/** A blob sorts behind every text in SQLite: the bound of a prefix that has no text behind it. */
const behindAllTexts = new Uint8Array([0]);

/** The texts that begin with a prefix: from `low` on, below `high`. */
export interface PrefixBounds {
  readonly low: Stored;
  readonly high: Stored;
}

/**
 * Reads the pattern of LIKE: a prefix, then one `%`. In the prefix `\%`, `\_` and `\\` stand for the character.
 * Case counts.
 */
export function likeBounds(column: Column): Encode<PrefixBounds> {
  return (given) => {
    if (typeof given !== "string")
      throw invalid(
        `column ${JSON.stringify(column.name)} is compared with LIKE and ${describeGiven(given)}`,
        "A pattern is a text: a prefix, then %.",
      );
    if (given.length > patternLengthMax)
      throw invalid(`the pattern has ${given.length} characters`, `At most ${patternLengthMax} are read.`);
    if (!/^(?:[^%_\\]|\\[%_\\])*%$/u.test(given))
      throw invalid(
        `the pattern ${describeGiven(given)} is not supported`,
        "A pattern is a prefix, then %; write \\%, \\_ and \\\\ for these characters in the prefix.",
      );
    const low = given.slice(0, -1).replace(/\\(.)/g, "$1");
    return { low, high: prefixUpperBound(low) ?? behindAllTexts };
  };
}
