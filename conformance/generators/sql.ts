import fc from "fast-check";
import { anyCharacter } from "./any-character.js";
import { trickyTexts } from "./tricky-texts.js";
import type { ComparisonOperator } from "../models/comparisons.js";
import { getKeyColumns, type SqlCondition, type TableSpec } from "../models/sql-table.js";
import {
  createSqlValue,
  getSqlTypeNames,
  parseSqlType,
  sqlNull,
  type SqlType,
  sqlTypeFamilies,
  type SqlTypeFamily,
  type SqlValue,
} from "../models/sql-types.js";

const integerBits = { TINYINT: 8, SMALLINT: 16, INT: 32, BIGINT: 64 } as const;
export type IntegerFamily = keyof typeof integerBits;

/** Returns the range of an integer type that every deployment supports; 8-bit integers may be signed or unsigned. */
export function getIntegerRange(family: IntegerFamily): readonly [bigint, bigint] {
  const half = 2n ** BigInt(integerBits[family] - 1);
  return [family === "TINYINT" ? 0n : -half, half - 1n];
}

/** Returns the widest range that a column of an integer type may have. */
export function getWidestIntegerRange(family: IntegerFamily): readonly [bigint, bigint] {
  return family === "TINYINT" ? [-128n, 255n] : getIntegerRange(family);
}

/** Generates any character except U+0000, which some stores cannot store. */
const character = fc.oneof(
  fc.string({ minLength: 1, maxLength: 1 }),
  anyCharacter.filter((one) => one !== "\0"),
);

/** Generates texts without lone surrogates, including sequences of syntax characters and long repetitions. */
export const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: character, maxLength: 12 }) },
  { weight: 2, arbitrary: fc.constantFrom(...trickyTexts) },
  {
    weight: 1,
    arbitrary: fc.string({
      unit: fc.constantFrom("'", '"', "\\", "\x01", "\x1f", "\x7f", ";", "-"),
      maxLength: 8,
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(character, fc.noBias(fc.integer({ min: 1, max: 60 })))
      .map(([one, times]) => one.repeat(times)),
  },
);

/** Returns the same text for texts that may be the same key: those that differ only in case, accents or spaces. */
export function foldText(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}\s]/gu, "")
    .toUpperCase();
}

/** Range of dates and timestamps that every deployment can store; the specification does not name a range. */
export const portableDateRange = {
  min: new Date("1970-01-02T00:00:00.000Z"),
  max: new Date("2037-12-31T23:59:59.999Z"),
};

/** Maximum length of a key that every deployment can store; the specification does not say how long a key may be. */
export const maxPortableKeyBytes = 200;

/** Generates times in whole seconds, because the stored precision is left open. */
const wholeSecond = fc
  .date({ ...portableDateRange, noInvalidDate: true })
  .map((date) => date.toISOString().replace(/\.\d+Z$/, ".000Z"));

const float = fc.float({ noNaN: true, noDefaultInfinity: true });
/** Generates numbers in the range of 32-bit numbers with more digits. Most doubles are outside or become 0. */
const roundedFloat = fc
  .tuple(
    fc.float({ noNaN: true, min: -(2 ** 120), max: 2 ** 120 }),
    fc.double({ noNaN: true, min: 1, max: 2 }),
  )
  .map(([number, factor]) => number * factor);

/** Whether a value is for any column, or for a key: values for keys are never empty and have an order. */
export type ValueUse = "any" | "key";

/** Generates values of a type. */
export function sqlValueArbitrary(type: SqlType, use: ValueUse): fc.Arbitrary<SqlValue> {
  return jsonTextArbitrary(type, use).map((json) => createSqlValue(type, json));
}

