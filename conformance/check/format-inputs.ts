import fc from "fast-check";
import { isLosslessNumber } from "lossless-json";
import { JsonText } from "../client/json-text.js";

/** One input of a failure. */
export interface Input {
  readonly name: string;
  /** The value in JavaScript notation; numbers have the digits that are sent. */
  readonly value: string;
}

/** Formats the inputs of a property. */
export function formatInputs(inputs: object): readonly Input[] {
  return Object.entries(inputs).map(([name, value]: [string, unknown]) => ({
    name,
    value: fc.stringify(showInput(value)),
  }));
}

/** Replaces the suite's own representation of a value with the value that is sent. */
function showInput(value: unknown): unknown {
  if (value instanceof JsonText) return readSpelling(value.text);
  if (isLosslessNumber(value)) return readSpelling(value.value);
  if (Array.isArray(value)) return value.map(showInput);
  if (typeof value !== "object" || value === null || !isPlain(value)) return value;
  // An SQL value, with the form in which the suite compares it.
  if ("canonical" in value && "json" in value) return readSpelling(String(value.json));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, showInput(member)]));
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !(fc.toStringMethod in value);
}

/** An object that is printed as the given text. */
function readSpelling(text: string): unknown {
  return { [fc.toStringMethod]: () => text };
}
