import { describe, expect, it } from "vitest";
import { clauseIds } from "../../openapi/clauses/register.js";
import { getArea, areas } from "../check/check.js";
import { checks } from "./register.js";

describe("the register of checks", () => {
  const exercised = new Set<string>(checks.flatMap(({ clauses }) => clauses));

  it("knows every clause that a check names", () => {
    expect([...exercised].filter((clause) => !(clauseIds as string[]).includes(clause))).toEqual([]);
    for (const check of checks)
      expect(check.clauses.length > 0, check.id).toBe(check.isPrecondition !== true);
  });

  it("exercises every clause", () => {
    expect(clauseIds.filter((clause) => !exercised.has(clause))).toEqual([]);
  });

  it("has each check once, in an area, after checks that exist", () => {
    const ids = checks.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const check of checks) expect(areas).toContain(getArea(check));
    expect(checks.flatMap(({ after = [] }) => after).filter((id) => !ids.includes(id))).toEqual([]);
  });
});
