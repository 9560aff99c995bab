import fc from "fast-check";
import { isLosslessNumber } from "lossless-json";
import { JsonText } from "../client/json-text.js";

/** What an input of a property is called; an input of several parts has a name for each. */
export type InputName = string | readonly InputName[];

/** One input of a failure. */
export interface Input {
  readonly name: string;
  /** The value, as it would be written in JavaScript; numbers with the digits that are sent. */
  readonly value: string;
}

/** The inputs of a property with their names; a list of names goes with a list of parts. */
export function nameInputs(names: InputName, value: unknown): readonly Input[] {
  if (typeof names === "string") return [{ name: names, value: fc.stringify(showInput(value)) }];
  const parts = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return names.flatMap((name, index) => nameInputs(name, parts[index]));
}

/** The value with what is sent in place of what only the suite works with. */
function showInput(value: unknown): unknown {
  if (value instanceof JsonText) return readSpelling(value.text);
  if (isLosslessNumber(value)) return readSpelling(value.value);
  if (Array.isArray(value)) return value.map(showInput);
  if (typeof value !== "object" || value === null || !isPlain(value)) return value;
  // a value of SQL beside the form in which it is compared
  if ("canonical" in value && "json" in value) return readSpelling(String(value.json));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, showInput(member)]));
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !(fc.toStringMethod in value);
}

/** Something that is printed as the text. */
function readSpelling(text: string): unknown {
  return { [fc.toStringMethod]: () => text };
}
