import fc from "fast-check";
import { expect, it } from "vitest";
import { getChangeTime } from "./get-change-time.js";

it("each change has a later time, however many there are in a millisecond", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(2), { minLength: 2, maxLength: 100 }), (steps) => {
      let now = 1_893_456_000_000;
      let last = now;
      for (const step of steps) {
        now += step;
        const time = getChangeTime(last, now);
        expect(time).toBeGreaterThan(last);
        expect(time).toBeGreaterThanOrEqual(now);
        last = time;
      }
    }),
  );
});

it("a change after the clock was set back has the time of the clock", () => {
  expect(getChangeTime(1_893_456_000_000, 1_893_452_400_000)).toBe(1_893_452_400_000);
});
