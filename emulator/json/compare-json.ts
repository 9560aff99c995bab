import { compareNumbers, type ComparisonBudget } from "./compare-numbers.js";
import {
  isJsonArray,
  isJsonObject,
  JsonNumber,
  countFields,
  getFieldEntries,
  getField,
  type JsonObject,
  type JsonValue,
} from "./json-value.js";
import { compareUtf8 } from "./utf8-order.js";
import { memoize } from "../../openapi/text/memoize.js";

/** The costs of a value, a collection and a field, in compared characters. */
const valueCost = 15;
const objectCost = 45;
export const fieldComparisonCost = 150;

/**
 * Whether two values are equal: numbers by exact value, however they are spelled (1 = 1.0, but 9007199254740993 is
 * not 9007199254740992), arrays in order, objects in any order of members. Different types are never equal.
 */
export function isJsonEqual(a: JsonValue, b: JsonValue, work?: ComparisonBudget): boolean {
  work?.spend(getCost(a, b));
  if (a === b) return true;
  // the most common difference comes first
  if (typeof a === "string" || typeof b === "string") return false;
  if (isNumber(a)) return isNumber(b) && compareNumbers(a, b, work) === 0;
  if (isJsonArray(a)) {
    return (
      isJsonArray(b) && a.length === b.length && a.every((item, index) => isSameField(item, b[index], work))
    );
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const members = countFields(a);
  // counting lists the names of a plain object
  work?.spend(members * fieldComparisonCost);
  if (members !== countFieldsOnce(b)) return false;
  for (const [name, member] of getFieldEntries(a)) {
    if (!isSameField(member, getField(b, name), work)) return false;
  }
  return true;
}

/**
 * Orders two numbers by exact value or two strings by their UTF-8 bytes: negative when `a` comes first.
 * `undefined` for everything else: such values have no order.
 */
export function compareScalars(a: JsonValue, b: JsonValue, work?: ComparisonBudget): number | undefined {
  work?.spend(getCost(a, b));
  if (typeof a === "string") return typeof b === "string" ? compareUtf8(a, b) : undefined;
  return isNumber(a) && isNumber(b) ? compareNumbers(a, b, work) : undefined;
}

/** The numbers of fields of objects that were compared with others: one of a request may be compared with thousands. */
const countFieldsOnce = memoize(countFields, new WeakMap<JsonObject, number>());

function isSameField(a: JsonValue, b: JsonValue | undefined, work: ComparisonBudget | undefined): boolean {
  return b !== undefined && isJsonEqual(a, b, work);
}

/** What comparing two values looks at, but for what is inside them. */
function getCost(a: JsonValue, b: JsonValue): number {
  return typeof a === "string" && typeof b === "string"
    ? valueCost + Math.min(a.length, b.length)
    : typeof a === "object"
      ? objectCost
      : valueCost;
}

export function isNumber(value: JsonValue): value is number | JsonNumber {
  return typeof value === "number" || value instanceof JsonNumber;
}