/** Generates JSON texts of the values of a type. */
function jsonTextArbitrary(type: SqlType, use: ValueUse = "any"): fc.Arbitrary<string> {
  const { family } = type;
  const [first = type, second = type] = type.elements;
  const quoted = (texts: fc.Arbitrary<string>) => texts.map((text) => JSON.stringify(text));
  switch (family) {
    case "VARCHAR":
      // Lower-case letters and digits have the same order on every deployment.
      return quoted(use === "key" ? fc.stringMatching(/^[a-z0-9]{1,5}$/) : anyText);
    case "TINYINT":
    case "SMALLINT":
    case "INT":
    case "BIGINT": {
      const [min, max] = getIntegerRange(family);
      return fc
        .oneof(
          fc.bigInt({ min, max }),
          fc.bigInt({ min: min < -12n ? -12n : min, max: 12n }),
          fc.constantFrom(min, max, max - 1n),
        )
        .map(String);
    }
    case "FLOAT":
      // A key must fit into 32 bits: a stored key is rounded, but a compared one may not be.
      return (use === "key" ? float : fc.oneof(float, roundedFloat)).map(formatNumber);
    case "DOUBLE":
      return fc.oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }).map(formatNumber),
        // Other notations, and numbers with all the digits that a double needs.
        fc.constantFrom("1E2", "1.50", "-2.5e-3", "1e+20", "0.10000000000000001", "123456.78901234567"),
      );
    case "DECIMAL":
      return (
        fc
          // Every deployment can store this number of digits.
          .tuple(fc.boolean(), fc.stringMatching(/^(0|[1-9]\d{0,7})$/), fc.stringMatching(/^\d{0,8}$/))
          .map(([negative, whole, fraction]) => {
            const digits = fraction === "" ? whole : `${whole}.${fraction}`;
            return negative && /[1-9]/.test(digits) ? `-${digits}` : digits;
          })
      );
    case "BOOLEAN":
      return fc.boolean().map(String);
    case "DATE":
      return quoted(wholeSecond.map((text) => text.slice(0, 10)));
    case "TIME":
      return quoted(wholeSecond.map((text) => text.slice(11, 19)));
    case "TIMESTAMP":
      return quoted(wholeSecond);
    case "BLOB":
      return quoted(fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString("base64")));
    case "UUID":
      return quoted(fc.uuid());
    case "TIMEUUID":
      return quoted(fc.uuid({ version: 1 }));
    case "SET":
      return fc
        .uniqueArray(sqlValueArbitrary(first, "any"), {
          maxLength: 4,
          selector: ({ canonical }) => canonical,
        })
        .map((items) => `[${items.map(({ json }) => json).join(",")}]`);
    case "LIST":
      return fc.array(jsonTextArbitrary(first), { maxLength: 4 }).map((items) => `[${items.join(",")}]`);
    case "MAP":
      return fc
        .uniqueArray(
          fc.tuple(sqlValueArbitrary(first, "any").filter(isPortableMapKey), jsonTextArbitrary(second)),
          { maxLength: 4, selector: ([{ canonical }]) => canonical },
        )
        .map((entries) => `{${entries.map(([key, value]) => `${formatMapKey(key)}:${value}`).join(",")}}`);
  }
}

/** Whether a key of a MAP can be sent as a field name; guards against prototype pollution refuse some names. */
function isPortableMapKey({ json }: SqlValue): boolean {
  return !/^"(?:__proto__|constructor|prototype)"$/.test(json);
}

function formatMapKey({ json }: SqlValue): string {
  return json.startsWith('"') ? json : JSON.stringify(json);
}

/** Formats a number; replaces -0 with 0, because not every JSON parser keeps -0. */
function formatNumber(number: number): string {
  return JSON.stringify(number + 0);
}

const scalarFamilies = sqlTypeFamilies.filter((family) => !["LIST", "SET", "MAP"].includes(family));
/** Types whose values every deployment compares and orders in the same way. */
const orderedFamilies = scalarFamilies.filter(
  (family) => !["FLOAT", "BOOLEAN", "BLOB", "UUID", "TIMEUUID"].includes(family),
);
/** Types that every deployment accepts for key columns; the specification does not say which other types it accepts. */
export const plainKeyTypes: readonly string[] = ["VARCHAR", "INT", "INTEGER"];

/** Generates names of the given types. */
export const typeNameArbitrary = (families: readonly SqlTypeFamily[]): fc.Arbitrary<string> =>
  fc.constantFrom(...families.flatMap(getSqlTypeNames));
const scalarTypeName = typeNameArbitrary(scalarFamilies);
/** Generates names of types with elements. */
export const collectionTypeName = fc
  .tuple(typeNameArbitrary(["VARCHAR", "INT", "BIGINT"]), scalarTypeName)
  .chain(([key, value]) => fc.constantFrom(`LIST<${value}>`, `SET<${value}>`, `MAP<${key}, ${value}>`));
/** Generates names of types for columns outside the key. */
export const anyTypeName = fc.oneof(
  { weight: 5, arbitrary: scalarTypeName },
  { weight: 3, arbitrary: collectionTypeName },
);

/** Minimum and maximum number of columns of each kind in a table. */
interface TableShape {
  readonly partition?: readonly [number, number];
  readonly clustering?: readonly [number, number];
  readonly others?: readonly [number, number];
}

/** Generates tables whose columns, including key columns, are in any order. */
export function tableSpecArbitrary({
  partition = [1, 2],
  clustering = [0, 3],
  others = [0, 5],
}: TableShape = {}): fc.Arbitrary<TableSpec> {
  const some = (type: fc.Arbitrary<string>, [minLength, maxLength]: readonly [number, number]) =>
    fc.array(type, { minLength, maxLength });
  return fc
    .constantFrom(typeNameArbitrary(orderedFamilies), fc.constantFrom(...plainKeyTypes))
    .chain((keyType) =>
      fc.tuple(some(keyType, partition), some(keyType, clustering), some(anyTypeName, others)),
    )
    .chain(([partitionTypes, clusteringTypes, otherTypes]) => {
      const types = [...partitionTypes, ...clusteringTypes, ...otherTypes];
      const order = fc.shuffledSubarray([...types.keys()], { minLength: types.length });
      return fc.tuple(order, order).map(([places, numbers]): TableSpec => {
        const name = (index: number) => `c${numbers[index]}`;
        return {
          columns: places.map((index) => ({ name: name(index), type: types[index] ?? "INT" })),
          partition: partitionTypes.map((_, index) => name(index)),
          clustering: clusteringTypes.map((_, index) => name(partitionTypes.length + index)),
        };
      });
    });
}

