import { expect, it } from "vitest";
import type { ApiResponse } from "../client/client.js";
import { ClauseViolation } from "../client/violation.js";
import { CheckContext, type ContextOptions, isAboutStatus } from "./context.js";

it("recognizes failures about a status by their expectation", () => {
  const context = new CheckContext({} as ContextOptions);
  const response = { status: 500, text: "", body: undefined } as ApiResponse;
  const expectationOf = (assertion: () => unknown) => {
    try {
      assertion();
    } catch (error) {
      if (error instanceof ClauseViolation) return error.expected;
      throw error;
    }
    throw new Error("the assertion holds");
  };
  for (const [assertion, isStatus] of [
    [() => context.assertRefused("GEN-06", response, "it is wrong"), true],
    [() => context.assertStatus("ITEM-01", response, 201), true],
    [() => context.assertStatus("ITEM-01", response, "2XX"), true],
    [() => context.assertEqual("ITEM-01", 1, 2, "the version"), false],
  ] as const)
    expect(isAboutStatus(expectationOf(assertion))).toBe(isStatus);
});
