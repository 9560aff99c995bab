import type { JsonValue } from "../json/json-value.js";

/** A member name, or an array index from 0. */
export type PathSegment = string | number;

/** The way to an attribute: a top-level name, then names and indexes. `["address", "lines", 0]` */
export type Path = readonly [string, ...PathSegment[]];

export type Comparator = "=" | "<>" | "<" | "<=" | ">" | ">=";

export interface PathOperand {
  readonly kind: "path";
  readonly path: Path;
}

/** A value that the request gives by name; the name includes the colon. */
export interface NamedOperand {
  readonly kind: "named";
  readonly name: string;
}

/** A literal value in a filter object; the text grammar has none. */
export interface LiteralOperand {
  readonly kind: "literal";
  readonly value: JsonValue;
}

export interface SizeOperand {
  readonly kind: "size";
  readonly path: Path;
}

/** An operand of a comparison. */
export type Operand = PathOperand | NamedOperand | LiteralOperand | SizeOperand;

/**
 * The one syntax tree behind `conditionExpression`, the repository `filter` and the items' `filterExpression`.
 * `evaluate` says what each form means. An `and` of no terms is true, an `or` of no terms is false.
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

/** How deep an expression may nest: parentheses and NOT in text, `$and`, `$or` and `$not` in an object. */
export const maxExpressionDepth = 50;

/** Maximum number of tests in a filter object. Text expressions are limited by their length. */
export const maxFilterTests = 20_000;

/** Where an expression is wrong; an expression is either a text or an object. */
export interface ExpressionLocation {
  /** In a text: UTF-16 units from 1. */
  readonly column?: number;
  /** In an object: a JSON pointer from its root. The root itself is the empty string. */
  readonly pointer?: string;
}

/** An expression that is refused. The message is fit for the caller of the API and names the column, if any. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
  readonly column: number | undefined;
  readonly pointer: string | undefined;

  constructor(problem: string, place: ExpressionLocation = {}) {
    super(place.column === undefined ? problem : `${problem} (column ${place.column})`);
    this.column = place.column;
    this.pointer = place.pointer;
  }
}
