import fc from "fast-check";
import { JsonText } from "../client/json-text.js";

const numberText = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom(
    "9007199254740993",
    "-9223372036854775808",
    "18446744073709551615",
    "0.1000000000000000055511151231257827",
    "123456789012345678901234567890.123456789",
    "1e300",
    "1e-300",
    "1.0",
    "-0",
  ),
  fc.stringMatching(/^-?[1-9][0-9]{0,24}(\.[0-9]{1,20})?$/u),
);

const text = fc.oneof(
  fc.constantFrom("", "__proto__", "constructor", "\u0000", "2030-01-01T00:00:00.000Z", "\u2028", "null"),
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.nat().map(String),
);

/** Any object: names and values of every kind, numbers beyond doubles included, nested a few levels deep. */
export const anyData: fc.Arbitrary<JsonText> = fc
  .letrec<{ value: string; object: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      fc.constantFrom("null", "true", "false"),
      numberText,
      text.map((value) => JSON.stringify(value)),
      fc.array(tie("value"), { maxLength: 4 }).map((items) => `[${items.join(",")}]`),
      tie("object"),
    ),
    object: fc
      .uniqueArray(fc.tuple(text, tie("value")), { selector: ([name]) => name, maxLength: 4 })
      .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`),
  }))
  .object.map((object) => new JsonText(object));

/** One attribute of every kind. */
export const everyKind = new JsonText(
  '{"text":"x","empty":"","odd":"\\u0000\\u0007\\t \\\"\\\\ e\u0301 \u{1f600} \u2028 ","number":1.5,"large":12345678901234567890,"yes":true,"no":false,"nothing":null,' +
    '"list":[1,[],{}],"nested":{"__proto__":{"a":[null]}},"10":1,"9":2}',
);

/** Small data that tells one write from another. */
export const smallData: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc.dictionary(
  fc.constantFrom("a", "b", "c"),
  fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constantFrom("x", true, null)),
  { noNullPrototype: true },
);
