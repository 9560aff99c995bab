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

/** How much `readJson` takes. */
export interface ParseJsonOptions {
  /** The deepest nesting of arrays and objects; `[]` is one level. At most 1,000, which no stack minds. */
  readonly maxDepth: number;
}

/**
 * Reads a JSON text without losing anything that `JSON.parse` loses: order of members, spelling of numbers.
 * Where a cheap look at the text proves `JSON.parse` equal, it does the work and the result is plain objects.
 * Of members with the same name the last wins.
 *
 * @throws {JsonError} (json-error.ts) for text that is no JSON, for nesting beyond `maxDepth`, for numbers outside a double's
 * range, and for lone surrogates in strings and names
 */
export function parseJson(text: string, options: ParseJsonOptions): JsonValue {
  if (isPlainJsonText(text, options.maxDepth)) {
    try {
      return JSON.parse(text) as JsonValue;
    } catch {
      // not JSON: the reader below finds the same fault and words it with its place
    }
  }
  return new LosslessJsonReader(text, options.maxDepth).read();
}

/** What the scanners return when the text needs the lossless reader. */
const notPlain = -1;

/**
 * Whether `JSON.parse` reads this text without loss, so that `JSON.stringify` writes it back with the same members
 * in the same order and the same numbers. One pass, no allocation but for unusual numbers.
 *
 * False says only that the lossless reader must look: at numbers that a double spells differently, at names of
 * digits alone (`JSON.parse` moves them to the front), at names with escapes (`JSON.parse` of Node 24 may take them for
 * others), at escaped surrogates, at nesting deeper than `maxDepth`. Text that is no JSON may give either answer.
 */
export function isPlainJsonText(text: string, maxDepth: number): boolean {
  // most texts have neither, and their strings end at the next quote
  const isSimple = !text.includes("\\") && !surrogate.test(text);
  let depth = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === characterCodes.quote) {
      at = isSimple ? afterSimpleString(text, at + 1) : afterString(text, at + 1);
      if (at === notPlain) return false;
    } else if (isDigit(code) || code === characterCodes.minus) {
      at = afterNumber(text, at);
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

/** {@link afterString} in a text without escapes and surrogates. */
function afterSimpleString(text: string, start: number): number {
  const end = text.indexOf('"', start);
  if (end < 0) return notPlain;
  let at = start;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at === end && end > start && isName(text, end + 1) ? notPlain : end + 1;
}

/** The offset behind the closing quote of the string whose characters begin at `start`. */
function afterString(text: string, start: number): number {
  let at = start;
  let digitsOnly = true;
  let isEscaped = false;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === characterCodes.quote) break;
    if (Number.isNaN(code)) return notPlain;
    if (digitsOnly && !isDigit(code)) digitsOnly = false;
    if (code === characterCodes.backslash) {
      if (text.charCodeAt(at + 1) === characterCodes.lowerU && hidesSurrogate(text, at + 2)) return notPlain;
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

/** Whether the string that ends before `at` is the name of a member. */
function isName(text: string, at: number): boolean {
  while (isWhiteSpace(text.charCodeAt(at))) at += 1;
  return text.charCodeAt(at) === characterCodes.colon;
}

/** Whether the four hexadecimal digits at `at` may stand for a surrogate (`d800` on). */
function hidesSurrogate(text: string, at: number): boolean {
  const first = text.charCodeAt(at);
  return first === 0x64 || first === 0x44;
}

/** The offset behind the number at `start`. */
function afterNumber(text: string, start: number): number {
  let at = text.charCodeAt(start) === characterCodes.minus ? start + 1 : start;
  const digits = at;
  while (isDigit(text.charCodeAt(at))) at += 1;
  const integer = !isNumberPart(text.charCodeAt(at));
  // 15 digits always come back from a double; -0 does not
  if (integer && at - digits <= 15 && (text.charCodeAt(digits) !== characterCodes.zero || at - start === 1))
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
