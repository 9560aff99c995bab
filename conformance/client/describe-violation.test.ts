import { expect, it } from "vitest";
import { describeViolation } from "./describe-violation.js";

it.each([
  [
    { in: "status", pointer: "", detail: "status 201 is not declared" },
    "status 200, which the contract does not allow",
  ],
  [
    { in: "body", pointer: "/updatedAt", detail: "is required", keyword: "required" },
    "status 200, but the required body field /updatedAt is missing",
  ],
  [
    { in: "body", pointer: "/count", detail: 'must be a whole number, not "1"', keyword: "type" },
    'status 200 with an invalid body: /count must be a whole number, not "1"',
  ],
  [
    { in: "header", pointer: "/WWW-Authenticate", detail: "the header is missing", keyword: "required" },
    "status 200, but the required header WWW-Authenticate is missing",
  ],
  [
    { in: "header", pointer: "/Content-Type", detail: 'must be application/json, not "text/html"' },
    'status 200 with an invalid header: Content-Type must be application/json, not "text/html"',
  ],
] as const)("describes the received value for %j", (violation, text) => {
  expect(describeViolation(200, violation)).toBe(text);
});
