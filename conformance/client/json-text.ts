import { isLosslessNumber, parse } from "lossless-json";

/** JSON that is sent exactly as written, with all digits of numbers and fields in order. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** Normalizes a number for comparison: `1.50` and `15e-1` are equal. Not for display. */
export function normalizeNumber(spelling: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(spelling) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign}${significant}e${power}`;
}

/**
 * A text that two values have in common when they are the same, the order of fields and the spelling of numbers aside.
 *
 * @param value as lossless-json reads it
 */
export function toCanonicalJson(value: unknown): string {
  if (isLosslessNumber(value)) return normalizeNumber(value.value);
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${toCanonicalJson(field)}`).join()}}`;
}

/** Stringifies a body whose values may be {@link JsonText} or numbers of lossless-json. */
export function stringifyJson(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  if (isLosslessNumber(value)) return value.value;
  if (Array.isArray(value)) return `[${value.map(stringifyJson).join(",")}]`;
  // in a list JSON has null for what it has no word for
  if (typeof value !== "object" || value === null)
    return value === undefined ? "null" : JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${stringifyJson(member)}`).join(",")}}`;
}

/**
 * Reads JSON as `JSON.parse` does. That of Node 24 may take a name with an escape for another name, so texts with escapes
 * go another way.
 */
export function parseJson(text: string): unknown {
  return text.includes("\\") ? parse(text, undefined, Number) : JSON.parse(text);
}

/** The value of a body: nothing for an empty one, and the text for one that is no JSON, which the contract judges. */
export function parseBody(text: string): unknown {
  if (text === "") return undefined;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/**
 * Reads JSON with every number as the nearest double, which is what two numbers have to have in common to be the same
 * whatever a deployment keeps of them (gap `number-precision`); `__proto__` is a member like any other, and there is one 0.
 */
export function parseJsonAsDoubles(text: string): unknown {
  return parse(text, undefined, (spelling) => Number(spelling) + 0);
}
