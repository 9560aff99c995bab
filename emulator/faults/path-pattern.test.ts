import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measureCostRatio } from "../testing/measure-cost-ratio.js";
import { compilePathPattern } from "./path-pattern.js";

describe("the path of a fault rule", () => {
  it.each([
    ["/health", "/health", true],
    ["/health", "/health/ready", false],
    ["/health/*", "/health/ready", true],
    ["/health/*", "/health", false],
    ["/health/**", "/health", true],
    ["/**", "/api/v1/databases/db_demo/items", true],
    ["/api/**/items", "/api/v1/databases/db_demo/items", true],
    ["/api/**/items/**", "/api/v1/databases/db/items/a/b", true],
    ["/api/*/items", "/api/v1/databases/items", false],
    ["/items/customer#*", "/items/customer%2317", true],
    ["/items/customer%23*", "/items/customer%2317", true],
    ["/items/a%2Fb", "/items/a/b", false],
    ["/items/a%2Fb", "/items/a%2fb", true],
    ["/items/*b*d", "/items/abcd", true],
    ["/items/*b*d", "/items/abdc", false],
    ["/items/%2A", "/items/x", false],
    ["/items/%2A", "/items/*", true],
  ])("%s and %s: %s", (pattern, path, fits) => {
    expect(compilePathPattern(pattern)(path)).toBe(fits);
  });

  it("matches like a regular expression with the same wildcards", () => {
    const text = fc
      .string({ unit: fc.constantFrom("a", "b", "/", "*"), maxLength: 8 })
      .map((rest) => `/${rest}`);
    fc.assert(
      fc.property(text, text, (pattern, path) => {
        const plain = path.replaceAll("*", "c");
        const expression = pattern
          .split("/")
          .slice(1)
          .map((segment) => (segment === "**" ? "(/[^/]*)*" : `/${segment.replaceAll("*", "[^/]*")}`))
          .join("");
        expect(compilePathPattern(pattern)(plain)).toBe(new RegExp(`^${expression}$`).test(plain));
      }),
    );
  });

  it("takes time proportional to the pattern plus the path", () => {
    const work = (size: number) => {
      const matches = compilePathPattern(`/*${"a".repeat(size / 8)}b*`);
      const path = `/${"a".repeat(size)}`;
      return () => matches(path);
    };
    expect(work(256)()).toBe(false);
    // pattern and path are both four times as long; trying every segment at every position would take 16 times as long
    expect(measureCostRatio(work(4096), work(16_384))).toBeLessThan(10);
  });
});
