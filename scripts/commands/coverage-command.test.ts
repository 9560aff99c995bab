import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { mergeCoverage } from "./coverage-command.js";
import { CommandError } from "./terminal.js";

it.each(['{"met":[null,5,{}]}', '{"situations":[null,5,{"state":"met"}]}'])(
  "ignores invalid entries of a coverage file: %s",
  (text) => {
    const folder = mkdtempSync(join(tmpdir(), "coverage-"));
    try {
      const file = join(folder, "coverage.json");
      writeFileSync(file, text);
      mergeCoverage([file], {});
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

it("prints the counts after the situations that are not covered", () => {
  const folder = mkdtempSync(join(tmpdir(), "coverage-"));
  const print = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    writeFileSync(join(folder, "coverage.json"), '{"met":["getItem@api-key"]}');
    mergeCoverage([folder], { ignore: ["login"] });
    expect(print.mock.calls.join("")).toMatch(
      /^Session, not covered:\n.*\n\noperations +1 of .*\nscenarios +0 of \d+ +0%\n\d+ ignored\n$/s,
    );
  } finally {
    print.mockRestore();
    rmSync(folder, { recursive: true });
  }
});

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
