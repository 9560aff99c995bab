import type { Profile } from "../../openapi/gaps/profile.js";
import { isJsonObject, type JsonValue, getField } from "../json/json-value.js";
import type { Expression, Operand } from "./expression.js";

/**
 * Applies the profile's answer to `missing-attribute`, in terms that `evaluateExpression` knows: `<>` becomes NOT `=`, and
 * `=` null becomes true for an attribute that does not exist.
 *
 * @param values the values of the `:name`s
 */
export function applyMissingAttributeRules(
  expression: Expression,
  values: JsonValue | undefined,
  profile: Profile,
): Expression {
  const answer = profile["missing-attribute"];
  if (answer === "no-match") return expression;
  const rewrite = (part: Expression): Expression => {
    switch (part.kind) {
      case "and":
      case "or":
        return { ...part, terms: part.terms.map(rewrite) };
      case "not":
        return { ...part, term: rewrite(part.term) };
      case "compare": {
        const { comparator, left, right } = part;
        if (comparator === "=") return matchMissing(part, left, [right]);
        return comparator === "<>"
          ? { kind: "not", term: matchMissing({ ...part, comparator: "=" }, left, [right]) }
          : part;
      }
      case "in":
        return matchMissing(part, part.operand, part.choices);
      default:
        return part;
    }
  };
  /** Makes a test also true if an attribute is missing on one side, and null is on the other side. */
  const matchMissing = (test: Expression, left: Operand, rights: readonly Operand[]): Expression => {
    if (answer !== "as-null") return test;
    const paths = rights.flatMap((right) => [
      ...(isNullValue(right, values) && left.kind === "path" ? [left.path] : []),
      ...(isNullValue(left, values) && right.kind === "path" ? [right.path] : []),
    ]);
    if (paths.length === 0) return test;
    return {
      kind: "or",
      terms: [test, ...paths.map((path): Expression => ({ kind: "attribute_not_exists", path }))],
    };
  };
  return rewrite(expression);
}

function isNullValue(operand: Operand, values: JsonValue | undefined): boolean {
  if (operand.kind === "literal") return operand.value === null;
  return operand.kind === "named" && isJsonObject(values) && getField(values, operand.name) === null;
}
