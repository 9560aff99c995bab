import { appendPointer } from "../../openapi/validation/json-pointer.js";
import { createInvalidBodyProblem } from "../domain/problem.js";

/**
 * Copies a value as if it were sent as JSON, so that the caller may change the original. Fields without a value
 * are omitted, and a date becomes its text. Numbers that JSON does not have are kept, so that the schema refuses them.
 *
 * @throws a problem `validation-failed` for values that JSON cannot represent
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
