import { type JsonValue, isCanonicalNumberText } from "./json-value.js";
import { LosslessJsonReader } from "./lossless-reader.js";
import {
  characterCodes,
  isDigit,
  isHighSurrogate,
  isLowSurrogate,
  isSurrogate,
  isWhiteSpace,
} from "./character-codes.js";

/**
 * Parses a JSON text. Unlike `JSON.parse`, this keeps the order of fields and the texts of numbers. If `JSON.parse` would
 * lose nothing, it is used, and the result contains only plain objects. The last of several fields with the same name
 * counts.
 *
 * @param maxDepth maximum nesting of arrays and objects, at most 1,000; `[]` is one level
 * @param maxLosslessValues maximum number of values in a text from which `JSON.parse` would lose something
 * @param numbers whether numbers keep their texts, or become the nearest doubles
 * @throws {JsonError} for invalid JSON, too many values, deeper nesting, numbers outside the range of a double, and lone surrogates
 */
export function parseJson(
  text: string,
  {
    maxDepth,
    maxLosslessValues = Infinity,
    numbers = "exact",
  }: {
    readonly maxDepth: number;
    readonly maxLosslessValues?: number;
    readonly numbers?: "exact" | "double";
  },
): JsonValue {
  if (isLosslessWithJsonParse(text, maxDepth)) {
    try {
      return JSON.parse(text) as JsonValue;
    } catch {
      // The reader below reports the error with its location.
    }
  }
  return new LosslessJsonReader(text, maxDepth, maxLosslessValues, numbers).read();
}

/** The result of the scanners if the text needs the lossless reader. */
const notPlain = -1;

/**
 * Whether `JSON.parse` reads this text without loss, so that `JSON.stringify` would write the same fields in the same
 * order and the same numbers. This takes one pass, and allocates memory only for unusual numbers.
 *
 * The result is false for numbers whose double has a different text, names of only digits (`JSON.parse` moves them to the
 * front), names with escapes (`JSON.parse` in Node 24 may confuse them), escaped surrogates, and nesting deeper than
 * `maxDepth`. For invalid JSON, the result is unspecified.
 */
export function isLosslessWithJsonParse(text: string, maxDepth: number): boolean {
  // Most texts have neither escapes nor surrogates, so their strings end at the next quote.
  const isSimple = !text.includes("\\") && !surrogate.test(text);
  let depth = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === characterCodes.quote) {
      at = isSimple ? skipSimpleString(text, at + 1) : skipString(text, at + 1);
      if (at === notPlain) return false;
    } else if (isDigit(code) || code === characterCodes.minus) {
      at = skipNumber(text, at);
      if (at === notPlain) return false;
    } else {
      if (code === characterCodes.openBrace || code === characterCodes.openBracket) {
        depth += 1;
        if (depth > maxDepth) return false;
      } else if (code === characterCodes.closeBrace || code === characterCodes.closeBracket) {
        depth -= 1;
      }
      at += 1;
    }
  }
  return true;
}

const surrogate = /[\ud800-\udfff]/;

/** {@link skipString} for a text without escapes and surrogates. */
function skipSimpleString(text: string, start: number): number {
  const end = text.indexOf('"', start);
  if (end < 0) return notPlain;
  let at = start;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at === end && end > start && isName(text, end + 1) ? notPlain : end + 1;
}

/** Returns the offset after the closing quote of the string whose characters begin at `start`. */
function skipString(text: string, start: number): number {
  let at = start;
  let digitsOnly = true;
  let isEscaped = false;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === characterCodes.quote) break;
    if (Number.isNaN(code)) return notPlain;
    if (digitsOnly && !isDigit(code)) digitsOnly = false;
    if (code === characterCodes.backslash) {
      if (text.charCodeAt(at + 1) === characterCodes.lowerU && mayBeSurrogate(text, at + 2)) return notPlain;
      isEscaped = true;
      at += 2;
    } else if (isSurrogate(code)) {
      if (!isHighSurrogate(code) || !isLowSurrogate(text.charCodeAt(at + 1))) return notPlain;
      at += 2;
    } else {
      at += 1;
    }
  }
  if ((isEscaped || (digitsOnly && at > start)) && isName(text, at + 1)) return notPlain;
  return at + 1;
}

/** Whether the string that ends before `at` is the name of a field. */
function isName(text: string, at: number): boolean {
  while (isWhiteSpace(text.charCodeAt(at))) at += 1;
  return text.charCodeAt(at) === characterCodes.colon;
}

/** Whether the four hexadecimal digits at `at` may stand for a surrogate (`d800` and above). */
function mayBeSurrogate(text: string, at: number): boolean {
  const first = text.charCodeAt(at);
  return first === 0x64 || first === 0x44;
}

/** Returns the offset after the number at `start`. */
function skipNumber(text: string, start: number): number {
  let at = text.charCodeAt(start) === characterCodes.minus ? start + 1 : start;
  const digits = at;
  while (isDigit(text.charCodeAt(at))) at += 1;
  const isInteger = !isNumberPart(text.charCodeAt(at));
  // A double keeps 15 digits, but not -0.
  if (isInteger && at - digits <= 15 && (text.charCodeAt(digits) !== characterCodes.zero || at - start === 1))
    return at;
  while (isNumberPart(text.charCodeAt(at))) at += 1;
  return isCanonicalNumberText(text.slice(start, at)) ? at : notPlain;
}

function isNumberPart(code: number): boolean {
  return (
    isDigit(code) ||
    code === characterCodes.point ||
    code === characterCodes.lowerE ||
    code === characterCodes.upperE ||
    code === characterCodes.plus ||
    code === characterCodes.minus
  );
}
