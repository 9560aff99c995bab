import fc from "fast-check";
import { expect, it } from "vitest";
import { measureCostRatio } from "../testing/measure-cost-ratio.js";
import { RecordedBody } from "./recorded-exchange.js";

it("keeps the same of a text and of its bytes, wherever it is cut", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "é", "€", "😀") });
  fc.assert(
    fc.property(text, fc.nat({ max: 30 }), (body, maxBytes) => {
      const [ofText, ofBytes] = [body, Buffer.from(body)].map((one) => RecordedBody.of(one, maxBytes));
      expect([ofText?.bytes, ofText?.toString()]).toEqual([ofBytes?.bytes, ofBytes?.toString()]);
    }),
  );
});

it("does not copy a long text", () => {
  const text = "a".repeat(20_000_000);
  expect(
    measureCostRatio(
      () => Buffer.from(text),
      () => RecordedBody.of(text),
    ),
  ).toBeLessThan(0.7);
});
