import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growsTooFast, growthFactors } from "./measure-growth.js";

const costs = (cost: (size: number) => number) => growthFactors.map((factor) => cost(1000 * factor));

describe("the verdict on costs that grow", () => {
  it("lets n log n pass at any speed, with a tenth more or less", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-6, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        fc.array(fc.double({ min: 0.9, max: 1.1, noNaN: true }), { minLength: 4, maxLength: 4 }),
        (speed, fixed, disturbance) => {
          const measured = costs((size) => fixed + speed * size * Math.log(size));
          expect(
            growsTooFast(
              measured.map((cost, at) => cost * (disturbance[at] ?? 1)),
              "n log n",
            ),
          ).toBe(false);
        },
      ),
    );
  });

  it("reports squares as soon as they cost enough", () => {
    expect(
      growsTooFast(
        costs((size) => 1e-6 * size ** 2),
        "n log n",
      ),
    ).toBe(true);
    expect(
      growsTooFast(
        costs((size) => 1e-8 * size ** 2),
        "n log n",
      ),
    ).toBe(false);
  });

  it("reports a line where nothing may grow, and no constant", () => {
    expect(
      growsTooFast(
        costs((size) => 2 + 0.01 * size),
        "constant",
      ),
    ).toBe(true);
    expect(
      growsTooFast(
        costs(() => 500),
        "constant",
      ),
    ).toBe(false);
  });
});
