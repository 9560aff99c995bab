import { isJsonArray, JsonNumber, type JsonValue } from "../json/json-value.js";
import type { KeyContent } from "./field-keys.js";

/** What a key holds, or what is wrong with it. */
export type LeafContent = { readonly value: unknown } | { readonly mistake: string };

/** Reads the content of a key that holds no definitions and no pattern. */
export function readLeaf(
  content: Exclude<KeyContent, "definition" | "fields" | "pattern">,
  value: JsonValue,
): LeafContent {
  switch (content) {
    case "type":
    case "value":
      return { value };
    case "flag":
      if (typeof value === "boolean") return { value };
      return { mistake: `must be true or false, not ${nameOfValue(value)}` };
    case "number": {
      const number = numberOf(value);
      return number === undefined
        ? { mistake: `must be a number, not ${nameOfValue(value)}` }
        : { value: number };
    }
    case "count": {
      const count = numberOf(value);
      if (count !== undefined && Number.isSafeInteger(count) && count >= 0) return { value: count };
      return { mistake: `must be a whole number from 0 on, not ${nameOfValue(value)}` };
    }
  }
}

/** A value of JSON in words, for messages. */
export function nameOfValue(value: JsonValue): string {
  if (value === null) return "null";
  if (typeof value === "string") return value.length > 40 ? "a string" : JSON.stringify(value);
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number") return `the number ${value}`;
  if (value instanceof JsonNumber) return `the number ${value.text}`;
  return isJsonArray(value) ? "an array" : "an object";
}

/** The number that a value of JSON is, as a double; nothing for other values. */
function numberOf(value: JsonValue): number | undefined {
  if (typeof value === "number") return value;
  return value instanceof JsonNumber ? value.value : undefined;
}
