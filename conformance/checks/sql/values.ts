import { createTableSpec } from "../../models/sql-table.js";
import fc from "fast-check";
import type { ClauseId } from "../../../openapi/clauses/register.js";
import type { Check, SubjectCheck } from "../../check/check.js";
import { isClientError } from "../../client/is-client-error.js";
import { JsonText } from "../../client/json-text.js";
import type { CheckContext } from "../../check/context.js";
import {
  anyText,
  collectionTypeNameArbitrary,
  portableDateRange,
  jsonTextArbitrary,
  getWidestIntegerRange,
  getIntegerRange,
} from "../../generators/sql.js";
import { trickyTexts } from "../../generators/tricky-texts.js";
import {
  isNestedCollection,
  getSqlTypeNames,
  normalizeSqlType,
  wrongTypePattern,
  type SqlTypeFamily,
  type SqlValue,
  parseKnownSqlType,
  formatType,
  createSqlValue,
  createIntValue,
} from "../../models/sql-types.js";
import {
  toCanonicalRow,
  defineSqlChecks,
  createEqualityCondition,
  type SqlCalls,
  type TableUnderTest,
} from "../../steps/sql/calls.js";

type IntegerFamily = Parameters<typeof getIntegerRange>[0];
type ScalarFamily = Exclude<SqlTypeFamily, "LIST" | "SET" | "MAP">;

const texts = (...list: readonly string[]) => list.map((text) => JSON.stringify(text));
const bytes = (...list: readonly (readonly number[])[]) =>
  texts(...list.map((each) => Buffer.from(each).toString("base64")));

const timeUuids = [
  "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
  "6ba7b811-9dad-11d1-80b4-00c04fd430c8",
  "00000000-0000-1000-8000-000000000000",
  "ffffffff-ffff-1fff-bfff-ffffffffffff",
];

/** Values at the limits of a type, as JSON texts in order. */
const edges: Readonly<Record<ScalarFamily, readonly string[]>> = {
  VARCHAR: texts(...trickyTexts, "x".repeat(5000), "ü".repeat(2000)),
  TINYINT: integerEdges("TINYINT"),
  SMALLINT: integerEdges("SMALLINT"),
  INT: integerEdges("INT"),
  BIGINT: integerEdges("BIGINT", [2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 10n ** 18n + 1n]),
  DOUBLE: `-1.7976931348623157e308 -1.5 -5e-324 0 5e-324 2.2250738585072014e-308 0.1 0.30000000000000004
    1 9 10 9007199254740993.0 1.7976931348623157e308`.split(/\s+/),
  // what 32 bits cannot hold lies between what they can
  FLOAT: "-3.4028234e38 -1.5 0 0.1 0.123456789012345 1.1 3 20 16777217 3.4028234e38".split(" "),
  // digits few enough for every deployment
  DECIMAL: `-12345678.12345679 -10.5 -9 -0.00000001 0 0.00000001 0.1 0.3 9.99 10 100.5
    12345678.12345678 12345678.12345679 9007199254740993`.split(/\s+/),
  BOOLEAN: ["false", "true"],
  DATE: texts(
    "1582-10-15",
    "1900-02-28",
    "1969-12-31",
    "1970-01-01",
    "2000-02-29",
    "2024-12-31",
    "9999-12-31",
  ),
  // a part of a second need not be kept
  TIME: texts("00:00:00", "09:30:00", "10:00:00", "12:34:56", "23:59:59"),
  // which range they have is not said
  TIMESTAMP: texts(
    "1970-01-02T00:00:00.000Z",
    "2024-02-29T12:00:00.000Z",
    "2024-02-29T12:00:01.000Z",
    "2024-03-31T01:30:00.000Z",
    "2037-12-31T23:59:59.000Z",
  ),
  BLOB: bytes(
    ...[[], [0], [0, 0], [0, 1], [0x27, 0x3b, 0x2d, 0x2d], [0x7f], [0x80], [0xc3, 0x28], [0xff, 0xfe]],
    [...Array(256).keys()],
  ),
  UUID: texts(...timeUuids, "5f0c2f0e-7a53-4e0f-9d5a-0d0c5d3b8a01"),
  TIMEUUID: texts(...timeUuids),
};

const noUuids = texts("6ba7b810-9dad-11d1-80b4-00c04fd430cg", "no value", "6ba7b810-9dad-11d1-80b4");

