import fc from "fast-check";
import { anyCharacter } from "../../../conformance/generators/any-character.js";
import { buildEntityCases, buildField, fieldPlans } from "../../../conformance/generators/field-plans.js";
import { anyData, exampleData } from "../../../conformance/generators/item-data.js";
import { JsonText } from "../../../conformance/client/json-text.js";

type Values = Readonly<Record<string, unknown>>;

/** A byte order mark, or a few characters of any kind, many of them invisible or control characters. */
const oddCharacters = fc.oneof(
  fc.constant("\ufeff"),
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 3 }),
);

/** Inserts odd characters into a text, mostly at one of its ends, where decoders or trimming may remove them. */
export const textMutation: fc.Arbitrary<(text: string) => string> = fc
  .tuple(fc.constantFrom(0, 1, undefined), fc.nat(1000), oddCharacters)
  .map(([end, place, odd]) => (text) => {
    const at = end === undefined ? place % (text.length + 1) : end * text.length;
    return text.slice(0, at) + odd + text.slice(at);
  });

/** Uses the second arbitrary once in `times` times. */
export function withRareValue<Value>(
  times: number,
  usual: fc.Arbitrary<Value>,
  other: fc.Arbitrary<Value>,
): fc.Arbitrary<Value> {
  return fc.oneof({ weight: times - 1, arbitrary: usual }, { weight: 1, arbitrary: other });
}

/** Inserts odd characters into one text in twelve. */
export const occasionalTextMutation = withRareValue(
  12,
  fc.constant((text: string) => text),
  textMutation,
);

/** Inserts odd characters into some texts. */
export function mutateTexts(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(texts, occasionalTextMutation).map(([text, change]) => change(text));
}

/** Texts for fields for which no response has supplied values. */
export const wordArbitrary = mutateTexts(
  fc.constantFrom("a", "reader", "Teapot", "status", "total", "price", "createdAt", "ä/ö", "x".repeat(101)),
);

const conditions = fc.constantFrom<readonly [text: string, values: Values | null]>(
  ["attribute_not_exists(pk)", null],
  ["attribute_exists(total) AND total > :min", { ":min": 5 }],
  ["status = :status", { ":status": "open" }],
  ["status = :a OR NOT (total <= :b)", { ":a": "open", ":b": 1e21 }],
  ["begins_with(status, :p)", { ":p": "o" }],
  ["contains(tags, :tag)", { ":tag": "kitchen" }],
  ["price BETWEEN :low AND :high", { ":low": 1, ":high": 100 }],
  ["price IN (:a, :b, :c)", { ":a": 6.75, ":b": "x", ":c": null }],
  ["size(title) > :n", { ":n": 2 }],
  ["inStock = :inStock AND price < :max", { ":inStock": true, ":max": 50 }],
  ["maker.country = :country", { ":country": "GB" }],
  ["price =", null],
  ["((((", null],
);

/** Conditions whose evaluation takes longer the larger the item is; see {@link longData}. */
const heavyConditions = fc
  .tuple(
    fc.constantFrom("a <> b", "a = :b", "contains(a, :n)", "t <> s", "deep <> a"),
    fc.integer({ min: 1, max: 300 }),
  )
  .map(([test, times]): readonly [string, Values] => [
    Array(times).fill(test).join(" OR "),
    { ":b": Array(300).fill(1), ":n": 10 },
  ]);

/** Conditions for items and filters for entities, with the values of their names. */
export const conditionWithValuesArbitrary = withRareValue(16, conditions, heavyConditions);

/** Statements for `query`, with the values of their markers. */
export const queryWithValuesArbitrary = fc.constantFrom<readonly [sql: string, values: Values | null]>(
  ["SELECT * FROM products", null],
  ["SELECT name, price FROM products WHERE sku = ?", { sku: "sku-03" }],
  ["SELECT * FROM products WHERE price > 10 ALLOW FILTERING", null],
  [
    "SELECT * FROM page_views WHERE page = '/home' AND seen_at >= ? ORDER BY seen_at DESC",
    { at: "2029-12-30T09:00:00Z" },
  ],
  [
    "SELECT sku FROM products WHERE sku IN ('sku-03', ?, 'x') AND name LIKE 'T%' ALLOW FILTERING",
    { b: "sku-11" },
  ],
  ["INSERT INTO products (sku, name, price) VALUES (?, ?, ?)", { a: "sku-77", b: "\ufeffSpoon", c: 1.5 }],
  [
    "INSERT INTO page_views (page, seen_at, milliseconds) VALUES ('/x', '2030-01-01T00:00:00.000Z', 9223372036854775807)",
    null,
  ],
  ["UPDATE products SET stock = ? WHERE sku = 'sku-03'", { n: 7 }],
  ["UPDATE products SET tags = {'a', 'b'}, price = 2.25 WHERE sku = 'sku-21'", null],
  ["DELETE FROM products WHERE sku = 'sku-24'", null],
  ["INSERT INTO things (id, name, l, m) VALUES (1, 'one', [1, 2], {'k': [1]})", null],
  ["SELECT * FROM things LIMIT 2", null],
  ["SELECT COUNT(*) FROM products", null],
  ["DROP TABLE products", null],
  ["SELECT", null],
);

