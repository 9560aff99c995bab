import { characterCodes, isWhiteSpace } from "./character-codes.js";
import type { JsonValue } from "./json-value.js";
import { parseJson } from "./parse-json.js";

/** Counts what reading costs, and may throw when that is too much. */
interface ReadingBudget {
  /** Counts characters that are stepped over. */
  spend(characters: number): void;
  spendOnParsing(characters: number): void;
}

/** The way to a value: names of members and indexes of elements, from the outermost object. */
export type CompactJsonPath = readonly [string, ...(string | number)[]];

/**
 * Reads single values out of one JSON text after the other. It steps over all others without reading them, and goes
 * no further into a text than it is asked to, which costs a fraction of reading everything and gives the very same
 * values.
 *
 * The texts are objects in compact JSON as `stringifyJson` writes it: no white space, shortest escapes, every name once.
 */
export class CompactJsonReader {
  /** The requested top-level fields, each as the text with which it begins. */
  readonly #starts: string[] = [];
  /** Where their values begin in the present text; 0 while that is not known. */
  readonly #found: number[] = [];
  #text = "{}";
  /** What lies before it has been looked at. */
  #at = 1;

  /** @param maxDepth nesting that no value exceeds */
  constructor(
    private readonly maxDepth: number,
    private readonly work?: ReadingBudget,
  ) {}

  /** Goes on to the next text. */
  open(text: string): void {
    this.#text = text;
    this.#at = 1;
    this.#found.fill(0);
  }

