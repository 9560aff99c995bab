import { codes, isDigit } from "./character-codes.js";
import type { JsonValue } from "./json-value.js";
import { readJson } from "./read-json.js";

/**
 * Makes a reader of some members of objects: it steps over the others without reading them, which costs a fraction
 * of reading everything and gives the very same values.
 *
 * The reader takes compact JSON as `writeJson` writes it: no white space, shortest escapes, every name once.
 *
 * @param names the members at the top level to read
 * @param maxDepth nesting that no value exceeds
 */
export function memberReader(
  names: readonly string[],
  maxDepth: number,
): (text: string) => Map<string, JsonValue> {
  const wanted = [...new Set(names)].map((name): Wanted => ({ name, start: `${JSON.stringify(name)}:` }));
  return (text) => {
    const members = new Map<string, JsonValue>();
    let at = 1;
    while (members.size < wanted.length && text.charCodeAt(at) === codes.quote) {
      const found = memberAt(text, at, wanted);
      const start = found === undefined ? afterString(text, at + 1) + 1 : at + found.start.length;
      const end = afterValue(text, start);
      if (found !== undefined) members.set(found.name, readValue(text, start, end, maxDepth));
      // over the comma
      at = end + 1;
    }
    return members;
  };
}

interface Wanted {
  readonly name: string;
  /** What a member of this name begins with. */
  readonly start: string;
}

function memberAt(text: string, at: number, wanted: readonly Wanted[]): Wanted | undefined {
  for (const one of wanted) if (text.startsWith(one.start, at)) return one;
  return undefined;
}

/** Reads one value; the common forms, which need no reader, at once. */
function readValue(text: string, start: number, end: number, maxDepth: number): JsonValue {
  const value = text.slice(start, end);
  const first = text.charCodeAt(start);
  if (first === codes.quote && !value.includes("\\")) return value.slice(1, -1);
  // so short an integer without sign or leading zero is spelled as its double is
  if (isDigit(first) && first !== codes.zero && value.length <= 15 && /^\d+$/.test(value))
    return Number(value);
  return readJson(value, { maxDepth });
}

/** The offset behind the value that begins at `start`. */
function afterValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === codes.quote) return afterString(text, start + 1);
  let at = start;
  if (first !== codes.openBrace && first !== codes.openBracket) {
    while (!endsWord(text.charCodeAt(at))) at += 1;
    return at;
  }
  let depth = 0;
  do {
    const code = text.charCodeAt(at);
    if (code === codes.quote) {
      at = afterString(text, at + 1);
      continue;
    }
    if (code === codes.openBrace || code === codes.openBracket) depth += 1;
    else if (code === codes.closeBrace || code === codes.closeBracket) depth -= 1;
    at += 1;
  } while (depth > 0);
  return at;
}

/** Whether a number or word ends before this unit; `NaN` is the end of the text. */
function endsWord(code: number): boolean {
  return code === codes.comma || code === codes.closeBrace || Number.isNaN(code);
}

/** The offset behind the closing quote of the string whose characters begin at `start`. */
function afterString(text: string, start: number): number {
  let at = start;
  for (;;) {
    const quote = text.indexOf('"', at);
    let before = quote - 1;
    while (text.charCodeAt(before) === codes.backslash) before -= 1;
    // an even number of backslashes are escaped themselves
    if ((quote - before) % 2 === 1) return quote + 1;
    at = quote + 1;
  }
}
