import { type Decimal, parseDecimal } from "../../json/compare-numbers.js";
import { JsonNumber } from "../../json/json-value.js";
import { type Codec, compareText, type InputValue, type StoredValue, InvalidValueError } from "./codec.js";

/** Maximum number of digits of a DECIMAL before and after the point, so that every JSON parser reads a finite number. */
const maxDecimalDigitsPerSide = 308;

/** The common properties of the codecs of numbers. */
const numberCodec = {
  affinity: "INTEGER",
  isScalar: true,
  toJson: String,
  fromName: parseNumber,
  compare: (a: StoredValue, b: StoredValue) => (a as number) - (b as number),
} as const;

/** TINYINT, SMALLINT and INT. `1.0` is a whole number, too. */
export function createIntegerCodec(type: "TINYINT" | "SMALLINT" | "INT", bits: 8 | 16 | 32): Codec {
  const limit = 2 ** (bits - 1);
  return {
    type,
    ...numberCodec,
    encode(given) {
      const value = Number(toIntegerText(given));
      if (value < -limit || value >= limit)
        throw new InvalidValueError(`is outside the range of ${type}, ${-limit} to ${limit - 1}`);
      return value === 0 ? 0 : value;
    },
    width: bits / 8,
  };
}

const bigintMinimum = -(2n ** 63n);
const bigintMaximum = 2n ** 63n - 1n;

/** BIGINT, exact over 64 bits. Integers that a double cannot represent are bound and read as decimal text. */
export const bigintCodec: Codec = {
  type: "BIGINT",
  ...numberCodec,
  encode(given) {
    const text = toIntegerText(given);
    const value = BigInt(text);
    if (value < bigintMinimum || value > bigintMaximum)
      throw new InvalidValueError(`is outside the range of BIGINT, ${bigintMinimum} to ${bigintMaximum}`);
    return Number.isSafeInteger(Number(text)) ? Number(text) : text;
  },
  compare: (a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b : compareIntegerTexts(String(a), String(b)),
  toReadSql: (column) =>
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
      const value = Number(toNumberText(given));
      const rounded = type === "FLOAT" ? Math.fround(value) : value;
      if (!Number.isFinite(rounded)) throw new InvalidValueError(`is outside the range of ${type}`);
      return rounded === 0 ? 0 : rounded;
    },
    width: type === "FLOAT" ? 4 : 8,
  };
}

/** DECIMAL, with all digits, in numerical order. Trailing zeros are lost: `1.50` is returned as 1.5. */
export const decimalCodec: Codec = {
  type: "DECIMAL",
  ...numberCodec,
  affinity: "TEXT",
  encode(given) {
    const decimal = parseDecimal(toNumberText(given));
    const { digits, exponent } = decimal;
    if (exponent > maxDecimalDigitsPerSide || digits.length - exponent > maxDecimalDigitsPerSide)
      throw new InvalidValueError(
        `has more than ${maxDecimalDigitsPerSide} digits before or after the decimal point`,
      );
    return toSortableDecimal(decimal);
  },
  toJson: (stored) => formatDecimal(parseSortableDecimal(stored as string)),
  compare: compareText,
};

function toNumberText(given: InputValue): string {
  if (typeof given === "number") return String(given);
  if (given instanceof JsonNumber) return given.text;
  throw new InvalidValueError("is not a number");
}

/** Returns a whole number without exponent and fraction. */
function toIntegerText(given: InputValue): string {
  if (typeof given === "number" && Number.isSafeInteger(given)) return String(given);
  const decimal = parseDecimal(toNumberText(given));
  if (decimal.exponent < decimal.digits.length) throw new InvalidValueError("is not a whole number");
  if (decimal.exponent > 400) throw new InvalidValueError("has too many digits");
  return formatDecimal(decimal);
}

function parseNumber(text: string): InputValue {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text))
    throw new InvalidValueError("is not a number");
  return new JsonNumber(text);
}

/** Orders integers of any length, without leading zeros, by their texts. */
function compareIntegerTexts(a: string, b: string): number {
  const isNegative = a.startsWith("-");
  if (isNegative !== b.startsWith("-")) return isNegative ? -1 : 1;
  const [less, more] = isNegative ? [b, a] : [a, b];
  return less.length - more.length || compareText(less, more);
}

/** Formats a number without exponent: `-0.05`, `1200`. */
function formatDecimal({ sign, digits, exponent }: Decimal): string {
  if (digits === "") return "0";
  const minus = sign < 0 ? "-" : "";
  if (exponent <= 0) return `${minus}0.${"0".repeat(-exponent)}${digits}`;
  if (exponent >= digits.length) return minus + digits + "0".repeat(exponent - digits.length);
  return `${minus}${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
}

const bias = 5000;

/**
 * Returns a text whose byte order is the order of the numbers: a letter for the sign, the exponent plus a bias, the digits.
 * For negative numbers, the exponent and digits are complemented, followed by `~`, which sorts after all digits.
 *
 * @param decimal with an exponent between -4999 and 4999
 */
function toSortableDecimal({ sign, digits, exponent }: Decimal): string {
  if (digits === "") return "o";
  const biased = String(exponent + bias).padStart(4, "0");
  return sign < 0 ? `n${complementDigits(biased + digits)}~` : `p${biased}${digits}`;
}

/** Reverses {@link toSortableDecimal}. */
function parseSortableDecimal(text: string): Decimal {
  if (text === "o") return { sign: 0, digits: "", exponent: 0 };
  const negative = text.startsWith("n");
  const all = negative ? complementDigits(text.slice(1, -1)) : text.slice(1);
  return { sign: negative ? -1 : 1, digits: all.slice(4), exponent: Number(all.slice(0, 4)) - bias };
}

function complementDigits(digits: string): string {
  return digits.replace(/\d/g, (digit) => String(9 - Number(digit)));
}
