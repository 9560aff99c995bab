import { expect, it } from "vitest";
import { describeBothSides, describeOneSide, type Mismatch } from "./compare-bodies.js";
import type { HistoryStep } from "./history.js";
import { ObservedPreexistingData } from "./observed-preexisting-data.js";
import type { HistoryResult } from "./run-history.js";

const step = { operationId: "getOrganization", exchange: { caller: "owner" } } as unknown as HistoryStep;

it.each([
  ["a different value", true],
  [describeBothSides("null", "string"), true],
  [describeOneSide(true), false],
  [`401 ${describeOneSide(false)}`, false],
  ["an absolute URL on one side only", false],
])("a field that differs as follows in the accounts is ignored later: %s", (kind, isIgnored) => {
  const mismatch: Mismatch = { field: "Organization.name", kind, first: '"one"', second: '"other"' };
  const data = new ObservedPreexistingData();
  data.record({
    exchanges: [],
    differences: [{ ...mismatch, step, exchanges: [] }],
  } as unknown as HistoryResult);
  expect(data.has(mismatch, step)).toBe(isIgnored);
});
