import fc from "fast-check";
import {
  type ColumnDefinition,
  type Condition,
  type Parameter,
  type PrimaryKey,
  scalarTypeNames,
  type SqlType,
  type Statement,
  type Value,
} from "../syntax.js";

/** Generates nodes of a kind. */
function createNode<const Kind extends string, Fields extends object>(
  kind: Kind,
  fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
): fc.Arbitrary<{ kind: Kind } & Fields> {
  return fc.record({ kind: fc.constant(kind), ...fields }) as unknown as fc.Arbitrary<
    { kind: Kind } & Fields
  >;
}

/** Names with and without quotes, including names with quotes, comment marks, keywords and U+0000. */
export const names: fc.Arbitrary<string> = fc.oneof(
  fc.stringMatching(/^[a-z_][a-z0-9_]{0,8}$/),
  fc.constantFrom(
    "select",
    'a"b',
    "a'b",
    "--",
    "/*",
    "; DROP TABLE t",
    "\0",
    "?",
    "Ä",
    "__proto__",
    "(",
    "count",
  ),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }),
);

/** Types up to three levels deep. */
const types: fc.Arbitrary<SqlType> = fc.letrec<{ type: SqlType }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constantFrom(...scalarTypeNames).map((name): SqlType => ({ kind: "scalar", name })),
    fc.record({ kind: fc.constantFrom("list", "set"), element: tie("type") }),
    createNode("map", { key: tie("type"), value: tie("type") }),
  ),
})).type;

const texts = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("'", "''", "it's", "--", "/* ? */", "?", "\0", "%"),
);

const numbers = fc.oneof(
  fc.bigInt().map(String),
  fc.tuple(fc.integer(), fc.nat()).map(([whole, fraction]) => `${whole}.${fraction}`),
  fc.constantFrom("1e5", "-2.5E-3", "+7", ".5"),
);

/** Values without markers, collections up to three levels deep. */
const literals: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constant<Value>({ kind: "null" }),
    fc.boolean().map((value): Value => ({ kind: "boolean", value })),
    texts.map((value): Value => ({ kind: "string", value })),
    numbers.map((text): Value => ({ kind: "number", text })),
    fc
      .uint8Array({ maxLength: 6 })
      .map((bytes): Value => ({ kind: "blob", hex: Buffer.from(bytes).toString("hex") })),
    fc.record({ kind: fc.constantFrom("list", "set"), items: fc.array(tie("value"), { maxLength: 3 }) }),
    createNode("map", {
      entries: fc.array(fc.record({ key: tie("value"), value: tie("value") }), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
  ),
})).value;

const values: fc.Arbitrary<Value> = fc.oneof(
  literals,
  fc.constant<Parameter>({ kind: "parameter", index: 0 }),
);

const conditions: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    createNode("compare", {
      operator: fc.constantFrom("=", "!=", "<", "<=", ">", ">="),
      column: names,
      value: values,
    }),
    createNode("in", { column: names, values: fc.array(values, { minLength: 1, maxLength: 3 }) }),
    createNode("between", { column: names, low: values, high: values }),
    createNode("like", { column: names, pattern: values }),
    createNode("is-null", { column: names, negated: fc.boolean() }),
    createNode("not", { operand: tie("condition") }),
    fc
      .record({
        kind: fc.constantFrom("and", "or"),
        operands: fc.array(tie("condition"), { minLength: 2, maxLength: 3 }),
      })
      .map((condition) => condition as Condition),
  ),
})).condition;

const columns: fc.Arbitrary<ColumnDefinition> = createNode("column", {
  name: names,
  type: types,
  notNull: fc.boolean(),
  defaultValue: fc.option(literals),
  primaryKey: fc.boolean(),
});

const nameLists = fc.array(names, { minLength: 1, maxLength: 3 });
const where = fc.option(conditions);

/** Any statement of the dialect, which may not fit a table. Its markers are numbered in the order of the text. */
export const statements: fc.Arbitrary<Statement> = fc
  .oneof<fc.Arbitrary<Statement>[]>(
    createNode("select", {
      selection: fc.oneof(
        createNode("all", {}),
        createNode("items", {
          items: fc.array(
            fc.oneof(
              createNode("column", { column: names, alias: fc.option(names) }),
              createNode("count", { column: fc.option(names), alias: fc.option(names) }),
            ),
            { minLength: 1, maxLength: 3 },
          ),
        }),
      ),
      table: names,
      where,
      orderBy: fc.array(fc.record({ column: names, direction: fc.constantFrom("asc", "desc") }), {
        maxLength: 2,
      }),
      limit: fc.option<Value>(fc.nat().map((limit): Value => ({ kind: "number", text: String(limit) }))),
      allowFiltering: fc.boolean(),
    }),
    createNode("insert", {
      table: names,
      columns: fc.option<readonly string[]>(nameLists),
      rows: fc.array(fc.array(values, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
    }),
    createNode("update", {
      table: names,
      assignments: fc.array(fc.record({ column: names, value: values }), { minLength: 1, maxLength: 3 }),
      where,
      allowFiltering: fc.boolean(),
    }),
    createNode("delete", { table: names, where, allowFiltering: fc.boolean() }),
    createNode("create-table", {
      table: names,
      ifNotExists: fc.boolean(),
      columns: fc.array(columns, { minLength: 1, maxLength: 4 }),
      primaryKey: fc.option<PrimaryKey>(
        fc.record({ partition: nameLists, clustering: fc.array(names, { maxLength: 2 }) }),
      ),
    }),
    createNode("alter-table", {
      table: names,
      action: fc.oneof(
        createNode("add", { column: columns, ifNotExists: fc.boolean() }),
        createNode("drop", { column: names, ifExists: fc.boolean() }),
        createNode("rename", { from: names, to: names }),
      ),
    }),
    createNode("drop-table", { table: names, ifExists: fc.boolean() }),
    createNode("create-index", {
      index: names,
      ifNotExists: fc.boolean(),
      unique: fc.boolean(),
      table: names,
      columns: nameLists,
    }),
    createNode("drop-index", { index: names, ifExists: fc.boolean() }),
  )
  .map(numberMarkers);

/** Numbers markers from 0 in the order of the text, which is the order of the fields. */
function numberMarkers(statement: Statement): Statement {
  let markers = 0;
  return JSON.parse(JSON.stringify(statement), (_, part: unknown) => {
    if (typeof part !== "object" || part === null || !("kind" in part)) return part;
    return part.kind === "parameter" ? { kind: "parameter", index: markers++ } : part;
  }) as Statement;
}
