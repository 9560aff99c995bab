import {
  codes,
  isDigit,
  isHighSurrogate,
  isLowSurrogate,
  isSurrogate,
  isWhiteSpace,
} from "./character-codes.js";
import { doubleSpells } from "./double-spells.js";
import { JsonError, type JsonErrorKind } from "./json-error.js";
import { JsonNumber, type JsonValue } from "./json-value.js";

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};
const literals: readonly (readonly [string, JsonValue])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
];
/** Longer exponents cannot be compared exactly, and mean zero or infinity anyway. */
const exponentDigits = 15;

/**
 * Reads one JSON text and loses nothing: objects become Maps in the order of the text, numbers keep their
 * spelling. It is the only source of errors, so it also reads whatever `JSON.parse` refused.
 */
export class LosslessReader {
  private at = 0;
  private depth = 0;

  constructor(
    private readonly text: string,
    private readonly maxDepth: number,
  ) {}

  /** The value of the whole text. Throws `JsonError`. */
  read(): JsonValue {
    const value = this.value();
    this.skipWhiteSpace();
    if (this.at < this.text.length) this.unexpected("the end of the text");
    return value;
  }

  private value(): JsonValue {
    this.skipWhiteSpace();
    const code = this.code();
    if (code === codes.openBrace) return this.nested(() => this.object());
    if (code === codes.openBracket) return this.nested(() => this.array());
    if (code === codes.quote) return this.string();
    if (code === codes.minus || isDigit(code)) return this.number();
    for (const [word, value] of literals) {
      if (!this.text.startsWith(word, this.at)) continue;
      this.at += word.length;
      return value;
    }
    return this.unexpected("a value");
  }

  private nested<Value>(read: () => Value): Value {
    this.depth += 1;
    if (this.depth > this.maxDepth) {
      this.fail("depth", `arrays and objects are nested more than ${this.maxDepth} levels deep`);
    }
    this.at += 1;
    const value = read();
    this.depth -= 1;
    return value;
  }

  private object(): Map<string, JsonValue> {
    const members = new Map<string, JsonValue>();
    if (this.take(codes.closeBrace)) return members;
    for (;;) {
      this.skipWhiteSpace();
      if (this.code() !== codes.quote) this.unexpected("a member name in double quotes");
      const name = this.string();
      if (!this.take(codes.colon)) this.unexpected('":"');
      // of members with the same name the last one wins, as in JSON.parse
      members.set(name, this.value());
      if (this.take(codes.closeBrace)) return members;
      if (!this.take(codes.comma)) this.unexpected('"," or "}"');
    }
  }

  private array(): readonly JsonValue[] {
    const elements: JsonValue[] = [];
    if (this.take(codes.closeBracket)) return elements;
    for (;;) {
      elements.push(this.value());
      if (this.take(codes.closeBracket)) return elements;
      if (!this.take(codes.comma)) this.unexpected('"," or "]"');
    }
  }

  private string(): string {
    this.at += 1;
    let result = "";
    let copied = this.at;
    for (;;) {
      const code = this.code();
      if (code === codes.quote) {
        result += this.text.slice(copied, this.at);
        this.at += 1;
        return result;
      }
      if (code === codes.backslash) {
        result += this.text.slice(copied, this.at) + this.escape();
        copied = this.at;
      } else if (isSurrogate(code)) {
        if (!isHighSurrogate(code) || !isLowSurrogate(this.text.charCodeAt(this.at + 1))) {
          this.loneSurrogate(code);
        }
        this.at += 2;
      } else if (code >= codes.space) {
        this.at += 1;
      } else if (Number.isNaN(code)) {
        this.unexpected("a closing double quote");
      } else {
        this.fail("syntax", `control character ${codePointName(code)} in a string must be escaped`);
      }
    }
  }

  /** The character that the escape at the backslash stands for; an escaped pair is taken whole. */
  private escape(): string {
    const letter = this.text.charAt(this.at + 1);
    if (letter !== "u") {
      const character = shortEscapes[letter];
      if (character === undefined) {
        this.fail("syntax", 'a backslash must be followed by one of " \\ / b f n r t or u and four digits');
      }
      this.at += 2;
      return character;
    }
    const code = this.hexadecimal();
    if (!isSurrogate(code)) {
      this.at += 6;
      return String.fromCharCode(code);
    }
    if (!isHighSurrogate(code)) this.loneSurrogate(code);
    const first = this.at;
    this.at += 6;
    const escaped = this.text.startsWith("\\u", this.at);
    const low = escaped ? this.hexadecimal() : Number.NaN;
    if (!isLowSurrogate(low)) {
      this.at = first;
      this.loneSurrogate(code);
    }
    this.at += 6;
    return String.fromCharCode(code, low);
  }

  /** The four hexadecimal digits of the `\u` escape at the current place, which does not move. */
  private hexadecimal(): number {
    let code = 0;
    for (let index = this.at + 2; index < this.at + 6; index += 1) {
      const digit = "0123456789abcdef".indexOf(this.text.charAt(index).toLowerCase() || "none");
      if (digit < 0) this.fail("syntax", "\\u must be followed by four hexadecimal digits");
      code = code * 16 + digit;
    }
    return code;
  }

  private number(): number | JsonNumber {
    const start = this.at;
    if (this.code() === codes.minus) this.at += 1;
    if (this.code() === codes.zero) {
      this.at += 1;
      if (isDigit(this.code())) this.fail("syntax", "a number must not begin with a superfluous 0");
    } else {
      this.digits();
    }
    if (this.code() === codes.point) {
      this.at += 1;
      this.digits();
    }
    if (this.code() === codes.lowerE || this.code() === codes.upperE) this.exponent();
    const text = this.text.slice(start, this.at);
    if (doubleSpells(text)) return Number(text);
    if (!Number.isFinite(Number(text))) {
      this.at = start;
      this.fail(
        "number-range",
        "a number must lie between -1.7976931348623157e308 and 1.7976931348623157e308",
      );
    }
    return new JsonNumber(text);
  }

  private exponent(): void {
    this.at += 1;
    if (this.code() === codes.plus || this.code() === codes.minus) this.at += 1;
    let start = this.at;
    this.digits();
    while (start < this.at && this.text.charCodeAt(start) === codes.zero) start += 1;
    if (this.at - start > exponentDigits) {
      this.at = start;
      this.fail("number-range", `an exponent must have at most ${exponentDigits} digits`);
    }
  }

  private digits(): void {
    if (!isDigit(this.code())) this.unexpected("a digit");
    while (isDigit(this.code())) this.at += 1;
  }

  /** The unit at the current place, `NaN` at the end of the text. */
  private code(): number {
    return this.text.charCodeAt(this.at);
  }

  private take(wanted: number): boolean {
    this.skipWhiteSpace();
    if (this.code() !== wanted) return false;
    this.at += 1;
    return true;
  }

  private skipWhiteSpace(): void {
    while (isWhiteSpace(this.code())) this.at += 1;
  }

  private unexpected(wanted: string): never {
    const found = this.text.codePointAt(this.at);
    this.fail("syntax", `expected ${wanted} but found ${found === undefined ? "the end" : shown(found)}`);
  }

  private loneSurrogate(code: number): never {
    this.fail("surrogate", `${codePointName(code)} is half of a surrogate pair without its other half`);
  }

  private fail(kind: JsonErrorKind, problem: string): never {
    throw new JsonError(kind, problem, this.text, this.at);
  }
}

function shown(code: number): string {
  return code > codes.space && code < 0x7f ? JSON.stringify(String.fromCharCode(code)) : codePointName(code);
}

function codePointName(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
