import type { DemoRequest } from "./demo-requests.js";
import { demoRequests, pathOf } from "./demo-requests.js";

/** A request of a size. */
export interface GrowthCase {
  readonly name: string;
  readonly request: (size: number) => RequestInit & { readonly path: string };
}

type Write = (size: number) => string;

/** A text of a size: a unit again and again, with its number in the place of `#`. */
function grown(prefix: string, unit: string, suffix = ""): Write {
  return (size) => {
    const units = Array.from({ length: size / unit.length }, (_, index) =>
      unit.replaceAll("#", String(index)),
    );
    return prefix + units.join("") + suffix;
  };
}

/** What a value of a body may be replaced by, as JSON text. */
const values: Readonly<Record<string, Write>> = {
  letters: grown('"', "a", '"'),
  quotes: (size) => JSON.stringify('"'.repeat(size)),
  digits: grown("", "1"),
  "zeros inside": grown("1.", "0", "1"),
  "empty objects": (size) => `[${Array<string>(size).fill("{}").join()}]`,
  numbers: (size) => `[${Array.from({ length: size }, (_, index) => index).join()}]`,
  fields: (size) => `{${Array.from({ length: size }, (_, index) => `"m${index}":1`).join()}}`,
  "nested objects": (size) => `{${Array.from({ length: size }, (_, index) => `"m${index}":{}`).join()}}`,
  "fields of a schema": (size) =>
    `{${Array.from({ length: size / 8 }, (_, index) => `"f${index}":{"type":"string","pattern":"^a*$"}`).join()}}`,
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
const grammatical = Object.fromEntries(
  Object.entries(texts).map(([name, write]): [string, Write] => [
    name,
    (size) => JSON.stringify(write(size)),
  ]),
);

/** Fields whose texts have a grammar. */
const grammar = /\/(?:sql|filter|conditionExpression|sortKeyCondition|pattern|sortBy)$/;

/** Every size that a client can choose, for every operation and every call of the control plane. */
export function growthCases(token: string): readonly GrowthCase[] {
  return demoRequests().flatMap((request) => casesOf(request, token));
}

function casesOf(request: DemoRequest, token: string): readonly GrowthCase[] {
  const id = request.plane === "control" ? `control plane ${request.operationId}` : request.operationId;
  const { method, body } = request;
  const target = pathOf(request);
  const call = (path: string, text?: string, more: Readonly<Record<string, string>> = {}) => ({
    path,
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(text === undefined ? {} : { "Content-Type": "application/json" }),
      ...more,
    },
    ...(text === undefined ? {} : { body: text }),
  });
  const usual = body === undefined ? undefined : JSON.stringify(body);
  const cases: GrowthCase[] = [
    {
      name: `${id}: query parameters`,
      request: (size) =>
        call(`${target}?${Array.from({ length: size }, (_, at) => `p${at}=1`).join("&")}`, usual),
    },
    {
      name: `${id}: headers`,
      request: (size) =>
        call(
          target,
          usual,
          Object.fromEntries(Array.from({ length: size / 4 }, (_, at) => [`x-h${at}`, "1"])),
        ),
    },
    {
      name: `${id}: a long credential`,
      request: (size) => call(target, usual, { Authorization: `Bearer ${"a.".repeat(size / 2)}` }),
    },
    ...request.queryParameters.flatMap((name) =>
      ["a", "1", "%22"].map((text) => ({
        name: `${id}: query parameter ${name} of ${text}`,
        request: (size: number) => call(`${target}?${name}=${text.repeat(size)}`, usual),
      })),
    ),
    ...Object.keys(request.parameters).map((name) => ({
      name: `${id}: path parameter ${name}`,
      request: (size: number) => call(pathOf(request, { [name]: "ä/".repeat(size / 2) }), usual),
    })),
  ];
  if (body === undefined) return cases;
  for (const { place, write, written } of placesIn(body)) {
    const kinds = grammar.test(place) ? { ...values, ...grammatical } : values;
    for (const [kind, value] of Object.entries(kinds))
      cases.push({
        name: `${id}: ${place || "the body"} as ${kind}`,
        request: (size) => call(target, write(value(size))),
      });
    if (written !== undefined)
      cases.push({
        name: `${id}: ${place} many times`,
        request: (size) =>
          call(
            target,
            write(
              Array<string>(size / 4)
                .fill(written)
                .join(),
            ),
          ),
      });
  }
  return cases;
}

/** A place of a value, and what writes the value with another text there. */
interface Place {
  readonly place: string;
  readonly write: (text: string) => string;
  /** Of an entry of an array, what stands there: there may be many of them. */
  readonly written?: string;
}

/** Every place of a value; of arrays the first entry. */
function placesIn(value: unknown): readonly Place[] {
  const here: Place = { place: "", write: (text) => text };
  if (Array.isArray(value)) {
    const inside = placesIn(value[0]).map(({ place, write, written }) => ({
      place: `/0${place}`,
      write: (text: string) => `[${write(text)}]`,
      ...(place === "" ? { written: JSON.stringify(value[0]) } : written === undefined ? {} : { written }),
    }));
    return [here, ...inside];
  }
  if (typeof value !== "object" || value === null) return [here];
  const members = Object.entries(value);
  const inside = members.flatMap(([name, member]) => {
    const others = members
      .filter(([other]) => other !== name)
      .map(([other, kept]) => `${JSON.stringify(other)}:${JSON.stringify(kept)},`)
      .join("");
    return placesIn(member).map(({ place, write, ...rest }) => ({
      place: `/${name}${place}`,
      write: (text: string) => `{${others}${JSON.stringify(name)}:${write(text)}}`,
      ...rest,
    }));
  });
  return [here, ...inside];
}
