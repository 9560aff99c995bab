import { unaryPlusMarker } from "../sqlite/markers.js";
import { createComparisonEncoder, compileValue, type ValueGetter, type Encoder } from "./compile-value.js";
import { createSqlValidationError } from "./grammar/sql-error.js";
import type { Condition, Value } from "./grammar/syntax.js";
import type { SqlStore } from "./sql-request.js";
import type { Column, Table } from "./table.js";
import { describeInput, type StoredValue } from "./types/codec.js";
import { getPrefixUpperBound } from "../domain/prefix-upper-bound.js";

/** How many values a WHERE may hold: SQLite binds up to 32,766, a pattern takes two. */
export const maxWhereValues = 10_000;

/**
 * How many tests a WHERE may hold, those with two bounds counted twice: planning takes SQLite the square of their number
 * (1,000 of them half a second, 10,000 a minute). The values of an IN are one test.
 */
export const maxWhereComparisons = 1000;

/** How many of them may be made of any number of rows, and how many comparisons more tests may lead to. */
const fewTests = 20;
const maxComparisons = 10_000_000;

/**
 * SQLite looks a value up in the list of an IN: how many steps all lists of a WHERE may take for any number of rows, and
 * how many more steps may lead to, each of them as long as a comparison of 32 bytes.
 */
const fewSteps = 32;
const maxSteps = 50_000_000;

/**
 * In how many places of a key or index one row may be looked for: SQLite tries all combinations of the lists of IN, of
 * which two can have 25 million. The lists that would lead to more are compared with the rows found by the others.
 */
const maxCombinations = maxWhereValues;

/** A condition in SQLite's terms, with the slots of its `?` in their order. */
export interface CompiledWhere {
  readonly sql: string;
  readonly tests: number;
  /** How many steps it takes to look a row up in the lists of IN. */
  readonly steps: number;
  readonly slots: readonly ValueGetter[];
  /** Columns that every row selected has the same value in. */
  readonly fixed: ReadonlySet<Column>;
}

/** No condition: all rows. */
export const emptyWhere: CompiledWhere = { sql: "", tests: 0, steps: 0, slots: [], fixed: new Set() };

/**
 * Checks a condition against a table and translates it.
 * @throws SqlError SQL_VALIDATION_ERROR for unknown columns, values that do not fit, and columns that are neither
 *   key nor indexed where `filtering` is false (gap `sql-filtering`)
 */
