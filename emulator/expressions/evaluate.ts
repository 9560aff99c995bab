import { countCodePoints } from "../json/character-codes.js";
import { compareScalars, fieldComparisonCost, isJsonEqual } from "../json/compare-json.js";
import { isJsonArray, isJsonObject, countFields, getField, type JsonValue } from "../json/json-value.js";
import { includesText } from "../json/includes-text.js";
import type { EvaluationBudget } from "./evaluation-budget.js";
import type { Comparator, Expression, Operand, Path } from "./expression.js";

/** The cost of a test or of a segment of its path, in compared characters. */
const costOfTest = 20;

/** The values that an expression refers to. */
export interface EvaluationContext {
  /** Returns the value at a path; undefined if there is none. */
  readonly resolvePath: (path: Path) => JsonValue | undefined;
  /** The values of the `:name`s, keyed with the colon. */
  readonly values?: JsonValue | undefined;
  /** The cost limit. */
  readonly work: EvaluationBudget;
}

/**
 * Creates a function that finds values in an item, or in the lack of an item. `pk` and `sk` mean the keys, never fields of
 * the data. An item without a sort key has no value at `sk`.
 */
export function createItemResolver(
  item: { readonly pk: string; readonly sk: string | null; readonly data: JsonValue } | undefined,
): EvaluationContext["resolvePath"] {
  return (path) => {
    const [first] = path;
    if (first === "pk" || first === "sk") return getValueAtPath(path, item?.[first] ?? undefined, 1);
    return getValueAtPath(path, item?.data);
  };
}

/**
 * Whether the expression is true.
 *
 * - An operand is missing if there is no value at its path or for its `:name`. `null` is a value. Every comparison,
 *   BETWEEN, IN, begins_with and contains with a missing operand is false, even `<>`, so `NOT` of it is true. A missing
 *   choice of IN is ignored.
 * - `=` and `<>` accept all values; values of different types are not equal. Numbers are equal if their exact values
 *   are; the order of an object's fields does not matter.
 * - `<` `<=` `>` `>=` and BETWEEN (bounds included) order numbers by exact value and strings by UTF-8 bytes; for
 *   other types, or two different ones, they are false.
 * - `begins_with` is for strings. `contains` finds a part of a string or an element of an array.
 * - `size` is the number of code points, elements or fields; for all other values it is missing.
 *
 * @throws EvaluationLimitError
 */
export function evaluateExpression(expression: Expression, context: EvaluationContext): boolean {
  const { work } = context;
  work.spend(costOfTest);
  switch (expression.kind) {
    case "and":
      for (const term of expression.terms) if (!evaluateExpression(term, context)) return false;
      return true;
    case "or":
      for (const term of expression.terms) if (evaluateExpression(term, context)) return true;
      return false;
    case "not":
      return !evaluateExpression(expression.term, context);
    case "attribute_exists":
    case "attribute_not_exists":
      return (
        (getPathValue(expression.path, context) !== undefined) === (expression.kind === "attribute_exists")
      );
    case "compare": {
      const left = getOperandValue(expression.left, context);
      return compare(expression.comparator, left, getOperandValue(expression.right, context), work);
    }
    case "between": {
      const value = getOperandValue(expression.operand, context);
      return (
        compare(">=", value, getOperandValue(expression.low, context), work) &&
        compare("<=", value, getOperandValue(expression.high, context), work)
      );
    }
    case "in": {
      const value = getOperandValue(expression.operand, context);
      if (value === undefined) return false;
      return expression.choices.some((choice) => {
        const other = getOperandValue(choice, context);
        if (other === undefined) work.spend(costOfTest);
        return compare("=", value, other, work);
      });
    }
    case "begins_with": {
      const value = getOperandValue(expression.operand, context);
      const prefix = getOperandValue(expression.prefix, context);
      if (typeof value !== "string" || typeof prefix !== "string") return false;
      work.spend(Math.min(value.length, prefix.length));
      return value.startsWith(prefix);
    }
    case "contains": {
      const whole = getOperandValue(expression.operand, context);
      return contains(whole, getOperandValue(expression.element, context), work);
    }
  }
}

function compare(
  comparator: Comparator,
  left: JsonValue | undefined,
  right: JsonValue | undefined,
  work: EvaluationBudget,
): boolean {
  if (left === undefined || right === undefined) return false;
  if (comparator === "=") return isJsonEqual(left, right, work);
  if (comparator === "<>") return !isJsonEqual(left, right, work);
  const order = compareScalars(left, right, work);
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

function contains(
  whole: JsonValue | undefined,
  part: JsonValue | undefined,
  work: EvaluationBudget,
): boolean {
  if (part === undefined) return false;
  if (typeof whole === "string") {
    if (typeof part !== "string") return false;
    // Searching a text costs more than comparing two.
    work.spend(2 * whole.length + part.length);
    return includesText(whole, part);
  }
  return isJsonArray(whole) && whole.some((element) => isJsonEqual(element, part, work));
}

function getOperandValue(operand: Operand, context: EvaluationContext): JsonValue | undefined {
  switch (operand.kind) {
    case "path":
      return getPathValue(operand.path, context);
    case "path-or-null":
      return getPathValue(operand.path, context) ?? null;
    case "named":
      return isJsonObject(context.values) ? getField(context.values, operand.name) : undefined;
    case "literal":
      return operand.value;
    case "size":
      return getSize(getPathValue(operand.path, context), context.work);
  }
}

function getPathValue(path: Path, { resolvePath, work }: EvaluationContext): JsonValue | undefined {
  work.spend(costOfTest * (path.length - 1));
  return resolvePath(path);
}

/** Returns the value at the part of a path from `begin`; undefined if there is none. */
export function getValueAtPath(path: Path, from: JsonValue | undefined, begin = 0): JsonValue | undefined {
  let value = from;
  for (let at = begin; at < path.length && value !== undefined; at += 1) {
    const segment = path[at] ?? "";
    if (typeof segment === "number") value = isJsonArray(value) ? value[segment] : undefined;
    else value = isJsonObject(value) ? getField(value, segment) : undefined;
  }
  return value;
}

function getSize(value: JsonValue | undefined, work: EvaluationBudget): number | undefined {
  if (typeof value === "string") {
    work.spend(value.length);
    return countCodePoints(value);
  }
  if (isJsonArray(value)) return value.length;
  if (!isJsonObject(value)) return undefined;
  const members = countFields(value);
  work.spend(members * fieldComparisonCost);
  return members;
}
