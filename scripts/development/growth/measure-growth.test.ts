import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isGrowthTooFast, growthFactors } from "./measure-growth.js";

const costs = (cost: (size: number) => number) => growthFactors.map((factor) => cost(1000 * factor));

describe("judging growth of costs", () => {
  it("accepts n log n at any speed, with ten percent noise", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-6, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        fc.array(fc.double({ min: 0.9, max: 1.1, noNaN: true }), { minLength: 4, maxLength: 4 }),
        (speed, fixed, disturbance) => {
          const measured = costs((size) => fixed + speed * size * Math.log(size));
          expect(
            isGrowthTooFast(
              measured.map((cost, at) => cost * (disturbance[at] ?? 1)),
              "n log n",
            ),
          ).toBe(false);
        },
      ),
    );
  });

  it("reports quadratic growth if it costs enough", () => {
    expect(
      isGrowthTooFast(
        costs((size) => 1e-6 * size ** 2),
        "n log n",
      ),
    ).toBe(true);
    expect(
      isGrowthTooFast(
        costs((size) => 1e-8 * size ** 2),
        "n log n",
      ),
    ).toBe(false);
  });

  it("reports linear growth where cost must be constant", () => {
    expect(
      isGrowthTooFast(
        costs((size) => 2 + 0.01 * size),
        "constant",
      ),
    ).toBe(true);
    expect(
      isGrowthTooFast(
        costs(() => 500),
        "constant",
      ),
    ).toBe(false);
  });
});
