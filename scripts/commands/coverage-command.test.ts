import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { mergeCoverage } from "./coverage-command.js";
import { CommandError } from "./terminal.js";

const folder = mkdtempSync(join(tmpdir(), "coverage-"));
const file = join(folder, "coverage.json");
afterAll(() => rmSync(folder, { recursive: true }));

it.each(['{"met":[null,5,{}]}', '{"situations":[null,5,{"state":"met"}]}'])(
  "ignores invalid entries of a coverage file: %s",
  (text) => {
    writeFileSync(file, text);
    mergeCoverage([file], {});
  },
);

it("prints the counts after the situations that are not covered", () => {
  const print = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    writeFileSync(file, '{"met":["getItem@api-key"]}');
    mergeCoverage([folder], { ignore: ["login"] });
    expect(print.mock.calls.join("")).toMatch(
      /^Session, not covered:\n.*\n\noperations +1 of .*\nscenarios +0 of \d+ +0%\n\d+ ignored\n$/s,
    );
  } finally {
    print.mockRestore();
  }
});

it.each(["null", "1", "[]", '{"met":5}', '{"situations":{}}'])("refuses to merge a file of %s", (text) => {
  writeFileSync(file, text);
  expect(() => mergeCoverage([file], {})).toThrow(
    new CommandError(`${file} is not a coverage file: it has no "met" or "situations" list`),
  );
});
