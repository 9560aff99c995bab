import fc from "fast-check";
import { expect, it } from "vitest";
import { exceedsJsonValueCount } from "./exceeds-json-value-count.js";

const bytes = (text: string) => new TextEncoder().encode(text);

/** Counts JSON values at every depth. An empty array or object counts as two values, and a field as three. */
function countValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  const inside = Object.values(value);
  const ofFields = Array.isArray(value) ? 0 : 2 * inside.length;
  return (
    1 + ofFields + (inside.length === 0 ? 1 : inside.reduce<number>((sum, one) => sum + countValues(one), 0))
  );
}

it("counts the values of any JSON text", () => {
  const json = fc.jsonValue({ maxDepth: 5, stringUnit: fc.constantFrom("\\", '"', ",", "[", "{", "a", "é") });
  fc.assert(
    fc.property(json, (value) => {
      const count = countValues(value);
      // long enough that it could contain more values
      const text = bytes(JSON.stringify(value) + " ".repeat(2 * count));
      expect([exceedsJsonValueCount(text, count), exceedsJsonValueCount(text, count - 1)]).toEqual([
        false,
        true,
      ]);
    }),
  );
});

it.each([
  ['"', false],
  ['"\\\\', false],
  ['["a', true],
  ['["\\\\"', true],
  [",,", true],
])("ends for %s, which is not JSON", (text, expected) => {
  expect(exceedsJsonValueCount(bytes(text), 1)).toBe(expected);
});
