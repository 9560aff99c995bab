import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { getArea, type Check } from "../../conformance/check/check.js";
import { checks } from "../../conformance/checks/register.js";
import type { CertificationProgress } from "../../conformance/run/certification.js";
import { CertifyProgress } from "./certify-progress.js";

/** What a log gets to read. */
function log(): { readonly stream: NodeJS.WriteStream; readonly lines: () => readonly string[] } {
  let text = "";
  const stream = { isTTY: false, write: (more: string) => (text += more) } as unknown as NodeJS.WriteStream;
  return { stream, lines: () => text.split("\n").slice(0, -1) };
}

/** Checks of two areas in turns, as they end side by side. */
const some = ["sql/pages", "entities/schema", "sql/jwt", "entities/pages"].map((id): Check => {
  const check = checks.find((one) => one.id === id);
  if (check === undefined) throw new Error(`there is no check ${id}`);
  return check;
});

/** How far a run is when the first of these checks have ended, the last of them with a level. */
function after(ended: number, level: "passed" | "failed"): CertificationProgress {
  const last = some[ended - 1];
  return {
    finished: ended,
    total: some.length,
    failed: 0,
    requests: 10 * ended,
    share: ended / some.length,
    running: some.slice(ended).map(({ id }) => id),
    openAreas: new Set(some.slice(ended).map(getArea)),
    ...(last === undefined ? {} : { last: { check: last, level, cells: [], durationMs: 0, requests: 10 } }),
  };
}

describe("progress in a log", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("prints a line for each area when its last check ends", () => {
    const { stream, lines } = log();
    const progress = new CertifyProgress(stream);
    for (const ended of [1, 2, 3, 4]) progress.show(after(ended, ended === 2 ? "failed" : "passed"));
    progress.end();
    expect(lines()).toEqual([
      expect.stringMatching(/^failed entities\/schema/),
      "sql: 2 checks, 0 s",
      "entities: 2 checks, 1 failed, 0 s",
    ]);
  });

  it("counts the checks of an area that the end of the run interrupts", () => {
    const { stream, lines } = log();
    const progress = new CertifyProgress(stream);
    progress.show(after(1, "passed"));
    progress.end();
    expect(lines()).toEqual(["sql: 1 check, 0 s"]);
  });

  it("prints a line for each tenth of a run, and one after half a minute without any", () => {
    const { stream, lines } = log();
    const progress = new CertifyProgress(stream);
    let share = 0;
    progress.start(() => ({ ...after(1, "passed"), share }));
    const textsUntil = (seconds: number, end: number) => {
      const before = lines().length;
      const step = (end - share) / seconds;
      for (let second = 0; second < seconds; second += 1) {
        share += step;
        vi.advanceTimersByTime(1000);
      }
      return lines()
        .slice(before)
        .map((line) => Math.floor(Number.parseInt(line) / 10));
    };
    expect(textsUntil(85, 0.955)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(textsUntil(100, 0.965)).toEqual([9, 9, 9]);
    progress.end();
  });
});
