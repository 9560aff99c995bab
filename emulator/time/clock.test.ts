import { describe, expect, it } from "vitest";
import { Clock, manualClockStart } from "./clock.js";
import { maxClockTime } from "./timestamp.js";

describe("a manual clock", () => {
  it("starts at 2030-01-01 and stands still", () => {
    const clock = new Clock("manual");
    expect(new Date(clock.now()).toISOString()).toBe("2030-01-01T00:00:00.000Z");
    expect(clock.now()).toBe(manualClockStart);
  });

  it("advances a millisecond a tick, and returns the time after it", () => {
    const clock = new Clock("manual");
    expect([clock.tick(), clock.tick(), clock.now()]).toEqual([
      manualClockStart + 1,
      manualClockStart + 2,
      manualClockStart + 2,
    ]);
  });

  it("continues from where it was set, backwards too", () => {
    const clock = new Clock("manual");
    clock.set(5000);
    expect([clock.now(), clock.tick()]).toEqual([5000, 5001]);
  });

  it("stops at its latest time", () => {
    const clock = new Clock("manual", maxClockTime);
    expect(clock.tick()).toBe(maxClockTime);
  });
});

describe("a system clock", () => {
  it("follows the machine's time, with an offset after it was set", () => {
    const clock = new Clock("system");
    const before = Date.now();
    const now = clock.now();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
    const far = Date.UTC(2500, 0, 1);
    clock.set(far);
    expect(clock.now()).toBeGreaterThanOrEqual(far);
    expect(clock.tick()).toBeLessThan(far + 86_400_000);
  });

  it("stops at its current time when it becomes manual, and drops its offset when it becomes system again", () => {
    const clock = new Clock("system");
    const far = Date.UTC(2500, 0, 1);
    clock.set(far);
    clock.setMode("manual");
    const stopped = clock.now();
    expect(stopped).toBeGreaterThanOrEqual(far);
    expect(clock.tick()).toBe(stopped + 1);
    clock.setMode("system");
    expect(clock.now()).toBeLessThan(far);
  });

  it("changes nothing when the mode stays", () => {
    const clock = new Clock("system");
    const far = Date.UTC(2500, 0, 1);
    clock.set(far);
    clock.setMode("system");
    expect(clock.now()).toBeGreaterThanOrEqual(far);
  });
});
