import fc from "fast-check";
import { expect, it } from "vitest";
import { escapeInvisibleInLines } from "../../openapi/text/escape-invisible.js";
import { parseJson } from "../json/parse-json.js";
import { stringifyJson } from "../json/stringify-json.js";
import { measureCostRatio } from "../testing/measure-cost-ratio.js";
import { oddTextArbitrary } from "../testing/odd-text.arbitrary.js";
import { parseSeedText } from "./seed-text.js";
import { formatYaml } from "./seed-text.js";

const texts = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom(
    "true",
    "No",
    "null",
    "~",
    "1",
    "1e3",
    "0x10",
    "- a",
    "a: b",
    "a #b",
    "a:",
    "{",
    "%a",
    "é",
    " a",
    "a ",
    "\u2028",
    "\u0085",
    "\ufeff",
    "2030-01-01T00:00:00.000Z",
    "=",
    "<<",
    "a,b",
    "customer#ada",
    "::a",
    "a##[b",
  ),
  oddTextArbitrary,
  // a key before a colon can have at most 1,024 characters
  fc
    .tuple(fc.integer({ min: 1018, max: 1028 }), fc.constantFrom("k", "\ufeff", "\u{1f600}"))
    .map(([length, unit]) => unit.repeat(length)),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    texts,
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie("value")),
    fc.dictionary(texts, tie("value")),
  ),
}));

it("any value is read as it was written, every digit of it", () => {
  fc.assert(
    fc.property(value, fc.bigInt({ min: 10n ** 18n, max: 10n ** 30n }), (some, digits) => {
      const json = parseJson(`{"some":${JSON.stringify(some)},"digits":${digits}.50}`, { maxDepth: 100 });
      const text = formatYaml(json);
      // as in a file, and as printed
      for (const written of [text, escapeInvisibleInLines(text)])
        expect(stringifyJson(parseSeedText(written, "seed.yaml").json)).toBe(stringifyJson(json));
    }),
    { numRuns: 300 },
  );
});

it("elements of a list have a line each, so that files can be merged", () => {
  const json = parseJson('{"items":[{"pk":"a","data":{}},{"pk":"b","data":{"lines":[1,2]}}]}', {
    maxDepth: 10,
  });
  expect(formatYaml(json)).toBe(
    "items:\n  - { pk: a, data: {} }\n  - { pk: b, data: { lines: [ 1, 2 ] } }\n",
  );
});

it.each<readonly [string, (depth: number) => string]>([
  ["arrays", (depth) => "[".repeat(depth) + "]".repeat(depth)],
  ["objects", (depth) => "{a: ".repeat(depth) + "}".repeat(depth)],
  ["block sequences", (depth) => "- ".repeat(depth) + "a"],
  ["block mappings", (depth) => Array.from({ length: depth }, (_, at) => `${" ".repeat(at)}a:`).join("\n")],
])("rejects %s that are nested too deeply", (_, nest) => {
  parseSeedText(nest(200), "seed.yaml");
  for (const depth of [201, 5000])
    expect(() => parseSeedText(nest(depth), "seed.yaml")).toThrow(
      /^seed\.yaml has a mistake:\n {2}seed\.yaml:\d+:\d+: arrays and objects are nested more than 200 levels deep$/,
    );
});

it("takes time in proportion to a text of many keys or aliases", () => {
  const keys = (count: number) => () =>
    parseSeedText(Array.from({ length: count }, (_, at) => `k${at}: 1`).join("\n"), "seed.yaml");
  expect(measureCostRatio(keys(2000), keys(16_000), 3)).toBeLessThan(20);
  expect(() => parseSeedText("a: 1\nb: {c: 1, d: 2, c: 3}\n", "seed.yaml")).toThrow(
    "seed.yaml:2:17: this key occurs more than once in its object",
  );
  const aliases = (count: number) => () =>
    parseSeedText(`a: &a x\nb: [${Array(count).fill("*a").join(",")}]`, "seed.yaml");
  expect(measureCostRatio(aliases(2000), aliases(16_000), 3)).toBeLessThan(20);
  expect(aliases(100_001)).toThrow("the aliases expand to more than 100000 values");
});
