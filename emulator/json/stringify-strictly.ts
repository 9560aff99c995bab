import { appendPointer } from "../../openapi/validation/json-pointer.js";

/** An object that is being written. */
interface OpenObject {
  readonly object: unknown;
  readonly pointer: string;
}

/**
 * Writes a value as JSON. Fields that are undefined are omitted, and dates become text. All other values that
 * `JSON.stringify` would omit, empty or turn into null are refused, because that would change the meaning.
 *
 * @param refuse is called with the JSON pointer to each refused value, which is omitted unless `refuse` throws
 */
export function stringifyStrictly(value: unknown, refuse: (pointer: string, detail: string) => void): string {
  /** The objects that contain the current value, outermost first. */
  const ancestors: OpenObject[] = [];
  return JSON.stringify(value, function (this: unknown, name: string, member: unknown) {
    while (ancestors.length > 0 && ancestors.at(-1)?.object !== this) ancestors.pop();
    const parent = ancestors.at(-1);
    const pointer = parent === undefined ? "" : appendPointer(parent.pointer, name);
    const isOmitted = member === undefined && parent !== undefined && !Array.isArray(this);
    const { [name]: given } = this as Record<string, unknown>;
    const mistake = isOmitted
      ? undefined
      : (findMistake(name, ancestors) ?? findMistake(member, ancestors, given));
    if (mistake !== undefined) {
      refuse(pointer, mistake);
      return undefined;
    }
    if (typeof member === "object") ancestors.push({ object: member, pointer });
    return member;
  });
}

/** At most as deep as the parsers of JSON read. */
const maxDepth = 1000;

/** @param given the value before its conversion by `toJSON` */
function findMistake(
  value: unknown,
  ancestors: readonly OpenObject[],
  given: unknown = value,
): string | undefined {
  if (value === null && given !== null) return "must be JSON, not a value such as an invalid date";
  if (value === undefined) return "must be JSON, not undefined";
  if (["function", "symbol", "bigint"].includes(typeof value)) return `must be JSON, not a ${typeof value}`;
  const type = Object.prototype.toString.call(value).slice(8, -1);
  if (type === "Map" || type === "Set") return `must be JSON, not a ${type}`;
  if (typeof value === "number" && !Number.isFinite(value))
    return `must be a valid JSON number, not ${value}`;
  if (typeof value === "string" && !value.isWellFormed()) return "contains half of a surrogate pair";
  if (ancestors.length >= maxDepth && typeof value === "object" && value !== null)
    return `is nested more than ${maxDepth} levels deep`;
  return ancestors.some(({ object }) => object === value)
    ? "must be JSON, but this value contains itself"
    : undefined;
}
