import { isWhiteSpace } from "./character-codes.js";
import { isCanonicalNumberText, JsonNumber, type JsonValue } from "./json-value.js";
import { JsonError, type JsonErrorKind } from "./json-error.js";

const plainCharacters = /[^"\\\0-\x1f]*/y;
const escape = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;
/** A number, or what begins like one. */
const numberLike = /-?\d*(?:\.\d*)?(?:[eE][+-]?\d*)?/y;
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Where a number lacks a digit. */
const missingDigit = /^-?(?!-?\d)|\.(?!\d)|[eE][+-]?(?![+-]?\d)/;
const word = /true|false|null/y;
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Longer exponents cannot be compared exactly, and mean zero or infinity anyway. */
const exponentDigits = 15;

/**
 * Reads one JSON text and loses nothing: objects become Maps in the order of the text, numbers keep their
 * spelling. It is the only source of errors, so it also reads whatever `JSON.parse` refused.
 */
export class LosslessJsonReader {
  #at = 0;
  #depth = 0;

  constructor(
    private readonly text: string,
    private readonly maxDepth: number,
  ) {}

  /** The value of the whole text. Throws `JsonError`. */
  read(): JsonValue {
    const value = this.#value();
    this.#skipWhiteSpace();
    if (this.#at < this.text.length) this.#unexpected("the end of the text");
    return value;
  }

  #value(): JsonValue {
    this.#skipWhiteSpace();
    const first = this.text.charAt(this.#at);
    if (first === "{" || first === "[") return this.#collection(first);
    if (first === '"') return this.#string();
    if (first === "-" || (first >= "0" && first <= "9")) return this.#number();
    const literal = this.#take(word);
    return literal === "" ? this.#unexpected("a value") : (JSON.parse(literal) as boolean | null);
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

  #object(): Map<string, JsonValue> {
    const members = new Map<string, JsonValue>();
    if (this.#takes("}")) return members;
    for (;;) {
      this.#skipWhiteSpace();
      if (this.text.charAt(this.#at) !== '"') this.#unexpected("a member name in double quotes");
      const name = this.#string();
      if (!this.#takes(":")) this.#unexpected('":"');
      // of members with the same name the last one wins, as in JSON.parse
      members.set(name, this.#value());
      if (this.#takes("}")) return members;
      if (!this.#takes(",")) this.#unexpected('"," or "}"');
    }
  }

  #array(): readonly JsonValue[] {
    const elements: JsonValue[] = [];
    if (this.#takes("]")) return elements;
    for (;;) {
      elements.push(this.#value());
      if (this.#takes("]")) return elements;
      if (!this.#takes(",")) this.#unexpected('"," or "]"');
    }
  }

  #string(): string {
    const start = this.#at;
    this.#at += 1;
    for (;;) {
      this.#take(plainCharacters);
      const character = this.text.charAt(this.#at);
      if (character === '"') break;
      if (character === "") this.#unexpected("a closing double quote");
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
    const [half = ""] = loneSurrogate.exec(string) ?? [];
    return this.#fail(
      "surrogate",
      `${formatCodePoint(half)} is half of a surrogate pair without the other half`,
    );
  }

  #number(): number | JsonNumber {
    const start = this.#at;
    const text = this.#take(numberLike);
    if (!number.test(text)) this.#rejectNumber(start, text);
    if (isCanonicalNumberText(text)) return Number(text);
    const [, exponent = ""] = /[eE][+-]?0*(\d*)$/.exec(text) ?? [];
    if (exponent.length <= exponentDigits && Number.isFinite(Number(text))) return new JsonNumber(text);
    this.#at = start;
    return this.#fail(
      "number-range",
      exponent.length > exponentDigits
        ? `an exponent must have at most ${exponentDigits} digits`
        : "a number must be between -1.7976931348623157e308 and 1.7976931348623157e308",
    );
  }

  #rejectNumber(start: number, text: string): never {
    const [zero] = /^-?0(?=\d)/.exec(text) ?? [];
    const missing = missingDigit.exec(text);
    this.#at = start + (zero?.length ?? (missing?.index ?? 0) + (missing?.[0].length ?? 0));
    return zero === undefined
      ? this.#unexpected("a digit")
      : this.#fail("syntax", "a number must not start with an unnecessary 0");
  }

  #skipWhiteSpace(): void {
    while (isWhiteSpace(this.text.charCodeAt(this.#at))) this.#at += 1;
  }

  /** Takes what a form finds at the current place. */
  #take(form: RegExp): string {
    form.lastIndex = this.#at;
    if (!form.test(this.text)) return "";
    const start = this.#at;
    this.#at = form.lastIndex;
    return this.text.slice(start, this.#at);
  }

  /** Skips white space, then consumes the sign if it comes next. */
  #takes(sign: string): boolean {
    this.#skipWhiteSpace();
    if (this.text.charAt(this.#at) !== sign) return false;
    this.#at += 1;
    return true;
  }

  #unexpected(wanted: string): never {
    const code = this.text.codePointAt(this.#at);
    const found = code === undefined ? "the end" : showCharacter(String.fromCodePoint(code));
    return this.#fail("syntax", `expected ${wanted} but found ${found}`);
  }

  #fail(kind: JsonErrorKind, problem: string): never {
    throw new JsonError(kind, problem, this.text, this.#at);
  }
}

function showCharacter(character: string): string {
  return /^[!-~]$/.test(character) ? JSON.stringify(character) : formatCodePoint(character);
}

function formatCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
