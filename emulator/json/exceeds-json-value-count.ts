import { characterCodes } from "./character-codes.js";

const { quote, backslash, comma, colon, openBracket, openBrace } = characterCodes;

/**
 * Whether unparsed JSON text in UTF-8 contains more than `max` values. An empty array or object counts as two values, and a
 * field as three, because objects with many fields take more time. For invalid JSON, the result is unspecified.
 */
export function exceedsJsonValueCount(json: Uint8Array, max: number): boolean {
  // A value takes at least two bytes: itself and a separator. A field takes at least five.
  if (json.length < (5 / 3) * max) return false;
  let count = 1;
  for (let at = 0; at < json.length && count <= max; at += 1) {
    const byte = json[at];
    if (byte === quote) at = findStringEnd(json, at);
    else if (byte === comma || byte === openBracket || byte === openBrace) count += 1;
    else if (byte === colon) count += 2;
  }
  return count > max;
}

/** Returns the index of the quote that ends a string, or the end of the text. */
function findStringEnd(json: Uint8Array, begin: number): number {
  let at = begin;
  let isEscaped: boolean;
  do {
    at = json.indexOf(quote, at + 1);
    if (at < 0) return json.length;
    let before = at;
    while (json[before - 1] === backslash) before -= 1;
    isEscaped = (at - before) % 2 === 1;
  } while (isEscaped);
  return at;
}
