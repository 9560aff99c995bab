import { isPlainJsonText } from "./is-plain-json-text.js";
import type { JsonValue } from "./json-value.js";
import { LosslessReader } from "./lossless-reader.js";

/** How much `readJson` takes. */
export interface ReadJsonOptions {
  /** The deepest nesting of arrays and objects; `[]` is one level. At most 1,000, which no stack minds. */
  readonly maxDepth: number;
}

/**
 * Reads a JSON text without losing anything that `JSON.parse` loses: order of members, spelling of numbers.
 * Where a cheap look at the text proves `JSON.parse` equal, it does the work and the result is plain objects.
 * Of members with the same name the last wins.
 *
 * @throws {JsonError} (json-error.ts) for text that is no JSON, for nesting beyond `maxDepth`, for numbers outside a double's
 * range, and for lone surrogates in strings and names
 */
export function readJson(text: string, options: ReadJsonOptions): JsonValue {
  if (isPlainJsonText(text, options.maxDepth)) {
    try {
      return JSON.parse(text) as JsonValue;
    } catch {
      // not JSON: the reader below finds the same fault and words it with its place
    }
  }
  return new LosslessReader(text, options.maxDepth).read();
}
