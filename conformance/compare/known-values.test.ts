import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changedValue, KnownValues } from "./known-values.js";

const token = fc.stringMatching(/^[A-Za-z0-9_-]{20,60}$/);

describe("values that each side has in its own way", () => {
  it("are found where they stand whole, and what somebody has made of a credential is made of the other's", () => {
    fc.assert(
      fc.property(token, token, fc.nat(59), (mine, theirs, at) => {
        const known = new KnownValues();
        known.add(mine, { from: "key", of: "*" });
        expect(known.find(mine)?.sources).toEqual([{ from: "key", of: "*" }]);
        const place = at % mine.length;
        const tampered = `${mine.slice(0, place)}!${mine.slice(place + 1)}`;
        const found = known.findChanged(tampered);
        expect(changedValue(mine, found?.change)).toBe(found === undefined ? mine : tampered);
        // one letter changed here is one letter changed there, of whatever length the other is
        if (found !== undefined && theirs !== mine) {
          const other = changedValue(theirs, found.change);
          expect(other).toContain("!");
          expect(other).toHaveLength(theirs.length);
        }
      }),
    );
  });

  it("are changed within their length, however short they are", () => {
    const [before, after] = [15, 45].map(
      (at) => ({ kind: "edit", from: "start", at, cut: 1, between: "!" }) as const,
    );
    const fromEnd = { kind: "edit", from: "end", at: 45, cut: 1, between: "!" } as const;
    const value = "x".repeat(20);
    expect(changedValue(value, before)).toBe(`${"x".repeat(15)}!${"x".repeat(4)}`);
    expect(changedValue(value, after)).toBe(`${"x".repeat(19)}!`);
    expect(changedValue(value, fromEnd)).toBe(`!${"x".repeat(19)}`);
  });

  it("are found in capitals where they are addresses", () => {
    const known = new KnownValues(new KnownValues());
    known.add("owner@certify.test", { from: "login", of: "owner", member: "email" });
    const found = known.find("OWNER@CERTIFY.TEST");
    expect(changedValue("olivia@acme.example", found?.change)).toBe("OLIVIA@ACME.EXAMPLE");
  });
});
