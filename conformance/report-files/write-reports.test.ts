import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RunError } from "../client/violation.js";
import { createSampleReport } from "../report/testing/sample-report.js";
import { writeFailures, writeFiles } from "./write-reports.js";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "reports-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("writing files", () => {
  it("writes long texts piece by piece in place of earlier ones", () => {
    const piece = "é".repeat(400_000);
    writeFileSync(join(folder, "a"), "x".repeat(10_000_000));
    expect(writeFiles(folder, { a: Array<string>(7).fill(piece), b: "", c: {} })).toHaveLength(3);
    expect(readFileSync(join(folder, "a"), "utf8")).toBe(piece.repeat(7));
    expect(readFileSync(join(folder, "b"), "utf8")).toBe("");
    expect(readFileSync(join(folder, "c"), "utf8")).toBe("{}\n");
  });

  it("reports which file or folder cannot be written", () => {
    mkdirSync(join(folder, "taken/failures"), { recursive: true });
    writeFileSync(join(folder, "file"), "");
    const at = (path: string) => new RegExp(`^cannot write ${join(folder, path)}: E[A-Z]+: `);
    expect(() => writeFiles(folder, { taken: "" })).toThrow(at("taken"));
    expect(() => writeFiles(join(folder, "file"), {})).toThrow(at("file"));
    const report = createSampleReport("failed");
    expect(() => writeFailures(join(folder, "file"), report, "")).toThrow(at("file/failures"));
    expect(() => writeFiles(folder, { taken: "" })).toThrow(RunError);
  });

  it("does not report an error of the text's creator as one of the file system", () => {
    const mistake = new TypeError("not a function");
    function* pieces() {
      yield "a";
      throw mistake;
    }
    expect(() => writeFiles(folder, { a: pieces() })).toThrow(mistake);
  });
});
