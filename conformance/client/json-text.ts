import { isLosslessNumber, parse } from "lossless-json";
import { tryTo } from "../../openapi/text/try-to.js";

/** JSON that is sent exactly as written, with all digits of numbers and fields in order. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** Returns the name of the JSON type of a value, as in schemas; numbers may be those of lossless-json. */
export function getJsonType(value: unknown): "null" | "array" | "object" | "string" | "boolean" | "number" {
  if (value === null || value === undefined) return "null";
  if (isLosslessNumber(value)) return "number";
  return Array.isArray(value) ? "array" : (typeof value as "object" | "string" | "boolean" | "number");
}

/** Whether a value is a JSON object. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return getJsonType(value) === "object";
}

/** Normalizes a number for comparison, so that `1.50` and `15e-1` are equal. The result is not meant for display. */
export function normalizeNumber(spelling: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(spelling) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = stripTrailingZeros(digits);
  if (significant === "") return "0";
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign}${significant}e${power}`;
}

/** Removes the zeros at the end, in linear time: `/0+$/` would begin at every zero of a long number. */
export function stripTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}

/**
 * Returns a text that is the same for two values if they differ only in the order of fields or the notation of numbers.
 *
 * @param value a value parsed by lossless-json
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
  // Like JSON.stringify, this turns an undefined entry of a list into null.
  if (typeof value !== "object" || value === null)
    return value === undefined ? "null" : JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${stringifyJson(field)}`).join(",")}}`;
}

/**
 * Parses JSON like `JSON.parse`. In Node 24, `JSON.parse` may confuse field names that contain escapes, so texts with
 * escapes are parsed differently.
 */
export function parseJson(text: string): unknown {
  return text.includes("\\") ? parse(text, undefined, Number) : JSON.parse(text);
}

/** Parses JSON; returns undefined for other texts. */
export function parseJsonOrUndefined(text: string): unknown {
  return tryTo(() => JSON.parse(text) as unknown);
}

/** Parses a body; returns undefined for an empty body, and the text for a body that is not JSON, which validation reports. */
export function parseBody(text: string, parseText = parseJson): unknown {
  if (text === "") return undefined;
  try {
    return parseText(text);
  } catch {
    return text;
  }
}

/**
 * Parses JSON with every number rounded to the nearest double, because deployments may keep no more digits (gap
 * `number-precision`). `__proto__` is an ordinary field, and -0 becomes 0.
 */
export function parseJsonAsDoubles(text: string): unknown {
  return parse(text, undefined, (spelling) => Number(spelling) + 0);
}
