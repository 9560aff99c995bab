import type { JsonValue } from "../json/json-value.js";
import { timestamp } from "../time/timestamp.js";

/** An object of those members that have a value. */
export function described(
  members: readonly (readonly [name: string, value: JsonValue | undefined])[],
): JsonValue {
  return new Map(members.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

/** The value, unless it is the usual one. */
export function unless<Value extends JsonValue>(
  usual: JsonValue | undefined,
  value: Value,
): Value | undefined {
  return value === usual ? undefined : value;
}

/** A time, unless it is the usual one. */
export function timeUnless(usual: number | null, time: number | null): string | undefined {
  return time === null || time === usual ? undefined : timestamp(time);
}

/** A list, unless it is empty. */
export function listOf(values: readonly JsonValue[]): readonly JsonValue[] | undefined {
  return values.length === 0 ? undefined : values;
}
