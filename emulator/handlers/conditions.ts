import type { Profile } from "../../openapi/profile.js";
import { evaluate, type Subject } from "../expressions/evaluate.js";
import type { Expression } from "../expressions/expression.js";
import { ExpressionError } from "../expressions/expression-error.js";
import { missingNamedValues } from "../expressions/named-values.js";
import { parseCondition } from "../expressions/parse-condition.js";
import { readItemFilter } from "../expressions/read-filter.js";
import { isNullish, type JsonValue, memberOf } from "../json/json-value.js";
import { readStoredJson } from "../json/read-json.js";
import { invalidBody } from "../problem.js";
import type { ItemRow } from "../store/items.js";

/** A parsed expression with the values of its names. */
export interface Condition {
  readonly expression: Expression;
  readonly values: JsonValue | undefined;
}

/**
 * The condition of a put or of an entry of a batch or transaction.
 *
 * @param carrier the object that holds `conditionExpression` and, beside it, the values
 * @param pointer where the carrier stands in the body
 * @throws a problem `validation-failed` that points at what is wrong
 */
export function conditionOf(carrier: JsonValue | undefined, pointer: string, profile: Profile): Condition | undefined {
  const text = memberOf(carrier, "conditionExpression");
  if (typeof text !== "string") return undefined;
  const valuesMember = profile["condition-values"];
  const values = memberOf(carrier, valuesMember);
  const expression = parsed(`${pointer}/conditionExpression`, () =>
    parseCondition(text, { grammar: profile["condition-grammar"], maxLength: profile["expression-length-max"] }),
  );
  const missing = missingNamedValues(expression, values);
  if (missing.length > 0)
    throw invalidBody(`${pointer}/${valuesMember}`, `must have a value for ${missing.join(", ")}, used by the condition`);
  return { expression, values };
}

/** The filter of a query or scan (gap `item-filter-grammar`). */
export function filterOf(body: JsonValue | undefined, profile: Profile): Condition | undefined {
  const filter = memberOf(body, "filterExpression");
  if (isNullish(filter)) return undefined;
  const expression = parsed("/filterExpression", () =>
    readItemFilter(filter, { grammar: profile["item-filter-grammar"] }),
  );
  return { expression, values: undefined };
}

/** Whether the condition holds for a stored item, or for a missing one. */
export function holds({ expression, values }: Condition, item: ItemRow | undefined): boolean {
  return evaluate(expression, item === undefined ? missingItem : storedItem(item), values);
}

const missingItem: Subject = { system: (name) => (isKeyName(name) ? { value: undefined } : undefined), attributes: undefined };

function storedItem(item: ItemRow): Subject {
  let attributes: JsonValue | undefined;
  return {
    system: (name) =>
      name === "pk" ? { value: item.pk } : name === "sk" ? { value: item.sk === "" ? undefined : item.sk } : undefined,
    get attributes() {
      return (attributes ??= readStoredJson(item.data));
    },
  };
}

function isKeyName(name: string): boolean {
  return name === "pk" || name === "sk";
}

function parsed(pointer: string, parse: () => Expression): Expression {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ExpressionError) throw invalidBody(pointer + error.pointer, error.message);
    throw error;
  }
}
