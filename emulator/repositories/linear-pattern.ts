import type * as re2js from "re2js";
import { emulatorDefinedLimits } from "../../openapi/clauses/limits.js";
import { lazyRequire } from "../../openapi/packaged/lazy-require.js";
import { PooledCache, schemaPool } from "../memory/cache-pool.js";

/**
 * A regular expression from a user. Matching takes time linear in the text, because the engine does not backtrack. The
 * expression is not anchored, and `.` and lengths count code points.
 */
export class LinearPattern {
  readonly #engine: re2js.RE2JS;
  /** The number of instructions in the program. The cost of matching is instructions × length of the text. */
  readonly instructions: number;
  /** The number of instructions, or the estimated cost of compiling in the same unit. */
  readonly size: number;

  private constructor(engine: re2js.RE2JS, estimate: number) {
    this.#engine = engine;
    this.instructions = engine.matcher("").programSize();
    this.size = Math.max(estimate, this.instructions);
  }

  /** Estimates the size of a pattern without compiling it. */
  static estimate(source: string): { readonly size: number } | PatternMistake {
    const { maximumSize, maximumLength } = emulatorDefinedLimits.pattern;
    if (source.length > maximumLength)
      return { mistake: `has ${source.length} characters; at most ${maximumLength} are allowed` };
    const translated = translatePattern(source);
    if ("mistake" in translated) return createPatternMistake(source, translated.mistake);
    const size = countRepeatedTerms(translated.re2);
    return size > maximumSize ? createPatternMistake(source, tooLarge) : { size };
  }

  /** Compiles a pattern unless its estimated size is too large. */
  static compile(source: string): LinearPattern | PatternMistake {
    // The engine expands repetitions, which takes much longer than counting them.
    const estimate = LinearPattern.estimate(source);
    if ("mistake" in estimate) return estimate;
    const pattern = LinearPattern.get(source);
    if ("mistake" in pattern || pattern.size <= emulatorDefinedLimits.pattern.maximumSize) return pattern;
    return { ...createPatternMistake(source, tooLarge), size: pattern.size };
  }

  /** Returns the compiled pattern of a text whose size was checked. Equal texts are compiled once. */
  static get(source: string): LinearPattern | PatternMistake {
    return patterns.get(source, () => {
      const translated = translatePattern(source);
      if ("mistake" in translated) return createPatternMistake(source, translated.mistake);
      const { re2 } = translated;
      const estimate = countRepeatedTerms(re2);
      // Loaded with the first pattern, because loading takes time.
      const { RE2JS, RE2JSSyntaxException } = lazyRequire("re2js") as typeof re2js;
      try {
        return new LinearPattern(RE2JS.compile(re2), estimate);
      } catch (error) {
        if (!(error instanceof RE2JSSyntaxException)) throw error;
        const place = error.getPattern() ?? re2;
        const shown = place === re2 ? "" : `: ${shorten(place)}`;
        const size = Math.max(source.length, estimate);
        return { ...createPatternMistake(source, `${error.getDescription()}${shown}`), size };
      }
    });
  }

  /** Whether the pattern matches somewhere in the text. */
  test(text: string): boolean {
    return this.#engine.test(text);
  }
}

/** Patterns by their texts, for all schemas. */
const patterns = new PooledCache<LinearPattern | PatternMistake>({
  pool: schemaPool,
  countBytes: (_source, pattern) => 2048 + ("mistake" in pattern ? 0 : 400 * pattern.size),
});

const tooLarge = "it has too many repetitions or character classes; use fewer of them, or repeat less often";

function createPatternMistake(source: string, reason: string): PatternMistake {
  return { mistake: `${JSON.stringify(shorten(source))} is not a usable pattern: ${reason}` };
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

/** The mistake in a pattern. */
interface PatternMistake {
  readonly mistake: string;
  /** The cost of finding the mistake, as the size of a pattern; only if the engine has read the pattern. */
  readonly size?: number;
}

const term =
  /\\(?:[pPx]\{[^}]*\}|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<[^>]*>|i?:|i))?|\{(\d+)(?:,(\d*))?\}|./gsu;

