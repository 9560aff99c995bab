import { describe, expect, it } from "vitest";
import { parseJson } from "../json/parse-json.js";
import { measureCostRatio } from "../testing/measure-cost-ratio.js";
import { isSameData } from "./item-writes.js";

describe("isSameData", () => {
  it("compares values, in any order of fields", () => {
    expect(isSameData('{"a":1.0,"b":{"c":[]}}', '{"b":{"c":[]},"a":1}')).toBe(true);
    expect(isSameData('{"a":"{:"}', '{"a":"[:"}')).toBe(false);
    expect(isSameData('{"a":[]}', '{"a":{}}')).toBe(false);
    expect(isSameData('{"a":1}', '{"a":1,"b":2}')).toBe(false);
  });

  it("does not parse a large item to compare it with a small one", () => {
    const wide = `{${Array.from({ length: 38_000 }, (_, index) => `"${index.toString(36)}":1`).join()}}`;
    const compare = () => isSameData(wide, '{"a":1}');
    expect(measureCostRatio(compare, () => parseJson(wide, { maxDepth: 10 }))).toBeGreaterThan(1.5);
  });
});