export function compileWhere(table: Table, condition: Condition | null, filtering: boolean): CompiledWhere {
  if (condition === null) return emptyWhere;
  const slots: ValueGetter[] = [];
  const servable = new Set([...table.key, ...table.indexes.flatMap((index) => index.columns)]);
  const columnOf = (name: string): Column => {
    const column = getColumn(table, name);
    if (!filtering && !servable.has(column))
      throw createSqlValidationError(
        `column ${JSON.stringify(name)} is neither part of the primary key nor indexed`,
        "Create an index on the column, or end the statement with ALLOW FILTERING.",
      );
    return column;
  };
  const bind = (slot: ValueGetter): string => {
    if (slots.push(slot) > maxWhereValues)
      throw createSqlValidationError(
        `the condition has more than ${maxWhereValues} values`,
        "Use fewer values.",
      );
    return unaryPlusMarker;
  };
  let tests = 0;
  let steps = 0;
  let combinations = maxCombinations;
  let isInOr = false;
  // of an OR, SQLite would look up each operand in an index of its own: planning that takes operands times indexes, and
  // so does finding the rows. It uses no index for a cast, which changes nothing else
  const toSql = ({ sqlName, codec }: Column, isSought = !isInOr): string =>
    isSought ? sqlName : `CAST(${sqlName} AS ${codec.affinity})`;
  const translate = (test: Condition): string => {
    tests += countTests(test);
    if (tests > maxWhereComparisons)
      throw createSqlValidationError(
        `the condition has more than ${maxWhereComparisons} comparisons (BETWEEN and LIKE each count as two)`,
        "Use fewer comparisons, or use IN with a list of values.",
      );
    switch (test.kind) {
      case "compare": {
        const column = columnOf(test.column);
        const { operator } = test;
        if (!column.codec.isScalar && operator !== "=" && operator !== "!=")
          throw createSqlValidationError(
            `column ${JSON.stringify(test.column)} does not support ${operator}`,
            `Values of type ${column.codec.type} can be compared only with = and !=.`,
          );
        return `${toSql(column)} ${operator} ${bind(compileValue(test.value, createComparisonEncoder(column)))}`;
      }
      case "in": {
        const column = columnOf(test.column);
        const markers = test.values.map((value) =>
          bind(compileValue(value, createComparisonEncoder(column))),
        );
        steps += Math.ceil(Math.log2(markers.length));
        const isSought = !isInOr && markers.length <= combinations;
        if (isSought) combinations = Math.floor(combinations / markers.length);
        return `${toSql(column, isSought)} IN (${markers.join(",")})`;
      }
      case "between": {
        const column = columnOf(test.column);
        if (!column.codec.isScalar)
          throw createSqlValidationError(
            `column ${JSON.stringify(test.column)} does not support BETWEEN`,
            `Values of type ${column.codec.type} cannot be compared with BETWEEN.`,
          );
        const low = bind(compileValue(test.low, createComparisonEncoder(column)));
        return `${toSql(column)} BETWEEN ${low} AND ${bind(compileValue(test.high, createComparisonEncoder(column)))}`;
      }
      case "like": {
        const column = columnOf(test.column);
        if (column.codec.type !== "VARCHAR")
          throw createSqlValidationError(
            `column ${JSON.stringify(test.column)} does not support LIKE`,
            `The column has the type ${column.codec.type}; LIKE supports only VARCHAR.`,
          );
        const { low, high } = splitBounds(compileValue(test.pattern, createLikeEncoder(column)));
        return `(${toSql(column)} >= ${bind(low)} AND ${toSql(column)} < ${bind(high)})`;
      }
      case "is-null":
        return `${toSql(columnOf(test.column))} IS ${test.negated ? "NOT NULL" : "NULL"}`;
      case "not":
        return `NOT (${translate(test.operand)})`;
      case "and":
        return joinBalanced(test.operands.map(translate), "AND");
      case "or": {
        const { operands, joinedLists } = joinEqualities(test.operands);
        tests += joinedLists;
        const wasInOr = isInOr;
        isInOr ||= operands.length > 1;
        const translated = operands.map(translate);
        isInOr = wasInOr;
        return joinBalanced(translated, "OR");
      }
    }
  };
  const sql = `WHERE ${translate(condition)}`;
  return { sql, tests, steps, slots, fixed: findFixedColumns(table, condition) };
}

/**
 * Refuses a condition with too many tests for the number of rows.
 *
 * @throws SqlError SQL_VALIDATION_ERROR
 */
export function rejectTooManyComparisons(
  { tests, steps }: CompiledWhere,
  store: SqlStore,
  table: Table,
): void {
  if (tests <= fewTests && steps <= fewSteps) return;
  const { rows, bytes } = store.catalog.getSize(table);
  if (steps > fewSteps && steps * (rows + bytes / 32) > maxSteps)
    throw createSqlValidationError(
      `the condition's IN lists have too many values for a table with ${rows} rows and ${bytes} bytes`,
      "Use fewer lists or fewer values.",
    );
  // reading a long value takes time
  if (tests > fewTests && tests * (rows + bytes / 1024) > maxComparisons)
    throw createSqlValidationError(
      `the condition has too many comparisons (${tests}) for a table with ${rows} rows and ${bytes} bytes`,
      `On a table of this size, at most ${fewTests} comparisons are allowed. Use fewer comparisons, or use IN with a list of values.`,
    );
}

/**
 * `a = 1 OR a = 2` is `a IN (1, 2)`, which SQLite finds out as well, in the square of their number. `a IN (…) OR a IN (…)`
 * is one IN, in which a value is looked up once.
 */
