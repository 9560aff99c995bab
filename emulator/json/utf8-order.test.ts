import fc from "fast-check";
import { expect, it } from "vitest";
import { compareUtf8 } from "./utf8-order.js";

it("orders strings like their UTF-8 bytes", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom("a", "\uD7FF", "\uE000", "\uFFFF", "\u{10000}", "\u{10FFFF}", "\0") }),
  );
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
    { numRuns: 2000 },
  );
});
