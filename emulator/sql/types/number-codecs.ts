import { type Decimal, parseDecimal } from "../../json/compare-numbers.js";
import { JsonNumber } from "../../json/json-value.js";
import {
  type Codec,
  type InputValue,
  type InputNumber,
  type StoredValue,
  InvalidValueError,
} from "./codec.js";

/** Maximum number of digits of a DECIMAL before and after the point, so that every JSON parser reads a finite number. */
export const maxDecimalDigitsPerSide = 308;

/** The common properties of the codecs of numbers. */
const numberCodec = {
  affinity: "INTEGER",
  scalar: true,
  toJson: String,
  fromName: parseNumberName,
  compare: compareNumeric,
  read: (column: string) => column,
} as const;

/** TINYINT, SMALLINT and INT. A number is whole by its value, not by its spelling: `1.0` is 1. */
export function createIntegerCodec(type: "TINYINT" | "SMALLINT" | "INT", bits: 8 | 16 | 32): Codec {
  const limit = 2 ** (bits - 1);
  return {
    type,
    ...numberCodec,
    encode(given) {
      const number = toNumber(given);
      const value = typeof number === "number" ? number : Number(canonicalInteger(number.text));
      if (!Number.isInteger(value)) throw new InvalidValueError("is not a whole number");
      if (value < -limit || value >= limit)
        throw new InvalidValueError(`is outside the range of ${type}, ${-limit} to ${limit - 1}`);
      return value === 0 ? 0 : value;
    },
    width: bits / 8,
  };
}

const bigintMinimum = -(2n ** 63n);
const bigintMaximum = 2n ** 63n - 1n;

/**
 * BIGINT: exact over 64 bits. SQLite stores an integer; what a double cannot hold is bound and read as decimal text,
 * of which the column's affinity makes an integer again.
 */
export const bigintCodec: Codec = {
  type: "BIGINT",
  ...numberCodec,
  encode(given) {
    const number = toNumber(given);
    if (typeof number === "number" && Number.isSafeInteger(number)) return number === 0 ? 0 : number;
    const text = canonicalInteger(typeof number === "number" ? String(number) : number.text);
    const value = BigInt(text);
    if (value < bigintMinimum || value > bigintMaximum)
      throw new InvalidValueError(`is outside the range of BIGINT, ${bigintMinimum} to ${bigintMaximum}`);
    return Number.isSafeInteger(Number(text)) ? Number(text) : text;
  },
  compare: (a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b : compareIntegerTexts(String(a), String(b)),
  read: (column) =>
    `CASE WHEN ${column} BETWEEN -9007199254740991 AND 9007199254740991 THEN ${column} ELSE CAST(${column} AS TEXT) END`,
  width: 8,
};

/** FLOAT and DOUBLE. A FLOAT is rounded to 32 bits and returned as the resulting double. Negative zero is 0. */
export function createFloatCodec(type: "FLOAT" | "DOUBLE"): Codec {
  return {
    type,
    ...numberCodec,
    affinity: "REAL",
    encode(given) {
      const number = toNumber(given);
      const value = typeof number === "number" ? number : Number(number.text);
      const rounded = type === "FLOAT" ? Math.fround(value) : value;
      if (!Number.isFinite(rounded)) throw new InvalidValueError(`is outside the range of ${type}`);
      return rounded === 0 ? 0 : rounded;
    },
    width: type === "FLOAT" ? 4 : 8,
  };
}

/** DECIMAL: all digits kept, numerically ordered. The number is kept, not its spelling: `1.50` comes back as 1.5. */
export const decimalCodec: Codec = {
  type: "DECIMAL",
  ...numberCodec,
  affinity: "TEXT",
  encode(given) {
    const number = toNumber(given);
    const decimal = parseDecimal(typeof number === "number" ? String(number) : number.text);
    const { digits, exponent } = decimal;
    if (exponent > maxDecimalDigitsPerSide || digits.length - exponent > maxDecimalDigitsPerSide)
      throw new InvalidValueError(
        `has more than ${maxDecimalDigitsPerSide} digits before or after the decimal point`,
      );
    return toSortableDecimal(decimal);
  },
  toJson: (stored) => formatDecimal(parseSortableDecimal(stored as string)),
  compare: compareAscii,
};

/** BIGINT or DECIMAL whose values are JSON strings (gap `sql-number-form`); numbers are also accepted. */
export function withNumbersAsJsonStrings(codec: Codec): Codec {
  return {
    ...codec,
    encode: (given) => codec.encode(typeof given === "string" ? parseNumberName(given) : given),
    toJson: (stored) => `"${codec.toJson(stored)}"`,
  };
}

function toNumber(given: InputValue): InputNumber {
  if (typeof given === "number" || given instanceof JsonNumber) return given;
  throw new InvalidValueError("is not a number");
}

function canonicalInteger(text: string): string {
  const whole = formatInteger(parseDecimal(text));
  if (whole === undefined) throw new InvalidValueError("is not a whole number");
  return whole;
}

function parseNumberName(name: string): InputValue {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(name))
    throw new InvalidValueError("is not a number");
  return new JsonNumber(name);
}

function compareNumeric(a: StoredValue, b: StoredValue): number {
  return (a as number) - (b as number);
}

/** Orders integers of any length, without leading zeros, by their texts. */
function compareIntegerTexts(a: string, b: string): number {
  const isNegative = a.startsWith("-");
  if (isNegative !== b.startsWith("-")) return isNegative ? -1 : 1;
  const [less, more] = isNegative ? [b, a] : [a, b];
  return less.length - more.length || compareAscii(less, more);
}

/** Orders texts of ASCII characters. */
function compareAscii(a: StoredValue, b: StoredValue): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The number without exponent: `-0.05`, `1200`. */
function formatDecimal({ sign: direction, digits, exponent }: Decimal): string {
  if (digits === "") return "0";
  const sign = direction < 0 ? "-" : "";
  if (exponent <= 0) return `${sign}0.${"0".repeat(-exponent)}${digits}`;
  if (exponent >= digits.length) return sign + digits + "0".repeat(exponent - digits.length);
  return `${sign}${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
}

/** The number as text of a whole number, or undefined when it has a fraction. */
function formatInteger(decimal: Decimal): string | undefined {
  return decimal.exponent >= decimal.digits.length && decimal.exponent <= 400
    ? formatDecimal(decimal)
    : undefined;
}

const bias = 5000;

/**
 * A text whose byte order is the order of the numbers: a sign letter, the exponent with a bias, the digits.
 * For negative numbers exponent and digits are complemented, and `~`, which sorts behind all digits, ends them.
 *
 * @param decimal with an exponent between -4999 and 4999
 */
function toSortableDecimal({ sign, digits, exponent }: Decimal): string {
  if (digits === "") return "o";
  const biased = String(exponent + bias).padStart(4, "0");
  return sign < 0 ? `n${complementDigits(biased + digits)}~` : `p${biased}${digits}`;
}

/** The reverse of `sortableDecimal`. */
function parseSortableDecimal(text: string): Decimal {
  if (text === "o") return { sign: 0, digits: "", exponent: 0 };
  const negative = text.startsWith("n");
  const all = negative ? complementDigits(text.slice(1, -1)) : text.slice(1);
  return { sign: negative ? -1 : 1, digits: all.slice(4), exponent: Number(all.slice(0, 4)) - bias };
}

function complementDigits(digits: string): string {
  return digits.replace(/\d/g, (digit) => String(9 - Number(digit)));
}
