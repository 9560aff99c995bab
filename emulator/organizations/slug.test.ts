import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findUnusedSlug, toSlug } from "./slug.js";

const form = /^[a-z0-9]+(-[a-z0-9]+)*$/;

describe("a slug", () => {
  it.each([
    ["Acme Tea", "acme-tea"],
    ["  ACME -- tea!  ", "acme-tea"],
    ["Crème Brûlée", "creme-brulee"],
    ["Straße & Æther", "strasse-aether"],
    ["İstanbul", "istanbul"],
    ["ﬁne ① ２", "fine-1-2"],
    ["日本語", "organization"],
    ["👍👍", "organization"],
  ])("of %j is %s", (name, slug) => {
    expect(toSlug(name)).toBe(slug);
  });

  it("of any name fits the contract, and finds a free suffix", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 100 }), fc.nat({ max: 3 }), (name, taken) => {
        let given = 0;
        const slug = findUnusedSlug(
          toSlug(name),
          () => given < taken,
          () => `suffix${(given += 1)}`,
        );
        expect(slug).toMatch(form);
        expect(slug.length).toBeLessThanOrEqual(120);
      }),
    );
  });

  it("of the longest name keeps its length with a suffix", () => {
    const slug = findUnusedSlug(
      "a".repeat(120),
      (each) => each.length === 120 && !each.includes("-"),
      () => "abcdef",
    );
    expect(slug).toBe(`${"a".repeat(113)}-abcdef`);
  });
});
