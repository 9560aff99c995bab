import { describe, expect, it, vi } from "vitest";
import { bindParameters } from "./bind-parameters.js";
import { SqlError } from "./grammar/sql-error.js";

const byName = { "sql-parameter-order": "name" } as const;

/** Binds parameters, and counts the conversions of names during the sort. */
function bindAndCount(markers: number, names: readonly string[]) {
  const replace = vi.spyOn(String.prototype, "replace");
  try {
    const bound = bindParameters(markers, new Map(names.map((name) => [name, name])), byName);
    return { bound, conversions: replace.mock.calls.length };
  } finally {
    replace.mockRestore();
  }
}

describe("parameters in the order of their names", () => {
  it("compare digits as numbers, then names by their bytes", () => {
    const sorted = ["", "01", "1", "2", "10", "p0", "p00", "p1", "p1a2", "p1a10", "p2", "\uffff", "𝄞"];
    expect(bindAndCount(sorted.length, [...sorted].reverse()).bound).toEqual(sorted);
  });

  it("convert each name once, however often it is compared", () => {
    const names = Array.from({ length: 1000 }, (_, at) => `p${(at * 619) % 1000}`);
    const { bound, conversions } = bindAndCount(1000, names);
    expect(bound).toEqual(Array.from({ length: 1000 }, (_, at) => `p${at}`));
    expect(conversions).toBe(1000);
  });

  it("are not sorted if there are too many", () => {
    const replace = vi.spyOn(String.prototype, "replace");
    const names = Array.from({ length: 1000 }, (_, at): [string, null] => [`p${at}`, null]);
    expect(() => bindParameters(1, new Map(names), byName)).toThrow(SqlError);
    expect(replace).not.toHaveBeenCalled();
    replace.mockRestore();
  });
});
