/** UTF-16 units that the JSON readers search for. */
export const characterCodes = {
  tab: 0x09,
  lineFeed: 0x0a,
  carriageReturn: 0x0d,
  space: 0x20,
  quote: 0x22,
  plus: 0x2b,
  comma: 0x2c,
  minus: 0x2d,
  point: 0x2e,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  upperE: 0x45,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  lowerE: 0x65,
  lowerU: 0x75,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const;

/** Whether a UTF-16 unit is `0` to `9`. `charCodeAt` returns `NaN` after the end of a text, which is not a digit. */
export function isDigit(code: number): boolean {
  return code >= characterCodes.zero && code <= characterCodes.nine;
}

/** Whether a UTF-16 unit is one of the four white space characters of JSON. */
export function isWhiteSpace(code: number): boolean {
  return (
    code === characterCodes.space ||
    code === characterCodes.lineFeed ||
    code === characterCodes.carriageReturn ||
    code === characterCodes.tab
  );
}

/** Whether a UTF-16 unit is a half of a surrogate pair. */
export function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

/** Whether a UTF-16 unit is the first half of a surrogate pair. */
export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** Whether a UTF-16 unit is the second half of a surrogate pair. */
export function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Counts the Unicode code points of a text. */
export function countCodePoints(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at += 1)
    if (isLowSurrogate(text.charCodeAt(at)) && isHighSurrogate(text.charCodeAt(at - 1))) count -= 1;
  return count;
}

/** Whether a text has more than `max` code points. */
export function exceedsCodePointCount(text: string, max: number): boolean {
  return text.length > max && countCodePoints(text) > max;
}
