import fc from "fast-check";
import type { ClauseId } from "../../../openapi/clauses/register.js";
import type { Check, SubjectCheck } from "../../check/check.js";
import { isClientError } from "../../client/is-client-error.js";
import { JsonText } from "../../client/json-text.js";
import type { CheckContext } from "../../check/context.js";
import {
  anyText,
  collectionTypeName,
  foldText,
  getIntegerRange,
  getWidestIntegerRange,
  type IntegerFamily,
  maxPortableKeyBytes,
  portableDateRange,
  sqlValueArbitrary,
  typeNameArbitrary,
  type ValueUse,
} from "../../generators/sql.js";
import { trickyTexts } from "../../generators/tricky-texts.js";
import { createTableSpec } from "../../models/sql-table.js";
import {
  createSqlValue,
  getSqlTypeNames,
  isValidCanonicalValue,
  normalizeSqlType,
  parseSqlType,
  type SqlTypeFamily,
  type SqlValue,
} from "../../models/sql-types.js";
import { defineSqlChecks, type SqlClient } from "../../steps/sql/sql-client.js";
import {
  type TableUnderTest,
  toCanonicalRow,
  whereEqual,
  withTable,
} from "../../steps/sql/table-under-test.js";

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
const boundaryValues: Readonly<Record<ScalarFamily, readonly string[]>> = {
  VARCHAR: texts(...trickyTexts, "a\0b", "x".repeat(5000), "ü".repeat(2000), "x".repeat(70_000)),
  TINYINT: listIntegerBoundaries("TINYINT"),
  SMALLINT: listIntegerBoundaries("SMALLINT"),
  INT: listIntegerBoundaries("INT"),
  BIGINT: listIntegerBoundaries("BIGINT", [2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 10n ** 18n + 1n]),
  DOUBLE: `-1.7976931348623157e308 -1.5 -5e-324 0 5e-324 2.2250738585072014e-308 0.1 0.30000000000000004
    1 9 10 9007199254740993.0 1.7976931348623157e308`.split(/\s+/),
  // Includes numbers that do not fit into 32 bits.
  FLOAT: "-3.4028234e38 -1.5 0 0.1 0.123456789012345 1.1 3 20 16777217 3.4028234e38".split(" "),
  // Every deployment can store this number of digits.
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
  // Deployments need not store fractions of a second.
  TIME: texts("00:00:00", "09:30:00", "10:00:00", "12:34:56", "23:59:59"),
  // The specification does not name a range; all deployments have these.
  TIMESTAMP: texts(
    "1970-01-02T00:00:00.000Z",
    "2024-02-29T12:00:00.000Z",
    "2024-02-29T12:00:01.000Z",
    // These hours are missing in the local time of the USA, the United Kingdom and Germany.
    "2024-03-10T02:30:00.000Z",
    "2024-03-31T01:30:00.000Z",
    "2024-03-31T02:30:00.000Z",
    "2037-12-31T23:59:59.000Z",
  ),
  BLOB: bytes(
    ...[[], [0], [0, 0], [0, 1], [0x27, 0x3b, 0x2d, 0x2d], [0x7f], [0x80], [0xc3, 0x28], [0xff, 0xfe]],
    Array.from({ length: 768 }, (_, n) => n % 256),
  ),
  UUID: texts(...timeUuids, "5f0c2f0e-7a53-4e0f-9d5a-0d0c5d3b8a01"),
  TIMEUUID: texts(...timeUuids),
};

const invalidUuids = texts("6ba7b810-9dad-11d1-80b4-00c04fd430cg", "no value", "6ba7b810-9dad-11d1-80b4");

/** JSON texts of values that a type cannot store; types that are missing here can store every text. */
const invalidValues: Readonly<Partial<Record<SqlTypeFamily, readonly string[]>>> = {
  TINYINT: listInvalidIntegers("TINYINT"),
  SMALLINT: listInvalidIntegers("SMALLINT"),
  INT: listInvalidIntegers("INT"),
  BIGINT: listInvalidIntegers("BIGINT"),
  DOUBLE: texts("no value"),
  FLOAT: texts("no value"),
  DECIMAL: texts("no value"),
  BOOLEAN: texts("no value"),
  DATE: texts("2023-02-29", "no value", "2024-13-01"),
  TIME: texts("25:00:00", "no value", "12:60:00"),
  TIMESTAMP: texts("2023-02-29T12:00:00Z", "no value", "2024-01-01T25:00:00Z"),
  UUID: invalidUuids,
  TIMEUUID: invalidUuids,
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
}