export const ddlStatementArbitrary = fc.constantFrom(
  "CREATE TABLE things (id INT PRIMARY KEY, name TEXT, l LIST<INT>, m MAP<TEXT, LIST<INT>>)",
  'CREATE TABLE "odd name" (a INT, b UUID, c TIMESTAMP, d DECIMAL DEFAULT 1.5, PRIMARY KEY ((a, b), c))',
  "CREATE INDEX things_by_name ON things (name)",
  "CREATE UNIQUE INDEX products_by_name ON products (name)",
  "ALTER TABLE things ADD more SET<TEXT>",
  "ALTER TABLE things DROP name",
  "ALTER TABLE products ADD weight DOUBLE",
  "DROP INDEX things_by_name",
  "DROP TABLE things",
  'DROP TABLE "odd name"',
  "CREATE TABLE products (a INT PRIMARY KEY)",
  "CREATE TABLE t (a INT)",
);

/** Filters of items. */
const filters = withRareValue<unknown>(
  16,
  fc.constantFrom<unknown>(
    { status: "open" },
    { total: { $gte: 10 } },
    { $or: [{ status: "open" }, { total: { $lt: 50 } }] },
    { status: { $in: ["open", "delivered", null, 1] } },
    { name: { $contains: "a" }, tier: { $ne: "gold" } },
    { total: { $gte: 1, $lte: 1e308 } },
    { "address.city": "London" },
    { $unknown: 1 },
    {},
  ),
  fc
    .tuple(fc.constantFrom("$contains", "$ne"), fc.integer({ min: 1, max: 300 }))
    .map(([operator, times]) => ({ $or: Array(times).fill({ a: { [operator]: 10 } }) })),
);

/** Schemas of repositories. */
const repositorySchemas = fc.oneof(
  fc.constantFrom<unknown>(null, { code: { type: "string", pattern: "(" } }, { x: { type: "text" } }),
  fieldPlans.map((plans) => buildEntityCases(plans.map(buildField)).schema),
);

/** Data on which conditions and filters are slow. */
const longData = fc.tuple(fc.noBias(fc.nat(1000)), fc.integer({ min: 1, max: 60 })).map(([size, depth]) => {
  // usually small, rarely long
  const length = Math.floor(20_000 ** (size / 1000));
  const list = `[${Array.from({ length }, (_, at) => at % 10).join()}]`;
  const text = JSON.stringify("\ufeffx".repeat(length));
  return new JsonText(
    `{"a":${list},"b":${list},"t":${text},"s":${text},"deep":${"[".repeat(depth)}${"]".repeat(depth)}}`,
  );
});

/** Data of items and entities. */
export const freeFormDataArbitrary: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 10, arbitrary: anyData },
  {
    weight: 15,
    arbitrary: fc.constantFrom<unknown>(
      { total: 42.5, status: "open" },
      { title: "Teapot", price: 24.5, tags: ["kitchen"], sku: "KIT-1001" },
      { kind: "note", text: "x".repeat(300), user: "ada" },
      { sku: "KIT-1009", title: "Pan", price: 19.9, inStock: true, maker: { name: "Kallio", country: "FI" } },
    ),
  },
  { weight: 1, arbitrary: withRareValue(4, fc.constantFrom<unknown>(...exampleData), longData) },
);

/** Fields of requests that store or test long data under the same key. */
export const costlyItemFieldsArbitrary: fc.Arbitrary<object> = fc.oneof(
  longData.map((data) => ({ pk: "long", sk: "a", data })),
  heavyConditions.map(([conditionExpression, filterValues]) => ({
    pk: "long",
    sk: "a",
    conditionExpression,
    filterValues,
  })),
);

/** Fields whose values have a grammar or refer to the demo data. */
export const arbitrariesByField: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  sortKeyCondition: mutateTexts(
    fc.constantFrom(
      "=:order#2029-11-03",
      "<:order#3",
      "begins_with:order#",
      "between:a:z",
      "between:z:a",
      "~:x",
    ),
  ),
  filterExpression: filters,
  data: freeFormDataArbitrary,
  schema: repositorySchemas,
  advance: fc.constantFrom("PT1S", "PT1M", "PT30M", "PT2H", "P1D", "P20D"),
  now: fc.constantFrom("2030-01-01T00:00:00Z", "2030-06-01T12:00:00+02:00", "2031-01-31T23:59:59.999Z"),
  expiresAt: fc.constantFrom("2030-01-02T00:00:00Z", "2040-01-01T00:00:00Z", null),
  path: fc.constantFrom("/api/**", "/health", "/api/v1/databases/*/items/**"),
  billingEmail: fc.constantFrom("bills@demo.test", "a@b"),
  slug: fc.constantFrom("tea", "tea-2", "demo-pro"),
  idleSeconds: fc.constantFrom(600, 604_800, null),
  // results on a system clock would not be reproducible
  mode: fc.constant("manual"),
};

/** JSON that is unusual in any field. */
export const oddJsonArbitrary = fc
  .constantFrom(
    ...["null", "true", "-0", "-1", "1e400", "1e-400", "9007199254740993", "123456789012345678901234.5"],
    ...['""', '" "', '"\\u0000"', '"\\ud800"', '"\\ufeff"', '"\\u202e\\u0007"', '"__proto__"', '"a@b"'],
    ...['"2030-02-30T25:61:00Z"', '"P999999999D"', '"../../etc/passwd"', '"\'; DROP TABLE items; --"'],
    ...["[]", "{}", '{"$ref":"#"}', '{"__proto__":{"a":1}}', '{"a":1,"a":2}', "[".repeat(1000)],
    `${"[".repeat(50)}${"]".repeat(50)}`,
  )
  .map((text) => new JsonText(text));
