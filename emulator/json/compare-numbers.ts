import { memoize } from "../../openapi/text/memoize.js";
import type { JsonNumber } from "./json-value.js";

/** Counts the cost of comparisons in characters compared, and may throw if the cost is too high. */
export interface ComparisonBudget {
  spend(amount: number): void;
}

/** The cost of comparing two decimals, in compared characters. */
const decimalComparisonCost = 500;

/**
 * Orders two numbers by their exact values, whatever their number of digits: negative if `a` is less, 0 for `1`, `1.0`
 * and `1e0`.
 */
export function compareNumbers(
  a: number | JsonNumber,
  b: number | JsonNumber,
  work?: ComparisonBudget,
): number {
  const value = toDouble(a);
  const other = toDouble(b);
  // Rounding keeps the order, so only numbers that round to the same double need an exact comparison.
  if (value !== other) return value < other ? -1 : 1;
  if (typeof a === "number" && typeof b === "number") return 0;
  const text = toText(a);
  const otherText = toText(b);
  if (text === otherText) return 0;
  if (isExactDouble(text, value) && isExactDouble(otherText, value)) return 0;
  work?.spend(decimalComparisonCost + text.length + otherText.length);
  const left = typeof a === "number" ? parseDecimal(text) : toDecimal(a);
  const right = typeof b === "number" ? parseDecimal(otherText) : toDecimal(b);
  if (left.sign !== right.sign) return left.sign - right.sign;
  if (left.exponent !== right.exponent) return (left.exponent - right.exponent) * left.sign;
  if (left.digits === right.digits) return 0;
  // The fractions 0.digits have the same order as the texts of their digits.
  return left.digits < right.digits ? -left.sign : left.sign;
}

function toDouble(number: number | JsonNumber): number {
  return typeof number === "number" ? number : number.value;
}

function toText(number: number | JsonNumber): string {
  return typeof number === "number" ? String(number) : number.text;
}

/** Whether no other number of up to 15 digits rounds to the same double. */
function isExactDouble(text: string, value: number): boolean {
  return text.length <= 15 && Math.abs(value) > 1e-300;
}

/** The number `0.digits × 10^exponent`. There is no zero at either end of `digits`; zero has no digits. */
export interface Decimal {
  readonly sign: -1 | 0 | 1;
  readonly exponent: number;
  readonly digits: string;
}

const toDecimal = memoize(({ text }: JsonNumber) => parseDecimal(text), new WeakMap());

/** Parses a number in the syntax of JSON or SQL. */
export function parseDecimal(text: string): Decimal {
  const [mantissa = "", power = "0"] = text.replace(/^[+-]/, "").split(/[eE]/);
  const [whole = "", fraction = ""] = mantissa.split(".");
  const all = whole + fraction;
  let start = 0;
  let end = all.length;
  while (start < end && all[start] === "0") start += 1;
  while (end > start && all[end - 1] === "0") end -= 1;
  if (start === end) return { sign: 0, exponent: 0, digits: "" };
  const exponent = whole.length - start + Number(power);
  return { sign: text.startsWith("-") ? -1 : 1, exponent, digits: all.slice(start, end) };
}
