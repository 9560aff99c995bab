import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ExpressionError, type Expression } from "./expression.js";
import { type ConditionGrammar, parseCondition } from "./parse-condition.js";

function parse(text: string, grammar: ConditionGrammar = "full"): Expression {
  return parseCondition(text, grammar);
}

function refusal(text: string, grammar: ConditionGrammar = "full"): ExpressionError {
  try {
    parseCondition(text, grammar);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error(`not refused: ${text.slice(0, 200)}`);
}

const exists = (name: string): Expression => ({ kind: "attribute_exists", path: [name] });

describe("parseCondition", () => {
  it("reads the three documented forms in every grammar that has them", () => {
    for (const grammar of ["full", "documented"] as const) {
      expect(parse("attribute_not_exists(pk)", grammar)).toEqual({
        kind: "attribute_not_exists",
        path: ["pk"],
      });
      expect(parse(" attribute_exists ( pk ) ", grammar)).toEqual(exists("pk"));
      expect(parse("amount >= :name", grammar)).toEqual({
        kind: "compare",
        comparator: ">=",
        left: { kind: "path", path: ["amount"] },
        right: { kind: "named", name: ":name" },
      });
    }
  });

  it("binds NOT tighter than AND and AND tighter than OR", () => {
    const [a, b, c] = ["a", "b", "c"].map(exists);
    const text = "NOT attribute_exists(a) and attribute_exists(b) Or attribute_exists(c)";
    const grouped = "not (attribute_exists(a) AND (attribute_exists(b) OR attribute_exists(c)))";
    expect(parse(text)).toEqual({
      kind: "or",
      terms: [{ kind: "and", terms: [{ kind: "not", term: a }, b] }, c],
    });
    expect(parse(grouped)).toEqual({
      kind: "not",
      term: { kind: "and", terms: [a, { kind: "or", terms: [b, c] }] },
    });
  });

  it("reads nested paths, indexes and quoted names", () => {
    const text = String.raw`"odd \"name\" \\ AND".lines[0][12]."in" = size(or-der.not)`;
    expect(parse(text)).toEqual({
      kind: "compare",
      comparator: "=",
      left: { kind: "path", path: ['odd "name" \\ AND', "lines", 0, 12, "in"] },
      right: { kind: "size", path: ["or-der", "not"] },
    });
  });

  it("reads BETWEEN, IN, begins_with and contains", () => {
    const path = { kind: "path", path: ["a"] } as const;
    const named = (name: string) => ({ kind: "named", name }) as const;
    expect(parse("a between :x AND :y AND attribute_exists(b)")).toEqual({
      kind: "and",
      terms: [{ kind: "between", operand: path, low: named(":x"), high: named(":y") }, exists("b")],
    });
    expect(parse("a IN(:x,:y)")).toEqual({ kind: "in", operand: path, choices: [named(":x"), named(":y")] });
    expect(parse("begins_with(a, :x)")).toEqual({ kind: "begins_with", operand: path, prefix: named(":x") });
    expect(parse("contains(a, :x)")).toEqual({ kind: "contains", operand: path, element: named(":x") });
  });

  it("accepts names that begin like keywords or functions", () => {
    for (const name of ["android", "notes", "or_x", "in-x", "size", "contains", "attribute_exists"]) {
      expect(parse(`${name} = :v`)).toMatchObject({ left: { path: [name] } });
    }
    expect(refusal("in = :v").location.column).toBe(1);
  });

  it.each([
    ["", 1],
    ["a", 2],
    ["a = 5", 5],
    ["a == :v", 4],
    ["ATTRIBUTE_EXISTS(a)", 17],
    ["(a = :v", 8],
    ["a = :v b", 8],
    ["a IN ()", 7],
    ['"open = :v', 1],
  ])("says where %j is wrong", (text, column) => {
    const error = refusal(text);
    expect(error.location.column).toBe(column);
    expect(error.message).toMatch(/^expected .+ but found .+ \(column \d+\)$/u);
    expect(error.message).not.toContain("white space");
  });

  it.each([
    "(attribute_exists(pk))",
    "attribute_exists(a)",
    'attribute_not_exists("pk")',
    "NOT attribute_exists(pk)",
    "a = :v AND b = :w",
    "a = b",
    "a.b = :v",
    ":v = a",
    "a IN (:v)",
    "begins_with(a, :v)",
    "size(a) = :v",
  ])("refuses %j in the documented grammar", (text) => {
    expect(() => parse(text)).not.toThrow();
    expect(refusal(text, "documented").location.column).toBeGreaterThan(0);
  });

  it("accepts only field = :name in the grammar field-equality", () => {
    expect(parse(" status = :s ", "field-equality")).toEqual(parse("status = :s"));
    for (const text of ["status <> :s", "attribute_exists(status)", "a = :a AND b = :b"]) {
      expect(refusal(text, "field-equality")).toBeInstanceOf(ExpressionError);
    }
  });

  it("separates the grammars in its cache", () => {
    parse("NOT attribute_exists(apart)");
    expect(refusal("NOT attribute_exists(apart)", "documented")).toBeInstanceOf(ExpressionError);
  });

  it("counts the length in code points", () => {
    const text = (length: number) => `"${"😀".repeat(length - 7)}" = :v`;
    expect(() => parse(text(4096))).not.toThrow();
    expect(refusal(text(4097)).message).toContain("4097 characters; at most 4096");
  });

  it("nests at most 50 levels", () => {
    const core = "contains(a, :v)";
    for (const [open, close] of [
      ["(", ")"],
      ["NOT ", ""],
      ["NOT(", ")"],
    ] as const) {
      const levels = open === "NOT(" ? 25 : 50;
      expect(() => parse(open.repeat(levels) + core + close.repeat(levels))).not.toThrow();
      expect(refusal(open.repeat(levels + 1) + core + close.repeat(levels + 1)).message).toContain(
        "50 levels",
      );
    }
  });

  it("counts depth, not parentheses", () => {
    const side = "(a IN (:v)) AND NOT (size(a) = :v)";
    expect(() => parse(Array.from({ length: 100 }, () => side).join(" OR "))).not.toThrow();
    expect(() => parse(`${"(".repeat(49)}"(((" = :v${")".repeat(49)}`)).not.toThrow();
  });

  it("flattens long chains", () => {
    const terms = Array.from({ length: 300 }, () => "a = :v");
    expect(parseCondition(terms.join(" AND "), "full")).toMatchObject({
      kind: "and",
      terms: { length: 300 },
    });
  });

  it.each(["(", "NOT ", "a(", "size(", "NOT:a(", '"', '"\\', "((a = :v) AND ", "a IN ("])(
    "rejects an endless %j quickly",
    (piece) => {
      for (const tail of ["", "\\"]) {
        const text = piece.repeat(Math.floor(4000 / piece.length)) + tail;
        expect(refusal(text)).toBeInstanceOf(ExpressionError);
      }
    },
  );

  it("parses or rejects any text", () => {
    const pieces = fc.constantFrom(
      ...'( ) NOT AND OR IN BETWEEN a :v = < , . [0] " \\ size contains begins_with attribute_exists'.split(
        " ",
      ),
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 9, arbitrary: pieces }, fc.string()), { maxLength: 30 }),
        (words) => {
          try {
            parse(words.join(" "));
          } catch (error) {
            expect(error).toBeInstanceOf(ExpressionError);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});
