import { countCodePoints } from "../json/character-codes.js";
import { compareScalars, fieldComparisonCost, isJsonEqual } from "../json/compare-json.js";
import { isJsonArray, isJsonObject, countFields, getField, type JsonValue } from "../json/json-value.js";
import { includesText } from "../json/includes-text.js";
import { EvaluationBudget } from "./evaluation-budget.js";
import type { Comparator, Expression, Operand, Path } from "./expression.js";

/** The cost of a test or of a step of its path, in compared characters. */
const costOfTest = 20;

/** The item or entity against which an expression is evaluated. */
export interface EvaluationSubject {
  /**
   * The names that are not the data's (`pk` and `sk` of an item; `id`, `createdAt` and `updatedAt` of an entity).
   * As the first segment of a path they mean these values and never a member of `attributes`. `undefined` and
   * `null` mean that the subject has none: attribute_exists(sk) is false for an item without a sort key.
   */
  readonly system: Readonly<Record<string, string | number | null | undefined>>;
  /** The `data` object; undefined if there is no such item. */
  readonly attributes: JsonValue | undefined;
}

/** The subject that an item is, or that the lack of one is: then it has neither keys nor attributes. */
export function toItemSubject(
  item: { readonly pk: string; readonly sk: string | null; readonly data: JsonValue } | undefined,
): EvaluationSubject {
  return { system: { pk: item?.pk, sk: item?.sk }, attributes: item?.data };
}

/**
 * Whether the expression is true.
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
 * @param work the cost limit
 * @throws EvaluationLimitError
 */
export function evaluateExpression(
  expression: Expression,
  subject: EvaluationSubject,
  values?: JsonValue,
  work = new EvaluationBudget(),
): boolean {
  return evaluateWithResolver(expression, (path) => resolve(path, subject), values, work);
}

/** The same, for subjects that find the values of paths in their own way; `undefined` where a path leads nowhere. */
export function evaluateWithResolver(
  expression: Expression,
  valueAt: (path: Path) => JsonValue | undefined,
  values: JsonValue | undefined,
  work: EvaluationBudget,
): boolean {
  work.spend(costOfTest);
  switch (expression.kind) {
    case "and":
      for (const term of expression.terms)
        if (!evaluateWithResolver(term, valueAt, values, work)) return false;
      return true;
    case "or":
      for (const term of expression.terms) if (evaluateWithResolver(term, valueAt, values, work)) return true;
      return false;
    case "not":
      return !evaluateWithResolver(expression.term, valueAt, values, work);
    case "attribute_exists":
    case "attribute_not_exists":
      work.spend(costOfTest * (expression.path.length - 1));
      return (valueAt(expression.path) !== undefined) === (expression.kind === "attribute_exists");
    case "compare":
      return compare(
        expression.comparator,
        operandValue(expression.left, valueAt, values, work),
        operandValue(expression.right, valueAt, values, work),
        work,
      );
    case "between": {
      const value = operandValue(expression.operand, valueAt, values, work);
      return (
        compare(">=", value, operandValue(expression.low, valueAt, values, work), work) &&
        compare("<=", value, operandValue(expression.high, valueAt, values, work), work)
      );
    }
    case "in": {
      const value = operandValue(expression.operand, valueAt, values, work);
      if (value === undefined) return false;
      return expression.choices.some((choice) => {
        const other = operandValue(choice, valueAt, values, work);
        if (other === undefined) work.spend(costOfTest);
        return compare("=", value, other, work);
      });
    }
    case "begins_with": {
      const value = operandValue(expression.operand, valueAt, values, work);
      const prefix = operandValue(expression.prefix, valueAt, values, work);
      if (typeof value !== "string" || typeof prefix !== "string") return false;
      work.spend(Math.min(value.length, prefix.length));
      return value.startsWith(prefix);
    }
    case "contains":
      return contains(
        operandValue(expression.operand, valueAt, values, work),
        operandValue(expression.element, valueAt, values, work),
        work,
      );
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
    // looking for a text costs more than comparing two
    work.spend(2 * whole.length + part.length);
    return includesText(whole, part);
  }
  return isJsonArray(whole) && whole.some((element) => isJsonEqual(element, part, work));
}

function operandValue(
  operand: Operand,
  valueAt: (path: Path) => JsonValue | undefined,
  values: JsonValue | undefined,
  work: EvaluationBudget,
): JsonValue | undefined {
  switch (operand.kind) {
    case "path":
      work.spend(costOfTest * (operand.path.length - 1));
      return valueAt(operand.path);
    case "named":
      return isJsonObject(values) ? getField(values, operand.name) : undefined;
    case "literal":
      return operand.value;
    case "size":
      work.spend(costOfTest * (operand.path.length - 1));
      return sizeOf(valueAt(operand.path), work);
  }
}

function resolve(path: Path, subject: EvaluationSubject): JsonValue | undefined {
  const [first] = path;
  if (!Object.hasOwn(subject.system, first)) return resolvePath(path, subject.attributes);
  return resolvePath(path, subject.system[first] ?? undefined, 1);
}

/** Returns the value at a path; undefined if there is none. */
export function resolvePath(path: Path, from: JsonValue | undefined, begin = 0): JsonValue | undefined {
  let value = from;
  for (let at = begin; at < path.length && value !== undefined; at += 1) {
    const segment = path[at] ?? "";
    if (typeof segment === "number") value = isJsonArray(value) ? value[segment] : undefined;
    else value = isJsonObject(value) ? getField(value, segment) : undefined;
  }
  return value;
}

function sizeOf(value: JsonValue | undefined, work: EvaluationBudget): number | undefined {
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
