import { type DemoRequest, listExampleRequests, getPath } from "./example-requests.js";

/** A request whose size can be chosen. */
export interface GrowthCase {
  readonly name: string;
  readonly request: (size: number, token: string) => RequestInit & { readonly path: string };
}

type TextOfSize = (size: number) => string;

/** Repeats a unit up to a size, with the number of the repetition instead of `#`. */
function repeatUnit(prefix: string, unit: string, suffix = ""): TextOfSize {
  return (size) =>
    prefix + createList(size / unit.length, (index) => unit.replaceAll("#", String(index))).join("") + suffix;
}

/** JSON texts that replace values of bodies. */
export const valuesOfSize: Readonly<Record<string, TextOfSize>> = {
  letters: repeatUnit('"', "a", '"'),
  quotes: (size) => JSON.stringify('"'.repeat(size)),
  digits: repeatUnit("", "1"),
  "zeros inside": repeatUnit("1.", "0", "1"),
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

/** Texts that replace values that have a grammar. */
const textsOfSize: Readonly<Record<string, TextOfSize>> = {
  parentheses: repeatUnit("", "("),
  "NOT NOT": repeatUnit("", "NOT "),
  "OR OR": repeatUnit("", "a=:b OR ", "a=:b"),
  colons: repeatUnit("between:", ":"),
  "segments of a path": repeatUnit("", "a.", "a = :b"),
  "SQL with many ORs": repeatUnit(`${products}='1'`, " OR price>1"),
  "SQL with many ANDs": repeatUnit(`${products}='1'`, " AND price>1", " ALLOW FILTERING"),
  "SQL with many values in IN": repeatUnit(`${products} IN ('1'`, ",'2'", ")"),
  "SQL with many markers": repeatUnit(`${products} IN (?`, ",?", ")"),
  "SQL with many selected columns": repeatUnit("SELECT sku", ",name", " FROM products"),
  "SQL with many columns in ORDER BY": repeatUnit(
    "SELECT * FROM page_views WHERE page='a' ORDER BY seen_at",
    ",seen_at",
  ),
  "SQL with many inserted rows": repeatUnit(`INSERT INTO ${views}`, ",('p#','2029-12-30T08:00:00.000Z')"),
  "SQL with many columns in INSERT": (size) =>
    repeatUnit("INSERT INTO products (sku", ",name", repeatUnit(") VALUES ('1'", ",'2'", ")")(size))(size),
  "SQL with many assignments": repeatUnit("UPDATE products SET name='a'", ",name='a'", " WHERE sku='1'"),
  "SQL with many elements of a set": repeatUnit(
    "INSERT INTO products (sku, tags) VALUES ('x',{'t'",
    ",'t#'",
    "})",
  ),
  "SQL with many column definitions": repeatUnit("CREATE TABLE t (a INT PRIMARY KEY", ",b# INT", ")"),
  "SQL with many key columns": (size) =>
    repeatUnit("CREATE TABLE t (a INT", ",b# INT", repeatUnit(",PRIMARY KEY (a", ",b#", "))")(size))(size),
  "SQL with nested types": (size) =>
    `CREATE TABLE t (a INT PRIMARY KEY, b ${"LIST<".repeat(size / 6)}INT${">".repeat(size / 6)})`,
  "SQL with many comments": repeatUnit("SELECT ", "/**/"),
  "SQL with many quotes": repeatUnit("SELECT '", "''"),
  "SQL with many digits": repeatUnit(`${products} = `, "1"),
};
/** Lists the texts of a field whose values have a grammar; undefined for other fields. */
export function getTextsOfSize(field: string): typeof textsOfSize | undefined {
  if (!/^(?:sql|filter|conditionExpression|sortKeyCondition|pattern|sortBy)$/.test(field)) return undefined;
  const isSql = field === "sql";
  return Object.fromEntries(Object.entries(textsOfSize).filter(([kind]) => kind.startsWith("SQL") === isSql));
}

/** A case for each size that a client can choose in a request to an operation of the service or the control plane. */
export const requestScalingCases: readonly GrowthCase[] = listExampleRequests().flatMap(listCases);

function listCases(request: DemoRequest): readonly GrowthCase[] {
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
  for (const { name } of request.queryParameters)
    for (const text of ["a", "1", "%22"])
      cases[`query parameter ${name} of ${text}`] = (size) => call(`${target}?${name}=${text.repeat(size)}`);
  for (const name of Object.keys(request.parameters))
    cases[`path parameter ${name}`] = (size) => call(getPath(request, { [name]: "ä/".repeat(size / 2) }));
  for (const path of body === undefined ? [] : listPaths(body)) {
    const place = path.map((name) => `/${name}`).join("");
    const write = (text: string) => call(target, stringifyWith(body, path, text));
    for (const [kind, value] of Object.entries(valuesOfSize))
      cases[`${place || "the body"} as ${kind}`] = (size) => write(value(size));
    for (const [kind, text] of Object.entries(getTextsOfSize(path.at(-1) ?? "") ?? {}))
      cases[`${place} as ${kind}`] = (size) => write(JSON.stringify(text(size)));
    const entry = JSON.stringify(getValueAt(body, path));
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

/** Creates a list of a length, which is rounded down. */
export function createList<Entry>(length: number, createEntry: (index: number) => Entry): Entry[] {
  return Array.from({ length }, (_, index) => createEntry(index));
}

function getValueAt(value: unknown, path: Path): unknown {
  return path.reduce((inside, name) => (inside as Readonly<Record<string, unknown>>)[name], value);
}

/** Lists the paths to all places in a value; in an array, only to the first entry. */
function listPaths(value: unknown): readonly Path[] {
  if (typeof value !== "object" || value === null) return [[]];
  const names = Object.keys(value).slice(0, Array.isArray(value) ? 1 : Infinity);
  return [
    [],
    ...names.flatMap((name) => listPaths(getValueAt(value, [name])).map((path) => [name, ...path])),
  ];
}

/** Serializes a value as JSON with a text at a path. In an array on the path, only the first entry remains. */
function stringifyWith(value: unknown, [name, ...path]: Path, text: string): string {
  if (name === undefined) return text;
  const replaced = stringifyWith(getValueAt(value, [name]), path, text);
  if (Array.isArray(value)) return `[${replaced}]`;
  const fields = Object.entries(value as object).map(
    ([field, other]) => `${JSON.stringify(field)}:${field === name ? replaced : JSON.stringify(other)}`,
  );
  return `{${fields.join()}}`;
}