/** JSON texts of values that a type cannot store; types that are missing here can store every text. */
const outside: Readonly<Partial<Record<SqlTypeFamily, readonly string[]>>> = {
  TINYINT: integersOutside("TINYINT"),
  SMALLINT: integersOutside("SMALLINT"),
  INT: integersOutside("INT"),
  BIGINT: integersOutside("BIGINT"),
  DOUBLE: texts("no value"),
  FLOAT: texts("no value"),
  DECIMAL: texts("no value"),
  BOOLEAN: texts("no value"),
  DATE: texts("2023-02-29", "no value", "2024-13-01"),
  TIME: texts("25:00:00", "no value", "12:60:00"),
  TIMESTAMP: texts("2023-02-29T12:00:00Z", "no value", "2024-01-01T25:00:00Z"),
  UUID: noUuids,
  TIMEUUID: noUuids,
};

/** Parameters of a check of types. */
interface TypeCheck {
  readonly id: Check["id"];
  readonly title: string;
  readonly clause: ClauseId;
  /** Types that the clause covers. */
  readonly families: readonly [ScalarFamily, ...ScalarFamily[]];
  /** Whether their values have the same order on every deployment. */
  readonly isOrdered: boolean;
  readonly also?: (sql: SqlCalls) => Promise<void>;
}

const typeChecks: readonly TypeCheck[] = [
  {
    id: "sql/type-text",
    title: "Strings are stored unchanged",
    clause: "SQL-33",
    families: ["VARCHAR"],
    isOrdered: false,
    // a deployment that has room for U+0000 in a text holds the text unchanged
    also: (sql) => assertHeldOrRefused(sql, "SQL-33", "VARCHAR", '"a\\u0000b"', "a text with U+0000"),
  },
  {
    id: "sql/type-integers",
    title: "8-, 16- and 32-bit integers are stored; values out of range are not",
    clause: "SQL-34",
    families: ["TINYINT", "SMALLINT", "INT"],
    isOrdered: true,
  },
  {
    id: "sql/type-bigint",
    title: "64-bit integers are stored exactly; values out of range are not",
    clause: "SQL-35",
    families: ["BIGINT"],
    isOrdered: true,
  },
  {
    id: "sql/type-double",
    title: "64-bit floating-point numbers are stored exactly, and 32-bit numbers are rounded",
    clause: "SQL-36",
    families: ["DOUBLE", "FLOAT"],
    isOrdered: true,
  },
  {
    id: "sql/type-decimal",
    title: "Decimals are stored with all digits",
    clause: "SQL-37",
    families: ["DECIMAL"],
    isOrdered: true,
  },
  {
    id: "sql/type-boolean",
    title: "The values true and false are stored",
    clause: "SQL-38",
    families: ["BOOLEAN"],
    isOrdered: false,
  },
  {
    id: "sql/type-time",
    title: "Valid dates, times and timestamps are stored; other values are not",
    clause: "SQL-39",
    families: ["DATE", "TIME", "TIMESTAMP"],
    isOrdered: true,
  },
  {
    id: "sql/type-bytes",
    title: "Bytes are stored unchanged",
    clause: "SQL-40",
    families: ["BLOB"],
    isOrdered: false,
  },
  {
    id: "sql/type-uuid",
    title: "UUIDs are stored; other values are not",
    clause: "SQL-41",
    families: ["UUID", "TIMEUUID"],
    isOrdered: false,
  },
];

/** The checks whose failure explains that of any check that stores values of other types than INT and TEXT. */
export const typeCheckIds = [...typeChecks.map(({ id }) => id), "sql/type-collections" as const];

/** The ends of an integer type, numbers that texts would order otherwise, and other numbers with their negatives. */
function integerEdges(family: IntegerFamily, others: readonly bigint[] = []): readonly string[] {
  const [least, greatest] = getIntegerRange(family);
  const small = [least, least + 1n, -10n, -9n, -1n, 0n, 1n, 9n, 10n, greatest - 1n, greatest];
  return [...new Set([...small, ...others, ...others.map((number) => -number)])]
    .filter((edge) => edge >= least)
    .sort((a, b) => (a < b ? -1 : 1))
    .map(String);
}

function integersOutside(family: IntegerFamily): readonly string[] {
  const [least, greatest] = getWidestIntegerRange(family);
  return [least - 1n, greatest + 1n, greatest * 2n + 1n, greatest * 2n + 2n, 10n ** 20n, -(10n ** 20n)].map(
    String,
  );
}

