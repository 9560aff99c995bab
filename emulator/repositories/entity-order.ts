import type { Profile } from "../../openapi/gaps/profile.js";
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
  /** Number of the entity in the order of creation; it decides between equal values. */
  readonly sequence: number;
}

/** The direction of a sorted result. */
export interface EntityOrder {
  readonly descending: boolean;
  /** The profile's answer to `sort-missing-field`. */
  readonly missing: "first" | "last";
  /** The profile's answer to `sort-text-order`; `utf-8` unless it is given. */
  readonly texts?: Profile["sort-text-order"];
}

/** The fields that the service sets; in filters and in `sortBy` these names never mean a field of the data. */
export const systemFields = ["id", "createdAt", "updatedAt"] as const;

export type SystemField = (typeof systemFields)[number];

/** Whether the name is that of a field that the service sets. */
export function isSystemField(name: string): name is SystemField {
  return (systemFields as readonly string[]).includes(name);
}

/**
 * The path that a `sortBy` means: a system field, or names that lead into nested objects of the data. As in filters, the
 * names of system fields never mean a field of the data.
 */
export function parseSortPath(sortBy: string): readonly [string, ...string[]] {
  const [first = "", ...rest] = sortBy.split(".");
  return [first, ...rest];
}

/**
 * Orders two entities of a result: negative when `a` comes first, 0 only for the same entity. Ascending order is
 * by value, then by creation; descending order is the exact reverse.
 */
export function compareEntityPositions(
  a: EntityPosition,
  b: EntityPosition,
  order: EntityOrder,
  work?: ComparisonBudget,
): number {
  const ascending = compareSortValues(a.value, b.value, order, work) || a.sequence - b.sequence;
  return order.descending ? -ascending : ascending;
}

/** Orders the values of a field, of which some are missing. */
export function compareSortValues(
  a: JsonValue | undefined,
  b: JsonValue | undefined,
  { missing, texts }: Pick<EntityOrder, "missing" | "texts">,
  work?: ComparisonBudget,
): number {
  if (texts === "ignoring-case" && typeof a === "string" && typeof b === "string") {
    spendOnTexts(a.length + b.length, work);
    const inLowerCase = compareUtf8(a.toLowerCase(), b.toLowerCase());
    if (inLowerCase !== 0) return inLowerCase;
  }
  if (a !== undefined && b !== undefined) return compareJson(a, b, work);
  if (a === b) return 0;
  return (a === undefined) === (missing === "first") ? -1 : 1;
}

/** The costs of an element and of a field that must be looked up, in compared characters. */
const elementCost = 40;
const memberCost = 150;
/** Smaller objects are a small part of the cost of reading an entity. */
const fewMembers = 20;
/** Up to this many characters, which are compared faster than longer ones are, a text counts a quarter. */
const shortText = 200;

function spendOnTexts(length: number, work: ComparisonBudget | undefined): void {
  work?.spend(length > shortText ? length : length / 4);
}

/**
 * A total order of all JSON values. Types come in the order null, false, true, numbers, strings, arrays, objects;
 * numbers by exact value, strings by UTF-8 bytes, arrays by their first difference (a shorter one before its
 * continuations), objects as arrays of their members sorted by name. Equal exactly where `jsonEqual` says so.
 */
export function compareJson(a: JsonValue, b: JsonValue, work?: ComparisonBudget): number {
  const byRank = getRank(a) - getRank(b);
  if (byRank !== 0) return byRank;
  if (typeof a === "string" && typeof b === "string") {
    spendOnTexts(Math.min(a.length, b.length), work);
    return compareUtf8(a, b);
  }
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b, work);
  if (isJsonArray(a) && isJsonArray(b)) return compareLists(a, b, work);
  if (isJsonObject(a) && isJsonObject(b))
    return compareLists(sortedMembers(a, work), sortedMembers(b, work), work);
  return 0;
}

const ranks = { null: 0, false: 1, true: 2, number: 3, string: 4, array: 5, object: 6 } as const;

function getRank(value: JsonValue): number {
  if (value === null) return ranks.null;
  if (typeof value === "boolean") return value ? ranks.true : ranks.false;
  if (isNumber(value)) return ranks.number;
  if (typeof value === "string") return ranks.string;
  return isJsonArray(value) ? ranks.array : ranks.object;
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

const sorted = new WeakMap<JsonObject, readonly JsonValue[]>();

/** The members sorted by name; an object that is compared with many others is sorted once. */
function sortedMembers(object: JsonObject, work: ComparisonBudget | undefined): readonly JsonValue[] {
  let members = sorted.get(object);
  if (members === undefined) {
    const count = countFields(object);
    if (count > fewMembers) work?.spend(count * memberCost);
    members = [...getFieldEntries(object)].sort(([a], [b]) => compareUtf8(a, b));
    sorted.set(object, members);
  }
  return members;
}
