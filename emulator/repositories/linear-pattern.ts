import type * as re2js from "re2js";
import { emulatorDefinedLimits } from "../../openapi/clauses/limits.js";
import { lazyRequire } from "../../openapi/packaged/lazy-require.js";

/**
 * A regular expression from a user. It is matched in time linear in the text, by an engine without backtracking;
 * it is not anchored, and `.` and lengths count code points.
 */
export class LinearPattern {
  readonly #engine: re2js.RE2JS;
  /** Instructions of the program, or what compiling it cost in the same unit: matching takes time in the order of size × length of the text. */
  readonly size: number;

  private constructor(engine: re2js.RE2JS, terms: number) {
    this.#engine = engine;
    this.size = Math.max(terms, engine.matcher("").programSize());
  }

  /** Compiles a pattern, or says why it is refused. */
  static compile(
    source: string,
    { maximumSize, maximumLength }: PatternLimits = emulatorDefinedLimits.pattern,
  ): LinearPattern | PatternMistake {
    if (source.length > maximumLength)
      return { mistake: `has ${source.length} characters; at most ${maximumLength} are allowed` };
    const translated = translatePattern(source);
    if ("mistake" in translated) return createPatternMistake(source, translated.mistake);
    // the engine writes repetitions out, which takes far longer than counting them
    const terms = countRepeatedTerms(translated.re2);
    if (terms > maximumSize)
      return createPatternMistake(source, "it has too many repetitions; use fewer or smaller counts");
    // loaded with the first pattern, because it costs start-up time
    const { RE2JS, RE2JSSyntaxException } = lazyRequire("re2js") as typeof re2js;
    try {
      const pattern = new LinearPattern(RE2JS.compile(translated.re2), terms);
      if (pattern.size <= maximumSize) return pattern;
      return {
        ...createPatternMistake(source, "it has too many repetitions; use fewer or smaller counts"),
        size: pattern.size,
      };
    } catch (error) {
      if (!(error instanceof RE2JSSyntaxException)) throw error;
      const place = error.getPattern() ?? translated.re2;
      const shown = place === translated.re2 ? "" : `: ${shorten(place)}`;
      return createPatternMistake(source, `${error.getDescription()}${shown}`);
    }
  }

  /** Whether the pattern matches somewhere in the text. */
  test(text: string): boolean {
    return this.#engine.test(text);
  }
}

function createPatternMistake(source: string, reason: string): PatternMistake {
  return { mistake: `${JSON.stringify(shorten(source))} is not a usable pattern: ${reason}` };
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

interface PatternLimits {
  readonly maximumSize: number;
  readonly maximumLength: number;
}

/** The mistake in a pattern. */
interface PatternMistake {
  readonly mistake: string;
  /** Instructions of the program, if there is one. */
  readonly size?: number;
}

const term =
  /\\(?:[pPx]\{[^}]*\}|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<[^>]*>|i?:|i))?|\{(\d+)(?:,(\d*))?\}|./gsu;

/** Characters in a range of a class that cost the engine as much as a term where it looks for the other case of each. */
const foldedPerTerm = 400;

const classRange = /(\\x\{[^}]*\}|\\?.)-(\\x\{[^}]*\}|\\?.)/gsu;

/** Counts what a class costs: a term, and more for wide ranges in a pattern that ignores case. */
function countClassTerms(text: string): number {
  let folded = 0;
  for (const [, first = "", last = ""] of text.matchAll(classRange))
    folded += Math.max(0, getCodePoint(last) - getCodePoint(first));
  return 1 + Math.floor(folded / foldedPerTerm);
}

function getCodePoint(text: string): number {
  const hexadecimalDigits = /^\\x\{(.*)\}$/.exec(text)?.[1];
  return hexadecimalDigits === undefined
    ? (text.replace(/^\\(?=.)/su, "").codePointAt(0) ?? 0)
    : Number.parseInt(hexadecimalDigits, 16);
}

/** Counts the characters and classes of a pattern in the syntax of RE2, each as often as it is repeated. */
function countRepeatedTerms(re2: string): number {
  const ignoresCase = re2.includes("(?i");
  const before: number[] = [];
  let count = 0;
  let last = 0;
  for (const [text, least, most] of re2.matchAll(term)) {
    if (text.startsWith("(")) {
      before.push(count);
      count = 0;
    } else if (text === ")") {
      last = count;
      count += before.pop() ?? 0;
    } else if (least !== undefined) {
      const times = Math.max(1, Number(most === undefined || most === "" ? least : most));
      count += last * (times - 1);
      last *= times;
    } else if (!"|*+?".includes(text)) {
      last = ignoresCase && text.startsWith("[") ? countClassTerms(text) : 1;
      count += last;
    }
  }
  return count;
}

const whiteSpace =
  "\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";
const otherThanWhiteSpace =
  "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}" +
  "\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}";
const anything = "\\x{0}-\\x{10ffff}";
const backReference = "back references are not supported";

/**
 * Writes a regular expression of JavaScript (with the flag `u`, as JSON Schema has it) in the syntax of RE2, with
 * the same meaning. Look-around and back references do not exist there; `(?i)` and `(?i:…)` do, and are let through.
 * Text that is not a regular expression in either is left to the RE2 parser.
 */
