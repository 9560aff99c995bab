import { isJsonEqual } from "../json/compare-json.js";
import { parseJson } from "../json/parse-json.js";
import { maxFilterDepth } from "./conditions.js";

/** Whether two texts of stored data mean the same, in whatever order their members come. */
export function isSameData(a: string, b: string): boolean {
  return (
    a === b ||
    isJsonEqual(parseJson(a, { maxDepth: maxFilterDepth }), parseJson(b, { maxDepth: maxFilterDepth }))
  );
}
