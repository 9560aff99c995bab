import { describe, expect, it } from "vitest";
import type { Seed } from "../../fixtures/seed.js";
import { loadSqlite } from "../sqlite/sqlite.js";
import { measureCostRatio } from "../testing/measure-cost-ratio.js";
import { openFixture } from "./starting-state.js";

const sqlite = await loadSqlite();

const numbers = (count: number) => Array.from({ length: count }, (_none, at) => at);
const addresses = (count: number) => numbers(count).map((at) => `user${at}@acme.test`);

describe("time in proportion to the seed", () => {
  it.each<[string, (count: number) => Seed]>([
    ["users, each the owner of an organization", (count) => ({ users: addresses(count) })],
    [
      "references to users",
      (count) => ({
        users: addresses(count),
        organizations: [
          { name: "Acme", plan: "enterprise", members: numbers(count).map((at) => `user${at}`) },
        ],
      }),
    ],
    ["users with the same local part", (count) => ({ users: numbers(count).map((at) => `ada@${at}.test`) })],
    [
      "organizations with the same name",
      (count) => ({ users: ["ada@acme.test"], organizations: numbers(count).map(() => "Acme") }),
    ],
    [
      "references to users that do not exist",
      (count) => ({
        users: addresses(count),
        organizations: numbers(count).map((at) => ({ name: `o${at}`, owner: `nobody${at}` })),
      }),
    ],
  ])("%s", (_name, build) => {
    const open = (count: number) => {
      const seed = build(count);
      return () => {
        try {
          openFixture(sqlite, seed);
        } catch {
          // the mistakes are collected
        }
      };
    };
    expect(measureCostRatio(open(100), open(800), 2)).toBeLessThan(24);
  });
});
