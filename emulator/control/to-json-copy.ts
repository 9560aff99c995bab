import { appendPointer } from "../../openapi/validation/json-pointer.js";
import { createInvalidBodyProblem } from "../domain/problem.js";

/**
 * What arrives of a value that is sent as JSON: a copy, so that the caller may change theirs. Members without a value
 * are left out, and a date is its text. Numbers that JSON has not are kept, for the schema to refuse them by name.
 *
 * @throws a problem `validation-failed` for what JSON cannot carry
 */
export function toJsonCopy(value: unknown): unknown {
  return copy(value, "", new Set());
}

function copy(value: unknown, pointer: string, around: ReadonlySet<unknown>): unknown {
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) return value;
  if (typeof value !== "object")
    throw createInvalidBodyProblem(pointer, `must be JSON, not a ${typeof value}`);
  if (value instanceof Date) return value.toJSON();
  if (around.has(value))
    throw createInvalidBodyProblem(pointer, "must be JSON, but this value contains itself");
  const inside = new Set([...around, value]);
  if (Array.isArray(value))
    return value.map((entry: unknown, index) => copy(entry ?? null, appendPointer(pointer, index), inside));
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.map(([name, member]) => [name, copy(member, appendPointer(pointer, name), inside)]),
  );
}
