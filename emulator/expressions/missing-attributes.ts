import type { Profile } from "../../openapi/gaps/profile.js";
import { isJsonObject, type JsonValue, getField } from "../json/json-value.js";
import type { Expression, Operand } from "./expression.js";

/**
 * The expression in which what is not there is compared as the rules say, by means that `evaluate` knows: `<>` becomes
 * NOT `=`, and `=` of null becomes true of an attribute that does not exist. The very same one where there is nothing to
 * change.
 *
 * @param values the values of the `:name`s
 */
export function applyMissingAttributeRules(
  expression: Expression,
  values: JsonValue | undefined,
  profile: Profile,
): Expression {
  const isNull = profile["missing-attribute"] === "as-null";
  if (profile["missing-attribute"] === "no-match") return expression;
  const changed = (part: Expression): Expression => {
    switch (part.kind) {
      case "and":
      case "or":
        return { ...part, terms: part.terms.map(changed) };
      case "not":
        return { ...part, term: changed(part.term) };
      case "compare": {
        const { comparator, left, right } = part;
        if (comparator === "=") return orMissing(part, [left, right]);
        return comparator === "<>"
          ? { kind: "not", term: orMissing({ ...part, comparator: "=" }, [left, right]) }
          : part;
      }
      case "in":
        return orMissing(part, [part.operand, ...part.choices]);
      default:
        return part;
    }
  };
  /** True as well where the first of the operands, or one of the others, is not there and its counterpart is null. */
  const orMissing = (test: Expression, [first, ...others]: readonly [Operand, ...Operand[]]): Expression => {
    if (!isNull) return test;
    const absent = others.flatMap((other) => [
      ...(isNullValue(other, values) && first.kind === "path" ? [first.path] : []),
      ...(isNullValue(first, values) && other.kind === "path" ? [other.path] : []),
    ]);
    if (absent.length === 0) return test;
    return {
      kind: "or",
      terms: [test, ...absent.map((path): Expression => ({ kind: "attribute_not_exists", path }))],
    };
  };
  return changed(expression);
}

function isNullValue(operand: Operand, values: JsonValue | undefined): boolean {
  if (operand.kind === "literal") return operand.value === null;
  return operand.kind === "named" && isJsonObject(values) && getField(values, operand.name) === null;
}
