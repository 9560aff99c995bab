import type { Profile } from "../../openapi/gaps/profile.js";
import type { Expression, Operand } from "./expression.js";

/**
 * Applies the profile's answer to `missing-attribute`, in terms that `evaluateExpression` knows: `<>` becomes NOT `=`, and
 * `=`, `<>` and IN may read an attribute that does not exist as null.
 */
export function applyMissingAttributeRules(expression: Expression, profile: Profile): Expression {
  const answer = profile["missing-attribute"];
  if (answer === "no-match") return expression;
  const read = (operand: Operand): Operand =>
    answer === "as-null" && operand.kind === "path" ? { ...operand, kind: "path-or-null" } : operand;
  const rewrite = (part: Expression): Expression => {
    switch (part.kind) {
      case "and":
      case "or":
        return { ...part, terms: part.terms.map(rewrite) };
      case "not":
        return { ...part, term: rewrite(part.term) };
      case "compare": {
        if (part.comparator !== "=" && part.comparator !== "<>") return part;
        const term: Expression = { ...part, comparator: "=", left: read(part.left), right: read(part.right) };
        return part.comparator === "=" ? term : { kind: "not", term };
      }
      case "in":
        return { ...part, operand: read(part.operand), choices: part.choices.map(read) };
      default:
        return part;
    }
  };
  return rewrite(expression);
}
