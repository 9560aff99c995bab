/** Texts that mean something where they are sent. */

/** Conditions of items and filters of repositories, with the values that their names stand for. */
export const conditions: readonly (readonly [
  text: string,
  values: Readonly<Record<string, unknown>> | null,
])[] = [
  ["attribute_not_exists(pk)", null],
  ["attribute_exists(pk)", null],
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
  ["missing = :missing", null],
];

export const sortKeyConditions = [
  "=:order#2029-11-03",
  "<:order#3",
  "<=:order#2029-12-11",
  ">:a",
  ">=:order",
  "begins_with:order#",
  "between:a:z",
  "between:z:a",
  "begins_with",
  "~:x",
] as const;

/** Statements with the values of their markers. */
export const queries: readonly (readonly [sql: string, values: Readonly<Record<string, unknown>> | null])[] =
  [
    ["SELECT * FROM products", null],
    ["SELECT name, price FROM products WHERE sku = ?", { sku: "sku-03" }],
    ["SELECT * FROM products WHERE category = 'kitchen'", null],
    ["SELECT * FROM products WHERE price > 10 ALLOW FILTERING", null],
    [
      "SELECT * FROM page_views WHERE page = '/home' AND seen_at >= ? ORDER BY seen_at DESC",
      { at: "2029-12-30T09:00:00Z" },
    ],
    [
      "SELECT sku FROM products WHERE sku IN ('sku-03', ?, 'x') AND name LIKE 'T%' ALLOW FILTERING",
      { b: "sku-11" },
    ],
    ["INSERT INTO products (sku, name, price) VALUES (?, ?, ?)", { a: "sku-77", b: "Spoon", c: 1.5 }],
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
  ];

export const definitions = [
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
] as const;

/** Filters of items. */
export const filters: readonly unknown[] = [
  { status: "open" },
  { total: { $gte: 10 } },
  { $or: [{ status: "open" }, { total: { $lt: 50 } }] },
  { status: { $in: ["open", "delivered", null, 1] } },
  { name: { $contains: "a" }, tier: { $ne: "gold" } },
  { total: { $gte: 1, $lte: 1e308 } },
  { "address.city": "London" },
  { $unknown: 1 },
  {},
];

/** Schemas of repositories. */
export const repositorySchemas: readonly unknown[] = [
  null,
  {
    title: { type: "string", required: true, minLength: 1, maxLength: 200 },
    price: { type: "number", min: 0 },
  },
  {
    a: {
      type: "array",
      items: { type: "object", properties: { b: { type: "boolean", default: true } } },
      maxItems: 3,
    },
  },
  { code: { type: "string", pattern: "^(a|b)*[0-9]{2,5}$" } },
  { code: { type: "string", pattern: "(" } },
  { x: { type: "text" } },
];

/** Free data of items and entities. */
export const freeData: readonly Readonly<Record<string, unknown>>[] = [
  { total: 42.5, status: "open" },
  { title: "Teapot", price: 24.5, tags: ["kitchen"], sku: "KIT-1001" },
  {
    sku: "KIT-1009",
    title: "Pan",
    price: 19.9,
    inStock: true,
    maker: { name: "Kallio", country: "FI", since: 1999 },
  },
  { kind: "note", text: "x".repeat(300), user: "ada" },
  { "": [null, true, 1e21, "ü"], nested: { deep: [{}, [[]]] } },
  { __proto__: null, constructor: 1, toString: "t" },
  { "\u0000": "\ud83d\ude00", n: -0.0000001 },
  {},
];

/** Values that are odd wherever they stand, as JSON text. */
export const oddJson = [
  "null",
  "true",
  "0",
  "-0",
  "-1",
  "1e400",
  "1e-400",
  "9007199254740993",
  "123456789012345678901234567890.5",
  '""',
  '" "',
  '"\\u0000"',
  '"\\ud800"',
  '"\\u202e\\u0007"',
  '"__proto__"',
  '"2030-02-30T25:61:00Z"',
  '"P999999999D"',
  '"../../etc/passwd"',
  '"\'; DROP TABLE items; --"',
  '"a@b"',
  "[]",
  "{}",
  '{"$ref":"#"}',
  '{"__proto__":{"a":1}}',
  '{"a":1,"a":2}',
  "[[[[[[[[[[[[]]]]]]]]]]]]",
] as const;

export const methods = [
  "GET",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "HEAD",
  "OPTIONS",
  "TRACE",
  "get",
  "QUERY",
] as const;

/** Headers that may mean something to whoever reads a request. */
export const oddHeaders: readonly (readonly [name: string, values: readonly string[]])[] = [
  [
    "Authorization",
    [
      "Bearer",
      "Bearer ",
      "Bearer eyJhbGciOiJub25lIn0.e30.",
      "Basic b3duZXI6eA==",
      "bearer dsk_demo_all",
      "Bearer dsk_demo_all dsk_demo_all",
      "x".repeat(3000),
    ],
  ],
  [
    "Content-Type",
    [
      "text/plain",
      "application/json; charset=utf-16",
      "application/xml",
      "",
      "application/vnd.sqlite3",
      "application/octet-stream",
      "APPLICATION/JSON;charset=UTF-8",
    ],
  ],
  ["Content-Encoding", ["gzip", "br", "identity"]],
  ["Accept", ["text/html", "application/vnd.sqlite3", "application/json;q=0", "*/*"]],
  ["Host", ["example.com", "", "localhost", "[::1]:80", "a b", "127.0.0.1:99999"]],
  ["Origin", ["https://example.com", "null", "http://localhost:3000"]],
  ["Access-Control-Request-Method", ["PUT", "X"]],
  ["Access-Control-Request-Headers", ["authorization", "x,".repeat(500)]],
  ["Sec-Fetch-Site", ["cross-site"]],
  ["Sec-Fetch-Mode", ["cors", "no-cors"]],
  ["Cookie", ["a=b; a=c"]],
  ["X-Forwarded-Host", ["example.com"]],
  ["If-None-Match", ["*"]],
  ["Range", ["bytes=0-1"]],
];

/** Headers with which nobody can say where the next request on a connection begins. */
export const framingHeaders: readonly (readonly [name: string, values: readonly string[]])[] = [
  ["Connection", ["close", "upgrade", "keep-alive, close"]],
  ["Content-Length", ["0", "1", "-1", "99999", "1e3", "0x10", "2, 2"]],
  ["Transfer-Encoding", ["chunked", "gzip, chunked", "identity"]],
  ["Expect", ["100-continue", "200-ok"]],
  ["Upgrade", ["websocket", "h2c"]],
];
