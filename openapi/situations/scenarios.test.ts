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
  retryAfterSeconds: fc.option(fc.nat(), { nil: undefined }),
});

describe("the steps of scenarios", () => {
  it.each(scenarios)("look at odd exchanges without an error: $id", ({ steps }) => {
    fc.assert(
      fc.property(fc.array(exchange, { minLength: steps.length, maxLength: steps.length }), (exchanges) => {
        let kept: unknown;
        for (const [index, { keep }] of steps.entries()) {
          const found = keep?.(exchanges[index] as Exchange, kept);
          // a later step may only see what an earlier one has kept
          if (keep !== undefined && found === undefined) break;
          kept = keep === undefined ? true : found;
        }
      }),
      { numRuns: 300 },
    );
    expect.assertions(0);
  });
});
