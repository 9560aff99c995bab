import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Check } from "../check/check.js";
import type { Requirement } from "../target/requirements.js";
import { runConcurrently } from "./schedule.js";

const needs = fc.subarray<Requirement>(["create-databases", "invitations", "control-plane", "database"]);
const plan = fc
  .array(fc.record({ needs, alone: fc.boolean(), after: fc.array(fc.nat(30), { maxLength: 2 }) }), {
    maxLength: 20,
  })
  .map((drafts) =>
    drafts.map(({ needs: own, alone, after }, index): Check => ({
      id: `items/${index}`,
      title: "",
      clauses: [],
      needs: own,
      ...(alone ? { alone } : {}),
      after: after.filter((other) => other < index).map((other): Check["id"] => `items/${other}`),
      run: () => Promise.resolve(),
    })),
  );

/**
 * Runs checks that each take a few turns of the event loop; returns their order, and which checks ran at the same time.
 */
async function runAndObserveOrder(checks: readonly Check[], width: number) {
  const running = new Set<Check>();
  const ended: Check["id"][] = [];
  const met: (readonly [Check, Check])[] = [];
  let widest = 0;
  await runConcurrently(
    checks,
    width,
    async (check) => {
      expect(ended).toEqual(expect.arrayContaining([...(check.after ?? [])]));
      for (const other of running) met.push([check, other]);
      running.add(check);
      widest = Math.max(widest, running.size);
      for (let turn = 0; turn < check.id.length % 3; turn++) await Promise.resolve();
      running.delete(check);
      ended.push(check.id);
    },
    () => false,
  );
  return { ended, met, widest };
}

describe("runConcurrently", () => {
  it("runs each check once, after its dependencies, and never at the same time as one that disturbs it", async () => {
    await fc.assert(
      fc.asyncProperty(plan, fc.integer({ min: 1, max: 5 }), async (checks, width) => {
        const { ended, met, widest } = await runAndObserveOrder(checks, width);
        expect(ended.toSorted()).toEqual(checks.map(({ id }) => id).toSorted());
        expect(widest).toBeLessThanOrEqual(width);
        for (const [one, other] of met) {
          expect(one.alone ?? other.alone).toBeUndefined();
          expect([...one.needs, ...other.needs]).not.toContain("control-plane");
        }
      }),
    );
  });

  it("keeps the order with a concurrency of one", async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (checks) => {
        expect((await runAndObserveOrder(checks, 1)).ended).toEqual(checks.map(({ id }) => id));
      }),
    );
  });

  it("starts no further check when stopped", async () => {
    const begun: string[] = [];
    const checks = (["a", "b", "c"] as const).map((name): Check => ({
      id: `items/${name}`,
      title: "",
      clauses: [],
      needs: [],
      run: () => Promise.resolve(),
    }));
    await runConcurrently(
      checks,
      1,
      (check) => {
        begun.push(check.id);
        return Promise.resolve();
      },
      () => begun.length > 1,
    );
    expect(begun).toEqual(["items/a", "items/b"]);
  });
});
