import { type DemoRequest, listDemoRequests, getPath } from "./demo-requests.js";

/** A request of a size. */
export interface GrowthCase {
  readonly name: string;
  readonly request: (size: number, token: string) => RequestInit & { readonly path: string };
}

type Write = (size: number) => string;

/** A text of a size: a unit again and again, with its number in the place of `#`. */
function grown(prefix: string, unit: string, suffix = ""): Write {
  return (size) =>
    prefix + createList(size / unit.length, (index) => unit.replaceAll("#", String(index))).join("") + suffix;
}

/** What a value of a body may be replaced by, as JSON text. */
const values: Readonly<Record<string, Write>> = {
  letters: grown('"', "a", '"'),
  quotes: (size) => JSON.stringify('"'.repeat(size)),
  digits: grown("", "1"),
  "zeros inside": grown("1.", "0", "1"),
  "empty objects": (size) => `[${createList(size, () => "{}").join()}]`,
  numbers: (size) => `[${createList(size, (index) => index).join()}]`,
  fields: (size) => `{${createList(size, (index) => `"m${index}":1`).join()}}`,
  "nested objects": (size) => `{${createList(size, (index) => `"m${index}":{}`).join()}}`,
  "fields of a schema": (size) =>
    `{${createList(size / 8, (index) => `"f${index}":{"type":"string","pattern":"^a*$"}`).join()}}`,
  depth: (size) => "[".repeat(size) + "]".repeat(size),
};

const products = "SELECT * FROM products WHERE sku";
const views = "page_views (page, seen_at) VALUES ('p','2029-12-30T08:00:00.000Z')";

/** What only a text that has a grammar may be replaced by. */
const texts: Readonly<Record<string, Write>> = {
  parentheses: grown("", "("),
  "NOT NOT": grown("", "NOT "),
  "OR OR": grown("", "a=:b OR "),
  colons: grown("between:", ":"),
  "steps of a path": grown("", "a.", "a = :b"),
  "SQL of OR": grown(`${products}='1'`, " OR price>1"),
  "SQL of AND": grown(`${products}='1'`, " AND price>1", " ALLOW FILTERING"),
  "SQL of IN": grown(`${products} IN ('1'`, ",'2'", ")"),
  "SQL of markers": grown(`${products} IN (?`, ",?", ")"),
  "SQL of names": grown("SELECT sku", ",name", " FROM products"),
  "SQL of orders": grown("SELECT * FROM page_views WHERE page='a' ORDER BY seen_at", ",seen_at"),
  "SQL of rows": grown(`INSERT INTO ${views}`, ",('p#','2029-12-30T08:00:00.000Z')"),
  "SQL of an INSERT's columns": (size) =>
    grown("INSERT INTO products (sku", ",name", grown(") VALUES ('1'", ",'2'", ")")(size))(size),
  "SQL of assignments": grown("UPDATE products SET name='a'", ",name='a'", " WHERE sku='1'"),
  "SQL of set elements": grown("INSERT INTO products (sku, tags) VALUES ('x',{'t'", ",'t#'", "})"),
  "SQL of columns": grown("CREATE TABLE t (a INT PRIMARY KEY", ",b# INT", ")"),
  "SQL of key columns": (size) =>
    grown("CREATE TABLE t (a INT", ",b# INT", grown(",PRIMARY KEY (a", ",b#", "))")(size))(size),
  "SQL of types in types": (size) =>
    `CREATE TABLE t (a INT PRIMARY KEY, b ${"LIST<".repeat(size / 6)}INT${">".repeat(size / 6)})`,
  "SQL of comments": grown("SELECT ", "/**/"),
  "SQL of quotes": grown("SELECT '", "''"),
  "SQL of digits": grown(`${products} = `, "1"),
};
const grammatical: typeof texts = Object.fromEntries(
  Object.entries(texts).map(([name, write]) => [name, (size: number) => JSON.stringify(write(size))]),
);

/** Fields whose texts have a grammar. */
const grammar = /\/(?:sql|filter|conditionExpression|sortKeyCondition|pattern|sortBy)$/;

/** Every size that a client can choose, for every operation and every call of the control plane. */
export const requestScalingCases: readonly GrowthCase[] = listDemoRequests().flatMap(casesOf);

function casesOf(request: DemoRequest): readonly GrowthCase[] {
  const id = request.plane === "control" ? `control plane ${request.operationId}` : request.operationId;
  const { method, body } = request;
  const target = getPath(request);
  const usual = body === undefined ? undefined : JSON.stringify(body);
  const call = (path: string, text = usual, more: Readonly<Record<string, string>> = {}) => ({
    path,
    method,
    headers: { ...(text === undefined ? {} : { "Content-Type": "application/json" }), ...more },
    ...(text === undefined ? {} : { body: text }),
  });
  const cases: Record<string, (size: number) => ReturnType<typeof call>> = {
    "query parameters": (size) => call(`${target}?${createList(size, (at) => `p${at}=1`).join("&")}`),
    headers: (size) =>
      call(target, usual, Object.fromEntries(createList(size / 4, (at) => [`x-h${at}`, "1"] as const))),
    "a long credential": (size) => call(target, usual, { Authorization: `Bearer ${"a.".repeat(size / 2)}` }),
  };
  for (const name of request.queryParameters)
    for (const text of ["a", "1", "%22"])
      cases[`query parameter ${name} of ${text}`] = (size) => call(`${target}?${name}=${text.repeat(size)}`);
  for (const name of Object.keys(request.parameters))
    cases[`path parameter ${name}`] = (size) => call(getPath(request, { [name]: "ä/".repeat(size / 2) }));
  for (const path of body === undefined ? [] : placesIn(body)) {
    const place = path.map((name) => `/${name}`).join("");
    const write = (text: string) => call(target, writeAt(body, path, text));
    const kinds = grammar.test(place) ? { ...values, ...grammatical } : values;
    for (const [kind, value] of Object.entries(kinds))
      cases[`${place || "the body"} as ${kind}`] = (size) => write(value(size));
    const entry = JSON.stringify(valueAt(body, path));
    if (path.at(-1) === "0")
      cases[`${place} many times`] = (size) => write(createList(size / 4, () => entry).join());
  }
  return Object.entries(cases).map(([name, made]) => ({
    name: `${id}: ${name}`,
    request: (size, token) => {
      const { headers, ...init } = made(size);
      return { ...init, headers: { Authorization: `Bearer ${token}`, ...headers } };
    },
  }));
}

type Path = readonly string[];

/** So many things, made one after the other. */
export function createList<Made>(length: number, make: (index: number) => Made): Made[] {
  return Array.from({ length }, (_, index) => make(index));
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce((inside, name) => (inside as Readonly<Record<string, unknown>>)[name], value);
}

/** The paths to every place in a value; of arrays to the first entry. */
function placesIn(value: unknown): readonly Path[] {
  if (typeof value !== "object" || value === null) return [[]];
  const names = Object.keys(value).slice(0, Array.isArray(value) ? 1 : Infinity);
  return [[], ...names.flatMap((name) => placesIn(valueAt(value, [name])).map((path) => [name, ...path]))];
}

/** A value as JSON, with a text at a place; of arrays only the first entry is left. */
function writeAt(value: unknown, [name, ...rest]: Path, text: string): string {
  if (name === undefined) return text;
  const inside = writeAt(valueAt(value, [name]), rest, text);
  if (Array.isArray(value)) return `[${inside}]`;
  const fields = Object.entries(value as object).map(
    ([field, kept]) => `${JSON.stringify(field)}:${field === name ? inside : JSON.stringify(kept)}`,
  );
  return `{${fields.join()}}`;
}
