import { getTestAnswers } from "../../../openapi/gaps/register.js";
import type { CheckContext } from "../../check/context.js";

/** The members that may hold the values of a condition: the one that the target names, then those known. */
export function listMembersToTry(context: CheckContext): readonly string[] {
  const named = context.known("condition-values");
  return [...new Set([...(named === undefined ? [] : [named]), ...getTestAnswers("condition-values")])];
}
