import { getField, isJsonObject, type JsonValue } from "../json/json-value.js";
import type { Expression, Operand, Path } from "./expression.js";

/** Lists the operands of all tests in order of appearance. */
function listOperands(expression: Expression): readonly Operand[] {
  switch (expression.kind) {
    case "and":
    case "or":
      return expression.terms.flatMap(listOperands);
    case "not":
      return listOperands(expression.term);
    case "compare":
      return [expression.left, expression.right];
    case "between":
      return [expression.operand, expression.low, expression.high];
    case "in":
      return [expression.operand, ...expression.choices];
    case "begins_with":
      return [expression.operand, expression.prefix];
    case "contains":
      return [expression.operand, expression.element];
    case "attribute_exists":
    case "attribute_not_exists":
      return [{ kind: "path", path: expression.path }];
  }
}

/** Lists all paths in order of appearance. */
export function listAttributePaths(expression: Expression): readonly Path[] {
  return listOperands(expression).flatMap((operand) => ("path" in operand ? [operand.path] : []));
}

/** Finds the `:name`s that have no value, each once, in order of appearance. Values are keyed with the colon: `{":min": 5}`. */
export function findMissingNamedValues(
  expression: Expression,
  values: JsonValue | undefined,
): readonly string[] {
  const missing = new Set<string>();
  for (const operand of listOperands(expression)) {
    if (operand.kind !== "named") continue;
    const given = isJsonObject(values) ? getField(values, operand.name) : undefined;
    if (given === undefined) missing.add(operand.name);
  }
  return [...missing];
}
