import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scenarios } from "./scenarios.js";
import type { Exchange } from "./situation.js";

const fieldNames = [
  "pk",
  "sk",
  "keys",
  "items",
  "errors",
  "members",
  "unprocessedKeys",
  "refreshToken",
  "accessToken",
  "email",
  "status",
  "exp",
];
const oddValue = fc.oneof(fc.jsonValue(), fc.string({ unit: "binary" }), fc.constant("\ud800"));
const json = fc.dictionary(fc.constantFrom(...fieldNames), oddValue).map((value) => JSON.stringify(value));
const body = fc.oneof(
  json,
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.string({ unit: "binary" }),
  fc.constantFrom("null", "", "[null]", ...fieldNames.map((name) => `{"${name}": "\\x"}`)),
);
const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("%", "/%ff", "/\ud800"));
const credential = fc.oneof(
  text,
  body.map((claims) => `a.${Buffer.from(claims).toString("base64url")}.b`),
);
const exchange: fc.Arbitrary<Exchange> = fc.record({
  operationId: fc.constant("getItem" as const),
  outcome: fc.constant("success"),
  at: fc.nat(),
  machineAt: fc.nat(),
  caller: fc.option(fc.string(), { nil: undefined }),
  credential,
  target: text,
  requestBody: body,
  answerBody: body,
  bodyBytes: fc.nat({ max: 20_000 }),
  fingerprint: text,
  retryAfterSeconds: fc.option(fc.nat(), { nil: undefined }),
});

describe("the steps of scenarios", () => {
  it.each(scenarios)("accept odd exchanges without an error: $id", ({ steps }) => {
    fc.assert(
      fc.property(fc.tuple(...steps.map(() => exchange)), (exchanges) => {
        let kept: unknown = true;
        for (const [index, sent] of exchanges.entries()) {
          const keep = steps[index]?.[2];
          kept = keep === undefined ? true : keep(sent, kept);
          if (sent.bodyBytes > 8192) expect(kept).not.toBe(sent);
          // a later step depends on what the previous step has kept
          if (kept === undefined) break;
        }
      }),
      { numRuns: 300 },
    );
  });
});
