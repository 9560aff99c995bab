import { describe, expect, it } from "vitest";
import { progressBar } from "./progress-bar.js";
import { TimeLeft } from "./time-left.js";

describe("the time that is left", () => {
  it("goes down evenly where a run does as it should", () => {
    const left = new TimeLeft();
    for (let second = 5; second <= 100; second++)
      expect(left.after(second * 1000, second / 100)).toBeCloseTo((100 - second) * 1000, 0);
  });

  it("does not jump where a check takes longer, or shorter, than usual", () => {
    const left = new TimeLeft();
    let last = left.after(10_000, 0.1);
    for (let tick = 1; tick <= 1000; tick++) {
      const share = tick < 300 ? 0.1 : tick < 310 ? 0.5 : 0.5 + (tick - 310) / 2000;
      const next = left.after(10_000 + tick * 100, share);
      expect(Math.abs(next - last), `tick ${tick}`).toBeLessThan(6000);
      last = next;
    }
  });

  it("is nearly right before a run ends, however short it is", () => {
    for (const tick of [10, 100, 1000]) {
      const left = new TimeLeft();
      // the first fifth of the checks takes half of the time
      const shareAt = (step: number) => (step <= 50 ? step / 250 : 0.2 + ((step - 50) / 50) * 0.8);
      for (let step = 1; step < 90; step++) left.after(step * tick, shareAt(step));
      expect(left.after(90 * tick, shareAt(90))).toBeLessThan(40 * tick);
    }
  });

  it("is not told before anybody knows", () => {
    expect(new TimeLeft().after(1000, 0)).toBe(Infinity);
  });

  it("is a number from the first millisecond on", () => {
    expect(new TimeLeft().after(0, 0.5)).toBe(0);
  });
});

describe("the bar", () => {
  const progress = {
    finished: 88,
    total: 195,
    failed: 2,
    requests: 7061,
    tries: 1240,
    share: 0.456,
    running: ["sql/pages", "items/data"] as const,
    openAreas: new Set(["items", "sql"] as const),
  };

  it("fits the terminal, whatever its width", () => {
    for (const columns of [1, 20, 40, 80, 200])
      for (const line of progressBar(progress, { elapsed: 83_000, left: 99_000, columns }))
        expect(Array.from(line).length).toBeLessThanOrEqual(Math.max(1, columns - 1));
  });

  it("says what was done, what failed, what goes on and how long it takes", () => {
    expect(progressBar(progress, { elapsed: 83_000, left: 99_000, columns: 80 })).toEqual([
      `${"█".repeat(14)}${"░".repeat(16)} 45%  1 min 23 s, about 1 min 39 s left`,
      "88/195 checks, 2 failed, 1240 tries, 7061 requests  sql/pages and 1 more",
    ]);
  });
});