const typeChecks: readonly TypeCheck[] = [
  {
    id: "sql/type-text",
    title: "Strings are stored unchanged",
    clause: "SQL-33",
    families: ["VARCHAR"],
    isOrdered: false,
  },
  {
    id: "sql/type-integers",
    title: "8-, 16- and 32-bit integers are stored; out-of-range values are not",
    clause: "SQL-34",
    families: ["TINYINT", "SMALLINT", "INT"],
    isOrdered: true,
  },
  {
    id: "sql/type-bigint",
    title: "64-bit integers are stored exactly; out-of-range values are not",
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

/** The checks whose failure may explain a failure of any check that stores values of types other than INT and TEXT. */
export const typeCheckIds = [...typeChecks.map(({ id }) => id), "sql/type-collections" as const];

/** Lists the limits of an integer type, numbers that texts would order differently, and other numbers with both signs. */
function listIntegerBoundaries(family: IntegerFamily, others: readonly bigint[] = []): readonly string[] {
  const [least, greatest] = getIntegerRange(family);
  const small = [least, least + 1n, -10n, -9n, -1n, 0n, 1n, 9n, 10n, greatest - 1n, greatest];
  return [...new Set([...small, ...others, ...others.map((number) => -number)])]
    .filter((number) => number >= least)
    .sort((a, b) => (a < b ? -1 : 1))
    .map(String);
}

function listInvalidIntegers(family: IntegerFamily): readonly string[] {
  const [least, greatest] = getWidestIntegerRange(family);
  return [least - 1n, greatest + 1n, greatest * 2n + 1n, greatest * 2n + 2n, 10n ** 20n, -(10n ** 20n)].map(
    String,
  );
}

function createValues(type: string, list: readonly string[]): readonly SqlValue[] {
  return list.map((json) => createSqlValue(parseSqlType(type), json));
}

/** Generates the name of a type, and values of the type. */
function typedValuesArbitrary(typeName: fc.Arbitrary<string>, use: ValueUse) {
  return typeName.chain((type) =>
    fc
      .array(sqlValueArbitrary(parseSqlType(type), use), { minLength: 1, maxLength: 8 })
      .map((values) => ({ type, values })),
  );
}

/** Writes values into columns outside the key, reads them back, and then tries values that the type cannot store. */
async function assertStored(
  sql: SqlClient,
  clause: ClauseId,
  type: string,
  values: readonly SqlValue[],
  invalid: readonly string[] = [],
): Promise<void> {
  const context: CheckContext = sql.context;
  await withTable(sql, createTableSpec({ id: "INT", v: type }, ["id"]), async (table) => {
    for (const [id, v] of values.entries()) {
      const response = await sql.query(table.formatInsert({ id, v }));
      if (isClientError(response) && !isPortableValue(parseSqlType(type).family, v)) continue;
      context.assertStatus(clause, response, 200);
      table.model.insert(toCanonicalRow({ id, v }));
    }
    const { rows, columns } = await sql.select(`SELECT id, v FROM ${table.name}`);
    // One assertion per value, so that a failure shows a single value.
    for (const expected of table.model.rows) {
      const seen = rows
        .map((row) => table.model.parseRow(row, ["id", "v"]))
        .find(({ id }) => id === expected.id);
      const what = `the ${type} that was written as ${values[Number(expected.id)]?.json ?? ""}`;
      const [shown, wanted] = [seen?.v, expected.v].map((value) => new JsonText(value ?? "null"));
      context.assertEqual(clause, seen && shown, wanted, what);
    }
    const shownType = normalizeSqlType(columns.find(({ name }) => name === "v")?.type ?? "");
    const what = `the type of a column declared as ${type}`;
    context.assertEqual("SQL-03", shownType, normalizeSqlType(type), what);
    await assertInvalidValues(clause, table, type, invalid);
  });
}

/**
 * Whether every deployment can store a value: the specification leaves open long texts, U+0000, dates
 * beyond a range, and whether a SET with duplicates is refused.
 */
function isPortableValue(family: SqlTypeFamily, { json, canonical }: SqlValue): boolean {
  if (canonical === null) return true;
  const value: unknown = JSON.parse(canonical);
  const text = typeof value === "string" ? value : canonical;
  const { min, max } = portableDateRange;
  if (family === "DATE") return text >= min.toISOString() && text <= max.toISOString();
  const hasDuplicates =
    family === "SET" && (JSON.parse(json) as unknown[]).length > (value as unknown[]).length;
  return !hasDuplicates && text.length <= 250 && !text.includes("\0");
}

/**
 * Whether every deployment can store a key: empty and long keys may be refused, and a number that does not fit into 32 bits
 * may be compared with different precision than it is stored.
 */
function isPortableKey(family: SqlTypeFamily, value: SqlValue): boolean {
  const { json, canonical } = value;
  if (family === "FLOAT") return Math.fround(Number(json)) === Number(json);
  const isSized = canonical !== '""' && Buffer.byteLength(canonical ?? "") <= maxPortableKeyBytes;
  return isSized && isPortableValue(family, value);
}

/** Maximum number of keys that are read individually. */
const maxReadKeys = 30;

/** Writes values into a clustering column, finds each of them, and reads them in order. */
async function assertStoredAsKeys(
  sql: SqlClient,
  clause: ClauseId,
  type: string,
  values: readonly SqlValue[],
  isOrdered: boolean,
): Promise<void> {
  const getKey = ({ canonical }: SqlValue) =>
    normalizeSqlType(type) === "VARCHAR" ? foldText(canonical ?? "") : canonical;
  const distinct = [...new Map(values.map((value) => [getKey(value), value])).values()];
  await withTable(sql, createTableSpec({ p: "INT", v: type }, ["p"], ["v"]), async (table) => {
    for (const v of distinct.toReversed()) {
      sql.context.assertStatus(clause, await sql.query(table.formatInsert({ p: 1, v })), 200);
      table.model.insert(toCanonicalRow({ p: 1, v }));
    }
    await table.assertRows(clause, [], "the rows with these keys");
    for (const v of distinct.slice(0, maxReadKeys))
      await table.assertRows("SQL-13", whereEqual({ p: 1, v }), "the row with this key");
    if (!isOrdered) return;
    const inPartition = whereEqual({ p: 1 });
    for (const direction of ["ASC", "DESC"] as const)
      await table.assertRows("SQL-13", inPartition, "the rows in the partition", {
        order: [{ column: "v", direction }],
      });
    const value = distinct[Math.floor(distinct.length / 2)];
    if (value !== undefined)
      for (const operator of ["<", ">="] as const) {
        const where = [...inPartition, { column: "v", operator, value }];
        await table.assertRows("SQL-13", where, "the rows below or above a value");
      }
  });
}

/**
 * Asserts that a column never contains a value that its type cannot store. The specification leaves open whether such a
 * write is refused, or stores something else.
 */
async function assertInvalidValues(
  clause: ClauseId,
  table: TableUnderTest,
  type: string,
  invalid: readonly string[],
): Promise<void> {
  const { name, sql, context } = table;
  const storedId = table.model.rows[0]?.id ?? "0";
  for (const json of invalid) {
    const values = [{ json, canonical: null }];
    const literal = json.startsWith('"') ? `'${(JSON.parse(json) as string).replaceAll("'", "''")}'` : json;
    for (const [id, statement] of [
      ["1000", { sql: `INSERT INTO ${name} (id, v) VALUES (1000, ?)`, values }],
      ["1000", { sql: `INSERT INTO ${name} (id, v) VALUES (1000, ${literal})` }],
      [storedId, { sql: `UPDATE ${name} SET v = ? WHERE id = ${storedId}`, values }],
    ] as const) {
      const response = await sql.query(statement, { intent: "invalid" });
      if (response.status === 200) {
        const { rows } = await sql.select(`SELECT id, v FROM ${name} WHERE id = ${id}`);
        const v = rows.map((row) => table.model.parseRow(row, ["id", "v"]))[0]?.v ?? null;
        const isValid = v === null || (isValidCanonicalValue(v) && isInRange(parseSqlType(type).family, v));
        context.assert(clause, isValid, `a value of ${type} or no value after ${json} was written`, v);
        table.model.insert({ id, v });
        await table.delete(whereEqual({ id: 1000 }), clause);
      } else {
        context.assertRefused(clause, response, `${json} is not a value of ${type}`);
        context.assertStatus("SQL-46", response, 400);
      }
      context.markSetUpDone();
    }
  }
  await table.assertRows(clause, [], "rows after the writes");
}

/** Whether an integer is in the range of its type; true for values of other types. */
function isInRange(family: SqlTypeFamily, canonical: string): boolean {
  if (family !== "TINYINT" && family !== "SMALLINT" && family !== "INT" && family !== "BIGINT") return true;
  const [least, greatest] = getWidestIntegerRange(family);
  return BigInt(canonical) >= least && BigInt(canonical) <= greatest;
}

function createTypeCheck({ id, title, clause, families, isOrdered }: TypeCheck): SubjectCheck<SqlClient> {
  return {
    id,
    title,
    clauses: [clause],
    run: async (sql, context: CheckContext) => {
      for (const family of families)
        for (const [index, name] of getSqlTypeNames(family).entries()) {
          // Other names of the type are tried with the outermost values only.
          const boundaries = boundaryValues[family].filter(
            (_, place, { length }) => index === 0 || place < 2 || place >= length - 2,
          );
          const invalid = (invalidValues[family] ?? []).slice(0, index === 0 ? undefined : 2);
          const values = createValues(name, boundaries);
          await assertStored(sql, clause, name, values, invalid);
          const keys = values.filter((value) => isPortableKey(family, value));
          await assertStoredAsKeys(sql, clause, name, keys, isOrdered);
        }
      await context.property(
        {
          column: typedValuesArbitrary(typeNameArbitrary(families), isOrdered ? "key" : "any"),
          text: fc.string({ minLength: 1, maxLength: 12 }),
        },
        async ({ column: { type, values }, text }) => {
          const invalid = invalidValues[families[0]] === undefined ? [] : texts(text);
          await assertStored(sql, clause, type, values, invalid);
          if (isOrdered) await assertStoredAsKeys(sql, clause, type, values, true);
        },
        { share: 0.5 },
      );
    },
  };
}

function isNestedCollection(type: string): boolean {
  return parseSqlType(type).elements.some(({ elements }) => elements.length > 0);
}

/** Whether the deployment supports collections of collections; part 2 does not say what T, K and V may be. */
async function supportsNesting(sql: SqlClient): Promise<boolean> {
  const name = sql.context.resources.createPlainName();
  const response = await sql.createTable(name, "k INT, v LIST<SET<INT>>, PRIMARY KEY (k)");
  await sql.context.resources.remove("table", name);
  return response.status === 200;
}

const collections = [
  ["LIST<INT>", ["[]", "[1]", "[2,1,2,3,10,9,4,5,6,7,8,11]"]],
  ["LIST<VARCHAR>", ['[""]', '["b","a","b"]', '["__proto__","\\u0001","😀"]']],
  ["LIST<BIGINT>", ["[9223372036854775807,-9223372036854775808,9007199254740993]"]],
  ["LIST<DECIMAL>", ["[0.1,12345678.12345679,9007199254740993]"]],
  ["SET<INT>", ["[]", "[3,1,2]", "[10,9,-1]", "[10,9,10,9,-1]"]],
  ["SET<STRING>", ['["b","a","B"]', '["b","a","b","B"]']],
  ["SET<LONG>", ["[9007199254740993,9007199254740992]"]],
  ["MAP<VARCHAR, INT>", ["{}", '{"b":1,"a":2,"":3}', '{"proto":1,"b":2,"10":3,"9":4}']],
  ["MAP<TEXT, TEXT>", ['{"é":"e\\u0301","😀":""}']],
  ["MAP<INT, BOOLEAN>", ['{"10":true,"-9":false}']],
  ["MAP<TEXT, LIST<SMALLINT>>", ['{"a":[1,2],"b":[]}']],
  ["LIST<SET<DATE>>", ['[["2024-02-29","1970-01-01"],[]]']],
] as const;

const nestedTypeName = fc.constantFrom("MAP<VARCHAR, LIST<INTEGER>>", "LIST<MAP<TEXT, BOOL>>");

/** Checks of the SQL types (part 2). */
export const sqlTypeChecks = defineSqlChecks(...typeChecks.map(createTypeCheck), {
  id: "sql/type-collections",
  title: "Lists are stored in order, sets without duplicates, and maps by key",
  clauses: ["SQL-42"],
  // Elements may fail for the same reasons as columns.
  after: ["sql/type-bigint", "sql/type-double", "sql/type-decimal"],
  run: async (sql, context: CheckContext) => {
    const canNest = await supportsNesting(sql);
    const assertCollections = async (type: string, values: readonly SqlValue[]) => {
      if (canNest || !isNestedCollection(type)) await assertStored(sql, "SQL-42", type, values);
    };
    for (const [type, list] of collections) await assertCollections(type, createValues(type, list));
    await context.property(
      {
        column: typedValuesArbitrary(
          fc.oneof({ weight: 1, arbitrary: nestedTypeName }, { weight: 6, arbitrary: collectionTypeName }),
          "any",
        ),
      },
      ({ column: { type, values } }) => assertCollections(type, values),
      { share: 0.7 },
    );
    await context.property(
      { list: fc.uniqueArray(anyText, { minLength: 1, maxLength: 8 }) },
      ({ list }) => assertCollections("SET<TEXT>", createValues("SET<TEXT>", [JSON.stringify(list)])),
      { share: 0.3 },
    );
  },
});
