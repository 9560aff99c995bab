import { decimalOf } from "./decimal-of.js";
import type { JsonNumber } from "./json-value.js";

/**
 * Orders two numbers by the exact values that their texts spell, however many digits they have: negative when `a`
 * is less, 0 when `1`, `1.0` and `1e0` meet.
 */
export function compareNumbers(a: number | JsonNumber, b: number | JsonNumber): number {
  if (typeof a === "number" && typeof b === "number") return a < b ? -1 : a > b ? 1 : 0;
  const left = decimalOf(a);
  const right = decimalOf(b);
  if (left.sign !== right.sign) return left.sign - right.sign;
  if (left.exponent !== right.exponent) return (left.exponent - right.exponent) * left.sign;
  if (left.digits === right.digits) return 0;
  // fractions 0.digits compare like their digits as text
  return left.digits < right.digits ? -left.sign : left.sign;
}
