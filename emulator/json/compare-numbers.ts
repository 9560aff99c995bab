import { decimalOf } from "./decimal-of.js";
import type { JsonNumber } from "./json-value.js";

/** Counts what a comparison costs, in characters compared, and may throw when that is too much. */
export interface ComparisonWork {
  spend(amount: number): void;
}

/** To take two numbers apart takes as long as comparing so many characters. */
const costOfDecimals = 500;

/**
 * Orders two numbers by the exact values that their texts spell, however many digits they have: negative when `a`
 * is less, 0 when `1`, `1.0` and `1e0` meet.
 */
export function compareNumbers(
  a: number | JsonNumber,
  b: number | JsonNumber,
  work?: ComparisonWork,
): number {
  const value = doubleOf(a);
  const other = doubleOf(b);
  // rounding keeps the order, so only numbers that meet as doubles have to be looked at more closely
  if (value !== other) return value < other ? -1 : 1;
  if (typeof a === "number" && typeof b === "number") return 0;
  const text = textOf(a);
  const otherText = textOf(b);
  if (text === otherText) return 0;
  if (isToldByDouble(text, value) && isToldByDouble(otherText, value)) return 0;
  work?.spend(costOfDecimals + text.length + otherText.length);
  const left = decimalOf(a);
  const right = decimalOf(b);
  if (left.sign !== right.sign) return left.sign - right.sign;
  if (left.exponent !== right.exponent) return (left.exponent - right.exponent) * left.sign;
  if (left.digits === right.digits) return 0;
  // fractions 0.digits compare like their digits as text
  return left.digits < right.digits ? -left.sign : left.sign;
}

function doubleOf(number: number | JsonNumber): number {
  return typeof number === "number" ? number : number.value;
}

function textOf(number: number | JsonNumber): string {
  return typeof number === "number" ? String(number) : number.text;
}

/** No two numbers of 15 digits have one double, but for those that are nearly zero. */
function isToldByDouble(text: string, value: number): boolean {
  return text.length <= 15 && Math.abs(value) > 1e-300;
}
