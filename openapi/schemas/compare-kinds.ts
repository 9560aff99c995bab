import type { ReferenceObject, SchemaObject } from "openapi3-ts/oas31";

/** How a value in a response is compared between two deployments that got the same requests: `x-compare` of its schema. */
export const comparisonKinds = {
  equal: "Both sides have the same value.",
  opaque: "The values on the two sides correspond one to one: ids, tokens, cursors, links.",
  suffixed:
    "Both sides have the same value, or the same text up to the last hyphen, followed by a generated part.",
  time:
    "The instants in a history have the same order on both sides, and instants that are equal on one side are equal on " +
    "the other.",
  present:
    "Both sides have a value, and the values may differ: human-readable text, and numbers that change with every call.",
  lagging:
    "Both sides eventually have the same value. For a number that existed before the history, the increases are compared.",
  ordered: "A list in a documented order, compared entry by entry.",
  unordered: "A list without a documented order, compared as a collection.",
  data: "Data from clients, compared exactly, except for the order of fields.",
} as const;

export type ComparisonKind = keyof typeof comparisonKinds;

/** Adds to a schema how its values are compared. */
export function withComparisonKind<Schema extends SchemaObject | ReferenceObject>(
  kind: ComparisonKind,
  schema: Schema,
): Schema & { readonly "x-compare": ComparisonKind } {
  return { ...schema, "x-compare": kind };
}
