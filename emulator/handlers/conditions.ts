import type { Profile } from "../../openapi/gaps/profile.js";
import { evaluate, itemSubject } from "../expressions/evaluate.js";
import { EvaluationWork, TooMuchToCompare } from "../expressions/evaluation-work.js";
import type { Expression } from "../expressions/expression.js";
import { ExpressionError } from "../expressions/expression-error.js";
import { withMissingRules } from "../expressions/missing-attributes.js";
import { checkNamedValues } from "../expressions/named-values.js";
import { parseCondition } from "../expressions/parse-condition.js";
import { readItemFilter } from "../expressions/read-filter.js";
import type { JsonValue } from "../json/json-value.js";
import { readJson } from "../json/read-json.js";
import { invalidBody } from "../domain/problem.js";
import type { ItemRow } from "../store/items.js";
import { bodyMember } from "./body-member.js";

/** A parsed expression with the values of its names. */
export interface Condition {
  readonly expression: Expression;
  readonly values: JsonValue | undefined;
  /** What the evaluations of the request may still cost. */
  readonly work: EvaluationWork;
  /** Where the expression stands in the body. */
  readonly pointer: string;
}

/**
 * The condition of a put or of an entry of a batch or transaction.
 *
 * @param carrier the object that holds `conditionExpression` and, beside it, the values
 * @param pointer where the carrier stands in the body
 * @param work what all conditions of the request may cost together
 * @throws a problem `validation-failed` that points at what is wrong
 */
export function conditionOf(
  carrier: JsonValue | undefined,
  pointer: string,
  profile: Profile,
  work = new EvaluationWork(),
): Condition | undefined {
  const text = bodyMember(carrier, "conditionExpression");
  const valuesMember = profile["condition-values"];
  const values = bodyMember(carrier, valuesMember);
  if (typeof text !== "string") return undefined;
  const expression = parsed(`${pointer}/conditionExpression`, () =>
    parseCondition(text, profile["condition-grammar"]),
  );
  requireValues(expression, values, `${pointer}/${valuesMember}`, "condition");
  return {
    expression: withMissingRules(expression, values, profile),
    values,
    work,
    pointer: `${pointer}/conditionExpression`,
  };
}

/** The filter of a query or scan (gap `item-filter-grammar`). */
export function filterOf(body: JsonValue | undefined, profile: Profile): Condition | undefined {
  const filter = bodyMember(body, "filterExpression");
  if (filter === undefined) return undefined;
  const pointer = "/filterExpression";
  const expression = parsed(pointer, () =>
    readItemFilter(filter, { grammar: profile["item-filter-grammar"] }),
  );
  return {
    expression: withMissingRules(expression, undefined, profile),
    values: undefined,
    work: new EvaluationWork(),
    pointer,
  };
}

/** The filter of a repository query (gap `repository-filter-grammar`), with the values of its names. */
export function entityFilterOf(body: JsonValue | undefined, profile: Profile): Condition | undefined {
  const text = bodyMember(body, "filter");
  const values = bodyMember(body, "filterValues");
  if (typeof text !== "string") return undefined;
  const grammar = profile["repository-filter-grammar"] === "full" ? "full" : "field-equality";
  const expression = parsed("/filter", () => parseCondition(text, grammar));
  requireValues(expression, values, "/filterValues", "filter");
  return {
    expression: withMissingRules(expression, values, profile),
    values,
    work: new EvaluationWork(),
    pointer: "/filter",
  };
}

/**
 * Whether the condition holds for a stored item, or for a missing one.
 *
 * @throws a problem `validation-failed` for a condition that costs too much
 */
export function holds(condition: Condition, item: ItemRow | undefined): boolean {
  const { expression, values, work } = condition;
  // reading the item is a part of the work, and spares reading more of them when nothing is left
  withinWork(condition, () => work.spend(item?.bytes ?? 0));
  const subject = itemSubject(
    item === undefined
      ? undefined
      : {
          pk: item.pk,
          sk: item.sk === "" ? null : item.sk,
          data: readJson(item.data, { maxDepth: deepest }),
        },
  );
  return withinWork(condition, () => evaluate(expression, subject, values, work));
}

/** Does what evaluates a condition. @throws a problem `validation-failed` when that costs too much */
export function withinWork<Result>(
  { pointer }: Pick<Condition, "pointer">,
  evaluation: () => Result,
): Result {
  try {
    return evaluation();
  } catch (error) {
    if (error instanceof TooMuchToCompare) throw invalidBody(pointer, error.message);
    throw error;
  }
}

/** What is stored was within its bound when it was written; the bound may have changed since. */
export const deepest = 1000;

function requireValues(
  expression: Expression,
  values: JsonValue | undefined,
  pointer: string,
  user: "condition" | "filter",
): void {
  const missing = checkNamedValues(expression, values);
  if (missing.length > 0)
    throw invalidBody(pointer, `must have a value for ${missing.join(", ")}, used by the ${user}`);
}

function parsed(pointer: string, parse: () => Expression): Expression {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ExpressionError) throw invalidBody(pointer + (error.pointer ?? ""), error.message);
    throw error;
  }
}
