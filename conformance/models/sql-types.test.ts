import { parse } from "lossless-json";
import { describe, expect, it } from "vitest";
import {
  toCanonicalValue,
  compareValues,
  getSqlTypeNames,
  normalizeSqlType,
  parseSqlType,
  createSqlValue,
} from "./sql-types.js";

const seen = (type: string, json: string) => toCanonicalValue(parseSqlType(type), parse(json));
const given = (type: string, json: string) => createSqlValue(parseSqlType(type), json).canonical;

describe("type names", () => {
  it.each([
    ["integer", "INT"],
    [" map < TEXT ,list<bool> > ", "MAP<VARCHAR, LIST<BOOLEAN>>"],
    ["SET<MAP<STRING, LONG>>", "SET<MAP<VARCHAR, BIGINT>>"],
    ["decimal (10, 2)", "DECIMAL"],
  ])("reads %s", (text, expected) => {
    expect(normalizeSqlType(text)).toBe(expected);
  });

  it.each([`TEXT${" ".repeat(1_000_000)}x`, "LIST<".repeat(100_000)])(
    "is not slow for long texts",
    (text) => {
      expect(normalizeSqlType(text)).toBe(text);
    },
  );

  it.each(["", "LIST", "LIST<>", "MAP<INT>", "INT<INT>", "VARCHAR(10)", "LIST<LIST>", "MONEY"])(
    "knows no type %j",
    (text) => {
      expect(() => parseSqlType(text)).toThrow("is not an SQL type");
    },
  );

  it("treats all names of a family alike", () => {
    for (const family of ["VARCHAR", "TIMESTAMP", "TINYINT"] as const)
      for (const name of getSqlTypeNames(family)) expect(parseSqlType(name).family).toBe(family);
  });
});

describe("canonical values", () => {
  it.each([
    ["DECIMAL", "1.50", "1.5"],
    ["DECIMAL", "-100", "-100"],
    ["DECIMAL", "0.007", "0.007"],
    ["DECIMAL", "0", "0"],
    ["BIGINT", "9007199254740993", "9007199254740993"],
    ["DOUBLE", "1.5", "1.5"],
    ["BOOLEAN", "true", "true"],
    ["TIME", '"10:00:00"', '"10:00:00"'],
    ["TIMESTAMP", '"2030-01-01T00:00:00Z"', '"2030-01-01T00:00:00.000Z"'],
    ["BLOB", '"_w"', '"/w=="'],
    ["LIST<DECIMAL>", "[1.50,2]", "[1.5,2]"],
    ["MAP<INT, TEXT>", '{"9":"a"}', '{"9":"a"}'],
  ])("of %s: %s is %s", (type, sent, shown) => {
    expect(given(type, sent)).toBe(shown);
    expect(given(type, shown)).toBe(given(type, sent));
  });

  it("say whether they are values of the type", () => {
    expect(seen("INT", "1.5")).toBe('"not a valid INT: 1.5"');
    expect(seen("INT", '"1"')).toBe(JSON.stringify('not a valid INT: "1"'));
    expect(seen("INT", "null")).toBeNull();
  });
});

describe("values", () => {
  it.each([
    ["BIGINT", "9007199254740993", '"9007199254740993"'],
    ["DECIMAL", "1.50", "15e-1"],
    ["DECIMAL", "-0.0", "0"],
    ["DECIMAL", "100", '"1e2"'],
    ["FLOAT", "0.1", "0.1"],
    ["FLOAT", "0.1", "0.10000000149011612"],
    ["FLOAT", "16777217", "16777216"],
    ["DOUBLE", "-0.0", "0"],
    ["TIMESTAMP", '"2030-01-01T00:00:00Z"', '"2030-01-01T00:00:00.000000+00:00"'],
    ["TIME", '"10:00:00.500"', '"10:00:00.5"'],
    ["BLOB", '"/w=="', '"_w"'],
    ["UUID", '"6BA7B810-9dad-11d1-80b4-00c04fd430c8"', '"6ba7b810-9dad-11d1-80b4-00c04fd430c8"'],
    ["SET<INT>", "[2,1,2]", "[1,2]"],
    ["MAP<INT, FLOAT>", '{"10":0.1,"9":1}', '{"9":1.0,"10":0.1}'],
  ])("of %s: %s is %s", (type, sent, answered) => {
    expect(seen(type, answered)).toBe(given(type, sent));
  });

  it.each([
    ["BIGINT", "9007199254740993", "9007199254740992"],
    ["INT", "1", '"1"'],
    ["INT", "1", "1.5"],
    ["DECIMAL", "0.1", "0.10000000000000000555"],
    ["FLOAT", "16777217", "16777217"],
    ["FLOAT", "0.123456789012345", "0.123456789012345"],
    ["DOUBLE", "0.30000000000000004", "0.3"],
    ["BOOLEAN", "true", "1"],
    ["TIMESTAMP", '"2030-01-01T00:00:00Z"', '"2030-01-01T00:00:00+01:00"'],
    ["DATE", '"2030-01-01"', '"2030-01-01T10:00:00Z"'],
    ["VARCHAR", '"\\u00e9"', '"e\\u0301"'],
    ["LIST<INT>", "[2,1,2]", "[1,2]"],
    ["MAP<VARCHAR, INT>", '{"__proto__":1}', "{}"],
  ])("of %s: %s is not %s", (type, sent, answered) => {
    expect(seen(type, answered)).not.toBe(given(type, sent));
  });

  it.each([
    ["BIGINT", ["-9223372036854775808", "-10", "-9", "9", "10", "9223372036854775807"]],
    ["DECIMAL", ["-10.5", "-9", "-0.1", "0", "0.09", "0.1", "9.99", "10", "1e30"]],
    ["DOUBLE", ["-1e308", "-2", "0", "5e-324", "9", "10"]],
    ["TIMESTAMP", ['"1969-12-31T23:59:59Z"', '"1970-01-01T00:00:00Z"', '"2030-01-01T00:00:00Z"']],
    ["TIME", ['"00:00:00"', '"00:00:00.001"', '"09:00:00"', '"10:00:00"']],
  ])("of %s have an order", (type, list) => {
    const values = list.map((json) => given(type, json) ?? "");
    for (const [left, a] of values.entries())
      for (const [right, b] of values.entries())
        expect(Math.sign(compareValues(parseSqlType(type), a, b))).toBe(Math.sign(left - right));
  });
});
