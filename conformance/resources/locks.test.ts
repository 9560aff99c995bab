import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Requirement } from "../target/requirements.js";
import { Locks } from "./locks.js";

const needs = fc.subarray<Requirement>(["create-databases", "invitations", "checkout", "database"]);

describe("Locks", () => {
  it("run every holder once, and never two holders of the same lock", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(needs, fc.nat(3), fc.boolean()), { maxLength: 12 }),
        async (works) => {
          const locks = new Locks();
          const running = new Set<readonly Requirement[]>();
          let done = 0;
          await Promise.allSettled(
            works.map(([own, turns, fails]) =>
              locks.withLocks(own, async () => {
                for (const others of running)
                  expect(own.filter((need) => need !== "database" && others.includes(need))).toEqual([]);
                running.add(own);
                for (let turn = 0; turn < turns; turn++) await Promise.resolve();
                running.delete(own);
                done++;
                if (fails) throw new Error("of its own");
              }),
            ),
          );
          expect(done).toBe(works.length);
        },
      ),
    );
  });
});
