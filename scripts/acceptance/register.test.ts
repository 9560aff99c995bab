import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { clauseIds } from "../../openapi/clauses/register.js";
import { gapIds } from "../../openapi/gaps/register.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folders = ["openapi", "fixtures", "emulator", "conformance", "scripts"];

/** The texts of all tests in the project. */
const tests = folders
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".test.ts"))
      .map((path) => readFileSync(join(root, folder, path), "utf8")),
  )
  .join("\n");

/** Whether a test's title begins with the id in brackets. */
function isInTitle(id: string): boolean {
  return new RegExp(`["\`](?:\\[[A-Z]+-\\d+\\] )*\\[${id}\\] `).test(tests);
}

describe("the register of clauses", () => {
  it("has a test for every clause", () => {
    expect(clauseIds.filter((id) => !isInTitle(id))).toEqual([]);
  });

  it("contains every clause that a title names", () => {
    const named = [...tests.matchAll(/\[((?:GEN|AUTH|DB|ITEM|BATCH|TX|HEALTH|SQL)-\d+)\]/g)].map(
      ([, id = ""]) => id,
    );
    expect([...new Set(named)].filter((id) => !(clauseIds as string[]).includes(id))).toEqual([]);
  });
});

describe("the register of gaps", () => {
  it("has a test for every answer of every gap", () => {
    const tried = new Set([...tests.matchAll(/\beachAnswer\(\s*"([a-z-]+)"/g)].map(([, id]) => id));
    expect(gapIds.filter((id) => !tried.has(id))).toEqual([]);
  });
});
