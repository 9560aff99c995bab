import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxTime, formatTimestamp } from "./timestamp.js";

describe("timestamp", () => {
  it("[GEN-01] writes every time from 1970 to 9999 as ISO 8601 in UTC", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: maxTime }), { minLength: 1, maxLength: 5 }), (times) => {
        for (const time of times) expect(formatTimestamp(time)).toBe(new Date(time).toISOString());
      }),
      { examples: [[[0, 86_399_999, 86_400_000]], [[maxTime]]] },
    );
  });
});
