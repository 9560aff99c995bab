import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { coverageFolderVariable, readCoverageFolder, writeCoverage } from "./coverage/write-coverage.js";
import CoverageReporter from "./vitest-reporter.js";

const folder = mkdtempSync(join(tmpdir(), "reporter-"));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

it("removes only the coverage of the previous run from its folder, and reads no other file", () => {
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "package.json"), "{}");
  writeFileSync(join(folder, "01234567-89ab-cdef-0123-456789abcdef.json"), "[]");
  const others = readdirSync(folder);
  vi.stubEnv(coverageFolderVariable, folder);
  writeCoverage(["putItem:success"]);
  expect(readCoverageFolder(folder)).toEqual(["putItem:success"]);
  const reporter = new CoverageReporter({ folder });
  reporter.onInit();
  reporter.onTestRunStart();
  expect(readdirSync(folder)).toEqual(others);
  expect(readCoverageFolder(folder)).toEqual([]);
});

it("creates a folder that does not exist, and refuses an empty name, which would be the working directory", () => {
  const inside = join(folder, "a", "b");
  new CoverageReporter({ folder: inside }).onTestRunStart();
  expect(readdirSync(inside)).toEqual([]);
  expect(() => new CoverageReporter({ folder: "" })).toThrow("coverage reporter: folder must not be empty");
});
