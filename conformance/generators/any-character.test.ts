import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "./any-character.js";

describe("any character", () => {
  it("is any code point, and sometimes spells JavaScript names", () => {
    const drawn = fc.sample(anyCharacter, { numRuns: 500, seed: 1 });
    expect(drawn.every((one) => one.isWellFormed() && Array.from(one).length === 1)).toBe(true);
    expect(new Set(drawn.map((one) => (one.codePointAt(0) ?? 0) >> 16)).size).toBe(17);
    const texts = fc.sample(fc.string({ unit: anyCharacter, size: "+1" }), { numRuns: 500, seed: 1 });
    expect(texts.join("")).toContain("__proto__");
  });

  it("is often invisible at the beginning or end of a text", () => {
    const texts = fc.sample(fc.string({ unit: anyCharacter, minLength: 1 }), { numRuns: 1000, seed: 1 });
    for (const unseen of [/^\ufeff/, /\ufeff$/, /^\u200b/, /\u202e$/, /^\u00a0/, /\u001b$/])
      expect(texts.some((text) => unseen.test(text))).toBe(true);
  });

  it("shrinks to a letter", () => {
    const { counterexample } = fc.check(
      fc.property(fc.string({ unit: anyCharacter }), (text) => Array.from(text).length < 3),
      {
        numRuns: 1000,
        seed: 1,
      },
    );
    expect(counterexample).toEqual(["aaa"]);
  });

  it.each(["", "ab", "\ud800", "\udfff", 1])("is not %j", (other) => {
    expect(anyCharacter.canShrinkWithoutContext(other)).toBe(false);
  });

  it.each(["\0", "a", "\ud7ff", "\ue000", "\uffff", "\u{10000}", "\u{10ffff}"])("may be %j", (character) => {
    expect(anyCharacter.canShrinkWithoutContext(character)).toBe(true);
  });
});
