import { appendPointer } from "../../openapi/validation/json-pointer.js";

/** An object that is being written. */
interface Place {
  readonly object: unknown;
  readonly pointer: string;
}

/**
 * Writes a value as JSON, which omits fields without a value and turns a date into its text. What `JSON.stringify` would
 * leave out or turn into null is refused instead, because the value would then mean something else.
 *
 * @param refuse is told the JSON pointer to each such value, which is left out unless it throws
 */
export function stringifyStrictly(value: unknown, refuse: (pointer: string, detail: string) => void): string {
  /** The objects that contain the current value, outermost first. */
  const around: Place[] = [];
  return JSON.stringify(value, function (this: unknown, name: string, member: unknown) {
    while (around.length > 0 && around.at(-1)?.object !== this) around.pop();
    const parent = around.at(-1);
    const pointer = parent === undefined ? "" : appendPointer(parent.pointer, name);
    const isOmitted = member === undefined && parent !== undefined;
    const fault = isOmitted ? undefined : (findFault(name, around) ?? findFault(member, around));
    if (fault !== undefined) {
      refuse(pointer, fault);
      return undefined;
    }
    if (typeof member === "object") around.push({ object: member, pointer });
    return member;
  });
}

function findFault(value: unknown, around: readonly Place[]): string | undefined {
  if (value === undefined) return "must be JSON, not undefined";
  if (["function", "symbol", "bigint"].includes(typeof value)) return `must be JSON, not a ${typeof value}`;
  if (typeof value === "number" && !Number.isFinite(value))
    return `must be a valid JSON number, not ${value}`;
  if (typeof value === "string" && !value.isWellFormed()) return "contains half of a surrogate pair";
  return around.some(({ object }) => object === value)
    ? "must be JSON, but this value contains itself"
    : undefined;
}
