import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SchemaBuilder } from "../../openapi/schemas/schema-builders.js";
import { parseInstant } from "./parse-instant.js";

const pattern = new RegExp(new SchemaBuilder({ kind: "open" }).timestamp()["x-pattern"] as string);

const pad = (number: number, digits = 2) => String(number).padStart(digits, "0");

/** Formats an instant in all forms that ISO 8601 allows. */
function listSpellings(instant: Date): string[] {
  const text = instant.toISOString();
  const [day = "", clock = ""] = text.slice(0, -1).split("T");
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const ordinal = (midnight - Date.UTC(instant.getUTCFullYear(), 0, 1)) / 86_400_000 + 1;
  const weekday = instant.getUTCDay() === 0 ? 7 : instant.getUTCDay();
  const thursday = new Date(midnight + (4 - weekday) * 86_400_000);
  const weekYear = thursday.getUTCFullYear();
  const week = Math.floor((thursday.getTime() - Date.UTC(weekYear, 0, 1)) / 604_800_000) + 1;
  const dates = [
    day,
    day.replaceAll("-", ""),
    `${day.slice(0, 4)}-${pad(ordinal, 3)}`,
    `${day.slice(0, 4)}${pad(ordinal, 3)}`,
    `${weekYear}-W${pad(week)}-${weekday}`,
    `${weekYear}W${pad(week)}${weekday}`,
  ];
  const clocks = [clock, clock.replace(".", ","), clock.replaceAll(":", ""), `${clock}000`];
  const zones = ["Z", "z", "+00:00", "+0000", "-00", "+00"];
  return dates.flatMap((date) =>
    clocks.flatMap((time) => zones.flatMap((zone) => [`${date}T${time}${zone}`, `${date}t${time}${zone}`])),
  );
}

describe("parseInstant", () => {
  it("gives the same result for all forms of ISO 8601", () => {
    const years = { min: new Date("1971-01-01"), max: new Date("2199-12-31"), noInvalidDate: true };
    fc.assert(
      fc.property(fc.date(years), (instant) => {
        for (const text of listSpellings(instant)) {
          expect(parseInstant(text), text).toBe(instant.getTime());
          expect(text).toMatch(pattern);
        }
      }),
    );
  });

  it("accepts fewer digits", () => {
    expect(parseInstant("2030-01-02T03:04:05Z")).toBe(Date.UTC(2030, 0, 2, 3, 4, 5));
    expect(parseInstant("2030-01-02T03:04Z")).toBe(Date.UTC(2030, 0, 2, 3, 4));
    expect(parseInstant("2030-01-02T03:04:05.5Z")).toBe(Date.UTC(2030, 0, 2, 3, 4, 5, 500));
    expect(parseInstant("2030-01-02T03:04:60Z")).toBe(Date.UTC(2030, 0, 2, 3, 5));
  });

  it.each([
    "2030-02-30T00:00:00Z",
    "2030-366T00:00:00Z",
    "2030-13-01T00:00:00Z",
    "2030-01-01T24:30:00Z",
    "2030-01-01T00:00:00",
    "2030-01-01T00:00:00+01:00",
    "2030-01-01 00:00:00Z",
    "2030-01-01",
    "1893456000000",
    "",
    1893456000000,
    null,
  ])("rejects %j", (value) => {
    expect(parseInstant(value)).toBeUndefined();
  });
});