/** Writes values into columns outside the key, and reads them back. */
async function assertHeld(
  sql: SqlCalls,
  clause: ClauseId,
  type: string,
  values: readonly SqlValue[],
  more?: (table: TableUnderTest) => Promise<void>,
): Promise<void> {
  const context: CheckContext = sql.context;
  const spec = createTableSpec({ id: "INT", v: type }, ["id"]);
  await sql.withTable(spec, async (table) => {
    for (const [index, v] of values.entries()) {
      const id = createIntValue(index);
      const answer = await sql.query(table.insertText({ id, v }));
      if (isClientError(answer) && !isEverywhere(parseKnownSqlType(type).family, v)) continue;
      context.assertStatus(clause, answer, 200);
      table.model.insert({ id: id.canonical, v: v.canonical });
    }
    const { rows, columns } = await sql.rows(`SELECT id, v FROM ${table.name}`);
    // one by one: a failure then shows one value
    for (const expected of table.model.rows) {
      const seen = rows.map((row) => table.model.seen(row, ["id", "v"])).find(({ id }) => id === expected.id);
      const what = `the ${type} that was written as ${values[Number(expected.id)]?.json ?? ""}`;
      const [shown, wanted] = [seen?.v, expected.v].map((value) => new JsonText(value ?? "null"));
      context.assertEqual(clause, seen && shown, wanted, what);
    }
    const shown = normalizeSqlType(columns.find(({ name }) => name === "v")?.type ?? "");
    context.assertEqual(
      "SQL-03",
      shown,
      formatType(parseKnownSqlType(type)),
      `the type of a column declared as ${type}`,
    );
    await more?.(table);
  });
}

/** Whether every deployment can store a value; the specification does not limit lengths and dates. */
function isEverywhere(family: SqlTypeFamily, { canonical }: SqlValue): boolean {
  const held = JSON.parse(canonical ?? '""') as unknown;
  const text = typeof held === "string" ? held : (canonical ?? "");
  const { min, max } = portableDateRange;
  return family === "DATE" && canonical !== null
    ? text >= min.toISOString() && text <= max.toISOString()
    : text.length <= 250;
}

/**
 * Whether every deployment can store a key: empty and long keys may be refused, and a number that does not fit into 32 bits
 * may be compared with different precision than it is stored.
 */
function isOrdinaryKey(family: SqlTypeFamily, { json, canonical }: SqlValue): boolean {
  if (family === "FLOAT") return Math.fround(Number(json)) === Number(json);
  return (
    isEverywhere(family, { json, canonical }) &&
    canonical !== '""' &&
    Buffer.byteLength(canonical ?? "") <= maxKeyBytes
  );
}

const maxKeyBytes = 200;

/** Number of keys that are read individually. */
const maxFound = 30;

/** Writes values into a clustering column, finds each of them, and reads them in order. */
async function assertKeys(
  sql: SqlCalls,
  clause: ClauseId,
  type: string,
  values: readonly SqlValue[],
  isOrdered: boolean,
): Promise<void> {
  const context: CheckContext = sql.context;
  const spec = createTableSpec({ p: "INT", v: type }, ["p"], ["v"]);
  const distinct = [...new Map(values.map((value) => [value.canonical, value])).values()];
  await sql.withTable(spec, async (table) => {
    const p = createIntValue(1);
    for (const v of distinct.toReversed()) {
      context.assertStatus(clause, await sql.query(table.insertText({ p, v })), 200);
      table.model.insert({ p: p.canonical, v: v.canonical });
    }
    await table.assertRows(clause, [], "the rows with these keys");
    for (const v of distinct.slice(0, maxFound))
      await table.assertRows(
        "SQL-13",
        [createEqualityCondition("p", p), createEqualityCondition("v", v)],
        "the row with this key",
      );
    if (!isOrdered) return;
    for (const direction of ["ASC", "DESC"] as const)
      await table.assertRows("SQL-13", [createEqualityCondition("p", p)], "the rows in the partition", {
        order: [{ column: "v", direction }],
      });
    const middle = distinct[Math.floor(distinct.length / 2)];
    if (middle !== undefined)
      for (const operator of ["<", ">="] as const)
        await table.assertRows(
          "SQL-13",
          [createEqualityCondition("p", p), { column: "v", operator, value: middle }],
          "the rows below or above a value",
        );
  });
}

/**
 * A column never has a value that its type has not: what is written in its place, or that the write is refused, is open.
 * What is refused changes nothing.
 */
