import { getSampleAnswers } from "../../../openapi/gaps/register.js";
import type { CheckContext } from "../../check/context.js";

/** Lists the fields that may contain the values of a condition: the field that the target names, then the known fields. */
export function listConditionValueFields(context: CheckContext): readonly string[] {
  const named = context.known("condition-values");
  return [...new Set([...(named === undefined ? [] : [named]), ...getSampleAnswers("condition-values")])];
}
