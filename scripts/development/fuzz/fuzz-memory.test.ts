import { describe, expect, it } from "vitest";
import { memoryGrowth } from "./fuzz-memory.js";

const megabyte = 1024 * 1024;
const samples = (heap: (at: number) => number) =>
  Array.from({ length: 30 }, (_, at) => ({ heapBytes: heap(at) * megabyte, residentBytes: 500 * megabyte }));

describe("the verdict on memory", () => {
  it("reports what grows from round to round", () => {
    expect(memoryGrowth(samples((at) => 80 + 4 * at))).toMatch(
      /heapBytes grew from 80 MB to 160 MB within 30 rounds/,
    );
  });

  it("lets caches fill and single rounds need more", () => {
    expect(memoryGrowth(samples((at) => (at < 5 ? 60 : 100)))).toBeUndefined();
    expect(memoryGrowth(samples((at) => (at % 3 === 0 ? 80 : 300)))).toBeUndefined();
  });
});
