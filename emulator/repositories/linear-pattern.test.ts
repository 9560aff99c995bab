import fc from "fast-check";
import type * as re2js from "re2js";
import { describe, expect, it, vi } from "vitest";
import { lazyRequire } from "../../openapi/packaged/lazy-require.js";
import { getPropertyRuns } from "../testing/property-runs.js";
import { LinearPattern } from "./linear-pattern.js";
import { measureProcessorMs } from "../testing/measure-processor-ms.js";

function compiled(source: string): LinearPattern {
  const pattern = LinearPattern.compile(source);
  if ("mistake" in pattern) throw new Error(pattern.mistake);
  return pattern;
}

function mistakeIn(source: string): string {
  const pattern = LinearPattern.compile(source);
  return "mistake" in pattern ? pattern.mistake : "none";
}

/** Patterns with the same meaning in JavaScript and in the engine. */
const atom = fc.oneof(
  fc.constantFrom(
    ...Array.from("ab.xZ09_é漢😀"),
    ..."\\d \\D \\w \\W \\s \\S \\n \\t \\v \\f \\r (?:\\0) \\. \\/ \\x41 \\u0061 \\u{1F600} \\uD83D\\uDE00 \\cJ".split(
      " ",
    ),
    ..."\\p{L} \\P{Lu} \\p{Script=Greek} \\b \\B ^ $".split(" "),
  ),
  fc
    .tuple(
      fc.constantFrom("", "^"),
      fc.array(
        fc.constantFrom(
          ..."a-c [ 😀 é \\d \\w \\s \\S \\D \\b \\] \\- \\^ \\u{1F600}-\\u{1F64F} \\x61-\\x7A . $ ( \\\\".split(
            " ",
          ),
        ),
        { maxLength: 4 },
      ),
    )
    .map(([negation, members]) => `[${negation}${members.join("")}]`),
);
const quantified = fc
  .tuple(atom, fc.constantFrom("", "", "*", "+", "?", "{2}", "{0,3}", "{1,}", "+?"))
  .map(([one, quantifier]) => (/^([\^$]|\\[bB])$/.test(one) ? one : one + quantifier));
const sequence = fc.array(quantified, { maxLength: 4 }).map((parts) => parts.join(""));
const pattern = fc
  .tuple(sequence, sequence, fc.constantFrom("(", "(?:", "(?<name>"), sequence)
  .map(([before, first, open, second]) => `${before}${open}${first}|${second})`);
const text = fc.array(
  fc.constantFrom(
    ...Array.from("abcxZ09_-[](){}$^.\\é漢😀🙂\n\r\t\v\f\0\b αΩ\u00a0\u2028\u2029\u3000\ufeff\u180e\u0085"),
  ),
  { maxLength: 8 },
);