/** A few values for each column, so that rows share values. */
type ValuePools = Readonly<Record<string, readonly SqlValue[]>>;

/** Generates values for the columns of a table; values for key columns are never NULL. */
function valuePoolsArbitrary(spec: TableSpec, maxValues: number): fc.Arbitrary<ValuePools> {
  const key = getKeyColumns(spec);
  return fc.record(
    Object.fromEntries(
      spec.columns.map(({ name, type }) => {
        const isKey = key.includes(name);
        const value = sqlValueArbitrary(parseSqlType(type), isKey ? "key" : "any");
        return [
          name,
          fc.uniqueArray(isKey ? value : fc.option(value, { nil: sqlNull, freq: 6 }), {
            minLength: 1,
            size: "max",
            // Few partitions, so that some partition has several rows.
            maxLength: spec.partition.includes(name) ? 2 : maxValues,
            selector: ({ canonical }) => canonical,
          }),
        ];
      }),
    ),
  );
}

/** A row to write: values for some of the columns. */
export type NewRow = Readonly<Record<string, SqlValue>>;

/** Generates rows with different keys from the values of the pools; in some rows, all columns outside the key are NULL. */
function rowsArbitrary(
  spec: TableSpec,
  pools: ValuePools,
  maxLength: number,
): fc.Arbitrary<readonly NewRow[]> {
  const key = getKeyColumns(spec);
  const row = (columns: readonly string[]) =>
    fc.record(
      Object.fromEntries(
        spec.columns.map(({ name }) => [
          name,
          fc.constantFrom(...((columns.includes(name) ? pools[name] : undefined) ?? [sqlNull])),
        ]),
      ),
    );
  return fc.uniqueArray(
    fc.oneof(
      { weight: 9, arbitrary: row(spec.columns.map(({ name }) => name)) },
      { weight: 1, arbitrary: row(key) },
    ),
    {
      minLength: 1,
      maxLength,
      // By default, fast-check rarely generates more than ten.
      size: "max",
      selector: (full) => JSON.stringify(key.map((column) => full[column]?.canonical)),
    },
  );
}

/** A table with valid rows. */
export interface FilledTable {
  readonly spec: TableSpec;
  readonly pools: ValuePools;
  readonly rows: readonly NewRow[];
}

/** Generates tables with rows; `maxValues` is the number of different values per column. */
export function filledTableArbitrary(
  shape: TableShape,
  maxRows: number,
  maxValues = 4,
): fc.Arbitrary<FilledTable> {
  return tableSpecArbitrary(shape).chain((spec) =>
    valuePoolsArbitrary(spec, maxValues).chain((pools) =>
      rowsArbitrary(spec, pools, maxRows).map((rows): FilledTable => ({ spec, pools, rows })),
    ),
  );
}

/** How to build a WHERE on the key; {@link buildWhereConditions} applies this to any key. */
export interface WhereChoice {
  /** Numbers that choose values. */
  readonly picks: readonly number[];
  /** Number of clustering columns that are compared with `=`. */
  readonly depth: number;
  /** Comparison of the next clustering column. */
  readonly range: ComparisonOperator | null;
  /** A second comparison of the same column. */
  readonly second: ComparisonOperator | null;
}

const rangeOperator = fc.constantFrom<ComparisonOperator>("<", "<=", ">", ">=");

export const whereChoiceArbitrary: fc.Arbitrary<WhereChoice> = fc.record({
  picks: fc.array(fc.nat(1000), { minLength: 8, maxLength: 8 }),
  depth: fc.nat(2),
  range: fc.option(rangeOperator),
  second: fc.option(rangeOperator, { freq: 2 }),
});

/** Builds a condition on the whole partition key and the first clustering columns. */
export function buildWhereConditions(
  { partition, clustering }: TableSpec,
  pools: ValuePools,
  { picks, depth, range, second }: WhereChoice,
): readonly SqlCondition[] {
  const [next] = clustering.slice(depth);
  // The second comparison limits the other side.
  const isInterval = second !== null && range !== null && !second.startsWith(range.slice(0, 1));
  return [
    ...[...partition, ...clustering.slice(0, depth)].map((column) => ({ column, operator: "=" as const })),
    ...[range, isInterval ? second : null].flatMap((operator) =>
      next === undefined || operator === null ? [] : [{ column: next, operator }],
    ),
  ].map(({ column, operator }, index): SqlCondition => {
    const pool = pools[column] ?? [];
    const value = pool[(picks[index % picks.length] ?? 0) % pool.length] ?? sqlNull;
    return { column, operator, value };
  });
}
