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

/** Names that need quotes and names that do not; quotes, comment marks, keywords and U+0000 among them. */
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

/** Trees of types up to three levels deep. */
export const types: fc.Arbitrary<SqlType> = fc.letrec<{ type: SqlType }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constantFrom(...scalarTypeNames).map((name): SqlType => ({ kind: "scalar", name })),
    fc.record({ kind: fc.constantFrom("list", "set"), element: tie("type") }),
    fc.record({ kind: fc.constant("map" as const), key: tie("type"), value: tie("type") }),
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
export const literals: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
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
    fc.record({
      kind: fc.constant("map" as const),
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
    fc.record({
      kind: fc.constant("compare" as const),
      operator: fc.constantFrom("=", "!=", "<", "<=", ">", ">="),
      column: names,
      value: values,
    }),
    fc.record({
      kind: fc.constant("in" as const),
      column: names,
      values: fc.array(values, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant("between" as const), column: names, low: values, high: values }),
    fc.record({ kind: fc.constant("like" as const), column: names, pattern: values }),
    fc.record({ kind: fc.constant("is-null" as const), column: names, negated: fc.boolean() }),
    fc.record({ kind: fc.constant("not" as const), operand: tie("condition") }),
    fc
      .record({
        kind: fc.constantFrom("and", "or"),
        operands: fc.array(tie("condition"), { minLength: 2, maxLength: 3 }),
      })
      .map((condition) => condition as Condition),
  ),
})).condition;

const columns: fc.Arbitrary<ColumnDefinition> = fc.record({
  kind: fc.constant("column" as const),
  name: names,
  type: types,
  notNull: fc.boolean(),
  defaultValue: fc.option(literals),
  primaryKey: fc.boolean(),
});

const nameLists = fc.array(names, { minLength: 1, maxLength: 3 });
const where = fc.option(conditions);

/** Any statement of the dialect, with markers numbered in the order of the text. It need not make sense to a table. */
export const statements: fc.Arbitrary<Statement> = fc
  .oneof<fc.Arbitrary<Statement>[]>(
    fc.record({
      kind: fc.constant("select" as const),
      selection: fc.oneof(
        fc.constant({ kind: "all" as const }),
        fc.record({
          kind: fc.constant("items" as const),
          items: fc.array(
            fc.oneof(
              fc.record({ kind: fc.constant("column" as const), column: names, alias: fc.option(names) }),
              fc.record({
                kind: fc.constant("count" as const),
                column: fc.option(names),
                alias: fc.option(names),
              }),
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
    fc.record({
      kind: fc.constant("insert" as const),
      table: names,
      columns: fc.option<readonly string[]>(nameLists),
      rows: fc.array(fc.array(values, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant("update" as const),
      table: names,
      assignments: fc.array(fc.record({ column: names, value: values }), { minLength: 1, maxLength: 3 }),
      where,
      allowFiltering: fc.boolean(),
    }),
    fc.record({ kind: fc.constant("delete" as const), table: names, where, allowFiltering: fc.boolean() }),
    fc.record({
      kind: fc.constant("create-table" as const),
      table: names,
      ifNotExists: fc.boolean(),
      columns: fc.array(columns, { minLength: 1, maxLength: 4 }),
      primaryKey: fc.option<PrimaryKey>(
        fc.record({ partition: nameLists, clustering: fc.array(names, { maxLength: 2 }) }),
      ),
    }),
    fc.record({
      kind: fc.constant("alter-table" as const),
      table: names,
      action: fc.oneof(
        fc.record({ kind: fc.constant("add" as const), column: columns, ifNotExists: fc.boolean() }),
        fc.record({ kind: fc.constant("drop" as const), column: names, ifExists: fc.boolean() }),
        fc.record({ kind: fc.constant("rename" as const), from: names, to: names }),
      ),
    }),
    fc.record({ kind: fc.constant("drop-table" as const), table: names, ifExists: fc.boolean() }),
    fc.record({
      kind: fc.constant("create-index" as const),
      index: names,
      ifNotExists: fc.boolean(),
      unique: fc.boolean(),
      table: names,
      columns: nameLists,
    }),
    fc.record({ kind: fc.constant("drop-index" as const), index: names, ifExists: fc.boolean() }),
  )
  .map(numberMarkers);

/** Markers count from 0 in the order of the text, which is the order of the members. */
function numberMarkers(statement: Statement): Statement {
  let markers = 0;
  return JSON.parse(JSON.stringify(statement), (_, part: unknown) => {
    if (typeof part !== "object" || part === null || !("kind" in part)) return part;
    return part.kind === "parameter" ? { kind: "parameter", index: markers++ } : part;
  }) as Statement;
}
