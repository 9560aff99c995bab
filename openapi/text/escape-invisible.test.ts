import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeInvisible, escapeInvisibleInLines } from "./escape-invisible.js";

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom("\ufeff", "\u200b", "\u2066", "\u00a0", "\u009b", "\u001b", "\n", "\t", "\\", '"'),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  ),
});

describe("escapeInvisible", () => {
  it("leaves no character that a terminal interprets or hides, whatever a deployment sends", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const shown = escapeInvisible(text);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Bidi_Control}\ufe0f]|(?! )\p{Zs}/u);
        expect(escapeInvisibleInLines(text).replaceAll("\n", "\\u000a").replaceAll("\t", "\\u0009")).toBe(
          shown,
        );
      }),
    );
  });

  it("distinguishes texts that look the same", () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        const [one, other] = [a, b].map((text) => text.replaceAll("\\", ""));
        expect(escapeInvisible(one ?? "") === escapeInvisible(other ?? "")).toBe(one === other);
      }),
    );
  });

  it("leaves no line that a CI system reads as a command", () => {
    const units = ["::", "##[", "##vso[", "error", "]", " ", "\t", "\n", "\r", "\u00a0"];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...units)), (parts) => {
        const text = parts.join("");
        for (const line of [escapeInvisible(text), ...escapeInvisibleInLines(text).split("\n")])
          expect(line).not.toMatch(/^\s*::|##\w*\[/);
        expect(JSON.parse(escapeInvisibleInLines(JSON.stringify(text)))).toBe(text);
      }),
    );
  });

  it("leaves JSON unchanged", () => {
    fc.assert(
      fc.property(fc.dictionary(anyText, anyText), (value) => {
        expect(JSON.parse(escapeInvisibleInLines(JSON.stringify(value, null, 2)))).toEqual(value);
      }),
    );
  });

  it("shows the previous value, and leaves everything else unchanged", () => {
    const text = "a\u001b[2Jb\u009bc\u202ed\r\n\te \u00a0\ufeff\u{e0001}\u{1f600}é漢";
    expect(escapeInvisibleInLines(text)).toBe(
      "a\\u001b[2Jb\\u009bc\\u202ed\\u000d\n\te \\u00a0\\ufeff\\udb40\\udc01\u{1f600}é漢",
    );
    expect(escapeInvisible("a\nb")).toBe("a\\u000ab");
  });
});
