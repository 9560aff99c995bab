import { describe, expect, it } from "vitest";
import { getBillingPeriod, getNextChangeTime, countMonths } from "./billing-period.js";

const day = (text: string) => Date.parse(`${text}T00:00:00Z`);
const active = {
  status: "active",
  plan: "pro",
  trialStart: null,
  trialEnd: null,
  cancelAtPeriodEnd: false,
} as const;
const dates = ({ start, end }: { start: number; end: number }) =>
  [start, end].map((time) => new Date(time).toISOString().slice(0, 10));

describe("a billing period", () => {
  it.each([
    ["2030-01-31", ["2030-01-31", "2030-02-28"]],
    ["2030-02-27", ["2030-01-31", "2030-02-28"]],
    ["2030-02-28", ["2030-02-28", "2030-03-31"]],
    ["2030-03-30", ["2030-02-28", "2030-03-31"]],
    ["2030-03-31", ["2030-03-31", "2030-04-30"]],
    ["2032-02-29", ["2032-02-29", "2032-03-31"]],
    ["2029-12-01", ["2030-01-31", "2030-02-28"]],
  ])("at %s of a subscription of January 31 is %j", (now, period) => {
    expect(dates(getBillingPeriod({ ...active, anchor: day("2030-01-31") }, day(now)))).toEqual(period);
  });

  it("is the trial during a trial", () => {
    const trial = { ...active, status: "trialing", trialStart: 5, trialEnd: 9, anchor: 5 } as const;
    expect(getBillingPeriod(trial, 7)).toEqual({ start: 5, end: 9 });
    expect(getNextChangeTime(trial, 7)).toBe(9);
  });

  it("contains the moment it was computed for, and ends where the next one starts", () => {
    const anchor = day("2030-08-30");
    let { end } = getBillingPeriod({ ...active, anchor }, anchor);
    for (let month = 1; month < 1200; month += 1) {
      const next = getBillingPeriod({ ...active, anchor }, end);
      expect(next.start).toBe(end);
      expect(countMonths(anchor, end)).toBe(month);
      expect(countMonths(anchor, end - 1)).toBe(month - 1);
      ({ end } = next);
    }
  });
});

describe("when time changes a subscription", () => {
  const anchor = day("2030-01-01");
  it.each([
    [{ status: "active", plan: "pro" }, "2030-02-01"],
    [{ status: "past_due", plan: "enterprise" }, "2030-02-01"],
    [{ status: "active", plan: "free" }, null],
    [{ status: "active", plan: "free", cancelAtPeriodEnd: true }, "2030-02-01"],
    [{ status: "incomplete", plan: "pro" }, null],
    [{ status: "canceled", plan: "pro", cancelAtPeriodEnd: true }, null],
  ] as const)("is known for %j", (given, due) => {
    expect(getNextChangeTime({ ...active, anchor, ...given }, anchor)).toBe(due === null ? null : day(due));
  });

  it("is undefined at the end of time", () => {
    expect(getNextChangeTime({ ...active, anchor }, day("9999-12-31"))).toBeNull();
  });
});
