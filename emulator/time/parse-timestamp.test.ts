import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTimestamp } from "./parse-timestamp.js";
import { maxTime, formatTimestamp, formatTimestampOrNull } from "./timestamp.js";

const anyTime = fc.integer({ min: 0, max: maxTime });

describe("timestamp", () => {
  it("[GEN-01] is ISO 8601 in UTC with three digits of a second", () => {
    expect(formatTimestamp(Date.UTC(2030, 0, 1))).toBe("2030-01-01T00:00:00.000Z");
    fc.assert(
      fc.property(anyTime, (time) => {
        expect(formatTimestamp(time)).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
        expect(parseTimestamp(formatTimestamp(time))).toBe(time);
      }),
    );
  });

  it("leaves a missing time null", () => {
    expect(formatTimestampOrNull(null)).toBeNull();
    expect(formatTimestampOrNull(0)).toBe("1970-01-01T00:00:00.000Z");
  });
});

describe("parseTimestamp", () => {
  it.each([
    ["2030-06-01T00:00:00Z", "2030-06-01T00:00:00.000Z"],
    ["2030-06-01T00:00Z", "2030-06-01T00:00:00.000Z"],
    ["2030-06-01T02:00:00+02:00", "2030-06-01T00:00:00.000Z"],
    ["2030-05-31T19:30:00-04:30", "2030-06-01T00:00:00.000Z"],
    ["2030-06-01T00:00:00.5Z", "2030-06-01T00:00:00.500Z"],
    ["2030-06-01T00:00:00.123456789Z", "2030-06-01T00:00:00.123Z"],
    ["2030-06-01t00:00:00z", "2030-06-01T00:00:00.000Z"],
    ["2032-02-29T00:00:00Z", "2032-02-29T00:00:00.000Z"],
    ["1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ])("reads %s", (text, canonical) => {
    const time = parseTimestamp(text);
    expect(time === undefined ? undefined : formatTimestamp(time)).toBe(canonical);
  });

  it.each([
    "",
    "2030-06-01",
    "2030-06-01T00:00:00",
    "2030-06-01 00:00:00Z",
    "2030-06-01T00Z",
    "2030-6-1T00:00:00Z",
    "2030-13-01T00:00:00Z",
    "2030-00-01T00:00:00Z",
    "2030-01-00T00:00:00Z",
    "2030-02-30T00:00:00Z",
    "2030-02-29T00:00:00Z",
    "2030-04-31T00:00:00Z",
    "2030-06-01T25:00:00Z",
    "2030-06-01T00:60:00Z",
    "2030-06-01T00:00:60Z",
    "2030-06-01T00:00:00+25:00",
    "2030-06-01T00:00:00+02:60",
    "2030-06-01T00:00:00.Z",
    "2030-06-01T00:00:00+0200",
    "1969-12-31T23:59:59Z",
    "1970-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-01:00",
    "12030-06-01T00:00:00Z",
    "1893456000000",
    "tomorrow",
  ])("rejects %j", (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });
});
