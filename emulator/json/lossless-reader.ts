import { isWhiteSpace } from "./character-codes.js";
import { isCanonicalNumberText, JsonNumber, type JsonObject, type JsonValue } from "./json-value.js";
import { JsonError, type JsonErrorKind } from "./json-error.js";

const plainCharacters = /[^"\\\0-\x1f]*/y;
const escape = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;
/** A number, or text that begins like a number. */
const numberLike = /-?\d*(?:\.\d*)?(?:[eE][+-]?\d*)?/y;
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Text in a number after which a digit is missing. */
const missingDigit = /^-?(?!-?\d)|\.(?!\d)|[eE][+-]?(?![+-]?\d)/;
const word = /true|false|null/y;
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Numbers with longer exponents cannot be compared exactly; they are zero or infinity anyway. */
const maxExponentDigits = 15;

/**
 * Reads a JSON text without loss: objects become Maps in the order of the text, and numbers keep their text. It also
 * reads texts that `JSON.parse` rejects, to report the error. Empty objects stay plain, because a text can contain many.
 */
export class LosslessJsonReader {
  #at = 0;
  #depth = 0;
  #values = 0;

  constructor(
    private readonly text: string,
    private readonly maxDepth: number,
    private readonly maxValues: number,
    private readonly numbers: "exact" | "double",
  ) {}

  /** Reads the whole text. @throws JsonError */
  read(): JsonValue {
    const value = this.#value();
    this.#skipWhiteSpace();
    if (this.#at < this.text.length) this.#failExpecting("the end of the text");
    return value;
  }

  #value(): JsonValue {
    this.#skipWhiteSpace();
    this.#count(1);
    const first = this.text.charAt(this.#at);
    if (first === "{" || first === "[") return this.#collection(first);
    if (first === '"') return this.#string();
    if (first === "-" || (first >= "0" && first <= "9")) return this.#number();
    const literal = this.#take(word);
    return literal === "" ? this.#failExpecting("a value") : (JSON.parse(literal) as boolean | null);
  }

  #collection(bracket: "{" | "["): JsonValue {
    this.#depth += 1;
    if (this.#depth > this.maxDepth)
      this.#fail("depth", `arrays and objects are nested more than ${this.maxDepth} levels deep`);
    this.#at += 1;
    const value = bracket === "{" ? this.#object() : this.#array();
    this.#depth -= 1;
    return value;
  }

  #object(): JsonObject {
    if (this.#takeSign("}")) return {};
    const members = new Map<string, JsonValue>();
    for (;;) {
      this.#skipWhiteSpace();
      if (this.text.charAt(this.#at) !== '"') this.#failExpecting("a field name in double quotes");
      const name = this.#string();
      if (!this.#takeSign(":")) this.#failExpecting('":"');
      // The last of several fields with the same name counts, as in `JSON.parse`.
      members.set(name, this.#value());
      this.#count(2);
      if (this.#takeSign("}")) return members;
      if (!this.#takeSign(",")) this.#failExpecting('"," or "}"');
    }
  }

  #array(): readonly JsonValue[] {
    const elements: JsonValue[] = [];
    if (this.#takeSign("]")) return elements;
    for (;;) {
      elements.push(this.#value());
      if (this.#takeSign("]")) return elements;
      if (!this.#takeSign(",")) this.#failExpecting('"," or "]"');
    }
  }

  #string(): string {
    const start = this.#at;
    this.#at += 1;
    for (;;) {
      this.#take(plainCharacters);
      const character = this.text.charAt(this.#at);
      if (character === '"') break;
      if (character === "") this.#failExpecting("a closing double quote");
      if (character !== "\\")
        this.#fail("syntax", `control character ${formatCodePoint(character)} in a string must be escaped`);
      if (this.#take(escape) !== "") continue;
      if (this.text.charAt(this.#at + 1) === "u")
        this.#fail("syntax", "\\u must be followed by four hexadecimal digits");
      this.#fail("syntax", 'a backslash must be followed by one of " \\ / b f n r t or u and four digits');
    }
    this.#at += 1;
    const token = this.text.slice(start, this.#at);
    const string = token.includes("\\") ? (JSON.parse(token) as string) : token.slice(1, -1);
    if (string.isWellFormed()) return string;
    this.#at = start;
    const half = formatCodePoint(loneSurrogate.exec(string)?.[0] ?? "");
    return this.#fail("surrogate", `${half} is half of a surrogate pair without the other half`);
  }

  #number(): number | JsonNumber {
    const start = this.#at;
    const text = this.#take(numberLike);
    if (!number.test(text)) this.#rejectNumber(start, text);
    if (isCanonicalNumberText(text)) return Number(text);
    const [, exponent = ""] = /[eE][+-]?0*(\d*)$/.exec(text) ?? [];
    if (exponent.length <= maxExponentDigits && Number.isFinite(Number(text)))
      return this.numbers === "double" ? Number(text) : new JsonNumber(text);
    this.#at = start;
    return this.#fail(
      "number-range",
      exponent.length > maxExponentDigits
        ? `an exponent must have at most ${maxExponentDigits} digits`
        : "a number must be between -1.7976931348623157e308 and 1.7976931348623157e308",
    );
  }

  #rejectNumber(start: number, text: string): never {
    const [zero] = /^-?0(?=\d)/.exec(text) ?? [];
    const missing = missingDigit.exec(text);
    this.#at = start + (zero?.length ?? (missing?.index ?? 0) + (missing?.[0].length ?? 0));
    return zero === undefined
      ? this.#failExpecting("a digit")
      : this.#fail("syntax", "a number must not start with an unnecessary 0");
  }

  /** Counts values like `exceedsJsonValueCount`. */
  #count(values: number): void {
    this.#values += values;
    if (this.#values > this.maxValues)
      this.#fail("value-count", `there are more than ${this.maxValues} values`);
  }

  #skipWhiteSpace(): void {
    while (isWhiteSpace(this.text.charCodeAt(this.#at))) this.#at += 1;
  }

  /** Consumes and returns what a sticky pattern matches; the empty string if it does not match. */
  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [match = ""] = pattern.exec(this.text) ?? [];
    this.#at += match.length;
    return match;
  }

  /** Skips white space, and consumes the sign if it comes next. Returns whether it did. */
  #takeSign(sign: string): boolean {
    this.#skipWhiteSpace();
    if (this.text.charAt(this.#at) !== sign) return false;
    this.#at += 1;
    return true;
  }

  #failExpecting(expected: string): never {
    const code = this.text.codePointAt(this.#at);
    const found = code === undefined ? "the end" : formatCharacter(String.fromCodePoint(code));
    return this.#fail("syntax", `expected ${expected} but found ${found}`);
  }

  #fail(kind: JsonErrorKind, problem: string): never {
    throw new JsonError(kind, problem, this.text, this.#at);
  }
}

function formatCharacter(character: string): string {
  return /^[!-~]$/.test(character) ? JSON.stringify(character) : formatCodePoint(character);
}

function formatCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
