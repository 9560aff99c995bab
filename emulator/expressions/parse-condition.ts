import { chosenLimits } from "../../openapi/clauses/limits.js";
import { codePointsIn, isLongerThan } from "../json/code-points.js";
import { checkExpressionDepth } from "./expression-depth.js";
import { ExpressionError } from "./expression-error.js";
import type { Expression } from "./expression.js";
import { parseText } from "./parse-text.js";

/**
 * `full`: everything in condition.peggy. `documented`: `attribute_exists(name)`, `attribute_not_exists(name)` and
 * `name <comparator> :value` alone (gap condition-grammar). `field-equality`: `field = :name` alone (gap
 * repository-filter-grammar).
 */
export type ConditionGrammar = "full" | "documented" | "field-equality";

const startRules = {
  full: "Condition",
  documented: "Documented",
  "field-equality": "FieldEquality",
} as const;

/** Texts come again and again, one by one per item; long ones are not worth their memory. */
const cached = new Map<string, Expression>();
const cacheSize = 500;
const cachedLength = 1000;

/**
 * The expression that a `conditionExpression` or a repository `filter` means.
 *
 * @throws {ExpressionError} with the column, for text that is too long, nests too deep or is not in the grammar
 */
export function parseCondition(text: string, grammar: ConditionGrammar): Expression {
  if (isLongerThan(text, chosenLimits.expressionLength)) {
    throw new ExpressionError(
      `the expression has ${codePointsIn(text)} characters; at most ${chosenLimits.expressionLength} are allowed`,
    );
  }
  const key = `${grammar} ${text}`;
  const known = cached.get(key);
  if (known !== undefined) return known;
  checkExpressionDepth(text);
  const expression = parseText(text, startRules[grammar]);
  if (text.length <= cachedLength) remember(key, expression);
  return expression;
}

function remember(key: string, expression: Expression): void {
  const oldest = cached.size >= cacheSize ? cached.keys().next().value : undefined;
  if (oldest !== undefined) cached.delete(oldest);
  cached.set(key, expression);
}
