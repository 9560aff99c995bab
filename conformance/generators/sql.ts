import fc from "fast-check";
import { anyCharacter } from "./any-character.js";
import { trickyTexts } from "./tricky-texts.js";
import type { ComparisonOperator } from "../models/comparisons.js";
import type { SqlCondition, TableSpec } from "../models/sql-table.js";
import {
  getSqlTypeNames,
  sqlTypeFamilies,
  type SqlTypeFamily,
  sqlNull,
  type SqlType,
  type SqlValue,
  parseKnownSqlType,
  createSqlValue,
} from "../models/sql-types.js";

const bitsOf = { TINYINT: 8, SMALLINT: 16, INT: 32, BIGINT: 64 } as const;

/** Returns the range of an integer type that every deployment supports; 8-bit integers may be signed or unsigned. */
export function getIntegerRange(family: keyof typeof bitsOf): readonly [bigint, bigint] {
  const half = 2n ** BigInt(bitsOf[family] - 1);
  return [family === "TINYINT" ? 0n : -half, half - 1n];
}

/** Returns the widest range that a column of an integer type may have. */
export function getWidestIntegerRange(family: keyof typeof bitsOf): readonly [bigint, bigint] {
  return family === "TINYINT" ? [-128n, 255n] : getIntegerRange(family);
}

/** Generates any character except U+0000, which some stores cannot store. */
const character = fc.oneof(
  fc.string({ minLength: 1, maxLength: 1 }),
  anyCharacter.filter((one) => one !== "\0"),
);

/** Generates texts without lone surrogates. */
export const anyText = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.string({ unit: character, maxLength: 12 }),
  },
  { weight: 2, arbitrary: fc.constantFrom(...trickyTexts) },
  // quotes, backslashes and control characters that stand together, and a long text
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

/** Generates texts of lower-case letters and digits, which have the same order on every deployment. */
export const plainText = fc.stringMatching(/^[a-z0-9]{1,5}$/);

/** Range of dates and timestamps that every deployment can store; the specification does not name a range. */
export const portableDateRange = {
  min: new Date("1970-01-02T00:00:00.000Z"),
  max: new Date("2037-12-31T23:59:59.999Z"),
};
/** Generates times in whole seconds, because the stored precision is left open. */
const wholeSecond = fc
  .date({ ...portableDateRange, noInvalidDate: true })
  .map((date) => date.toISOString().replace(/\.\d+Z$/, ".000Z"));

/** Generates JSON texts of the values of a type. Values for keys are never empty and have an order. */
export function jsonTextArbitrary(type: SqlType, use: "value" | "key" = "value"): fc.Arbitrary<string> {
  const { family, elements } = type;
  const [first, second] = elements;
  switch (family) {
    case "VARCHAR":
      return (use === "key" ? plainText : anyText).map((text) => JSON.stringify(text));
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
      // those that 32 bits hold, where they are compared
      return use === "key"
        ? fc.float({ noNaN: true, noDefaultInfinity: true }).map(numberText)
        : fc.double({ noNaN: true, min: -3e38, max: 3e38 }).map(numberText);
    case "DOUBLE":
      return fc.oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }).map(numberText),
        // other spellings of a number, and all the digits that a double needs
        fc.constantFrom("1E2", "1.50", "-2.5e-3", "1e+20", "0.10000000000000001", "123456.78901234567"),
      );
    case "DECIMAL":
      return (
        fc
          // few enough digits for every deployment
          .tuple(fc.boolean(), fc.stringMatching(/^(0|[1-9]\d{0,7})$/), fc.stringMatching(/^\d{0,8}$/))
          .map(([negative, whole, fraction]) => {
            const digits = fraction === "" ? whole : `${whole}.${fraction}`;
            return negative && /[1-9]/.test(digits) ? `-${digits}` : digits;
          })
      );
    case "BOOLEAN":
      return fc.boolean().map(String);
    case "DATE":
      return wholeSecond.map((text) => JSON.stringify(text.slice(0, 10)));
    case "TIME":
      return wholeSecond.map((text) => JSON.stringify(text.slice(11, 19)));
    case "TIMESTAMP":
      return wholeSecond.map((text) => JSON.stringify(text));
    case "BLOB":
      return fc
        .uint8Array({ maxLength: 12 })
        .map((bytes) => JSON.stringify(Buffer.from(bytes).toString("base64")));
    case "UUID":
      return fc.uuid().map((text) => JSON.stringify(text));
    case "TIMEUUID":
      return fc.uuid({ version: 1 }).map((text) => JSON.stringify(text));
    case "SET":
      return fc
        .uniqueArray(jsonTextArbitrary(first ?? type), {
          maxLength: 4,
          selector: (json) => createSqlValue(first ?? type, json).canonical,
        })
        .map((items) => `[${items.join(",")}]`);
    case "LIST":
      return fc
        .array(jsonTextArbitrary(first ?? type), { maxLength: 4 })
        .map((items) => `[${items.join(",")}]`);
    case "MAP":
      return fc
        .uniqueArray(
          fc.tuple(jsonTextArbitrary(first ?? type).filter(isUnguarded), jsonTextArbitrary(second ?? type)),
          {
            maxLength: 4,
            selector: ([key]) => createSqlValue(first ?? type, key).canonical,
          },
        )
        .map((entries) => `{${entries.map(([key, value]) => `${memberName(key)}:${value}`).join(",")}}`);
  }
}

