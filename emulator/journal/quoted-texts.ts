import { codes, isWhiteSpace } from "../json/character-codes.js";

/*
 * Ways through a text that is JSON, or begins like it, or is none. They look at each character once, however the text
 * is written: a body may hold as many quotes and backslashes as it has characters.
 */

/** Where the text that begins with the quote at `start` has its closing quote; -1 where it has none. */
export function closingQuote(text: string, start: number): number {
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return -1;
    let before = quote - 1;
    while (text.charCodeAt(before) === codes.backslash) before -= 1;
    // an even number of backslashes are escaped themselves
    if ((quote - before) % 2 === 1) return quote;
    from = quote + 1;
  }
}

/** Where the value begins that belongs to a name which ends before `at`; -1 where no colon makes it a name. */
export function startOfValue(text: string, at: number): number {
  const colon = afterSpace(text, at);
  return text.charCodeAt(colon) === codes.colon ? afterSpace(text, colon + 1) : -1;
}

/** Where the value that begins at a place ends: a string, an array or object with all in it, or a word. */
export function endOfValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isSeparator(code)) {
      at += 1;
      continue;
    }
    if (isClosing(code)) {
      // the end of what is around it: there was no value
      if (depth === 0) return at;
      depth -= 1;
      at += 1;
    } else if (isOpening(code)) {
      depth += 1;
      at += 1;
    } else if (code === codes.quote) {
      const quote = closingQuote(text, at);
      at = quote < 0 ? text.length : quote + 1;
    } else at = afterWord(text, at);
    if (depth === 0) return at;
  }
  return text.length;
}

/** Every string in a text as it is written, with its quotes. */
export function quotedTexts(text: string): readonly string[] {
  const texts: string[] = [];
  let start = text.indexOf('"');
  while (start >= 0) {
    const end = closingQuote(text, start);
    if (end < 0) break;
    texts.push(text.slice(start, end + 1));
    start = text.indexOf('"', end + 1);
  }
  return texts;
}

/** What a string that is written with its quotes says; nothing where it is no string of JSON. */
export function unquoted(written: string): string | undefined {
  if (!written.includes("\\")) return written.slice(1, -1);
  try {
    return JSON.parse(written) as string;
  } catch {
    return undefined;
  }
}

function afterSpace(text: string, start: number): number {
  let at = start;
  while (isWhiteSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function afterWord(text: string, start: number): number {
  let at = start;
  while (at < text.length && !endsWord(text.charCodeAt(at))) at += 1;
  return at;
}

function endsWord(code: number): boolean {
  return code === codes.quote || isSeparator(code) || isOpening(code) || isClosing(code);
}

function isSeparator(code: number): boolean {
  return code === codes.comma || isWhiteSpace(code);
}

function isOpening(code: number): boolean {
  return code === codes.openBrace || code === codes.openBracket;
}

function isClosing(code: number): boolean {
  return code === codes.closeBrace || code === codes.closeBracket;
}
