import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "../json/parse-json.js";
import { createItemResolver, evaluateExpression } from "./evaluate.js";
import { EvaluationBudget } from "./evaluation-budget.js";
import { type Expression, maxFilterTests, ExpressionError } from "./expression.js";
import { type FilterGrammar, parseFilterObject } from "./parse-filter-object.js";

const data = parseJson(
  '{"age": 30, "name": "Ann", "tags": ["a", "b"], "address": {"city": "Bern", "$eq": 1}, "a.b": 7, "$x": 1, "in": 2, "": 3}',
  { maxDepth: 10 },
);
const item = createItemResolver({ pk: "p", sk: "s", data });

function read(filter: string, grammar: FilterGrammar = "operators") {
  return parseFilterObject(parseJson(filter, { maxDepth: 200 }), grammar);
}

const evaluate = (expression: Expression, resolvePath: ReturnType<typeof createItemResolver>) =>
  evaluateExpression(expression, { resolvePath, work: new EvaluationBudget() });
const matches = (filter: string, grammar?: FilterGrammar) => evaluate(read(filter, grammar), item);

function refusal(filter: string, grammar?: FilterGrammar) {
  try {
    read(filter, grammar);
  } catch (error) {
    if (error instanceof ExpressionError) return { message: error.message, pointer: error.location.pointer };
    throw error;
  }
  throw new Error(`not refused: ${filter}`);
}

describe("parseFilterObject", () => {
  it.each([
    ["{}", true],
    ['{"age": 30.0, "name": "Ann"}', true],
    ['{"age": 30, "name": "Bob"}', false],
    ['{"age": {"$gte": 30, "$lt": 31}}', true],
    ['{"age": {"$gt": 30}}', false],
    ['{"age": {"$lte": 29}}', false],
    ['{"age": {"$eq": 30, "$ne": 31}}', true],
    ['{"none": {"$ne": 1}}', false],
    ['{"none": {"$exists": false}, "age": {"$exists": true}}', true],
    ['{"age": {"$in": [1, 30]}}', true],
    ['{"age": {"$in": []}}', false],
    ['{"name": {"$beginsWith": "A", "$contains": "nn"}}', true],
    ['{"tags": {"$contains": "b"}}', true],
    ['{"tags": ["a", "b"], "tags[1]": "b"}', true],
    ['{"address.city": "Bern"}', true],
    ['{"address.\\"$eq\\"": 1}', true],
    ['{"address": {"city": "Bern"}}', false],
    ['{"a.b": 7}', false],
    ['{"\\"a.b\\"": 7, "in": 2, "": 3}', true],
    ['{"\\"$x\\"": 1}', true],
    ['{"$or": [{"age": 1}, {"name": "Ann"}]}', true],
    ['{"$and": [{"age": 30}, {"name": "Bob"}]}', false],
    ['{"$not": {"age": 1}, "pk": "p", "sk": {"$beginsWith": "s"}}', true],
    ['{"none": {}}', false],
  ])("%s: %s", (filter, expected) => {
    expect(matches(filter)).toBe(expected);
  });

  it.each([
    ["[]", ""],
    ["null", ""],
    ['{"age": {"$gt": 1, "x": 2}}', "/age"],
    ['{"age": {"$near": 1}}', "/age/$near"],
    ['{"age": {"$not": {"$gt": 1}}}', "/age/$not"],
    ['{"$nor": []}', "/$nor"],
    ['{"$and": {}}', "/$and"],
    ['{"$or": []}', "/$or"],
    ['{"$or": [{}, 5]}', "/$or/1"],
    ['{"$not": [1]}', "/$not"],
    ['{"$and": [{"a/b~c": {"$in": 5}}]}', "/$and/0/a~1b~0c/$in"],
    ['{"a": {"$exists": 1}}', "/a/$exists"],
    ['{"a": {"$beginsWith": 1}}', "/a/$beginsWith"],
    ['{"a..b": 1}', "/a..b"],
    ['{"a[x]": 1}', "/a[x]"],
  ])("refuses %s at %j", (filter, pointer) => {
    expect(refusal(filter)).toMatchObject({ pointer });
  });

  it("supports only equality in the equality grammar", () => {
    expect(matches('{"age": 30, "address": {"$eq": 1, "city": "Bern"}}', "equality")).toBe(true);
    expect(matches('{"age": {"$gte": 30}}', "equality")).toBe(false);
    for (const name of ["$and", "$or", "$not", "$x"]) {
      expect(refusal(`{"${name}": [{}]}`, "equality").pointer).toBe(`/${name}`);
    }
  });

  it("nests at most 50 levels", () => {
    const nested = (levels: number) => '{"$not":'.repeat(levels) + '{"age":30}' + "}".repeat(levels);
    expect(matches(nested(50))).toBe(true);
    expect(refusal(nested(51))).toMatchObject({ pointer: "/$not".repeat(51) });
  });

  it.each([
    [
      "filters",
      (count: number) =>
        `{"$or":[${Array(count - 1)
          .fill('{"age":1}')
          .join()}]}`,
    ],
    [
      "filters that hold always",
      (count: number) =>
        `{"$and":[${Array(count - 1)
          .fill("{}")
          .join()}]}`,
    ],
    ["fields", (count: number) => `{${Array.from({ length: count }, (_, n) => `"f${n}":1`).join()}}`],
    [
      "operators",
      (count: number) =>
        `{"$or":[${Array(Math.floor((count - 1) / 3))
          .fill('{"f":{"$gt":1,"$lt":2}}')
          .join()}]}`,
    ],
  ])("reads up to the maximum number of tests: %s", (_of, write) => {
    expect(() => read(write(maxFilterTests - 2))).not.toThrow();
    expect(refusal(write(maxFilterTests + 4))).toMatchObject({
      pointer: "",
      message: `the filter has more than ${maxFilterTests} conditions (a path counts as ten or more of them); use fewer conditions, or use $in`,
    });
  });

  it("counts a path as many tests", () => {
    const paths = (count: number) =>
      `{${Array.from({ length: count }, (_, at) => `"a.b[${at}]":1`).join(",")}}`;
    expect(() => read(paths(1500))).not.toThrow();
    expect(refusal(paths(2000)).message).toMatch(/^the filter has more than 20000 conditions/);
  });

  it("limits the length of a path, but not of a name", () => {
    const path = (length: number) => `{"${"a.".repeat(length / 2 - 1)}ab":1}`;
    expect(() => read(path(4096))).not.toThrow();
    expect(refusal(path(4098)).message).toBe("a path has more than 4096 characters");
    expect(() => read(`{"${"a".repeat(5000)}":1}`)).not.toThrow();
  });

  it("compares any value without operators for equality", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const holder = createItemResolver({ pk: "p", sk: null, data: { field: value as never } });
        fc.pre(!JSON.stringify(value).includes("$"));
        for (const grammar of ["operators", "equality"] as const) {
          expect(evaluate(parseFilterObject({ field: value as never }, grammar), holder)).toBe(true);
          expect(evaluate(parseFilterObject({ field: [value as never] }, grammar), holder)).toBe(false);
        }
      }),
    );
  });
});