/** Generates keys of a MAP, which are sent as field names; guards against prototype pollution refuse some names. */
function isUnguarded(json: string): boolean {
  return !/^"(?:__proto__|constructor|prototype)"$/.test(json);
}

function memberName(json: string): string {
  return json.startsWith('"') ? json : JSON.stringify(json);
}

/** Replaces -0 with 0, because not every JSON parser keeps -0. */
function numberText(number: number): string {
  return JSON.stringify(number + 0);
}

const scalars = sqlTypeFamilies.filter((family) => !["LIST", "SET", "MAP"].includes(family));
/** Types whose values every deployment compares and orders in the same way. */
const ordered = scalars.filter(
  (family) => !["FLOAT", "BOOLEAN", "BLOB", "UUID", "TIMEUUID"].includes(family),
);

const nameOf = (of: readonly SqlTypeFamily[]) => fc.constantFrom(...of.flatMap(getSqlTypeNames));
/** Generates names of types without elements. */
export const scalarTypeNameArbitrary = nameOf(scalars);
/** Generates names of types for columns in conditions and ORDER BY. */
export const orderedTypeNameArbitrary = nameOf(ordered);
/** Types that every deployment accepts for key columns; the specification does not say which other types it accepts. */
export const plainKeyFamilies: readonly SqlTypeFamily[] = ["VARCHAR", "INT"];
export const plainKeyTypeNameArbitrary = nameOf(plainKeyFamilies);
/** Generates names of types with elements. */
export const collectionTypeNameArbitrary = fc
  .tuple(nameOf(["VARCHAR", "INT", "BIGINT"]), scalarTypeNameArbitrary)
  .chain(([key, value]) => fc.constantFrom(`LIST<${value}>`, `SET<${value}>`, `MAP<${key}, ${value}>`));
/** Generates names of types for columns outside the key. */
export const anyTypeNameArbitrary = fc.oneof(
  { weight: 5, arbitrary: scalarTypeNameArbitrary },
  { weight: 3, arbitrary: collectionTypeNameArbitrary },
);

/** Number of columns of each kind in a table. */
export interface TableShape {
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
  return (
    fc
      // one for the key columns of each table
      .constantFrom(orderedTypeNameArbitrary, plainKeyTypeNameArbitrary)
      .chain((keyType) =>
        fc.tuple(some(keyType, partition), some(keyType, clustering), some(anyTypeNameArbitrary, others)),
      )
      .chain(([partitionTypes, clusteringTypes, otherTypes]) => {
        const types = [...partitionTypes, ...clusteringTypes, ...otherTypes];
        return fc
          .tuple(
            fc.shuffledSubarray([...types.keys()], { minLength: types.length }),
            fc.shuffledSubarray([...types.keys()], { minLength: types.length }),
          )
          .map(([places, numbers]): TableSpec => {
            const name = (index: number) => `c${numbers[index]}`;
            return {
              columns: places.map((index) => ({ name: name(index), type: types[index] ?? "INT" })),
              partition: partitionTypes.map((_, index) => name(index)),
              clustering: clusteringTypes.map((_, index) => name(partitionTypes.length + index)),
            };
          });
      })
  );
}