async function assertOutside(
  clause: ClauseId,
  table: TableUnderTest,
  type: string,
  outside: readonly string[],
): Promise<void> {
  const { name, sql } = table;
  const context: CheckContext = sql.context;
  const { family } = parseKnownSqlType(type);
  const [held] = table.model.rows;
  const heldId = held?.id ?? "0";
  for (const json of outside) {
    const values = [{ json, canonical: null }];
    const literal = json.startsWith('"') ? `'${(JSON.parse(json) as string).replaceAll("'", "''")}'` : json;
    for (const [id, statement] of [
      ["1000", { sql: `INSERT INTO ${name} (id, v) VALUES (1000, ?)`, values }],
      ["1000", { sql: `INSERT INTO ${name} (id, v) VALUES (1000, ${literal})` }],
      [heldId, { sql: `UPDATE ${name} SET v = ? WHERE id = ${heldId}`, values }],
    ] as const) {
      const answer = await sql.query(statement, { intent: "invalid" });
      if (answer.status === 200) {
        const { rows } = await sql.rows(`SELECT id, v FROM ${name} WHERE id = ${id}`);
        const [seen] = rows.map((row) => table.model.seen(row, ["id", "v"]));
        const v = seen?.v ?? null;
        const isHeld = v === null || (!wrongTypePattern.test(v) && isInRange(family, v));
        context.assert(clause, isHeld, `a value of ${type} or no value after ${json} was written`, v);
        table.model.insert({ id, v });
        await table.delete([createEqualityCondition("id", createIntValue(1000))], clause);
      } else {
        context.assertRefused(clause, answer, `${json} is not a value of ${type}`);
        context.assertStatus("SQL-46", answer, 400);
      }
      context.markSetUpDone();
    }
  }
  await table.assertRows(clause, [], "rows after the writes");
}

function isInRange(family: SqlTypeFamily, canonical: string): boolean {
  if (!isInteger(family)) return true;
  const [least, greatest] = getWidestIntegerRange(family);
  return BigInt(canonical) >= least && BigInt(canonical) <= greatest;
}

function isInteger(family: SqlTypeFamily): family is IntegerFamily {
  return (["TINYINT", "SMALLINT", "INT", "BIGINT"] as const).some((integer) => integer === family);
}

const ofOneType = (families: readonly SqlTypeFamily[], isKey: boolean) =>
  fc.constantFrom(...families.flatMap(getSqlTypeNames)).chain((name) =>
    fc.tuple(
      fc.constant(name),
      fc.array(jsonTextArbitrary(parseKnownSqlType(name), isKey ? "key" : "value"), {
        minLength: 1,
        maxLength: 8,
      }),
    ),
  );

function checkOf({ id, title, clause, families, isOrdered, also }: TypeCheck): SubjectCheck<SqlCalls> {
  return {
    id,
    title,
    clauses: [clause],
    run: async (sql, context: CheckContext) => {
      for (const family of families)
        for (const [index, name] of getSqlTypeNames(family).entries()) {
          // other names of the type are tried with the outermost values, and with those next to the range
          const chosen = edges[family].filter(
            (_, place, { length }) => index === 0 || place < 2 || place >= length - 2,
          );
          const beyond = (outside[family] ?? []).slice(0, index === 0 ? undefined : 2);
          const values = valuesOf(name, chosen);
          await assertHeld(sql, clause, name, values, (table) => assertOutside(clause, table, name, beyond));
          const keys = values.filter((value) => isOrdinaryKey(family, value));
          await assertKeys(sql, clause, name, keys, isOrdered);
        }
      await also?.(sql);
      await context.property(
        [ofOneType(families, isOrdered), fc.string({ minLength: 1, maxLength: 12 })],
        async ([name, list], text) => {
          const values = valuesOf(name, list);
          const beyond = outside[families[0]] === undefined ? [] : texts(text);
          await assertHeld(sql, clause, name, values, (table) => assertOutside(clause, table, name, beyond));
          if (isOrdered) await assertKeys(sql, clause, name, values, true);
        },
        { names: [["type", "values"], "text"], share: 0.5 },
      );
    },
  };
}

/** Asserts that a value is stored unchanged or refused. */
async function assertHeldOrRefused(
  sql: SqlCalls,
  clause: ClauseId,
  type: string,
  json: string,
  what: string,
) {
  await sql.withTable(createTableSpec({ id: "INT", v: type }, ["id"]), async (table) => {
    const row = { id: createIntValue(1), v: createSqlValue(parseKnownSqlType(type), json) };
    const answer = await sql.query(table.insertText(row), { intent: "invalid" });
    if (answer.status === 200) table.model.insert(toCanonicalRow(row));
    else sql.context.assertRefused(clause, answer, what);
    await table.assertRows(clause, [], `${what}: stored, or no row`);
  });
}

