import type { JsonValue } from "../json/json-value.js";

/** The path to an attribute: a top-level name, then names and array indexes: `["address", "lines", 0]`. */
export type Path = readonly [string, ...(string | number)[]];

export type Comparator = "=" | "<>" | "<" | "<=" | ">" | ">=";

/** An operand of a comparison. */
export type Operand =
  /** `path-or-null`: a missing attribute is null. */
  | { readonly kind: "path" | "path-or-null" | "size"; readonly path: Path }
  /** A value that the request gives by name; the name includes the colon. */
  | { readonly kind: "named"; readonly name: string }
  /** A literal value in a filter object; the text grammar has none. */
  | { readonly kind: "literal"; readonly value: JsonValue };

/**
 * The syntax tree of a `conditionExpression`, of the `filter` of a repository and of the `filterExpression` of items. An
 * `and` without terms is true, an `or` without terms is false.
 */
export type Expression =
  | { readonly kind: "and" | "or"; readonly terms: readonly Expression[] }
  | { readonly kind: "not"; readonly term: Expression }
  | {
      readonly kind: "compare";
      readonly comparator: Comparator;
      readonly left: Operand;
      readonly right: Operand;
    }
  | { readonly kind: "between"; readonly operand: Operand; readonly low: Operand; readonly high: Operand }
  | { readonly kind: "in"; readonly operand: Operand; readonly choices: readonly Operand[] }
  | { readonly kind: "attribute_exists" | "attribute_not_exists"; readonly path: Path }
  | { readonly kind: "begins_with"; readonly operand: Operand; readonly prefix: Operand }
  | { readonly kind: "contains"; readonly operand: Operand; readonly element: Operand };

/** Maximum nesting of an expression: parentheses and NOT in a text; `$and`, `$or` and `$not` in an object. */
export const maxExpressionDepth = 50;

/** Maximum number of tests in a filter object. Text expressions are limited by their length. */
export const maxFilterTests = 20_000;

/** An invalid expression. The message is meant for the caller of the API and contains the column, if any. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";

  /**
   * @param column the location in a text: UTF-16 units from 1
   * @param pointer the location in an object: a JSON pointer from its root
   */
  constructor(
    problem: string,
    readonly location: { readonly column?: number; readonly pointer?: string } = {},
  ) {
    super(location.column === undefined ? problem : `${problem} (column ${location.column})`);
  }
}
