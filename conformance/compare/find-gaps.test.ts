import { expect, it } from "vitest";
import { findGaps } from "./find-gaps.js";
import type { ResponseDifference } from "./run-history.js";

it("finds the gap of an observer only where no other history shows the difference", () => {
  const find = (...histories: readonly string[]) =>
    findGaps({ field: "items", step: {} } as unknown as ResponseDifference, new Set(histories));
  expect(find("gaps/page-limit-max")).toEqual(["page-limit-max"]);
  expect(find("gaps/page-limit-max", "gaps/page-limit-over")).toEqual([]);
  expect(find("items/pages")).toEqual([]);
});

it("finds the gap of a route", () => {
  const find = (operationId: string) =>
    findGaps({ field: "route", step: { operationId } } as unknown as ResponseDifference, new Set());
  expect(find("putItem")).toEqual(["put-item-route"]);
  expect(find("getPlan")).toEqual(["plan-route"]);
  expect(find("getItem")).toEqual([]);
});
