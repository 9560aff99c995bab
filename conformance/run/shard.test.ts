import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Check } from "../check/check.js";
import { preconditionChecks } from "../checks/preconditions.js";
import { checks as allChecks } from "../checks/register.js";
import { selectShard, parseShard } from "./shard.js";

/** Checks that may depend on earlier ones. */
const someChecks = fc
  .array(fc.array(fc.nat(200), { maxLength: 2 }), { minLength: 1, maxLength: 40 })
  .map((given) =>
    given.map((after, n): Check => ({
      id: `items/check-${n}`,
      title: "",
      clauses: [],
      needs: [],
      ...(n === 0 || after.length === 0
        ? {}
        : { after: after.map((one): Check["id"] => `items/check-${one % n}`) }),
      run: () => Promise.resolve(),
    })),
  );

const listIds = (checks: readonly Check[]) => checks.map(({ id }) => id);

describe("shards", () => {
  it("contain every check once, with the checks it depends on, in order", () => {
    fc.assert(
      fc.property(someChecks, fc.integer({ min: 1, max: 6 }), (checks, count) => {
        const shards = Array.from({ length: count }, (_, n) => selectShard(checks, { index: n + 1, count }));
        expect(shards.flatMap(listIds).sort()).toEqual(listIds(checks).sort());
        for (const shard of shards) {
          const ids = listIds(shard);
          expect(listIds(checks.filter((check) => shard.includes(check)))).toEqual(ids);
          for (const { after = [] } of shard) for (const other of after) expect(ids).toContain(other);
        }
      }),
    );
  });

  it("get about equal work, and each runs the preconditions", () => {
    const loads = [1, 2, 3, 4].map((index) => {
      const mine = selectShard(allChecks, { index, count: 4 });
      expect(mine).toEqual(expect.arrayContaining([...preconditionChecks]));
      return mine.length;
    });
    expect(Math.max(...loads) / Math.min(...loads)).toBeLessThan(1.05);
  });

  it("parse what they print, and nothing else", () => {
    expect(parseShard("2/4")).toEqual({ index: 2, count: 4 });
    for (const wrong of ["0/4", "5/4", "2", "2/", "1/0", "-1/4", "2/4/6", "a/b"])
      expect(() => parseShard(wrong), wrong).toThrow("is not a shard");
  });
});
