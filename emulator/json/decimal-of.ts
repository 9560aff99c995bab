import { JsonNumber } from "./json-value.js";

/** `0.digits × 10^exponent`, without zeros at either end of `digits`; zero has no digits. */
export interface Decimal {
  readonly sign: -1 | 0 | 1;
  readonly exponent: number;
  readonly digits: string;
}

/** Numbers of many digits are compared again and again, and taken apart once. */
const known = new WeakMap<JsonNumber, Decimal>();

/** The exact value that a number spells. */
export function decimalOf(number: number | JsonNumber): Decimal {
  if (!(number instanceof JsonNumber)) return readDecimal(String(number));
  let decimal = known.get(number);
  if (decimal === undefined) known.set(number, (decimal = readDecimal(number.text)));
  return decimal;
}

function readDecimal(text: string): Decimal {
  const negative = text.startsWith("-");
  const mark = text.search(/[eE]/);
  const mantissa = text.slice(negative ? 1 : 0, mark < 0 ? undefined : mark);
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
