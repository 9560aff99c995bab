import fc from "fast-check";
import { expect, it } from "vitest";
import { replaceLetter } from "./wrong-credentials.js";

it("alters a text into one that differs in more than the case of a letter", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.nat(), (text, letter) => {
      const at = letter % text.length;
      const altered = replaceLetter(text, at);
      expect(altered).toHaveLength(text.length);
      expect(altered[at]?.toLowerCase()).not.toBe(text[at]?.toLowerCase());
    }),
    {
      examples: [
        ["a", 0],
        ["A", 0],
        ["6ba7b810", 2],
      ],
    },
  );
});
