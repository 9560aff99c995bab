import { compareNumbers, type ComparisonBudget } from "./compare-numbers.js";
import {
  isJsonArray,
  isJsonObject,
  JsonNumber,
  countFields,
  getFieldEntries,
  getField,
  type JsonValue,
} from "./json-value.js";
import { compareUtf8 } from "./utf8-order.js";
import { memoize } from "../../openapi/text/memoize.js";

/** The costs of a value, an array or object, and a field, in compared characters. */
const valueCost = 15;
const collectionCost = 45;
export const fieldComparisonCost = 150;

/**
 * Whether two values are equal. Numbers are compared by their exact values (1 = 1.0, but 9007199254740993 is not
 * 9007199254740992). The order of an object's fields does not matter. Values of different types are never equal.
 */
export function isJsonEqual(a: JsonValue, b: JsonValue, work?: ComparisonBudget): boolean {
  work?.spend(getCost(a, b));
  if (a === b) return true;
  if (typeof a === "string" || typeof b === "string") return false;
  if (isNumber(a)) return isNumber(b) && compareNumbers(a, b, work) === 0;
  if (isJsonArray(a)) {
    return (
      isJsonArray(b) && a.length === b.length && a.every((item, index) => isSameField(item, b[index], work))
    );
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const fields = countFields(a);
  // Counting lists the names of a plain object.
  work?.spend(fields * fieldComparisonCost);
  if (fields !== countFieldsOnce(b)) return false;
  for (const [name, value] of getFieldEntries(a))
    if (!isSameField(value, getField(b, name), work)) return false;
  return true;
}

/**
 * Orders two numbers by exact value or two strings by their UTF-8 bytes: negative if `a` comes first. Returns undefined
 * for all other values, which have no order.
 */
export function compareScalars(a: JsonValue, b: JsonValue, work?: ComparisonBudget): number | undefined {
  work?.spend(getCost(a, b));
  if (typeof a === "string") return typeof b === "string" ? compareUtf8(a, b) : undefined;
  return isNumber(a) && isNumber(b) ? compareNumbers(a, b, work) : undefined;
}

/** Counts the fields of an object once, because an object in a request may be compared with thousands of others. */
const countFieldsOnce = memoize(countFields, new WeakMap());

function isSameField(a: JsonValue, b: JsonValue | undefined, work: ComparisonBudget | undefined): boolean {
  return b !== undefined && isJsonEqual(a, b, work);
}

/** Returns the cost of comparing two values, without the values that they contain. */
function getCost(a: JsonValue, b: JsonValue): number {
  return typeof a === "string" && typeof b === "string"
    ? valueCost + Math.min(a.length, b.length)
    : typeof a === "object"
      ? collectionCost
      : valueCost;
}

export function isNumber(value: JsonValue): value is number | JsonNumber {
  return typeof value === "number" || value instanceof JsonNumber;
}