/** A few values for each column, so that rows share values. */
type ValuePools = Readonly<Record<string, readonly SqlValue[]>>;

/** Generates values for the columns of a table; values for key columns are never NULL. */
function valuePoolsArbitrary(
  { columns, partition, clustering }: TableSpec,
  size = 4,
): fc.Arbitrary<ValuePools> {
  const key = [...partition, ...clustering];
  return fc.record(
    Object.fromEntries(
      columns.map(({ name, type: written }) => {
        const isKey = key.includes(name);
        const type = parseKnownSqlType(written);
        const texts = jsonTextArbitrary(type, isKey ? "key" : "value");
        const held = texts.map((json) => createSqlValue(type, json));
        return [
          name,
          fc.uniqueArray(isKey ? held : fc.option(held, { nil: sqlNull, freq: 6 }), {
            minLength: 1,
            size: "max",
            // a partition has to have more than one row
            maxLength: partition.includes(name) ? 2 : size,
            selector: ({ canonical }) => canonical,
          }),
        ];
      }),
    ),
  );
}

/** A row to write: values for some of the columns. */
export type NewRow = Readonly<Record<string, SqlValue>>;

/** Generates rows with different keys from the values of the pools. */
function rowsArbitrary(spec: TableSpec, of: ValuePools, maxLength: number): fc.Arbitrary<readonly NewRow[]> {
  const key = [...spec.partition, ...spec.clustering];
  const row = fc.record(
    Object.fromEntries(spec.columns.map(({ name }) => [name, fc.constantFrom(...(of[name] ?? [sqlNull]))])),
  );
  const bare = row.map((full) =>
    Object.fromEntries(
      Object.entries(full).map(([name, value]) => [name, key.includes(name) ? value : sqlNull]),
    ),
  );
  return fc.uniqueArray(fc.oneof({ weight: 9, arbitrary: row }, { weight: 1, arbitrary: bare }), {
    minLength: 1,
    maxLength,
    // fast-check would stop at some ten
    size: "max",
    selector: (full) => JSON.stringify(key.map((column) => full[column]?.canonical)),
  });
}

/** A table with valid rows. */
export interface FilledTable {
  readonly spec: TableSpec;
  readonly pools: ValuePools;
  readonly rows: readonly NewRow[];
}

export function filledTableArbitrary(
  shape: TableShape,
  { rows = 10, values: size = 4 }: { readonly rows?: number; readonly values?: number } = {},
): fc.Arbitrary<FilledTable> {
  return tableSpecArbitrary(shape).chain((spec) =>
    valuePoolsArbitrary(spec, size).chain((of) =>
      rowsArbitrary(spec, of, rows).map((held): FilledTable => ({ spec, pools: of, rows: held })),
    ),
  );
}

/** How to build a WHERE on the key; {@link buildWhereConditions} applies this to any key. */
interface WhereChoice {
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
  of: ValuePools,
  { picks, depth, range, second }: WhereChoice,
): readonly SqlCondition[] {
  const pick = (column: string, index: number): SqlValue => {
    const pool = of[column] ?? [];
    return pool[(picks[index % picks.length] ?? 0) % pool.length] ?? sqlNull;
  };
  const fixed = [...partition, ...clustering.slice(0, depth)];
  const next = clustering[depth];
  // a second comparison bounds the other side
  const closes = second !== null && range !== null && !second.startsWith(range.slice(0, 1));
  const comparisons = [range, closes ? second : null].filter((operator) => operator !== null);
  return [
    ...fixed.map((column, index): SqlCondition => ({ column, operator: "=", value: pick(column, index) })),
    ...(next === undefined ? [] : comparisons).map((operator, index): SqlCondition => ({
      column: next ?? "",
      operator,
      value: pick(next ?? "", fixed.length + index),
    })),
  ];
}
