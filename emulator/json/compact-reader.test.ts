import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CompactJsonReader, countFieldsAndCollections, pickFields, setFields } from "./compact-reader.js";
import { jsonTextArbitrary } from "../testing/json-text.arbitrary.js";
import { isJsonArray, isJsonObject, getFieldEntries, type JsonValue } from "./json-value.js";
import { parseJson } from "./parse-json.js";
import { stringifyJson } from "./stringify-json.js";

type CompactJsonPath = Parameters<CompactJsonReader["createReader"]>[0];

const maxDepth = 100;
const runs = Number(process.env.PROPERTY_RUNS ?? 500);

/** Lists all values inside a value with their paths. */
function* listPlaces(
  value: JsonValue,
  path: (string | number)[] = [],
): Generator<[(string | number)[], JsonValue]> {
  const inside = isJsonArray(value)
    ? value.map((element, index) => [index, element] as const)
    : isJsonObject(value)
      ? getFieldEntries(value)
      : [];
  for (const [step, member] of inside) {
    yield [[...path, step], member];
    yield* listPlaces(member, [...path, step]);
  }
}

describe("pickFields", () => {
  it("picks the fields that the full parser reads, in the order of the names", () => {
    const order = fc.array(fc.nat(5), { maxLength: 8 });
    fc.assert(
      fc.property(jsonTextArbitrary, order, ({ compact }, indexes) => {
        const whole = parseJson(compact, { maxDepth });
        fc.pre(isJsonObject(whole));
        const given = [...getFieldEntries(whole)];
        const names = indexes.map((index) => given[index]?.[0] ?? "missing");
        const picked = new Map([...new Set(names)].flatMap((name) => given.filter(([one]) => one === name)));
        expect(pickFields(stringifyJson(whole), names)).toBe(stringifyJson(picked));
      }),
      { numRuns: runs },
    );
  });

  it("does not parse values", () => {
    expect(pickFields('{"a":[1.0.0,"]"],"b":1,"c"', ["b"])).toBe('{"b":1}');
    expect(pickFields("no object", [])).toBe("{}");
  });
});

describe("setFields", () => {
  it("sets the fields that the full parser reads, and appends the others", () => {
    const order = fc.array(fc.nat(5), { maxLength: 8 });
    fc.assert(
      fc.property(jsonTextArbitrary, order, ({ compact }, indexes) => {
        const whole = parseJson(compact, { maxDepth });
        fc.pre(isJsonObject(whole));
        const given = [...getFieldEntries(whole)];
        const fields = new Map(indexes.map((index) => [given[index]?.[0] ?? `new "${index}`, index]));
        const before = new Map<number, string | undefined>();
        const set = (text: string) =>
          setFields(text, fields, (value, was) => {
            before.set(value, was);
            return String(value);
          });
        const expected = stringifyJson(new Map<string, JsonValue>([...given, ...fields]));
        expect(set(stringifyJson(whole))).toBe(expected);
        for (const [index, was] of before) {
          const value = given[index]?.[1];
          expect(was).toBe(value === undefined ? undefined : stringifyJson(value));
        }
      }),
      { numRuns: runs },
    );
  });
});

describe("texts of many fields", () => {
  const write = (length: number, field: (index: number) => string) =>
    `{${Array.from({ length }, (_, index) => field(index)).join()}}`;
  it("cost more than texts of few fields", () => {
    const count = (text: string) => {
      let cost = 0;
      const spend = (amount: number) => (cost += amount);
      const work = { spend, spendOnParsing: (length: number) => spend(8 * length) };
      pickFields(text, ["last"], work);
      const ofPicking = cost;
      setFields(text, new Map([["last", 1]]), String, work);
      expect(cost).toBe(2 * ofPicking);
      return ofPicking;
    };
    const few = count(`{"long":"${"x".repeat(9000)}"}`);
    const many = count(write(1000, (index) => `"name${100 + index}":12`));
    expect(few).toBeLessThan(3000);
    expect(many).toBeGreaterThan(15_000);
  });
});

