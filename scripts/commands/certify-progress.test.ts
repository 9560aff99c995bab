import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Check } from "../../conformance/check/check.js";
import { checks } from "../../conformance/checks/register.js";
import type { CertificationProgress } from "../../conformance/run/certification.js";
import { CertifyProgress } from "./certify-progress.js";
import { createCollectingStream } from "./testing/collecting-stream.js";

/** Checks of two areas in alternation, as if they ran concurrently. */
const some = ["sql/pages", "entities/schema", "sql/jwt", "entities/pages"].map((id): Check => {
  const check = checks.find((one) => one.id === id);
  if (check === undefined) throw new Error(`there is no check ${id}`);
  return check;
});

/** Returns the progress of a run after some of these checks; `level` is the outcome of the last one. */
function getProgressAfter(ended: number, level: "passed" | "failed"): CertificationProgress {
  const last = some[ended - 1];
  return {
    finished: ended,
    total: some.length,
    failed: 0,
    requests: 10 * ended,
    running: some.slice(ended).map(({ id }) => id),
    ...(last === undefined ? {} : { last: { check: last, level, cells: [], durationMs: 0, requests: 10 } }),
  };
}

describe("progress in a log", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("prints a line for each failure, and clears nothing", () => {
    const { stream, written } = createCollectingStream();
    const progress = new CertifyProgress(stream);
    for (const ended of [1, 2, 3, 4])
      progress.show(getProgressAfter(ended, ended === 2 ? "failed" : "passed"));
    progress.end();
    expect(written()).toMatch(/^failed entities\/schema.*\n$/);
  });

  it("prints a line each half minute, from the last line on", () => {
    const { stream, written } = createCollectingStream();
    const progress = new CertifyProgress(stream);
    progress.start(() => getProgressAfter(1, "passed"));
    const lines = () => written().split("\n").slice(0, -1);
    const countLinesAfter = (seconds: number) => {
      vi.advanceTimersByTime(seconds * 1000);
      return lines().length;
    };
    expect([29, 2, 19].map(countLinesAfter)).toEqual([0, 1, 1]);
    progress.show(getProgressAfter(2, "failed"));
    expect([29, 2].map(countLinesAfter)).toEqual([2, 3]);
    progress.end();
    expect(countLinesAfter(60)).toBe(3);
    expect(lines()[0]).toBe(
      "25% in 30 s, about 1 min 30 s left, 1/4 checks, 10 requests; running entities/schema and 2 more",
    );
  });
});
