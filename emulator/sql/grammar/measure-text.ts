import { SqlError } from "./sql-error.js";
import { describePosition } from "./text-position.js";

/** How deep parentheses, collection literals and collection types may nest. */
export const nestingMax = 64;

const tokens =
  /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|--[^\n]*|\/\*[^]*?(?:\*\/|$)|(?:LIST|SET|MAP)(?![A-Za-z0-9_])\s*<|[A-Za-z_][A-Za-z0-9_]*|[?()[\]{}>]/gi;

/**
 * Walks over the text of a statement once, without recursion: finds the markers `?`, and refuses what would be too
 * deep for the generated parser. Text in quotes and comments does not count.
 *
 * @returns offset of each marker → its number, from 0
 */
export function measureText(text: string): ReadonlyMap<number, number> {
  const markers = new Map<number, number>();
  let brackets = 0;
  let angles = 0;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === "?") markers.set(index, markers.size);
    else if (token === "(" || token === "[" || token === "{") brackets += 1;
    else if (token === ")" || token === "]" || token === "}") brackets -= 1;
    else if (token === ">") angles = Math.max(0, angles - 1);
    else if (/^[lsm].*<$/is.test(token)) angles += 1;
    // a column named `list` may be compared with `<`; a type ends before such a word
    else if (/^(?:and|or)$/i.test(token)) angles = 0;
    if (brackets > nestingMax || angles > nestingMax)
      throw new SqlError(
        "SQL_SYNTAX_ERROR",
        `nested deeper than ${nestingMax} levels`,
        describePosition(text, index),
      );
  }
  return markers;
}