describe("countFieldsAndCollections", () => {
  it("counts at every depth, but not in texts", () => {
    fc.assert(
      fc.property(jsonTextArbitrary, ({ compact, loose }) => {
        const count = (value: JsonValue): number => {
          if (isJsonArray(value)) return value.reduce<number>((sum, one) => sum + count(one), 1);
          if (!isJsonObject(value)) return 0;
          return [...getFieldEntries(value)].reduce((sum, [, one]) => sum + 1 + count(one), 1);
        };
        const expected = count(parseJson(compact, { maxDepth }));
        expect([countFieldsAndCollections(compact), countFieldsAndCollections(loose)]).toEqual([
          expected,
          expected,
        ]);
      }),
      { numRuns: runs },
    );
  });
});

describe("CompactJsonReader", () => {
  it("reads requested values in any order, from one text after the other", () => {
    const reader = new CompactJsonReader(maxDepth);
    const paths: CompactJsonPath[] = [["d"], ["b"], ["c", 1], ["b", "b", 0], ["c", 0, "d"]];
    const reads = paths.map((path) => reader.createReader(path));
    reader.open('{"a":"x\\"}","b":{"b":[1]},"c":[{"d":1},"]"],"d":"\\\\","e":2}');
    expect(reads.map((read) => read())).toEqual(["\\", { b: [1] }, "]", 1, 1]);
    reader.open('{"d":[]}');
    expect(reads.map((read) => read())).toEqual([[], undefined, undefined, undefined, undefined]);
  });

  it("reads a value that was skipped before", () => {
    const reader = new CompactJsonReader(maxDepth);
    reader.open('{"a":1,"b":2}');
    expect(reader.createReader(["b"])()).toBe(2);
    expect(reader.createReader(["a"])()).toBe(1);
  });

  it("finds nothing at a path that does not exist", () => {
    const reader = new CompactJsonReader(maxDepth);
    reader.open('{"a":{},"l":[],"one":[1],"s":"x","deep":{"b":1,"c":"\\"d\\":"}}');
    const paths: CompactJsonPath[] = [
      ["b"],
      ["a", "b"],
      ["a", 0],
      ["l", 0],
      ["l", "length"],
      ["one", 1],
      ["one", 0, "x"],
      ["s", 0],
      ["s", "length"],
      ["deep", "d"],
      ["toString"],
    ];
    for (const path of paths) expect(reader.createReader(path)()).toBeUndefined();
    reader.open("{}");
    expect(reader.createReader(["a"])()).toBeUndefined();
  });

  it("reads what the full parser reads", () => {
    fc.assert(
      fc.property(jsonTextArbitrary, ({ compact }) => {
        const whole = parseJson(compact, { maxDepth });
        fc.pre(isJsonObject(whole));
        const all = [...listPlaces(whole)];
        const reader = new CompactJsonReader(maxDepth);
        const reads = all.map(([path]) => reader.createReader(path as unknown as CompactJsonPath));
        reader.open(stringifyJson(whole));
        for (const [index, [, value]] of [...all.entries()].reverse()) {
          const found = reads[index]?.();
          expect(found).not.toBeUndefined();
          expect(stringifyJson(found as JsonValue)).toBe(stringifyJson(value));
        }
      }),
      { numRuns: runs },
    );
  });

  it("reads numbers like the full parser, including their kind", () => {
    const reader = new CompactJsonReader(maxDepth);
    const read = reader.createReader(["n"]);
    const number = fc.oneof(
      fc.stringMatching(/^-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,17})?([eE][+-]?[0-9]{1,2})?$/u),
      fc.stringMatching(/^-?0\.0{0,8}[0-9]{1,3}$/u),
      fc.constantFrom(
        "0",
        "-0",
        "0.0",
        "-0.0",
        "0.5",
        "-0.5",
        "10",
        "1.0",
        "0.000001",
        "0.0000001",
        "0.00000012",
      ),
    );
    fc.assert(
      fc.property(number, (text) => {
        reader.open(`{"n":${text}}`);
        expect(read()).toStrictEqual(parseJson(text, { maxDepth }));
      }),
      { numRuns: runs },
    );
  });
});
