import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emulatorDefinedLimits } from "../../openapi/clauses/limits.js";
import { measureCostRatio } from "../testing/measure-cost-ratio.js";
import { getPropertyRuns } from "../testing/property-runs.js";
import type { JsonValue } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import { createItemResolver, evaluateExpression, getValueAtPath } from "./evaluate.js";
import { EvaluationBudget, EvaluationLimitError } from "./evaluation-budget.js";
import type { Path } from "./expression.js";
import { parseCondition } from "./parse-condition.js";

const data = parseJson(
  `{"n": 5, "big": 9007199254740993, "dec": 1.0, "s": "héllo", "emoji": "😀x", "null": null, "t": true,
    "list": [1, "two", {"a": 3.0}], "map": {"10": "ten", "in": {"x": 1}}, "pk": "shadowed", "odd.name": 1}`,
  { maxDepth: 10 },
);
const item = createItemResolver({ pk: "user#1", sk: null, data });
const missing = createItemResolver(undefined);
const resolveIn = (attributes: JsonValue) => (path: Path) => getValueAtPath(path, attributes);

function holds(text: string, values = "{}", resolvePath = item): boolean {
  const context = { resolvePath, values: parseJson(values, { maxDepth: 10 }), work: new EvaluationBudget() };
  return evaluateExpression(parseCondition(text, "full"), context);
}

describe("evaluateExpression", () => {
  it.each([
    ["n = :v", '{":v": 5.0}', true],
    ["n <> :v", '{":v": "5"}', true],
    ["n < :v", '{":v": "6"}', false],
    ["big > :v", '{":v": 9007199254740992}', true],
    ["dec = :v", '{":v": 1}', true],
    ["t = :v", '{":v": true}', true],
    ["t >= :v", '{":v": true}', false],
    ["list <= list", "{}", false],
    ["null = :v", '{":v": null}', true],
    ["list[2] = :v", '{":v": {"a": 3}}', true],
    ["list[3] = :v", '{":v": null}', false],
    ['map."10" = :v', '{":v": "ten"}', true],
    ["map.in.x = dec", "{}", true],
    ["n BETWEEN :a AND :b", '{":a": 5, ":b": 5.0}', true],
    ["s BETWEEN :a AND :b", '{":a": "a", ":b": "h"}', false],
    ["n BETWEEN :a AND :b", '{":a": 1, ":b": "z"}', false],
    ["n IN (:a, nowhere, dec, :b)", '{":a": "5", ":b": 5}', true],
    ["n IN (:a)", '{":a": 4}', false],
    ["begins_with(s, :v)", '{":v": "hé"}', true],
    ["begins_with(list, :v)", '{":v": 1}', false],
    ["contains(s, :v)", '{":v": "llo"}', true],
    ["contains(s, :v)", '{":v": 1}', false],
    ["contains(list, :v)", '{":v": {"a": 3.00}}', true],
    ["contains(map, :v)", '{":v": "ten"}', false],
    ["size(emoji) = :v", '{":v": 2}', true],
    ["size(list) = :v AND size(map) < :v", '{":v": 3}', true],
    ["size(n) >= :v", '{":v": 0}', false],
    ["attribute_exists(null)", "{}", true],
    ["attribute_exists(map.out)", "{}", false],
    ["attribute_not_exists(s.length)", "{}", true],
    ["attribute_exists(toString)", "{}", false],
  ])("%s with %s: %s", (text, values, expected) => {
    expect(holds(text, values)).toBe(expected);
  });

  it.each([
    "nowhere = :v",
    "nowhere <> :v",
    ":v <> nowhere",
    "nowhere < :v",
    "nowhere BETWEEN :v AND :v",
    "n BETWEEN nowhere AND :v",
    "nowhere IN (nowhere)",
    "begins_with(nowhere, :v)",
    "contains(list, nowhere)",
    "n <> :unknown",
  ])("is false for the missing operand of %s, and true for its negation", (text) => {
    expect(holds(text, '{":v": 5}')).toBe(false);
    expect(holds(`NOT ${text}`, '{":v": 5}')).toBe(true);
  });

  it("refers with pk and sk to the keys of an existing item", () => {
    expect(holds("attribute_exists(pk) AND pk = :v", '{":v": "user#1"}')).toBe(true);
    expect(holds("attribute_exists(sk)")).toBe(false);
    const sorted = createItemResolver({ pk: "p", sk: "s", data: {} });
    expect(holds("sk = :v AND attribute_exists(sk)", '{":v": "s"}', sorted)).toBe(true);
    expect(holds("attribute_not_exists(pk) AND attribute_not_exists(sk)", "{}", missing)).toBe(true);
    expect(holds("n = :v OR n <> :v", '{":v": 5}', missing)).toBe(false);
  });

  it("agrees with a plain JavaScript oracle", () => {
    fc.assert(
      fc.property(condition, record, record, ({ text, oracle }, attributes, values) => {
        const named = Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value]));
        const expression = parseCondition(text, "full");
        const context = { resolvePath: resolveIn(attributes), values: named, work: new EvaluationBudget() };
        expect(evaluateExpression(expression, context), text).toBe(oracle({ attributes, values }));
      }),
      { numRuns: getPropertyRuns(500) },
    );
  });
});

type Scalars = Readonly<Record<string, number | string>>;
interface World {
  readonly attributes: Scalars;
  readonly values: Scalars;
}
interface Sample {
  readonly text: string;
  readonly oracle: (world: World) => boolean;
}

const name = fc.constantFrom("a", "b", "c");
const scalar: fc.Arbitrary<number | string> = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.constantFrom("", "x", "xy"),
);
const record = fc.dictionary(name, scalar, { noNullPrototype: true }) satisfies fc.Arbitrary<JsonValue>;