function translatePattern(source: string): { readonly re2: string } | PatternMistake {
  try {
    return { re2: new Translator(source).translate() };
  } catch (error) {
    if (error instanceof UnsupportedPatternError) return { mistake: error.message };
    throw error;
  }
}

class UnsupportedPatternError extends Error {}

class Translator {
  #at = 0;

  constructor(private readonly source: string) {}

  translate(): string {
    let result = "";
    while (this.#at < this.source.length) {
      const character = this.#take();
      if (character === "\\") result += this.#escape(false);
      else if (character === "[") result += this.#class();
      else if (character === ".") result += "[^\\n\\r\\x{2028}\\x{2029}]";
      else if (character === "(") result += this.#group();
      else result += character;
    }
    return result;
  }

  #group(): string {
    if (this.source[this.#at] !== "?") return "(";
    const rest = this.source.slice(this.#at, this.#at + 3);
    if (/^\?(<?[=!])/.test(rest))
      throw new UnsupportedPatternError("look-ahead and look-behind are not supported");
    if (!/^\?(:|<|i:|i\))/.test(rest))
      throw new UnsupportedPatternError(
        `(${rest} is not supported; the supported groups are (…), (?:…), (?<name>…), (?i:…)`,
      );
    return "(";
  }

  #class(): string {
    const negated = this.source[this.#at] === "^";
    if (negated) this.#at += 1;
    let members = "";
    for (;;) {
      if (this.#at >= this.source.length) throw new UnsupportedPatternError("a [ has no closing ]");
      const character = this.#take();
      if (character === "]") break;
      if (character === "\\") members += this.#escape(true);
      else members += character === "[" ? "\\[" : character;
    }
    if (members === "") return negated ? `[${anything}]` : `[^${anything}]`;
    return `[${negated ? "^" : ""}${members}]`;
  }

  #escape(inClass: boolean): string {
    if (this.#at >= this.source.length) throw new UnsupportedPatternError("it ends with a backslash");
    const character = this.#take();
    if (/[1-9]/.test(character)) throw new UnsupportedPatternError(backReference);
    if (!/[A-Za-z0]/.test(character)) return character < "\x80" ? `\\${character}` : character;
    switch (character) {
      case "s":
        return inClass ? whiteSpace : `[${whiteSpace}]`;
      case "S":
        return inClass ? otherThanWhiteSpace : `[^${whiteSpace}]`;
      case "b":
        return inClass ? "\\x{8}" : "\\b";
      case "u":
        return this.#unicode();
      case "x":
        return hexadecimal(
          Number.parseInt(
            this.#match(/^[0-9A-Fa-f]{2}/, "\\x must be followed by two hexadecimal digits"),
            16,
          ),
        );
      case "c":
        return hexadecimal(this.#match(/^[A-Za-z]/, "\\c must be followed by a letter").charCodeAt(0) % 32);
      case "0":
        if (/^[0-9]/.test(this.source.slice(this.#at)))
          throw new UnsupportedPatternError("octal escapes are not supported");
        return "\\x{0}";
      case "p":
      case "P":
        return `\\${character}{${this.#property()}}`;
      case "k":
        throw new UnsupportedPatternError(backReference);
      default:
        if (!"dDwWnrtfvB".includes(character))
          throw new UnsupportedPatternError(`\\${character} is not supported`);
        return `\\${character}`;
    }
  }

  #unicode(): string {
    if (this.source[this.#at] === "{") {
      const digits = this.#match(
        /^\{[0-9A-Fa-f]{1,6}\}/,
        "\\u{…} must contain one to six hexadecimal digits",
      ).slice(1, -1);
      return hexadecimal(Number.parseInt(digits, 16));
    }
    const unit = (): number =>
      Number.parseInt(this.#match(/^[0-9A-Fa-f]{4}/, "\\u must be followed by four hexadecimal digits"), 16);
    const first = unit();
    if (first < 0xd800 || first > 0xdfff) return hexadecimal(first);
    const pair = /^\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})/.exec(this.source.slice(this.#at, this.#at + 6));
    if (first > 0xdbff || pair === null)
      throw new UnsupportedPatternError("half of a surrogate pair cannot match any text");
    this.#at += 2;
    return hexadecimal(0x10000 + (first - 0xd800) * 0x400 + (unit() - 0xdc00));
  }

  /** The name in `\p{…}`: RE2 knows categories and scripts by their plain names. */
  #property(): string {
    const hint = "\\p must be followed by a category or script, such as \\p{L} or \\p{Greek}";
    const name = this.#match(/^\{[A-Za-z_=]+\}/, hint).slice(1, -1);
    return name.replace(/^(Script|sc|General_Category|gc)=/, "");
  }

  #match(form: RegExp, hint: string): string {
    const found = form.exec(this.source.slice(this.#at, this.#at + 64))?.[0];
    if (found === undefined) throw new UnsupportedPatternError(hint);
    this.#at += found.length;
    return found;
  }

  #take(): string {
    const character = this.source.charAt(this.#at);
    this.#at += 1;
    return character;
  }
}

function hexadecimal(code: number): string {
  if (code > 0x10ffff) throw new UnsupportedPatternError("there is no character beyond U+10FFFF");
  return `\\x{${code.toString(16)}}`;
}
