import { isLosslessNumber, parse } from "lossless-json";
import { getJsonType, normalizeNumber, type JsonText } from "../client/json-text.js";

/** Limits of decimal types in databases: significant digits, and powers of ten. */
const maxDigits = 28;
const powers = { min: -28, max: 27 };
/** Limit of stores with a column for each field. */
const maxFields = 250;

/**
 * Whether every store and framework can store an object: its texts contain no NUL, its numbers fit into decimal types, its
 * field names are identifiers without a special meaning, no object has hundreds of fields, and the elements of each array
 * have one type, which is no array. The specification only says that data is an object. A deployment may refuse other
 * objects, but must return what it accepts unchanged.
 */
export function isWidelySupportedJson({ text }: JsonText): boolean {
  return isSupportedValue(parse(text));
}

function isSupportedValue(value: unknown): boolean {
  if (typeof value === "string") return !value.includes("\0");
  if (isLosslessNumber(value)) return isSupportedNumber(value.value);
  if (Array.isArray(value))
    return (
      new Set(value.map(getJsonType)).size <= 1 &&
      value.every((item) => !Array.isArray(item) && isSupportedValue(item))
    );
  if (typeof value !== "object" || value === null) return true;
  const members = Object.entries(value);
  return (
    members.length <= maxFields &&
    members.every(([name, member]) => isSupportedName(name) && isSupportedValue(member))
  );
}

/** Whether a field name is an identifier of letters and digits, and is not blocked by guards against prototype pollution. */
function isSupportedName(name: string): boolean {
  return /^[A-Za-z][A-Za-z0-9]*$/.test(name) && !["constructor", "prototype"].includes(name);
}

function isSupportedNumber(spelling: string): boolean {
  const [, digits = "0", power = "0"] = /^-?(\d+)(?:e(-?\d+))?$/.exec(normalizeNumber(spelling)) ?? [];
  if (digits === "0") return true;
  const size = Number(power) + digits.length - 1;
  return digits.length <= maxDigits && size >= powers.min && size <= powers.max;
}
