import type { ReferenceObject, SchemaObject } from "openapi3-ts/oas31";

/** How a value of an answer is compared between two deployments that were asked the same: `x-compare` of its schema. */
export const compareKinds = {
  equal: "Both have the same value.",
  opaque: "The values of one side correspond one to one to those of the other: ids, tokens, cursors, links.",
  suffixed:
    "Both have the same value, or the same beginning up to the last hyphen, behind which each has made up something of its own.",
  time: "The instants of a history are in the same order on both sides, and those that are equal on one are on the other.",
  present: "Both have a value, whatever it is: prose, and figures that no two calls have in common.",
  lagging:
    "Both have the same value after a while. A figure that was there before the history counts by its growth.",
  ordered: "A list in a documented order: entry by entry.",
  unordered: "A list in no documented order: as a collection.",
  data: "What clients have given: exactly, the order of members aside.",
} as const;

export type CompareKind = keyof typeof compareKinds;

/** The schema with the way its values are compared. */
export function compareAs<Schema extends SchemaObject | ReferenceObject>(
  kind: CompareKind,
  schema: Schema,
): Schema & { readonly "x-compare": CompareKind } {
  return { ...schema, "x-compare": kind };
}
