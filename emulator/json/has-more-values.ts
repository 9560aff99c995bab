const [quote, backslash, comma, colon, bracket, brace] = [0x22, 0x5c, 0x2c, 0x3a, 0x5b, 0x7b];

/**
 * Whether unparsed JSON text in UTF-8 holds more than `max` values. An empty array or object counts as two; the value of
 * a field counts as three, because an object of many fields takes that much time.
 * For text that is not JSON the result is unspecified.
 */
export function exceedsJsonValueCount(json: Uint8Array, max: number): boolean {
  // a value takes two bytes, itself and what parts it from the next, and a field five
  if (json.length < (5 / 3) * max) return false;
  let count = 1;
  for (let at = 0; at < json.length && count <= max; at += 1) {
    const byte = json[at];
    if (byte === quote) at = endOfString(json, at);
    else if (byte === comma || byte === bracket || byte === brace) count += 1;
    else if (byte === colon) count += 2;
  }
  return count > max;
}

/** The place of the quote that ends a string, or of the end of the text. */
function endOfString(json: Uint8Array, begin: number): number {
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
