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
    tries: ended,
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

  it("prints at least once a second at first, later once per twentieth of the elapsed time", () => {
    const { stream, lines } = log();
    const progress = new CertifyProgress(stream);
    progress.start(() => after(1, "passed"));
    let spoke = 0;
    for (let now = 250; now <= 600_000; now += 250) {
      const before = lines().length;
      vi.advanceTimersByTime(250);
      if (lines().length > before) spoke = now;
      expect(now - spoke, `after ${now} ms`).toBeLessThanOrEqual(Math.max(1000, now / 20));
    }
    progress.end();
    expect(lines().length).toBeLessThan(200);
  });
});
