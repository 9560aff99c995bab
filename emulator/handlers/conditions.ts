import type { Profile } from "../../openapi/gaps/profile.js";
import { createItemResolver, evaluateExpression } from "../expressions/evaluate.js";
import { EvaluationBudget, EvaluationLimitError } from "../expressions/evaluation-budget.js";
import { type Expression, ExpressionError } from "../expressions/expression.js";
import { applyMissingAttributeRules } from "../expressions/missing-attributes.js";
import { findMissingNamedValues } from "../expressions/operands.js";
import { parseCondition } from "../expressions/parse-condition.js";
import { parseFilterObject } from "../expressions/parse-filter-object.js";
import { countFieldsAndCollections } from "../json/compact-reader.js";
import { getField, isJsonObject, type JsonValue } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import { createInvalidBodyProblem } from "../domain/problem.js";
import type { ItemRow } from "../store/items.js";
import { getBodyField } from "./body-field.js";

/** A parsed expression, and the values of its names. */
export interface ParsedCondition {
  readonly expression: Expression;
  readonly values: JsonValue | undefined;
  /** The cost limit for all evaluations of the request. */
  readonly work: EvaluationBudget;
  /** JSON pointer to the expression in the body. */
  readonly pointer: string;
}

/**
 * Parses the condition of a put, or of an entry of a batch or transaction.
 *
 * @param object the object that contains `conditionExpression` and the values
 * @param pointer JSON pointer to this object
 * @param work the cost limit for all conditions of the request
 * @throws a problem `validation-failed`
 */
export function parseItemCondition(
  object: JsonValue | undefined,
  pointer: string,
  profile: Profile,
  work = new EvaluationBudget(),
): ParsedCondition | undefined {
  const text = getBodyField(object, "conditionExpression");
  if (typeof text !== "string") return undefined;
  const valuesField = profile["condition-values"];
  const values = getBodyField(object, valuesField);
  const location = `${pointer}/conditionExpression`;
  const expression = parseAt(location, () => parseCondition(text, profile["condition-grammar"], valuesField));
  requireValues(expression, values, `${pointer}/${valuesField}`, "condition");
  return toParsedCondition(location, expression, values, profile, work);
}

/** Parses the filter of a query or scan (gap `item-filter-grammar`). */
export function parseItemFilter(body: JsonValue | undefined, profile: Profile): ParsedCondition | undefined {
  const filter = getBodyField(body, "filterExpression");
  if (filter === undefined) return undefined;
  const pointer = "/filterExpression";
  const expression = parseAt(pointer, () => parseFilterObject(filter, profile["item-filter-grammar"]));
  return toParsedCondition(pointer, expression, undefined, profile);
}

/** Parses the filter of a repository query (gap `repository-filter-grammar`). */
export function parseEntityFilter(
  body: JsonValue | undefined,
  profile: Profile,
): ParsedCondition | undefined {
  const text = getBodyField(body, "filter");
  const values = getBodyField(body, "filterValues");
  if (typeof text !== "string") return undefined;
  const grammar = profile["repository-filter-grammar"] === "full" ? "full" : "field-equality";
  const expression = parseAt("/filter", () => parseCondition(text, grammar));
  requireValues(expression, values, "/filterValues", "filter");
  return toParsedCondition("/filter", expression, values, profile);
}

function toParsedCondition(
  pointer: string,
  expression: Expression,
  values: JsonValue | undefined,
  profile: Profile,
  work = new EvaluationBudget(),
): ParsedCondition {
  return { expression: applyMissingAttributeRules(expression, profile), values, work, pointer };
}

/** Whether the condition is true for an item, or for a missing item. @throws a problem `validation-failed` if it costs too much */
export function isConditionTrue(
  condition: ParsedCondition,
  item: ItemRow | undefined,
  parsingBytes = item === undefined ? 0 : countParsingBytes(item),
): boolean {
  const { expression, values, work } = condition;
  return runWithinEvaluationLimit(condition, () => {
    work.spendOnParsing(parsingBytes);
    const resolvePath = createItemResolver(
      item && {
        pk: item.pk,
        sk: item.sk === "" ? null : item.sk,
        data: parseJson(item.data, { maxDepth: maxStoredDepth }),
      },
    );
    return evaluateExpression(expression, { resolvePath, values, work });
  });
}

/** As many bytes cost as much to parse as a field, an array or an object of a large item. */
const bytesOfField = 16;

/** The fields of smaller items cost less, and counting them would cost more than it is worth. */
const minCountedBytes = 4096;

/** Returns how many bytes of text without fields would cost as much to parse as the item. */
export function countParsingBytes({ data, bytes }: ItemRow): number {
  return bytes < minCountedBytes ? bytes : Math.max(bytes, bytesOfField * countFieldsAndCollections(data));
}

/** Runs an evaluation. @throws a problem `validation-failed` if it costs too much */
export function runWithinEvaluationLimit<Result>(
  { pointer }: Pick<ParsedCondition, "pointer">,
  evaluation: () => Result,
): Result {
  try {
    return evaluation();
  } catch (error) {
    if (error instanceof EvaluationLimitError) throw createInvalidBodyProblem(pointer, error.message);
    throw error;
  }
}

/** Maximum nesting of stored data. It is more than a request may have, because that limit may have changed. */
export const maxStoredDepth = 1000;

function requireValues(
  expression: Expression,
  values: JsonValue | undefined,
  pointer: string,
  user: "condition" | "filter",
): void {
  const missing = findMissingNamedValues(expression, values);
  if (missing.length === 0) return;
  const bare = missing.find((name) => isJsonObject(values) && getField(values, name.slice(1)) !== undefined);
  throw createInvalidBodyProblem(
    pointer,
    `must have a value for ${missing.join(", ")}, which the ${user} uses` +
      (bare === undefined ? "" : `; name the value ${bare}, not ${bare.slice(1)}`),
  );
}

function parseAt(pointer: string, parse: () => Expression): Expression {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ExpressionError)
      throw createInvalidBodyProblem(pointer + (error.location.pointer ?? ""), error.message);
    throw error;
  }
}
