import { attributePaths } from "./attribute-paths.js";
import type { Expression } from "./expression.js";

/** The first names of all paths in the expression: nothing else of a subject can make a difference to it. */
export function attributeNames(expression: Expression): ReadonlySet<string> {
  return new Set(attributePaths(expression).map(([name]) => name));
}