const operand = fc.tuple(name, fc.boolean()).map(([of, named]) => ({
  text: named ? `:${of}` : of,
  get: (world: World) => (named ? world.values : world.attributes)[of],
}));
const comparators: Readonly<Record<string, (a: number | string, b: number | string) => boolean>> = {
  "=": (a, b) => a === b,
  "<>": (a, b) => a !== b,
  "<": (a, b) => typeof a === typeof b && a < b,
  ">=": (a, b) => typeof a === typeof b && a >= b,
};

const comparison: fc.Arbitrary<Sample> = fc
  .tuple(operand, fc.constantFrom(...Object.entries(comparators)), operand)
  .map(([left, [sign, test], right]) => ({
    text: `${left.text} ${sign} ${right.text}`,
    oracle: (world) => {
      const [a, b] = [left.get(world), right.get(world)];
      return a !== undefined && b !== undefined && test(a, b);
    },
  }));
const existence: fc.Arbitrary<Sample> = fc.tuple(name, fc.boolean()).map(([of, wanted]) => ({
  text: `${wanted ? "attribute_exists" : "attribute_not_exists"}(${of})`,
  oracle: ({ attributes }) => of in attributes === wanted,
}));

const condition = fc.letrec<{ any: Sample }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, depthSize: "medium" },
    comparison,
    existence,
    tie("any").map(({ text, oracle }): Sample => ({
      text: `NOT (${text})`,
      oracle: (world) => !oracle(world),
    })),
    fc.tuple(tie("any"), tie("any"), tie("any")).map(
      // without inner parentheses, because AND binds tighter than OR
      ([a, b, c]): Sample => ({
        text: `((${a.text}) OR (${b.text}) AND (${c.text}))`,
        oracle: (world) => a.oracle(world) || (b.oracle(world) && c.oracle(world)),
      }),
    ),
  ),
})).any;

describe("the cost of evaluations", () => {
  const long = "x".repeat(200_000);
  const list = (element: (index: number) => string, size = 50_000) =>
    `[${Array.from({ length: size }, (_, index) => element(index)).join()}]`;
  const members = `{${Array.from({ length: 30_000 }, (_, index) => `"m${index}":1`).join()}}`;
  const deep = `${"[".repeat(500)}1${"]".repeat(500)}`;
  /** Expressions that are expensive to evaluate, with the attributes `a` and `b` and the value of `:v`. */
  const costly: readonly (readonly [test: string, a: string, b?: string, v?: string])[] = [
    ["size(a) < :v", JSON.stringify(long)],
    ["a > b", JSON.stringify(`${long}y`), JSON.stringify(`${long}z`)],
    ["contains(a, :v)", JSON.stringify(long), "0", JSON.stringify(`${"x".repeat(100)}y`)],
    ["contains(a, :v)", list(String), "0", "-1"],
    ["a <> b", list(String)],
    ["a <> b", list((index) => `${index}.0`)],
    ["a <> b", list((index) => `${index}.0000000000000000`), list((index) => `${index}.00000000000000000`)],
    ["a <> b", list(() => "{}")],
    ["a <> b", list(() => deep, 100)],
    ["size(a) < :v", members],
    ["a <> b", members],
  ];

  /** Evaluates an expression repeatedly until the budget is used up. */
  const exhaust = ([test, a, b = a, v = "0"]: (typeof costly)[number]) => {
    const attributes = parseJson(`{"a":${a},"b":${b}}`, { maxDepth: 1000 });
    const expression = parseCondition(`${test} OR ${test}`, "full");
    const values = { ":v": parseJson(v, { maxDepth: 10 }) };
    return () => {
      const work = new EvaluationBudget();
      // the last quarter of the budget is enough to show the cost
      work.spend(0.75 * emulatorDefinedLimits.evaluation.work);
      expect(() => {
        for (;;) evaluateExpression(expression, { resolvePath: resolveIn(attributes), values, work });
      }).toThrow(EvaluationLimitError);
    };
  };

  it("refuses comparisons that cost much more than comparing texts", () => {
    const texts = exhaust(["a > b", JSON.stringify(`${long}y`), JSON.stringify(`${long}z`)]);
    for (const one of costly)
      expect(measureCostRatio(texts, exhaust(one), 2), JSON.stringify(one).slice(0, 80)).toBeLessThan(5);
  });

  it("does not read the choices of IN for a missing value, and charges for each missing choice", () => {
    const count = (text: string) => {
      let [paths, cost] = [0, 0];
      const work = new EvaluationBudget();
      work.spend = (amount) => (cost += amount);
      const resolvePath = ([name]: Path) => {
        paths += 1;
        return name === "n" ? 5 : undefined;
      };
      expect(evaluateExpression(parseCondition(text, "full"), { resolvePath, work })).toBe(false);
      return { paths, cost };
    };
    const choices = (choice: string) => `(${Array(1000).fill(choice).join(",")})`;
    expect(count(`m IN ${choices("n")}`)).toEqual({ paths: 1, cost: 20 });
    expect(count(`n IN ${choices("m")}`)).toEqual({ paths: 1001, cost: 20_020 });
    expect(count(`n IN ${choices(":v")}`)).toEqual({ paths: 1, cost: 20_020 });
  });

  it("allows ordinary tests on large values", () => {
    const attributes = parseJson(`{"a":${list(String)},"b":${list(String)},"t":"${long}"}`, { maxDepth: 10 });
    const text = "a = b AND contains(a, :v) AND size(t) > :v AND NOT contains(t, :t) AND a[49999] > :v";
    const expression = parseCondition(text, "full");
    const values = { ":v": 49_998, ":t": "y" };
    const context = { resolvePath: resolveIn(attributes), values, work: new EvaluationBudget() };
    expect(evaluateExpression(expression, context)).toBe(true);
  });
});
