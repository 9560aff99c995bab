import { isJsonArray, type JsonValue } from "../json/json-value.js";
import { ExpressionError } from "./expression-error.js";
import type { Comparator, Expression, LiteralOperand, Path, PathOperand } from "./expression.js";

/** Makes the expression of one field operator; `pointer` is where it stands, for the error. */
export type FieldOperator = (path: Path, operand: JsonValue, pointer: string) => Expression;

/** The operators that may stand inside the value of a field (gap item-filter-grammar). */
export const fieldOperators: ReadonlyMap<string, FieldOperator> = new Map<string, FieldOperator>([
  ["$eq", comparing("=")],
  ["$ne", comparing("<>")],
  ["$gt", comparing(">")],
  ["$gte", comparing(">=")],
  ["$lt", comparing("<")],
  ["$lte", comparing("<=")],
  [
    "$in",
    (path, operand, pointer) => {
      if (!isJsonArray(operand)) throw new ExpressionError("$in takes an array of values", { pointer });
      return { kind: "in", operand: at(path), choices: operand.map(literal) };
    },
  ],
  [
    "$exists",
    (path, operand, pointer) => {
      if (typeof operand !== "boolean") throw new ExpressionError("$exists takes true or false", { pointer });
      return { kind: operand ? "attribute_exists" : "attribute_not_exists", path };
    },
  ],
  [
    "$beginsWith",
    (path, operand, pointer) => {
      if (typeof operand !== "string") throw new ExpressionError("$beginsWith takes a string", { pointer });
      return { kind: "begins_with", operand: at(path), prefix: literal(operand) };
    },
  ],
  ["$contains", (path, operand) => ({ kind: "contains", operand: at(path), element: literal(operand) })],
]);

function comparing(comparator: Comparator): FieldOperator {
  return (path, operand) => ({ kind: "compare", comparator, left: at(path), right: literal(operand) });
}

function at(path: Path): PathOperand {
  return { kind: "path", path };
}

function literal(value: JsonValue): LiteralOperand {
  return { kind: "literal", value };
}
