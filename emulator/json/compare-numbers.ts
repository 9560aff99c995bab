import { JsonNumber } from "./json-value.js";

/** Counts what a comparison costs, in characters compared, and may throw when that is too much. */
export interface ComparisonBudget {
  spend(amount: number): void;
}

/** The cost of comparing two decimals, in compared characters. */
const decimalComparisonCost = 500;

/**
 * Orders two numbers by the exact values that their texts spell, however many digits they have: negative when `a`
 * is less, 0 when `1`, `1.0` and `1e0` meet.
 */
export function compareNumbers(
  a: number | JsonNumber,
  b: number | JsonNumber,
  work?: ComparisonBudget,
): number {
  const value = toDouble(a);
  const other = toDouble(b);
  // rounding keeps the order, so only numbers that meet as doubles have to be looked at more closely
  if (value !== other) return value < other ? -1 : 1;
  if (typeof a === "number" && typeof b === "number") return 0;
  const text = toText(a);
  const otherText = toText(b);
  if (text === otherText) return 0;
  if (isExactDouble(text, value) && isExactDouble(otherText, value)) return 0;
  work?.spend(decimalComparisonCost + text.length + otherText.length);
  const left = toDecimal(a);
  const right = toDecimal(b);
  if (left.sign !== right.sign) return left.sign - right.sign;
  if (left.exponent !== right.exponent) return (left.exponent - right.exponent) * left.sign;
  if (left.digits === right.digits) return 0;
  // fractions 0.digits compare like their digits as text
  return left.digits < right.digits ? -left.sign : left.sign;
}

function toDouble(number: number | JsonNumber): number {
  return typeof number === "number" ? number : number.value;
}

function toText(number: number | JsonNumber): string {
  return typeof number === "number" ? String(number) : number.text;
}

/** No two numbers of 15 digits have one double, but for those that are nearly zero. */
function isExactDouble(text: string, value: number): boolean {
  return text.length <= 15 && Math.abs(value) > 1e-300;
}

/** `0.digits × 10^exponent`, without zeros at either end of `digits`; zero has no digits. */
export interface Decimal {
  readonly sign: -1 | 0 | 1;
  readonly exponent: number;
  readonly digits: string;
}

/** Numbers of many digits are compared again and again, and taken apart once. */
const known = new WeakMap<JsonNumber, Decimal>();

/** The exact value that a number spells. */
function toDecimal(number: number | JsonNumber): Decimal {
  if (!(number instanceof JsonNumber)) return parseDecimal(String(number));
  let decimal = known.get(number);
  if (decimal === undefined) known.set(number, (decimal = parseDecimal(number.text)));
  return decimal;
}

/** Reads a number as JSON or SQL spells it. */
export function parseDecimal(text: string): Decimal {
  const negative = text.startsWith("-");
  const mark = text.search(/[eE]/);
  const mantissa = text.slice(/^[+-]/.test(text) ? 1 : 0, mark < 0 ? undefined : mark);
  const point = mantissa.indexOf(".");
  const whole = point < 0 ? mantissa : mantissa.slice(0, point);
  const all = point < 0 ? whole : whole + mantissa.slice(point + 1);
  let start = 0;
  let end = all.length;
  while (start < end && all[start] === "0") start += 1;
  while (end > start && all[end - 1] === "0") end -= 1;
  if (start === end) return { sign: 0, exponent: 0, digits: "" };
  const power = mark < 0 ? 0 : Number(text.slice(mark + 1));
  return { sign: negative ? -1 : 1, exponent: whole.length - start + power, digits: all.slice(start, end) };
}
