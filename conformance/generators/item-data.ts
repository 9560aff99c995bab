import fc from "fast-check";
import { JsonText } from "../client/json-text.js";
import { anyCharacter } from "./any-character.js";
import { changeableText, trickyTexts } from "./tricky-texts.js";

/** Generates numbers that may exceed the precision of a double, with a point anywhere and exponents up to its limits. */
const decimal = fc
  .tuple(
    fc.stringMatching(/^-?[1-9][0-9]{0,16}$/u),
    fc.option(fc.stringMatching(/^[0-9]{1,17}$/u), { nil: undefined }),
    fc.option(fc.integer({ min: -290, max: 270 }), { nil: undefined }),
  )
  .map(
    ([whole, fraction, exponent]) =>
      whole + (fraction === undefined ? "" : `.${fraction}`) + (exponent === undefined ? "" : `e${exponent}`),
  );

const numberText = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  // An unbounded double rarely has a fraction near 1, because all exponents are equally likely.
  fc.double({ noNaN: true, min: -1000, max: 1000 }).map((value) => JSON.stringify(value)),
  fc.maxSafeInteger().map(String),
  decimal,
  fc.constantFrom(
    "9007199254740993",
    "-9223372036854775808",
    "18446744073709551615",
    "0.1000000000000000055511151231257827",
    "0.30000000000000004",
    "123456789012345678901234567890.123456789",
    "1.7976931348623157e308",
    "2.2250738585072014e-308",
    "5e-324",
    "1e300",
    "1e-300",
    "1E5",
    "1.0",
    "-0",
  ),
  fc.stringMatching(/^-?[1-9][0-9]{0,24}(\.[0-9]{1,20})?$/u),
);

const text = fc.oneof(
  fc.constantFrom(...trickyTexts, "\u0000", "2030-01-01T00:00:00.000Z"),
  fc.string({ unit: anyCharacter, maxLength: 6 }),
  fc.nat().map(String),
);

/** Generates field names; names with characters other than letters and digits may be refused. */
const memberName = fc.oneof(
  { weight: 2, arbitrary: fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9]{0,5}$/) },
  { weight: 1, arbitrary: text },
);

function formatObject(members: readonly (readonly [string, string])[]): string {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`;
}

/** Creates an object with many fields, which are not in the order of their names. */
function wideText(width: number, value: string): string {
  return formatObject(
    Array.from({ length: width }, (_, n): [string, string] => [
      `m${(n * 37) % width}x${n}`,
      n % 5 === 0 ? value : String(n),
    ]),
  );
}

/**
 * Generates objects with names and values of every kind, including numbers beyond doubles; {@link exampleData} has
 * large ones.
 */
export const anyData: fc.Arbitrary<JsonText> = fc
  .letrec<{ value: string; object: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      { weight: 6, arbitrary: fc.constantFrom("null", "true", "false") },
      { weight: 8, arbitrary: numberText },
      { weight: 6, arbitrary: text.map((value) => JSON.stringify(value)) },
      {
        weight: 5,
        arbitrary: fc.array(tie("value"), { maxLength: 4 }).map((items) => `[${items.join(",")}]`),
      },
      { weight: 5, arbitrary: tie("object") },
    ),
    object: fc
      .uniqueArray(fc.tuple(memberName, tie("value")), { selector: ([name]) => name, maxLength: 4 })
      .map(formatObject),
  }))
  .object.map((object) => new JsonText(object));

/** Data with one attribute of every type. */
export const dataOfEveryType = new JsonText(
  '{"text":"x","empty":"","mark":"﻿a﻿","odd":"\\u0000\\u0007\\t \\\"\\\\ e\u0301 \u{1f600} \u2028 ","number":1.5,"large":12345678901234567890,"yes":true,"no":false,"nothing":null,' +
    '"list":[1,[],{}],"nested":{"__proto__":{"a":[null]}},"10":1,"9":2}',
);

/**
 * Data that every run tries: many fields, digits, elements, characters or levels; fields with the names of keys; texts
 * that could be read as times, HTML or JSON, or have line ends of two characters; names that differ in case; and an object
 * that could be read as an array.
 */
export const exampleData: readonly JsonText[] = [
  wideText(17, "true"),
  wideText(257, "0.5"),
  `{"a":${wideText(33, "[]")}}`,
  '{"f":[0.1234567890123456,-98765.43210987654,3.141592653589793,1.0000000000000002,6.02214076e23,1.7976931348623157e308,5e-324]}',
  `{"list":[${Array.from({ length: 300 }, (_, n) => n).join(",")}],"text":"${"漢x".repeat(2000)}"}`,
  // The hyphen in a name allows deployments to refuse this data.
  '{"pk":"none","sk":5,"createdAt":"never","updatedAt":null,"a-b":0}',
  '{"Name":"A","name":"b","list":[{"aB":1,"ab":2}],"a-b":0}',
  '{"data":{"a":1},"b":2}',
  '{"a.b":1,"c":{"d.e":2}}',
  '{"json":["{\\"a\\":1}","[1]"]}',
  '{"times":["2030-01-01","2030-01-01T00:00:00Z","2030-01-01T01:00:00+01:00"],"numbered":{"0":"a","1":"b"}}',
  '{"times":["2030-01-01T00:00:00.000Z","2030-01-01T00:00:00.120Z","/Date(0)/"],' +
    '"texts":["<b>x</b> & \\"y\\" < 1 > 0","&lt;&amp;&#39;","a\\r\\nb\\rc"]}',
  `{"deep":${'{"a":['.repeat(2)}{"b":1}${"]}".repeat(2)}}`,
].map((object) => new JsonText(object));

/** Plain values that faulty storage may change. */
const plainValue = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constantFrom("x", "", "é🙂", true, false, null)),
  },
  { weight: 1, arbitrary: fc.double({ noNaN: true, min: 0.001, max: 1000 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom([{ x: ["x"] }, {}], { a: { b: [0.1] } }, changeableText, -1.5e-7, 1e21),
  },
);

/** Generates plain data that distinguishes writes: usually a few fields, sometimes dozens. */
export const smallData: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.dictionary(fc.constantFrom("a", "b", "c"), plainValue, { noNullPrototype: true }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.integer({ min: 17, max: 60 }), plainValue)
      .map(([members, value]) =>
        Object.fromEntries(Array.from({ length: members }, (_, n) => [`m${n}`, n % 3 === 0 ? value : n])),
      ),
  },
);

/** Plain data with many fields, each with a long fraction. */
export const dataWithManyFields: Readonly<Record<string, unknown>> = Object.fromEntries(
  Array.from({ length: 40 }, (_, n) => [`m${n}`, n + 0.123456789012345]),
);

/** Generates values that are not objects, to send instead of an object; `undefined` omits the field. */
export const nonObject: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, [], "{}"),
  fc.string({ maxLength: 8 }),
  fc.integer(),
  fc.boolean(),
  fc.array(smallData, { maxLength: 2 }),
);

/** One value of every type that is not an object. */
export const exampleNonObjects: readonly unknown[] = [undefined, null, "text", 5, true, [], [{ a: 1 }]];
