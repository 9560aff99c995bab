import { jsonEqual } from "../json/compare-json.js";
import { readJson } from "../json/read-json.js";
import { deepest } from "./conditions.js";

/** Whether two texts of stored data mean the same, in whatever order their members come. */
export function isSameData(a: string, b: string): boolean {
  return a === b || jsonEqual(readJson(a, { maxDepth: deepest }), readJson(b, { maxDepth: deepest }));
}
