import { compareScalars, jsonEqual } from "../json/compare-json.js";
import { isJsonArray, isJsonObject, memberCount, memberOf, type JsonValue } from "../json/json-value.js";
import type { Comparator, Expression, Operand, Path } from "./expression.js";

/** What an expression is evaluated against. */
export interface Subject {
  /**
   * The names that are not the data's (`pk` and `sk` of an item; `id`, `createdAt` and `updatedAt` of an entity).
   * As the first segment of a path they mean these values and never a member of `attributes`. `undefined` and
   * `null` mean that the subject has none: attribute_exists(sk) is false for an item without a sort key.
   */
  readonly system: Readonly<Record<string, string | number | null | undefined>>;
  /** The `data` object; `undefined` when there is no such item. */
  readonly attributes: JsonValue | undefined;
}

/** The subject that an item is, or that the lack of one is: then it has neither keys nor attributes. */
export function itemSubject(
  item: { readonly pk: string; readonly sk: string | null; readonly data: JsonValue } | undefined,
): Subject {
  return { system: { pk: item?.pk, sk: item?.sk }, attributes: item?.data };
}

/**
 * Whether the expression holds.
 *
 * - An operand is missing when its path leads nowhere or its `:name` has no value. `null` is a value. Every
 *   comparison, BETWEEN, IN, begins_with and contains with a missing operand is false, `<>` included; `NOT` of it is
 *   therefore true. A missing choice of IN is passed over.
 * - `=` and `<>` take any values; different types are not equal. Numbers are equal by exact value, objects in any
 *   order of members.
 * - `<` `<=` `>` `>=` and BETWEEN (bounds included) order numbers by exact value and strings by UTF-8 bytes; for
 *   other types, or two different ones, they are false.
 * - `begins_with` is for strings. `contains` finds a part of a string or an element of an array.
 * - `size` is the number of code points, elements or members; of anything else it is missing.
 *
 * @param values the values of the `:name`s, keyed with the colon
 */
export function evaluate(expression: Expression, subject: Subject, values?: JsonValue): boolean {
  return evaluateWith(expression, (path) => resolve(path, subject), values);
}

/** The same, for subjects that find the values of paths in their own way; `undefined` where a path leads nowhere. */
export function evaluateWith(
  expression: Expression,
  valueAt: (path: Path) => JsonValue | undefined,
  values: JsonValue | undefined,
): boolean {
  switch (expression.kind) {
    case "and":
      for (const term of expression.terms) if (!evaluateWith(term, valueAt, values)) return false;
      return true;
    case "or":
      for (const term of expression.terms) if (evaluateWith(term, valueAt, values)) return true;
      return false;
    case "not":
      return !evaluateWith(expression.term, valueAt, values);
    case "attribute_exists":
      return valueAt(expression.path) !== undefined;
    case "attribute_not_exists":
      return valueAt(expression.path) === undefined;
    case "compare":
      return compare(
        expression.comparator,
        operandValue(expression.left, valueAt, values),
        operandValue(expression.right, valueAt, values),
      );
    case "between": {
      const value = operandValue(expression.operand, valueAt, values);
      return (
        compare(">=", value, operandValue(expression.low, valueAt, values)) &&
        compare("<=", value, operandValue(expression.high, valueAt, values))
      );
    }
    case "in": {
      const value = operandValue(expression.operand, valueAt, values);
      return expression.choices.some((choice) => compare("=", value, operandValue(choice, valueAt, values)));
    }
    case "begins_with": {
      const value = operandValue(expression.operand, valueAt, values);
      const prefix = operandValue(expression.prefix, valueAt, values);
      return typeof value === "string" && typeof prefix === "string" && value.startsWith(prefix);
    }
    case "contains":
      return contains(
        operandValue(expression.operand, valueAt, values),
        operandValue(expression.element, valueAt, values),
      );
  }
}

function compare(comparator: Comparator, left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === undefined || right === undefined) return false;
  if (comparator === "=") return jsonEqual(left, right);
  if (comparator === "<>") return !jsonEqual(left, right);
  const order = compareScalars(left, right);
  if (order === undefined) return false;
  switch (comparator) {
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
  }
}

function contains(whole: JsonValue | undefined, part: JsonValue | undefined): boolean {
  if (part === undefined) return false;
  if (typeof whole === "string") return typeof part === "string" && whole.includes(part);
  return isJsonArray(whole) && whole.some((element) => jsonEqual(element, part));
}

function operandValue(
  operand: Operand,
  valueAt: (path: Path) => JsonValue | undefined,
  values: JsonValue | undefined,
): JsonValue | undefined {
  switch (operand.kind) {
    case "path":
      return valueAt(operand.path);
    case "named":
      return isJsonObject(values) ? memberOf(values, operand.name) : undefined;
    case "literal":
      return operand.value;
    case "size":
      return sizeOf(valueAt(operand.path));
  }
}

/** The value that the path leads to. */
function resolve(path: Path, subject: Subject): JsonValue | undefined {
  const [first] = path;
  let value: JsonValue | undefined;
  if (Object.hasOwn(subject.system, first)) value = subject.system[first] ?? undefined;
  else if (isJsonObject(subject.attributes)) value = memberOf(subject.attributes, first);
  for (let at = 1; at < path.length && value !== undefined; at += 1) {
    const segment = path[at] ?? "";
    if (typeof segment === "number") value = isJsonArray(value) ? value[segment] : undefined;
    else value = isJsonObject(value) ? memberOf(value, segment) : undefined;
  }
  return value;
}

function sizeOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === "string") return Array.from(value).length;
  if (isJsonArray(value)) return value.length;
  return isJsonObject(value) ? memberCount(value) : undefined;
}