/** Asserts that a SET with a duplicate element contains the element once, or is refused. */
async function assertNothingTwice(sql: SqlCalls): Promise<void> {
  const [numbers, texts] = ["[10,9,10,9,-1]", '["b","a","b","B"]'];
  await assertHeldOrRefused(sql, "SQL-42", "SET<INT>", numbers, "a set that contains an element twice");
  await assertHeldOrRefused(sql, "SQL-42", "SET<STRING>", texts, "a set that contains an element twice");
}

function valuesOf(type: string, list: readonly string[]): readonly SqlValue[] {
  return list.map((json) => createSqlValue(parseKnownSqlType(type), json));
}

/** Whether collections may be in collections: part 2 does not say what T, K and V may be. */
async function takesNested(sql: SqlCalls): Promise<boolean> {
  const context: CheckContext = sql.context;
  const name = context.resources.createPlainName();
  const answer = await sql.create(name, "k INT, v LIST<SET<INT>>, PRIMARY KEY (k)");
  await context.resources.remove("table", name);
  return answer.status === 200;
}

const collections = [
  ["LIST<INT>", ["[]", "[1]", "[2,1,2,3,10,9,4,5,6,7,8,11]"]],
  ["LIST<VARCHAR>", ['[""]', '["b","a","b"]', '["__proto__","\\u0001","😀"]']],
  ["LIST<BIGINT>", ["[9223372036854775807,-9223372036854775808,9007199254740993]"]],
  ["LIST<DECIMAL>", ["[0.1,12345678.12345679,9007199254740993]"]],
  ["SET<INT>", ["[]", "[3,1,2]", "[10,9,-1]"]],
  ["SET<STRING>", ['["b","a","B"]']],
  ["SET<LONG>", ["[9007199254740993,9007199254740992]"]],
  ["MAP<VARCHAR, INT>", ["{}", '{"b":1,"a":2,"":3}', '{"proto":1,"b":2,"10":3,"9":4}']],
  ["MAP<TEXT, TEXT>", ['{"é":"e\\u0301","😀":""}']],
  ["MAP<INT, BOOLEAN>", ['{"10":true,"-9":false}']],
  ["MAP<TEXT, LIST<SMALLINT>>", ['{"a":[1,2],"b":[]}']],
  ["LIST<SET<DATE>>", ['[["2024-02-29","1970-01-01"],[]]']],
] as const;

const nested = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom("MAP<VARCHAR, LIST<INTEGER>>", "LIST<MAP<TEXT, BOOL>>") },
  { weight: 6, arbitrary: collectionTypeNameArbitrary },
);

/** Checks of the SQL types (part 2). */
export const sqlTypeChecks = defineSqlChecks(...typeChecks.map(checkOf), {
  id: "sql/type-collections",
  title: "Lists are stored in order, sets without duplicates, and maps by key",
  clauses: ["SQL-42"],
  // a collection holds its elements no better than a column does
  after: ["sql/type-bigint", "sql/type-double", "sql/type-decimal"],
  run: async (sql, context: CheckContext) => {
    const nests = await takesNested(sql);
    for (const [type, list] of collections.filter(
      ([name]) => nests || !isNestedCollection(parseKnownSqlType(name)),
    ))
      await assertHeld(sql, "SQL-42", type, valuesOf(type, list));
    await assertNothingTwice(sql);
    await context.property(
      [
        nested.chain((type) =>
          fc.tuple(
            fc.constant(type),
            fc.array(jsonTextArbitrary(parseKnownSqlType(type)), { minLength: 1, maxLength: 6 }),
          ),
        ),
      ],
      async ([type, list]) => {
        if (!nests && isNestedCollection(parseKnownSqlType(type))) return;
        await assertHeld(sql, "SQL-42", type, valuesOf(type, list));
      },
      { names: [["type", "values"]], share: 0.7 },
    );
    // elements of a text that is a key of the row, too
    await context.property(
      [fc.uniqueArray(anyText, { minLength: 1, maxLength: 8 })],
      async (list) => {
        await assertHeld(sql, "SQL-42", "SET<TEXT>", valuesOf("SET<TEXT>", [JSON.stringify(list)]));
      },
      { names: ["list"], share: 0.3 },
    );
  },
});