function joinEqualities(operands: readonly Condition[]) {
  const joined: Condition[] = [];
  const listOf = new Map<string, Value[]>();
  let joinedLists = 0;
  for (const operand of operands) {
    const given = listEqualValues(operand);
    if (given === undefined) {
      joined.push(operand);
      continue;
    }
    const { column, values } = given;
    const list = listOf.get(column);
    if (list !== undefined) {
      for (const value of values) list.push(value);
      if (operand.kind === "in") joinedLists += 1;
      continue;
    }
    const copy = [...values];
    listOf.set(column, copy);
    joined.push({ kind: "in", column, values: copy });
  }
  return { operands: joined, joinedLists };
}

/** The column and values of a test for equality with any of them; undefined for another condition. */
function listEqualValues(
  condition: Condition,
): { readonly column: string; readonly values: readonly Value[] } | undefined {
  if (condition.kind === "in") return condition;
  if (condition.kind !== "compare" || condition.operator !== "=") return undefined;
  return { column: condition.column, values: [condition.value] };
}

function countTests({ kind }: Condition): number {
  if (kind === "and" || kind === "or" || kind === "not") return 0;
  return kind === "between" || kind === "like" ? 2 : 1;
}

/** @throws SqlError SQL_VALIDATION_ERROR */
export function getColumn(table: Table, name: string): Column {
  const column = table.byName.get(name);
  if (column === undefined)
    throw createSqlValidationError(
      `table ${JSON.stringify(table.name)} has no column ${JSON.stringify(name)}`,
      `The columns are ${table.columns.map((known) => known.name).join(", ")}.`,
    );
  return column;
}

/** Joins operands to a tree of little depth: SQLite refuses expressions deeper than 1,000. */
function joinBalanced(operands: readonly string[], connective: string): string {
  const [only] = operands;
  if (only !== undefined && operands.length === 1) return `(${only})`;
  const half = operands.length >> 1;
  return `(${joinBalanced(operands.slice(0, half), connective)} ${connective} ${joinBalanced(operands.slice(half), connective)})`;
}

function findFixedColumns(table: Table, condition: Condition): Set<Column> {
  if (condition.kind === "and")
    return new Set(condition.operands.flatMap((operand) => [...findFixedColumns(table, operand)]));
  const fixed = condition.kind === "compare" && condition.operator === "=";
  const column = fixed ? table.byName.get(condition.column) : undefined;
  return new Set(column === undefined ? [] : [column]);
}

const maxPatternLength = 32_768;

/** A blob sorts behind every text in SQLite: the bound of a prefix that has no text behind it. */
const aboveAllTexts = new Uint8Array([0]);

/** The range of texts that start with a prefix: from `low` to just before `high`. */
interface PrefixBounds {
  readonly low: StoredValue;
  readonly high: StoredValue;
}

/** Gets each bound alone. Apart from `compileWhere`, so that a plan does not keep everything that is in scope there. */
function splitBounds(bounds: ValueGetter<PrefixBounds>): Record<keyof PrefixBounds, ValueGetter> {
  return { low: (parameters) => bounds(parameters).low, high: (parameters) => bounds(parameters).high };
}

/**
 * Reads the pattern of LIKE: a prefix, then one `%`. In the prefix `\%`, `\_` and `\\` stand for the character.
 * Case counts.
 */
function createLikeEncoder(column: Column): Encoder<PrefixBounds> {
  return (given) => {
    if (typeof given !== "string")
      throw createSqlValidationError(
        `the LIKE pattern for column ${JSON.stringify(column.name)} is ${describeInput(given)}`,
        "A pattern must be a string: a prefix followed by %.",
      );
    if (given.length > maxPatternLength)
      throw createSqlValidationError(
        `the pattern has ${given.length} characters`,
        `At most ${maxPatternLength} characters are allowed.`,
      );
    if (!/^(?:[^%_\\]|\\[%_\\])*%$/u.test(given))
      throw createSqlValidationError(
        `the pattern ${describeInput(given)} is not supported`,
        "A pattern must be a prefix followed by %. To use %, _ or \\ in the prefix, write \\%, \\_ or \\\\.",
      );
    const low = given.slice(0, -1).replace(/\\(.)/g, "$1");
    return { low, high: getPrefixUpperBound(low) ?? aboveAllTexts };
  };
}
