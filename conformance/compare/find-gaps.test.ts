import { expect, it } from "vitest";
import { findObservedGap } from "./find-gaps.js";

it("finds a gap only where no other history shows the cause", () => {
  expect(findObservedGap(new Set(["gaps/page-limit-max"]))).toEqual(["page-limit-max"]);
  expect(findObservedGap(new Set(["gaps/page-limit-max", "gaps/page-limit-over"]))).toEqual([]);
  expect(findObservedGap(new Set(["items/pages"]))).toEqual([]);
});
