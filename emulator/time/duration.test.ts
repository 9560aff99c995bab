import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDuration, addMonths } from "./duration.js";
import { formatTimestamp } from "./timestamp.js";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

function after(from: string, duration: string): string | undefined {
  const to = addDuration(Date.parse(from), duration);
  return to === undefined ? undefined : formatTimestamp(to);
}

describe("addDuration", () => {
  it.each([
    ["PT0S", 0],
    ["PT1S", second],
    ["PT0.5S", 500],
    ["PT0,25S", 250],
    ["PT1.001S", 1001],
    ["PT10M", 10 * minute],
    ["PT1H", hour],
    ["P1D", day],
    ["P7D", 7 * day],
    ["P2W", 14 * day],
    ["P1DT2H3M4.005S", day + 2 * hour + 3 * minute + 4005],
    ["PT36H", 36 * hour],
    ["90s", 90 * second],
    ["0.25s", 250],
    ["10m", 10 * minute],
    ["1.5h", 90 * minute],
    ["7d", 7 * day],
  ])("reads %s", (duration, milliseconds) => {
    expect(addDuration(0, duration)).toBe(milliseconds);
    expect(addDuration(1_893_456_000_123, duration)).toBe(1_893_456_000_123 + milliseconds);
  });

  it.each([
    "",
    "P",
    "PT",
    "P1DT",
    "1D",
    "T1H",
    "P1H",
    "PT1D",
    "-P1D",
    "P-1D",
    "PT-5M",
    "PT1.2345S",
    "PT1.S",
    "P1.5D",
    "pt1h",
    " PT1H",
    "PT1H ",
    "P1D1Y",
    "PT1S1M",
    "ten minutes",
    "600",
    "10M",
    "-10m",
    " 10m",
    "10 m",
    "1h30m",
    ".5h",
    "1mo",
  ])("rejects %j", (duration) => {
    expect(addDuration(0, duration)).toBeUndefined();
  });

  it.each([
    ["2030-01-31T12:00:00.000Z", "P1M", "2030-02-28T12:00:00.000Z"],
    ["2032-01-31T12:00:00.000Z", "P1M", "2032-02-29T12:00:00.000Z"],
    ["2030-01-15T00:00:00.000Z", "P1M", "2030-02-15T00:00:00.000Z"],
    ["2030-12-31T23:59:59.999Z", "P2M", "2031-02-28T23:59:59.999Z"],
    ["2032-02-29T00:00:00.000Z", "P1Y", "2033-02-28T00:00:00.000Z"],
    ["2030-10-31T00:00:00.000Z", "P13M", "2031-11-30T00:00:00.000Z"],
    ["2030-01-31T00:00:00.000Z", "P1M1D", "2030-03-01T00:00:00.000Z"],
  ])("follows the calendar: %s and %s is %s", (from, duration, to) => {
    expect(after(from, duration)).toBe(to);
  });
});

describe("addMonths", () => {
  const times = fc.date({
    min: new Date("1970-01-01"),
    max: new Date("2900-01-01"),
    noInvalidDate: true,
  });

  it("adds months to the same day or the last of a shorter month, at the same time of day", () => {
    fc.assert(
      fc.property(times, fc.nat({ max: 600 }), (from, months) => {
        const to = new Date(addMonths(from.getTime(), months));
        const monthOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();
        expect(monthOf(to) - monthOf(from)).toBe(months);
        expect(to.getTime() % day).toBe(from.getTime() % day);
        const lastOfMonth = new Date(to.getTime() + day).getUTCDate() === 1;
        expect(
          to.getUTCDate() === from.getUTCDate() || (lastOfMonth && to.getUTCDate() < from.getUTCDate()),
        ).toBe(true);
      }),
    );
  });
});
