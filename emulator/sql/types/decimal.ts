/** A decimal number without loss: 0.digits × 10^exponent. Zero has no digits; others neither lead nor end with 0. */
export interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

const form = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** Reads a number as JSON or SQL spells it. */
export function parseDecimal(text: string): Decimal {
  const [, sign = "", whole = "", fraction = "", power = "0"] = form.exec(text) ?? [];
  const all = whole + fraction;
  const leading = /^0*/.exec(all)?.[0].length ?? 0;
  // not with /0+$/, which looks at every row of zeros inside a long number again and again
  let end = all.length;
  while (end > leading && all[end - 1] === "0") end -= 1;
  const digits = all.slice(leading, end);
  if (digits === "") return { negative: false, digits, exponent: 0 };
  return { negative: sign === "-", digits, exponent: whole.length - leading + Number(power) };
}

/** The number without exponent: `-0.05`, `1200`. */
export function formatDecimal({ negative, digits, exponent }: Decimal): string {
  if (digits === "") return "0";
  const sign = negative ? "-" : "";
  if (exponent <= 0) return `${sign}0.${"0".repeat(-exponent)}${digits}`;
  if (exponent >= digits.length) return sign + digits + "0".repeat(exponent - digits.length);
  return `${sign}${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
}

/** The number as text of a whole number, or undefined when it has a fraction. */
export function wholeNumber(decimal: Decimal): string | undefined {
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
export function sortableDecimal({ negative, digits, exponent }: Decimal): string {
  if (digits === "") return "o";
  const biased = String(exponent + bias).padStart(4, "0");
  return negative ? `n${complement(biased + digits)}~` : `p${biased}${digits}`;
}

/** The reverse of `sortableDecimal`. */
export function readSortableDecimal(text: string): Decimal {
  if (text === "o") return { negative: false, digits: "", exponent: 0 };
  const negative = text.startsWith("n");
  const all = negative ? complement(text.slice(1, -1)) : text.slice(1);
  return { negative, digits: all.slice(4), exponent: Number(all.slice(0, 4)) - bias };
}

function complement(digits: string): string {
  return digits.replace(/\d/g, (digit) => String(9 - Number(digit)));
}
