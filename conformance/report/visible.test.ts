import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visible } from "./visible.js";

describe("visible", () => {
  it("leaves no character that a terminal would obey, whatever a deployment says", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const shown = visible(text);
        expect(shown.replaceAll(/[\n\t]/g, "")).not.toMatch(/\p{Cc}/u);
        expect(shown).not.toMatch(/\p{Bidi_Control}/u);
      }),
    );
  });

  it("shows what stood there, and leaves everything else as it is", () => {
    expect(visible("a\u001b[2Jb\u009bc\u202ed\r\n\te \u{1f600}é")).toBe(
      "a\\u001b[2Jb\\u009bc\\u202ed\\u000d\n\te \u{1f600}é",
    );
  });
});
