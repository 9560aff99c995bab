import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IdGenerator } from "./id-generator.js";

const take = (ids: IdGenerator, count: number) => Array.from({ length: count }, () => ids.next("db"));

describe("IdGenerator", () => {
  it("[GEN-02] returns strings with the prefix and the requested number of characters", () => {
    const ids = new IdGenerator(1);
    expect(ids.next("db")).toMatch(/^db_[0-9a-z]{16}$/);
    expect(ids.next("rt", 32)).toMatch(/^rt_[0-9a-z]{32}$/);
  });

  it("never repeats itself", () => {
    expect(new Set(take(new IdGenerator(1), 10_000)).size).toBe(10_000);
  });

  it("gives the same ids for the same seed and different ones for another", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (one, other) => {
        expect(take(new IdGenerator(one), 5)).toEqual(take(new IdGenerator(one), 5));
        if (one !== other)
          expect(
            take(new IdGenerator(one), 5).filter((id) => take(new IdGenerator(other), 5).includes(id)),
          ).toEqual([]);
      }),
    );
  });

  it("continues its count after a restart", () => {
    const whole = take(new IdGenerator(7), 6);
    const first = new IdGenerator(7);
    take(first, 3);
    expect(take(new IdGenerator(7, first.count), 3)).toEqual(whole.slice(3));
  });
});
