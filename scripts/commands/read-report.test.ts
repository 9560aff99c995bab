import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { reportFormat } from "../../conformance/report/report.js";
import { readReport } from "./read-report.js";

const folder = mkdtempSync(join(tmpdir(), "report-"));
afterAll(() => rmSync(folder, { recursive: true }));

const lists = { areas: [], parts: [], operations: [], accessMatrix: [], leftBehind: [], errors: [] };
const check = { title: "a", clauses: [], durationMs: 1, level: "passed" };

it.each([
  {},
  { run: null, checks: 5 },
  { run: {}, counts: {}, suite: {}, target: {}, checks: [null] },
  { run: {}, counts: {}, suite: {}, target: {}, ...lists, checks: [{ ...check, level: "odd" }] },
  ...["title", "clauses", "durationMs"].map((name) => ({
    ...{ run: {}, counts: {}, suite: {}, target: {}, ...lists },
    checks: [{ ...check, [name]: null }],
  })),
  { run: {}, counts: {}, suite: {}, target: {}, ...lists, accessMatrix: null, checks: [check] },
  { run: {}, counts: {}, suite: {}, target: {}, ...lists, checks: [], errors: "odd" },
])("refuses a report with %j alone", (parts) => {
  const file = join(folder, "report.json");
  writeFileSync(file, JSON.stringify({ format: reportFormat, ...parts }));
  expect(() => readReport(folder)).toThrow(`${file} is damaged: run the suite again`);
});
