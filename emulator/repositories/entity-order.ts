import { isNumber } from "../json/compare-json.js";
import { compareNumbers, type ComparisonBudget } from "../json/compare-numbers.js";
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  countFields,
  getFieldEntries,
} from "../json/json-value.js";
import { compareUtf8 } from "../json/utf8-order.js";

/** The position of an entity in a sorted result, for a cursor. */
export interface EntityPosition {
  /** The value of the `sortBy` field; undefined if the entity has none. */
  readonly value: JsonValue | undefined;
  /** Number of the entity in the order of creation. It orders entities with equal values. */
  readonly sequence: number;
}

/** The fields that the service sets. In filters and in `sortBy`, their names never mean a field of the data. */
const systemFields = ["id", "createdAt", "updatedAt"] as const;

export type SystemField = (typeof systemFields)[number];

/** Whether the service itself sets the field with this name. */
export function isSystemField(name: string): name is SystemField {
  return (systemFields as readonly string[]).includes(name);
}

/** Parses a `sortBy`: a system field, or the path to a field of the data. */
export function parseSortPath(sortBy: string): readonly [string, ...string[]] {
  return sortBy.split(".") as [string, ...string[]];
}

/**
 * Orders two entities of a result: negative if `a` comes first, 0 only for the same entity. Ascending order is by value,
 * then by creation; descending order is the exact reverse.
 */
export function compareEntityPositions(
  a: EntityPosition,
  b: EntityPosition,
  isDescending: boolean,
  work?: ComparisonBudget,
): number {
  const ascending = compareSortValues(a.value, b.value, work) || a.sequence - b.sequence;
  return isDescending ? -ascending : ascending;
}

/** Orders two values of a field. A missing value comes first. */
export function compareSortValues(
  a: JsonValue | undefined,
  b: JsonValue | undefined,
  work?: ComparisonBudget,
): number {
  if (a !== undefined && b !== undefined) return compareJson(a, b, work);
  if (a === b) return 0;
  return a === undefined ? -1 : 1;
}

/** The costs of an element and of a field that is sorted, in compared characters. */
const elementCost = 40;
const sortedFieldCost = 150;
/** Sorting smaller objects costs nothing, because reading the entity costs much more. */
const maxFreeFields = 20;
/** Texts of up to this length cost a quarter, because they are compared faster than longer texts. */
const maxShortLength = 200;

/**
 * A total order of all JSON values, in which values are equal if `isJsonEqual` says so. The order of types is null, false,
 * true, numbers, strings, arrays, objects. Numbers are ordered by exact value, strings by UTF-8 bytes, arrays by their
 * first difference (a prefix comes first), and objects as arrays of their fields sorted by name.
 */
export function compareJson(a: JsonValue, b: JsonValue, work?: ComparisonBudget): number {
  const typeOrder = getTypeRank(a) - getTypeRank(b);
  if (typeOrder !== 0) return typeOrder;
  if (typeof a === "string" && typeof b === "string") {
    const length = Math.min(a.length, b.length);
    work?.spend(length > maxShortLength ? length : length / 4);
    return compareUtf8(a, b);
  }
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b, work);
  if (isJsonArray(a) && isJsonArray(b)) return compareLists(a, b, work);
  if (isJsonObject(a) && isJsonObject(b))
    return compareLists(getSortedFields(a, work), getSortedFields(b, work), work);
  return 0;
}

function getTypeRank(value: JsonValue): number {
  if (value === null) return 0;
  if (typeof value === "boolean") return value ? 2 : 1;
  if (isNumber(value)) return 3;
  if (typeof value === "string") return 4;
  return isJsonArray(value) ? 5 : 6;
}

function compareLists(
  a: readonly JsonValue[],
  b: readonly JsonValue[],
  work: ComparisonBudget | undefined,
): number {
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (right === undefined) return 1;
    work?.spend(elementCost);
    const difference = compareJson(left, right, work);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

const sortedFields = new WeakMap<JsonObject, readonly JsonValue[]>();

/** Returns the fields sorted by name. An object that is compared with many others is sorted once. */
function getSortedFields(object: JsonObject, work: ComparisonBudget | undefined): readonly JsonValue[] {
  let fields = sortedFields.get(object);
  if (fields === undefined) {
    const count = countFields(object);
    if (count > maxFreeFields) work?.spend(count * sortedFieldCost);
    fields = [...getFieldEntries(object)].sort(([a], [b]) => compareUtf8(a, b));
    sortedFields.set(object, fields);
  }
  return fields;
}