describe("LinearPattern", () => {
  it("matches like the same regular expression of JavaScript", () => {
    fc.assert(
      fc.property(pattern, text, (source, characters) => {
        const value = characters.join("");
        expect(compiled(source).test(value)).toBe(new RegExp(source, "u").test(value));
      }),
      { numRuns: getPropertyRuns(600) },
    );
  });

  it("finds the pattern anywhere in the text", () => {
    expect(compiled("b+").test("abc")).toBe(true);
    expect(compiled("^b+$").test("abc")).toBe(false);
    expect(compiled("a$").test("a\n")).toBe(false);
  });

  it("ignores case on demand", () => {
    expect(compiled("(?i)^straße$").test("STRAßE")).toBe(true);
    expect(compiled("^(?i:a)b$").test("Ab")).toBe(true);
    expect(compiled("^(?i:a)b$").test("AB")).toBe(false);
  });

  it.each(["(a+)+$", "(a|aa)+$", "^(([a-z])+.)+[A-Z]([a-z])+$", "(.*)*x$", "(a|a)*b$"])(
    "is done with %s on a long text at once",
    (source) => {
      expect(measureProcessorMs(() => compiled(source).test(`${"a".repeat(100_000)}!`))).toBeLessThan(2000);
    },
  );

  it.each([
    ["(?=a)b", "look-ahead"],
    ["(?!a)b", "look-ahead"],
    ["(?<=a)b", "look-behind"],
    ["(?<!a)b", "look-behind"],
    ["(a)\\1", "back references"],
    ["(?<n>a)\\k<n>", "back references"],
    ["\\Z", "\\Z is not supported"],
    ["\\A", "\\A is not supported"],
    ["(?s)a", "(?s) is not supported"],
    ["[a", "has no closing ]"],
    ["(a", "missing closing )"],
    ["a)", "unexpected )"],
    ["[z-a]", "invalid character class range"],
    ["a{2,1}", "invalid repeat count"],
    ["a{1001}", "invalid repeat count"],
    ["*", "missing argument to repetition operator"],
    ["a\\", "ends with a backslash"],
    ["\\uD83D", "surrogate"],
    ["\\u12", "four hexadecimal digits"],
    ["\\u{110000}", "beyond U+10FFFF"],
    ["\\p{Klingon}", "Klingon"],
    ["\\01", "octal"],
    ["(?:\\p{L}?){900}(?:\\p{N}?){900}(?:\\p{L}?){900}", "too many repetitions"],
  ])("refuses %s", (source, reason) => {
    expect(mistakeIn(source)).toContain(reason);
  });

  it.each([
    "a{0,1000}".repeat(5),
    "(?:(?:[^\\]a]|\\p{L}b){90}c){30}",
    "(?<n>(?i:é){70}){60}",
    "a{99999999999}",
    // reading these patterns converts every character to the other case
    `(?i)${"[\\S]".repeat(100)}`,
    `(?i)[${"\\S".repeat(400)}]`,
    "(?i)(?:[\u3001-\ufefe]){100}",
    // reading these patterns includes the ranges of every class
    `(?i)[${"\\p{L}".repeat(100)}]`,
    "\\p{L}".repeat(199),
    // the compiled patterns include matches of the empty text
    `(${"()*".repeat(240)}){1000}`,
    `(?:${"(?:)".repeat(240)}){1000}`,
    `(${"|".repeat(240)}){1000}`,
    `(?:(?:a+?){1000}){1000}(`,
  ])("does not compile %s to see that it is too large", (source) => {
    const compile = vi.spyOn((lazyRequire("re2js") as typeof re2js).RE2JS, "compile");
    expect(mistakeIn(source)).toContain("too many repetitions");
    expect(compile).not.toHaveBeenCalled();
    compile.mockRestore();
  });

  it.each([
    "^[^@\\s]+@[^@\\s]+\\.[^@\\s]{2,}$",
    "(?i)^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$",
    "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-5][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$",
    "^[a-z0-9]+(?:-[a-z0-9]+)*$",
    "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])(?:T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,9})?(?:Z|[+-]\\d{2}:\\d{2}))?$",
    "^[\\p{L}\\p{N} _-]{1,100}$",
    "(?i)^\\p{Lu}[\\p{L}\\p{M}' .-]*$",
    "^https?://[^\\s/$.?#].[^\\s]*$",
    "^[\\w.-]{1,63}$",
  ])("compiles %s at a small size", (source) => {
    expect(compiled(source).size).toBeLessThan(400);
  });

  it("charges the classes that it reads to the size, but not to the instructions", () => {
    const { size, instructions } = compiled(`[${"\\p{L}".repeat(190)}]`);
    expect(size).toBeGreaterThan(3800);
    expect(instructions).toBeLessThan(10);
  });

  it("charges every character of a range whose case it ignores", () => {
    // 115 such patterns, in a body of 7 KB, would otherwise take half a second
    expect(compiled("(?i)[^\\u0000-\\uffff]").size).toBeGreaterThan(500);
  });

  it("compiles equal texts once, unusable ones included", () => {
    const compile = vi.spyOn((lazyRequire("re2js") as typeof re2js).RE2JS, "compile");
    for (const source of ["one text", "one text", "(one text", "(one text"]) LinearPattern.compile(source);
    expect(compile).toHaveBeenCalledTimes(2);
    compile.mockRestore();
  });

  it("compiles patterns up to the maximum size", () => {
    expect(compiled("a{1000}b{1000}[\\]{2}]{1000}(?:c|\\p{L}){0,300}").size).toBeLessThanOrEqual(4000);
    expect(compiled("a{,5000}|\\{5000}").test("{5000}")).toBe(true);
  });

  it("ignores case of wide classes, and takes as many of them as without it if they are cheap", () => {
    expect(compiled("(?i)^[\u0100-\u0200]$").test("\u0101")).toBe(true);
    expect(compiled(`(?i)^${"\\S".repeat(480)}$`).test("aB".repeat(240))).toBe(true);
    expect(compiled("^\\S$").test("\u2028")).toBe(false);
    expect(compiled("[\u3001-\ufefe]".repeat(60)).size).toBeLessThan(1000);
  });

  it("limits the length of a pattern", () => {
    expect(mistakeIn("a".repeat(1000))).toBe("none");
    expect(mistakeIn("a".repeat(1001))).toBe("has 1001 characters; at most 1000 are allowed");
  });

  it("reports everything wrong without repeating a long pattern", () => {
    expect(mistakeIn(`${"a".repeat(500)}(`).length).toBeLessThan(250);
  });
});
