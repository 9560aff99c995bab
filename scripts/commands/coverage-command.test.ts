import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { mergeCoverage } from "./coverage-command.js";
import { CommandError } from "./terminal.js";

it.each(["null", "1", "[]", '{"met":5}', '{"situations":{}}'])("refuses to merge a file of %s", (text) => {
  const folder = mkdtempSync(join(tmpdir(), "coverage-"));
  try {
    const file = join(folder, "coverage.json");
    writeFileSync(file, text);
    expect(() => mergeCoverage([file], {})).toThrow(
      new CommandError(`${file} is not a coverage file: it has no "met" or "situations" list`),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
