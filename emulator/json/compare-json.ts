import { compareNumbers } from "./compare-numbers.js";
import {
  isJsonArray,
  isJsonObject,
  JsonNumber,
  memberCount,
  memberEntries,
  memberOf,
  type JsonValue,
} from "./json-value.js";
import { compareUtf8 } from "./utf8-order.js";

/**
 * Whether two values are equal: numbers by exact value, however they are spelled (1 = 1.0, but 9007199254740993 is
 * not 9007199254740992), arrays in order, objects in any order of members. Different types are never equal.
 */
export function jsonEqual(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  // the commonest difference, settled at once
  if (typeof a === "string" || typeof b === "string") return false;
  if (isNumber(a)) return isNumber(b) && compareNumbers(a, b) === 0;
  if (isJsonArray(a)) {
    return isJsonArray(b) && a.length === b.length && a.every((item, index) => sameMember(item, b[index]));
  }
  if (!isJsonObject(a) || !isJsonObject(b) || memberCount(a) !== memberCount(b)) return false;
  for (const [name, member] of memberEntries(a)) {
    if (!sameMember(member, memberOf(b, name))) return false;
  }
  return true;
}

/**
 * Orders two numbers by exact value or two strings by their UTF-8 bytes: negative when `a` comes first.
 * `undefined` for everything else: such values have no order.
 */
export function compareScalars(a: JsonValue, b: JsonValue): number | undefined {
  if (typeof a === "string") return typeof b === "string" ? compareUtf8(a, b) : undefined;
  return isNumber(a) && isNumber(b) ? compareNumbers(a, b) : undefined;
}

function sameMember(a: JsonValue, b: JsonValue | undefined): boolean {
  return b !== undefined && jsonEqual(a, b);
}

function isNumber(value: JsonValue): value is number | JsonNumber {
  return typeof value === "number" || value instanceof JsonNumber;
}
