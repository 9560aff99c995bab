import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Choice, coveringArray } from "./covering-array.js";

const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 9 });

/** All pairs of values of two factors. */
function pairs(given: readonly number[]): readonly (readonly [Choice, Choice])[] {
  const choices = given.flatMap((size, factor) =>
    Array.from({ length: size }, (_, value): Choice => ({ factor, value })),
  );
  return choices.flatMap((one) =>
    choices.filter((other) => other.factor > one.factor).map((other) => [one, other] as const),
  );
}

describe("coveringArray", () => {
  it("has every pair of values in some row, and only values that there are", () => {
    fc.assert(
      fc.property(sizes, fc.nat(), (given, seed) => {
        const rows = coveringArray(given, { seed });
        for (const row of rows) {
          expect(row).toHaveLength(given.length);
          row.forEach((value, factor) => expect(value).toBeLessThan(given[factor] ?? 0));
        }
        for (const [one, other] of pairs(given))
          expect(rows.some((row) => row[one.factor] === one.value && row[other.factor] === other.value)).toBe(
            true,
          );
      }),
    );
  });

  it("leaves out pairs that must not occur, and those alone", () => {
    fc.assert(
      fc.property(sizes, fc.nat(), (given, seed) => {
        // the last values of the first two factors exclude each other
        const isForbidden = (one: Choice, other: Choice) =>
          [one, other].every(
            ({ factor, value }) => factor < 2 && value === (given[factor] ?? 0) - 1 && value > 0,
          );
        const rows = coveringArray(given, { seed, allows: (one, other) => !isForbidden(one, other) });
        for (const [one, other] of pairs(given))
          expect(rows.some((row) => row[one.factor] === one.value && row[other.factor] === other.value)).toBe(
            !isForbidden(one, other),
          );
      }),
    );
  });

  it("is the same for the same seed, and not much longer than the two largest factors ask for", () => {
    const given = Array.from({ length: 60 }, (_, factor) => 2 + (factor % 3));
    const rows = coveringArray(given, { seed: 1 });
    expect(coveringArray(given, { seed: 1 })).toEqual(rows);
    expect(rows.length).toBeLessThan(4 * 4 * 4);
  });
});
