import { instantOf } from "../steps/instant-of.js";

/** Whether two values are the same timestamp, however each is spelled, or the same value where one is none. */
export function isSameInstant(one: unknown, other: unknown): boolean {
  const [first, second] = [instantOf(one), instantOf(other)];
  return first === undefined || second === undefined ? one === other : first === second;
}
