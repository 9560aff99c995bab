import { describe, expect, it } from "vitest";
import type { Seed } from "../../fixtures/seed.js";
import { measureCostRatio } from "../testing/measure-cost-ratio.js";
import { completeSeed } from "./complete-seed.js";
import { SeedMistakes } from "./seed-error.js";

const numbers = (count: number) => Array.from({ length: count }, (_none, at) => at);
const addresses = (count: number) => numbers(count).map((at) => `user${at}@acme.test`);

describe("time in proportion to the seed", () => {
  it.each<[string, (count: number) => Seed]>([
    ["users, each the owner of an organization", (count) => ({ users: addresses(count) })],
    [
      "references to users",
      (count) => ({
        users: addresses(count),
        organizations: [{ name: "Acme", members: numbers(count).map((at) => `user${at}`) }],
      }),
    ],
    ["users with the same local part", (count) => ({ users: numbers(count).map((at) => `ada@${at}.test`) })],
    [
      "references to users that do not exist",
      (count) => ({
        users: addresses(count),
        organizations: numbers(count).map((at) => ({ name: `o${at}`, owner: `nobody${at}` })),
      }),
    ],
  ])("%s", (_name, build) => {
    const complete = (count: number) => {
      const seed = build(count);
      return () => {
        try {
          completeSeed(seed, new SeedMistakes("the seed"));
        } catch {
          // the mistakes are collected
        }
      };
    };
    expect(measureCostRatio(complete(500), complete(4000), 3)).toBeLessThan(24);
  });
});
