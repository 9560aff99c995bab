import { describe } from "../check/context.js";
import type { ObserverContext } from "./observer-context.js";

/** An object of an answer, of which no member is taken for granted. */
export type Shown = Readonly<Record<string, unknown>>;

/**
 * A value that has to be an object for anything to be seen.
 *
 * @throws Undecided where it is something else, or nothing
 */
export function objectIn(context: ObserverContext, value: unknown, what: string): Shown {
  return isShown(value) ? value : context.undecided(`${what} is ${describe(value)}, not an object`);
}

/**
 * A value that has to be an array of objects for anything to be seen.
 *
 * @throws Undecided where it is something else
 */
export function objectsIn(context: ObserverContext, value: unknown, what: string): readonly Shown[] {
  return Array.isArray(value) && value.every(isShown)
    ? value
    : context.undecided(`${what} are ${describe(value)}, not an array of objects`);
}

function isShown(value: unknown): value is Shown {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
