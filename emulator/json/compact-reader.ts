import { characterCodes } from "./character-codes.js";
import type { JsonValue } from "./json-value.js";
import { parseJson } from "./parse-json.js";

/** Counts the cost of reading, and may throw if the cost is too high. */
interface ReadingBudget {
  /** Counts characters that are skipped. */
  spend(characters: number): void;
  spendOnParsing(characters: number): void;
}

/**
 * Reads single values from one JSON text after the other. It skips all other values without parsing them, and reads each
 * text only as far as necessary.
 *
 * The texts are objects in compact JSON as `stringifyJson` writes it: no white space, shortest escapes, no name twice.
 */
export class CompactJsonReader {
  /** The start of each requested top-level field: its name and the colon. */
  readonly #starts: string[] = [];
  /** The offset of each requested field's value in the current text; 0 if not known. */
  readonly #offsets: number[] = [];
  #text = "{}";
  /** The fields before this offset have been searched. */
  #at = 1;

  /** @param maxDepth maximum nesting of all values */
  constructor(
    private readonly maxDepth: number,
    private readonly work?: ReadingBudget,
  ) {}

  /** Starts with another text. */
  open(text: string): void {
    this.#text = text;
    this.#at = 1;
    this.#offsets.fill(0);
  }

  /**
   * Creates a function that reads one value of the current text. It returns undefined if there is none.
   *
   * @param path names of fields and indexes of elements, from the outermost object
   */
  createReader([first, ...rest]: readonly [string, ...(string | number)[]]): () => JsonValue | undefined {
    const start = formatFieldStart(first);
    let field = this.#starts.indexOf(start);
    if (field < 0) {
      field = this.#starts.push(start) - 1;
      this.#offsets.push(0);
      // The field may have been skipped before.
      this.#at = 1;
    }
    const steps = rest.map((segment) => (typeof segment === "number" ? segment : formatFieldStart(segment)));
    return () => {
      let at = this.#findField(field);
      for (const step of steps) {
        if (at <= 0) return undefined;
        const next =
          typeof step === "number" ? findElement(this.#text, at, step) : findField(this.#text, at, step);
        this.work?.spend(Math.abs(next) - at);
        at = next;
      }
      return at <= 0 ? undefined : readValue(this.#text, at, this.maxDepth, this.work);
    };
  }

  /** Returns the offset of the value of a requested top-level field; 0 if there is none. */
  #findField(field: number): number {
    const known = this.#offsets[field] ?? 0;
    if (known > 0) return known;
    const text = this.#text;
    const from = this.#at;
    let offset = 0;
    while (offset === 0 && text.charCodeAt(this.#at) === characterCodes.quote) {
      const index = this.#findRequestedField();
      const value =
        index < 0 ? skipString(text, this.#at + 1) + 1 : this.#at + (this.#starts[index] ?? "").length;
      // Skips the comma, too.
      this.#at = skipValue(text, value) + 1;
      if (index < 0) continue;
      this.#offsets[index] = value;
      if (index === field) offset = value;
    }
    // Each name is compared with all requested names.
    this.work?.spend((this.#at - from) * (1 + this.#starts.length / 4));
    return offset;
  }

  /** Returns the index of the requested field that begins at the current offset; -1 for another field. */
  #findRequestedField(): number {
    const starts = this.#starts;
    for (let index = 0; index < starts.length; index += 1)
      if (this.#text.startsWith(starts[index] ?? "", this.#at)) return index;
    return -1;
  }
}

/**
 * Returns the text of an object in compact JSON with only some of its fields, in the order of `names`. Values keep their
 * text.
 */
export function pickFields(text: string, names: readonly string[], work?: ReadingBudget): string {
  const picked = new Set(names);
  const values = new Map<string, string>();
  visitNamedFields(text, picked, work, (name, value, end) => values.set(name, text.slice(value, end)));
  const fields = [...picked].flatMap((name) => {
    const value = values.get(name);
    return value === undefined ? [] : [formatFieldStart(name) + value];
  });
  return `{${fields.join(",")}}`;
}

/**
 * Returns the text of an object in compact JSON with some fields set. New fields follow the others, which keep their text.
 *
 * @param format writes the value of a field; `before` is its text so far, undefined for a new field
 */
export function setFields<Value>(
  text: string,
  fields: ReadonlyMap<string, Value>,
  format: (value: Value, before: string | undefined) => string,
  work?: ReadingBudget,
): string {
  const parts: string[] = [];
  const added = new Map(fields);
  let copied = 0;
  const count = visitNamedFields(text, fields, work, (name, value, end) => {
    parts.push(text.slice(copied, value), format(fields.get(name) as Value, text.slice(value, end)));
    copied = end;
    added.delete(name);
  });
  parts.push(text.slice(copied, text.lastIndexOf("}")));
  const texts = Array.from(added, ([name, value]) => formatFieldStart(name) + format(value, undefined));
  if (count > 0 && texts.length > 0) parts.push(",");
  return `${parts.join("")}${texts.join(",")}}`;
}

/** The cost of reading the name of a field, in compared characters. */
const costOfField = 15;

/** Visits the fields of an object that have one of the names, and returns the number of all fields. */
function visitNamedFields(
  text: string,
  names: Pick<ReadonlyMap<string, unknown>, "keys">,
  work: ReadingBudget | undefined,
  visit: (name: string, value: number, end: number) => void,
): number {
  const namesByStart = new Map(Array.from(names.keys(), (name) => [formatFieldStart(name), name]));
  let count = 0;
  let at = 1;
  while (text.charCodeAt(at) === characterCodes.quote) {
    const value = skipString(text, at + 1) + 1;
    const end = skipValue(text, value);
    count += 1;
    work?.spend(costOfField + (end - at) / 4);
    const name = namesByStart.get(text.slice(at, value));
    if (name !== undefined) visit(name, value, end);
    at = skipComma(text, end);
  }
  return count;
}

/** Counts the fields, arrays and objects in a text at every depth, which cost much more to parse than characters. */
export function countFieldsAndCollections(text: string): number {
  let count = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === characterCodes.quote) {
      at = skipString(text, at + 1);
      continue;
    }
    if (
      code === characterCodes.colon ||
      code === characterCodes.openBrace ||
      code === characterCodes.openBracket
    )
      count += 1;
    at += 1;
  }
  return count;
}

/** Formats the name of a field and the colon. */
function formatFieldStart(name: string): string {
  return `${JSON.stringify(name)}:`;
}

/** Returns the offset of a field's value in the object at `at`; if there is none, minus the offset at which the search ended. */
function findField(text: string, at: number, start: string): number {
  if (text.charCodeAt(at) !== characterCodes.openBrace) return -at;
  let next = at + 1;
  while (text.charCodeAt(next) === characterCodes.quote) {
    if (text.startsWith(start, next)) return next + start.length;
    next = skipComma(text, skipValue(text, skipString(text, next + 1) + 1));
  }
  return -next;
}

/** Returns the offset of an element of the array at `at`; if there is none, minus the offset at which the search ended. */
function findElement(text: string, at: number, index: number): number {
  if (text.charCodeAt(at) !== characterCodes.openBracket) return -at;
  let next = at + 1;
  for (
    let skipped = 0;
    skipped < index && text.charCodeAt(next) !== characterCodes.closeBracket;
    skipped += 1
  )
    next = skipComma(text, skipValue(text, next));
  return text.charCodeAt(next) === characterCodes.closeBracket ? -next : next;
}

/** Skips a comma, if there is one. */
function skipComma(text: string, at: number): number {
  return text.charCodeAt(at) === characterCodes.comma ? at + 1 : at;
}

/** Reads one value. A string without escapes needs no parser. */
function readValue(text: string, start: number, maxDepth: number, work?: ReadingBudget): JsonValue {
  const first = text.charCodeAt(start);
  if (first === characterCodes.quote) {
    const end = skipString(text, start + 1);
    const inside = text.slice(start + 1, end - 1);
    work?.spend(inside.length);
    if (!inside.includes("\\")) return inside;
    work?.spendOnParsing(inside.length);
    return parseJson(text.slice(start, end), { maxDepth });
  }
  const end = skipValue(text, start);
  work?.spendOnParsing(end - start);
  return parseJson(text.slice(start, end), { maxDepth });
}

/** Returns the offset after the value that begins at `start`. */
function skipValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === characterCodes.quote) return skipString(text, start + 1);
  let at = start;
  if (first !== characterCodes.openBrace && first !== characterCodes.openBracket) {
    while (!endsValue(text.charCodeAt(at))) at += 1;
    return at;
  }
  let depth = 0;
  do {
    const code = text.charCodeAt(at);
    if (code === characterCodes.quote) {
      at = skipString(text, at + 1);
      continue;
    }
    if (code === characterCodes.openBrace || code === characterCodes.openBracket) depth += 1;
    else if (code === characterCodes.closeBrace || code === characterCodes.closeBracket) depth -= 1;
    at += 1;
  } while (depth > 0);
  return at;
}

/** Whether a number or word ends before this UTF-16 unit; `NaN` is the end of the text. */
function endsValue(code: number): boolean {
  return (
    code === characterCodes.comma ||
    code === characterCodes.closeBrace ||
    code === characterCodes.closeBracket ||
    Number.isNaN(code)
  );
}

/** Returns the offset after the closing quote of the string whose characters begin at `start`. */
function skipString(text: string, start: number): number {
  const first = text.indexOf('"', start);
  if (first > 0 && text.charCodeAt(first - 1) !== characterCodes.backslash) return first + 1;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === characterCodes.quote) return at + 1;
    if (code === characterCodes.backslash) at += 1;
  }
  return text.length;
}
