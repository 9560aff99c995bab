import { expect, it } from "vitest";
import { Cause } from "./causes.js";
import type { ResponseDifference } from "./run-history.js";

it("names earlier causes only if they precede every occurrence, even in the shortened history", () => {
  const difference = (field: string, ...earlier: readonly ResponseDifference[]) =>
    ({
      ...{ field, kind: "x", history: { id: "h" }, statuses: [200, 200], exchanges: [], earlier },
      step: { operationId: "getItem" },
    }) as unknown as ResponseDifference;
  const [first, other] = [difference("first"), difference("other")];
  const earlierOf = (
    occurrences: readonly ResponseDifference[],
    cameBack = true,
    example = occurrences[0],
  ) => {
    const cause = new Cause("number: x");
    for (const occurrence of occurrences) cause.add(occurrence);
    if (example !== undefined) cause.demonstration = { example, cameBack };
    return cause.earlier;
  };
  const after = (...earlier: readonly ResponseDifference[]) => difference("number", ...earlier);
  expect(earlierOf([after(first, first, other), after(first)])).toEqual(["first: x"]);
  expect(earlierOf([after(first), after()])).toEqual([]);
  expect(earlierOf([after(), after(first)])).toEqual([]);
  expect(earlierOf([after(first), after(other)])).toEqual([]);
  // without the earlier difference, the short history shows this one as well
  expect(earlierOf([after(first)], true, after())).toEqual([]);
  expect(earlierOf([after(first)], false)).toEqual([]);
});