  /** Makes a reader of one value of the text that is open: nothing where the path leads nowhere. */
  reader([first, ...rest]: CompactJsonPath): () => JsonValue | undefined {
    const start = startOf(first);
    let member = this.#starts.indexOf(start);
    if (member < 0) {
      member = this.#starts.push(start) - 1;
      this.#found.push(0);
      // the field may have been skipped before
      this.#at = 1;
    }
    const steps = rest.map((segment) => (typeof segment === "number" ? segment : startOf(segment)));
    return () => {
      let at = this.#valueOf(member);
      for (const step of steps) {
        if (at <= 0) return undefined;
        const next =
          typeof step === "number" ? elementAt(this.#text, at, step) : memberAt(this.#text, at, step);
        this.work?.spend(Math.abs(next) - at);
        at = next;
      }
      return at <= 0 ? undefined : readValue(this.#text, at, this.maxDepth, this.work);
    };
  }

  /** Offset of the value of a member at the top level; 0 where there is none. */
  #valueOf(member: number): number {
    const known = this.#found[member] ?? 0;
    if (known > 0) return known;
    const text = this.#text;
    const from = this.#at;
    let found = 0;
    while (found === 0 && text.charCodeAt(this.#at) === characterCodes.quote) {
      const here = this.#nameHere();
      const value =
        here < 0 ? afterString(text, this.#at + 1) + 1 : this.#at + (this.#starts[here] ?? "").length;
      // over the comma
      this.#at = afterValue(text, value) + 1;
      if (here < 0) continue;
      this.#found[here] = value;
      if (here === member) found = value;
    }
    // each name is compared with all requested ones
    this.work?.spend((this.#at - from) * (1 + this.#starts.length / 4));
    return found;
  }

  /** The index of the requested field that begins here; -1 for another field. */
  #nameHere(): number {
    const starts = this.#starts;
    for (let index = 0; index < starts.length; index += 1)
      if (this.#text.startsWith(starts[index] ?? "", this.#at)) return index;
    return -1;
  }
}

/**
 * Cuts fields out of the text of an object, in the order of the names; nothing of it is parsed.
 *
 * @param text may have white space, as state files from elsewhere do
 * @param names each counts once
 */
export function pickFields(text: string, names: readonly string[]): string {
  const picked = new Map<string, string>(names.map((name) => [name, ""]));
  let left = picked.size;
  for (const { name, start, end } of eachField(text)) {
    if (!picked.has(name)) continue;
    picked.set(name, text.slice(start, end));
    left -= 1;
    if (left === 0) break;
  }
  return `{${[...picked.values()].filter((field) => field !== "").join(",")}}`;
}

/** The values of an object's fields, each as it is written. */
export function getFieldTexts(text: string): Map<string, string> {
  return new Map(Array.from(eachField(text), ({ name, value, end }) => [name, text.slice(value, end)]));
}

/** The entries of an array, each as it is written. */
export function getEntryTexts(text: string): string[] {
  const entries: string[] = [];
  let at = afterSpace(text, afterSpace(text, 0) + 1);
  while (at < text.length && text.charCodeAt(at) !== characterCodes.closeBracket) {
    const end = afterValue(text, at);
    entries.push(text.slice(at, end));
    at = afterSpace(text, afterMember(text, afterSpace(text, end)));
  }
  return entries;
}

/** The fields of an object: where each starts, where its value starts, and where it ends. */
function* eachField(text: string) {
  let start = afterSpace(text, afterSpace(text, 0) + 1);
  while (text.charCodeAt(start) === characterCodes.quote) {
    const nameEnd = afterString(text, start + 1);
    const value = afterSpace(text, afterSpace(text, nameEnd) + 1);
    const end = afterValue(text, value);
    yield { name: readValue(text, start, 0) as string, start, value, end };
    start = afterSpace(text, afterMember(text, afterSpace(text, end)));
  }
}

function afterSpace(text: string, start: number): number {
  let at = start;
  while (isWhiteSpace(text.charCodeAt(at))) at += 1;
  return at;
}

/** What a member of this name begins with. */
function startOf(name: string): string {
  return `${JSON.stringify(name)}:`;
}

/** Offset of the value of a member of the object at `at`; for none, minus the offset up to which it was looked for. */
function memberAt(text: string, at: number, start: string): number {
  if (text.charCodeAt(at) !== characterCodes.openBrace) return -at;
  let next = at + 1;
  while (text.charCodeAt(next) === characterCodes.quote) {
    if (text.startsWith(start, next)) return next + start.length;
    next = afterMember(text, afterValue(text, afterString(text, next + 1) + 1));
  }
  return -next;
}

/** Offset of an element of the array at `at`; for none, minus the offset up to which it was looked for. */
function elementAt(text: string, at: number, index: number): number {
  if (text.charCodeAt(at) !== characterCodes.openBracket) return -at;
  let next = at + 1;
  for (let passed = 0; passed < index && text.charCodeAt(next) !== characterCodes.closeBracket; passed += 1)
    next = afterMember(text, afterValue(text, next));
  return text.charCodeAt(next) === characterCodes.closeBracket ? -next : next;
}

/** Over the comma, if there is one: a closing bracket stays. */
function afterMember(text: string, at: number): number {
  return text.charCodeAt(at) === characterCodes.comma ? at + 1 : at;
}

/** Reads one value; a text without escapes, which needs no parser, at once. */
function readValue(text: string, start: number, maxDepth: number, work?: ReadingBudget): JsonValue {
  const first = text.charCodeAt(start);
  if (first === characterCodes.quote) {
    const end = afterString(text, start + 1);
    const inside = text.slice(start + 1, end - 1);
    work?.spend(inside.length);
    if (!inside.includes("\\")) return inside;
    work?.spendOnParsing(inside.length);
    return parseJson(text.slice(start, end), { maxDepth });
  }
  const end = afterValue(text, start);
  work?.spendOnParsing(end - start);
  return parseJson(text.slice(start, end), { maxDepth });
}

/** The offset behind the value that begins at `start`. */
function afterValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === characterCodes.quote) return afterString(text, start + 1);
  let at = start;
  if (first !== characterCodes.openBrace && first !== characterCodes.openBracket) {
    while (!endsValue(text.charCodeAt(at))) at += 1;
    return at;
  }
  let depth = 0;
  do {
    const code = text.charCodeAt(at);
    if (code === characterCodes.quote) {
      at = afterString(text, at + 1);
      continue;
    }
    if (code === characterCodes.openBrace || code === characterCodes.openBracket) depth += 1;
    else if (code === characterCodes.closeBrace || code === characterCodes.closeBracket) depth -= 1;
    at += 1;
  } while (depth > 0);
  return at;
}

/** Whether a number or word ends before this unit; `NaN` is the end of the text. */
function endsValue(code: number): boolean {
  return (
    code === characterCodes.comma ||
    code === characterCodes.closeBrace ||
    code === characterCodes.closeBracket ||
    Number.isNaN(code)
  );
}

/** The offset behind the closing quote of the string whose characters begin at `start`. */
function afterString(text: string, start: number): number {
  let at = start;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return text.length;
    let before = quote - 1;
    while (text.charCodeAt(before) === characterCodes.backslash) before -= 1;
    // an even number of backslashes are escaped themselves
    if ((quote - before) % 2 === 1) return quote + 1;
    at = quote + 1;
  }
}
