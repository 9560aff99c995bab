import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { reportFormat } from "../../conformance/report/report.js";
import { restrictToLastFailedChecks } from "./certify-options.js";

const folder = mkdtempSync(join(tmpdir(), "last-failed-"));
afterAll(() => rmSync(folder, { recursive: true }));

function reportOf(levels: Readonly<Record<string, string>>): string {
  const check = { title: "a check", clauses: [], durationMs: 1 };
  const checks = Object.entries(levels).map(([id, level]) => ({ ...check, id, level }));
  const file = join(folder, "report.json");
  const run = { seed: 7, runs: 3, only: [] };
  const lists = { areas: [], parts: [], operations: [], accessMatrix: [], leftBehind: [], errors: [] };
  writeFileSync(
    file,
    JSON.stringify({ format: reportFormat, run, checks, suite: {}, target: {}, counts: {}, ...lists }),
  );
  return file;
}

describe("running what failed last time", () => {
  it("selects the failed checks with the seed and number of tries of that run", () => {
    const file = reportOf({ "items/data": "failed", "plans/single": "passed", "sql/pages": "failed" });
    const again = { only: ["items/data", "sql/pages"], seed: 7, runs: 3 };
    for (const place of [file, folder])
      expect(restrictToLastFailedChecks({ lastFailed: place, verbose: true })).toEqual({
        ...again,
        lastFailed: place,
        verbose: true,
      });
    expect(restrictToLastFailedChecks({ lastFailed: file, seed: 1, runs: 100 })).toMatchObject({
      seed: 1,
      runs: 100,
    });
  });

  it("is refused if nothing failed, or together with another selection", () => {
    const file = reportOf({ "items/data": "passed", "plans/single": "not-run" });
    expect(() => restrictToLastFailedChecks({ lastFailed: file })).toThrow("there is nothing to run again");
    expect(() => restrictToLastFailedChecks({ lastFailed: join(folder, "other") })).toThrow("cannot read");
    for (const option of [{ only: ["items"] }, { shard: "1/2" }, { replay: "token" }])
      expect(() => restrictToLastFailedChecks({ lastFailed: file, ...option })).toThrow(
        "do not combine it with --only",
      );
  });

  it("changes nothing if not requested", () => {
    const options = { only: ["items"], runs: 5 };
    expect(restrictToLastFailedChecks(options)).toBe(options);
  });
});