/** If a pattern ignores case, this many characters in a range of a class cost as much as one term. */
const foldedCharactersPerTerm = 130;

const classRange = /(\\x\{[^}]*\}|\\?.)-(\\x\{[^}]*\}|\\?.)/gsu;

const classMember = /\\[pP]\{[^}]*\}|(?:\\x\{[^}]*\}|\\?.)(?:-(?:\\x\{[^}]*\}|\\?.))?/gsu;

/** Counts the cost of reading a class or `\p{…}`. The engine reads it once, even if it is repeated. */
function countMembers(text: string, ignoresCase: boolean): number {
  let count = 0;
  for (const [member] of text.replace(/^\[\^?|\]$/g, "").matchAll(classMember))
    count += /^\\p\{/i.test(member) ? (ignoresCase ? 60 : 20) : 1;
  return count;
}

/** Counts the terms of wide ranges in a class of a pattern that ignores case. */
function countFoldedTerms(text: string): number {
  let folded = 0;
  for (const [, first = "", last = ""] of text.matchAll(classRange))
    folded += Math.max(0, getCodePoint(last) - getCodePoint(first));
  return Math.floor(folded / foldedCharactersPerTerm);
}

function getCodePoint(text: string): number {
  const hexadecimalDigits = /^\\x\{(.*)\}$/.exec(text)?.[1];
  return hexadecimalDigits === undefined
    ? (text.replace(/^\\(?=.)/su, "").codePointAt(0) ?? 0)
    : Number.parseInt(hexadecimalDigits, 16);
}

/**
 * Estimates the size of a pattern in the syntax of RE2: the characters, classes, groups and operators, each as often as
 * it is repeated, and the members of its classes.
 */
function countRepeatedTerms(re2: string): number {
  const ignoresCase = re2.includes("(?i");
  const before: { readonly count: number; readonly captures: boolean }[] = [];
  let count = 0;
  let last = 0;
  let members = 0;
  // An escape counts as one member, unless the pattern ignores case and the ranges of the escape are wide.
  const expanded = ignoresCase ? [whiteSpace, lineEnds] : [whiteSpace, lineEnds, otherThanWhiteSpace];
  const shortened = expanded.reduce((left, ranges) => left.replaceAll(ranges, "\\s"), re2);
  for (const [text, least, most] of shortened.matchAll(term)) {
    if (text.startsWith("(")) {
      before.push({ count, captures: text === "(" || text.startsWith("(?<") });
      count = 0;
    } else if (text === ")") {
      const outer = before.pop() ?? { count: 0, captures: false };
      last = Math.max(1, count + (outer.captures ? 1 : 0));
      count = outer.count + last;
    } else if (least !== undefined) {
      const times = Math.max(1, Number(most === undefined || most === "" ? least : most));
      count += last * (times - 1);
      last *= times;
    } else if ("|*+?".includes(text)) {
      count += 1;
      last += 1;
    } else {
      const isClass = text.startsWith("[");
      if (isClass || /^\\p\{/i.test(text)) members += countMembers(text, ignoresCase);
      last = 1 + (isClass && ignoresCase ? countFoldedTerms(text) : 0);
      count += last;
    }
  }
  return before.reduce((total, outer) => total + outer.count, count + members);
}

const whiteSpace =
  "\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";
const otherThanWhiteSpace =
  "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}" +
  "\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}";
const lineEnds = "\\n\\r\\x{2028}\\x{2029}";
const anything = "\\x{0}-\\x{10ffff}";

/**
 * Translates a JavaScript regular expression (with the flag `u`, as in JSON Schema) to the syntax of RE2. RE2 does not
 * support look-around and back references. `(?i)` and `(?i:…)` are allowed, although JavaScript has no `(?i)`. The parser
 * of RE2 finds all other mistakes.
 */
function translatePattern(source: string): { readonly re2: string } | PatternMistake {
  let isInClass = false as boolean;
  try {
    const re2 = source.replace(translatedToken, (token, at: number) => {
      if (token.startsWith("\\")) return translateEscape(token, isInClass);
      if (isInClass) {
        isInClass = !token.endsWith("]");
        return token.startsWith("[") ? `\\${token}` : token;
      }
      if (token === ".") return `[^${lineEnds}]`;
      if (token === "(?") assertGroupIsSupported(source.slice(at + 1, at + 4));
      if (token === "[]" || token === "[^]") return token === "[]" ? `[^${anything}]` : `[${anything}]`;
      isInClass = token.startsWith("[");
      return token;
    });
    return isInClass ? { mistake: "a [ has no closing ]" } : { re2 };
  } catch (error) {
    if (error instanceof UnsupportedPatternError) return { mistake: error.message };
    throw error;
  }
}

class UnsupportedPatternError extends Error {}

/** The parts of a pattern that RE2 may write differently: escapes, the start and end of classes, groups and `.`. */
const translatedToken =
  /\\(?:u[Dd][89ABab][\dA-Fa-f]{2}\\u[Dd][C-Fc-f][\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|u\{[\dA-Fa-f]{1,6}\}|x[\dA-Fa-f]{2}|c[A-Za-z]|[pP]\{[A-Za-z_=]+\}|0\d?|.?)|\[\^?\]?|\]|\(\?|\./gsu;

function assertGroupIsSupported(start: string): void {
  if (/^\?<?[=!]/.test(start))
    throw new UnsupportedPatternError("look-ahead and look-behind are not supported");
  if (!/^\?(:|<|i:|i\))/.test(start))
    throw new UnsupportedPatternError(
      `(${start} is not supported; the supported groups are (…), (?:…), (?<name>…), (?i:…)`,
    );
}

/** What must follow a backslash and a letter. */
const escapeHints: Readonly<Record<string, string>> = {
  u: "\\u must be followed by four hexadecimal digits, or by one to six in braces",
  x: "\\x must be followed by two hexadecimal digits",
  c: "\\c must be followed by a letter",
  p: "\\p must be followed by a category or script in braces, as in \\p{L} or \\p{Greek}",
  P: "\\P must be followed by a category or script in braces, as in \\P{L} or \\P{Greek}",
};

function translateEscape(escape: string, isInClass: boolean): string {
  const [, character = "", ...rest] = escape;
  const hint = rest.length === 0 ? escapeHints[character] : undefined;
  if (hint !== undefined) throw new UnsupportedPatternError(hint);
  switch (character) {
    case "":
      throw new UnsupportedPatternError("it ends with a backslash");
    case "s":
      return isInClass ? whiteSpace : `[${whiteSpace}]`;
    case "S":
      return isInClass ? otherThanWhiteSpace : `[^${whiteSpace}]`;
    case "b":
      return isInClass ? "\\x{8}" : "\\b";
    case "u":
      // JSON has the same escapes, including those of two halves of a surrogate pair.
      return formatCodePoint(
        rest[0] === "{"
          ? Number.parseInt(escape.slice(3), 16)
          : ((JSON.parse(`"${escape}"`) as string).codePointAt(0) ?? 0),
      );
    case "x":
      return formatCodePoint(Number.parseInt(rest.join(""), 16));
    case "c":
      return formatCodePoint(escape.charCodeAt(2) % 32);
    case "0":
      if (rest.length > 0) throw new UnsupportedPatternError("octal escapes are not supported");
      return formatCodePoint(0);
    case "p":
    case "P":
      // RE2 accepts only plain names of categories and scripts.
      return escape.replace(/\{(Script|sc|General_Category|gc)=/, "{");
  }
  if (/[1-9k]/.test(character)) throw new UnsupportedPatternError("back references are not supported");
  if (/[dDwWnrtfvB]/.test(character)) return escape;
  if (/[A-Za-z]/.test(character)) throw new UnsupportedPatternError(`${escape} is not supported`);
  return character < "\x80" ? escape : character;
}

function formatCodePoint(code: number): string {
  if (code > 0x10ffff) throw new UnsupportedPatternError("there is no character beyond U+10FFFF");
  if (code >= 0xd800 && code <= 0xdfff)
    throw new UnsupportedPatternError("half of a surrogate pair cannot match any text");
  return `\\x{${code.toString(16)}}`;
}
