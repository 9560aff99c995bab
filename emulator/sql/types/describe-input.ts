import { JsonNumber, isJsonArray } from "../../json/json-value.js";
import { type InputValue, InputCollection } from "./codec.js";

/** The value in a message: short, with its kind to be seen. */
export function describeInput(given: InputValue): string {
  if (given === null) return "NULL";
  if (given instanceof Uint8Array) return "a BLOB literal";
  if (given instanceof InputCollection) return `a ${given.kind.toUpperCase()} literal`;
  if (given instanceof JsonNumber) return shorten(given.text);
  if (isJsonArray(given)) return "an array";
  if (typeof given === "object") return "an object";
  return shorten(JSON.stringify(given));
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
