import { unpeekedMarker } from "../sqlite/markers.js";
import { createComparisonEncoder, compileValue, type ValueGetter, type Encoder } from "./compile-value.js";
import { createSqlValidationError } from "./grammar/sql-error.js";
import type { Condition, Select, Value } from "./grammar/syntax.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { SqlStore } from "./sql-request.js";
import type { Column, Table } from "./table.js";
import { describeInput, type StoredValue } from "./types/codec.js";
import { getPrefixUpperBound } from "../domain/prefix-upper-bound.js";

/** Maximum number of values in a WHERE. SQLite binds up to 32,766 values; a pattern needs two. */
const maxWhereValues = 10_000;

/**
 * Maximum number of comparisons in a WHERE. BETWEEN and LIKE count as two, IN as one. Planning takes SQLite the square of
 * this number (half a second for 1,000).
 */
const maxWhereComparisons = 1000;

/**
 * More comparisons than this are limited by the size of the table. Comparing a value takes about 50 ns, and as long again
 * for each 64 bytes.
 */
const maxComparisonsOnAnyTable = 4;
const maxRowComparisons = 10_000_000;

/**
 * SQLite searches the list of an IN for each row. More search steps than this are limited by the size of the table. A step
 * takes as long as comparing 32 bytes.
 */
const maxSearchStepsOnAnyTable = 8;
const maxRowSearchSteps = 25_000_000;

/**
 * Maximum number of index entries that the lists of IN may select. SQLite tries all combinations of the values in two lists.
 * Further lists are only compared with the rows found.
 */
const maxCombinations = maxWhereValues;

/** A condition in SQL of SQLite. */
export interface CompiledWhere {
  readonly sql: string;
  readonly comparisons: number;
  /** The number of search steps in the lists of IN for each row. */
  readonly searchSteps: number;
  /** The values of the markers, in order. */
  readonly values: readonly ValueGetter[];
  /** Columns that have the same value in every selected row. */
  readonly fixedColumns: ReadonlySet<Column>;
}

/** The condition that selects all rows. */
const emptyWhere: CompiledWhere = {
  sql: "",
  comparisons: 0,
  searchSteps: 0,
  values: [],
  fixedColumns: new Set(),
};

/**
 * Checks the condition of a statement against a table, and compiles it.
 *
 * @throws SqlError SQL_VALIDATION_ERROR for unknown columns, values of the wrong type, and columns that are neither key
 *   nor indexed unless filtering is allowed (gap `sql-filtering`)
 */
export function compileWhere(
  table: Table,
  { where: condition, allowFiltering }: Pick<Select, "where" | "allowFiltering">,
  profile: Profile,
): CompiledWhere {
  if (condition === null) return emptyWhere;
  const values: ValueGetter[] = [];
  const canFilter = allowFiltering || profile["sql-filtering"] === "always";
  const indexedColumns = new Set([...table.key, ...table.indexes.flatMap((index) => index.columns)]);
  const findColumn = (name: string): Column => {
    const column = getColumn(table, name);
    if (!canFilter && !indexedColumns.has(column))
      throw createSqlValidationError(
        `column ${JSON.stringify(name)} is neither part of the primary key nor indexed`,
        "Create an index on the column, or end the statement with ALLOW FILTERING.",
      );
    return column;
  };
  const bind = (getValue: ValueGetter): string => {
    if (values.push(getValue) > maxWhereValues)
      throw createSqlValidationError(
        `the condition has more than ${maxWhereValues} values`,
        "Use fewer values.",
      );
    return unpeekedMarker;
  };
  const bindFor = (column: Column, value: Value): string =>
    bind(compileValue(value, createComparisonEncoder(column)));
  const assertSupports = (column: Column, operator: string, isSupported: boolean, reason: string) => {
    if (!isSupported)
      throw createSqlValidationError(
        `column ${JSON.stringify(column.name)} does not support ${operator}`,
        reason,
      );
  };
  let comparisons = 0;
  let searchSteps = 0;
  let remainingCombinations = maxCombinations;
  let isInOr = false;
  // For an OR, SQLite would use an index for each operand, and planning would take operands × indexes. It uses no index for
  // a cast, which changes nothing else.
  const toSql = ({ sqlName, codec }: Column, canUseIndex = !isInOr): string =>
    canUseIndex ? sqlName : `CAST(${sqlName} AS ${codec.affinity})`;
  const compile = (test: Condition): string => {
    comparisons += countComparisons(test);
    if (comparisons > maxWhereComparisons)
      throw createSqlValidationError(
        `the condition has more than ${maxWhereComparisons} comparisons (BETWEEN and LIKE each count as two)`,
        "Use fewer comparisons, or use IN with a list of values.",
      );
    switch (test.kind) {
      case "compare": {
        const column = findColumn(test.column);
        const { operator } = test;
        assertSupports(
          column,
          operator,
          column.codec.isScalar || operator === "=" || operator === "!=",
          `Values of type ${column.codec.type} can be compared only with = and !=.`,
        );
        return `${toSql(column)} ${operator} ${bindFor(column, test.value)}`;
      }
      case "in": {
        const column = findColumn(test.column);
        const markers = test.values.map((value) => bindFor(column, value));
        searchSteps += Math.ceil(Math.log2(markers.length));
        const canUseIndex = !isInOr && markers.length <= remainingCombinations;
        if (canUseIndex) remainingCombinations = Math.floor(remainingCombinations / markers.length);
        return `${toSql(column, canUseIndex)} IN (${markers.join(",")})`;
      }
      case "between": {
        const column = findColumn(test.column);
        const reason = `Values of type ${column.codec.type} cannot be compared with BETWEEN.`;
        assertSupports(column, "BETWEEN", column.codec.isScalar, reason);
        return `${toSql(column)} BETWEEN ${bindFor(column, test.low)} AND ${bindFor(column, test.high)}`;
      }
      case "like": {
        const column = findColumn(test.column);
        const reason = `The column has the type ${column.codec.type}; LIKE supports only VARCHAR.`;
        assertSupports(column, "LIKE", column.codec.type === "VARCHAR", reason);
        const { low, high } = splitBounds(compileValue(test.pattern, createLikeEncoder(column)));
        return `(${toSql(column)} >= ${bind(low)} AND ${toSql(column)} < ${bind(high)})`;
      }
      case "is-null":
        return `${toSql(findColumn(test.column))} IS ${test.negated ? "NOT NULL" : "NULL"}`;
      case "not":
        return `NOT (${compile(test.operand)})`;
      case "and":
        return joinBalanced(test.operands.map(compile), "AND");
      case "or": {
        const { operands, joinedLists } = joinEqualities(test.operands);
        comparisons += joinedLists;
        const wasInOr = isInOr;
        isInOr ||= operands.length > 1;
        const compiled = operands.map(compile);
        isInOr = wasInOr;
        return joinBalanced(compiled, "OR");
      }
    }
  };
  const sql = `WHERE ${compile(condition)}`;
  return { sql, comparisons, searchSteps, values, fixedColumns: findFixedColumns(table, condition) };
}

/**
 * Rejects a statement with too many comparisons for the size of the table. Counting the values of a column takes as long as
 * a comparison.
 *
 * @throws SqlError SQL_VALIDATION_ERROR
 */
export function rejectTooManyComparisons(
  { comparisons, searchSteps }: CompiledWhere,
  store: SqlStore,
  table: Table,
  countedColumns = 0,
): void {
  const count = comparisons + countedColumns;
  if (count <= maxComparisonsOnAnyTable && searchSteps <= maxSearchStepsOnAnyTable) return;
  const { rows, bytes } = store.catalog.getSize(table);
  if (searchSteps > maxSearchStepsOnAnyTable && searchSteps * (rows + bytes / 32) > maxRowSearchSteps)
    throw createSqlValidationError(
      `the condition's IN lists have too many values for a table with ${rows} rows and ${bytes} bytes`,
      "Use fewer lists or fewer values.",
    );
  const allowed = Math.max(maxComparisonsOnAnyTable, Math.floor(maxRowComparisons / (rows + bytes / 64)));
  if (count > allowed)
    throw createSqlValidationError(
      countedColumns === 0
        ? `the condition has too many comparisons (${count}) for a table with ${rows} rows and ${bytes} bytes`
        : `the statement has too many comparisons and counted columns (${count}) for a table with ${rows} rows and ${bytes} bytes`,
      `On a table of this size, at most ${allowed} are allowed. ` +
        "Instead of several comparisons, use IN with a list of values.",
    );
}

/**
 * Joins the equality tests of an OR that concern the same column: `a = 1 OR a = 2` becomes `a IN (1, 2)`. SQLite does the
 * same, but takes the square of their number.
 */
function joinEqualities(operands: readonly Condition[]) {
  const joined: Condition[] = [];
  const lists = new Map<string, Value[]>();
  let joinedLists = 0;
  for (const operand of operands) {
    const isEquality = operand.kind === "compare" && operand.operator === "=";
    if (!isEquality && operand.kind !== "in") {
      joined.push(operand);
      continue;
    }
    const { column } = operand;
    let list = lists.get(column);
    if (list === undefined) {
      lists.set(column, (list = []));
      joined.push({ kind: "in", column, values: list });
    } else if (operand.kind === "in") joinedLists += 1;
    for (const value of operand.kind === "in" ? operand.values : [operand.value]) list.push(value);
  }
  return { operands: joined, joinedLists };
}

function countComparisons({ kind }: Condition): number {
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

/** Joins operands in a balanced tree, because SQLite rejects expressions deeper than 1,000. */
function joinBalanced(operands: readonly string[], connective: string): string {
  const [only] = operands;
  if (only !== undefined && operands.length === 1) return `(${only})`;
  const half = operands.length >> 1;
  return `(${joinBalanced(operands.slice(0, half), connective)} ${connective} ${joinBalanced(operands.slice(half), connective)})`;
}

function findFixedColumns(table: Table, condition: Condition): Set<Column> {
  if (condition.kind === "and")
    return new Set(condition.operands.flatMap((operand) => [...findFixedColumns(table, operand)]));
  const isEquality = condition.kind === "compare" && condition.operator === "=";
  const column = isEquality ? table.byName.get(condition.column) : undefined;
  return new Set(column === undefined ? [] : [column]);
}

const maxPatternLength = 32_768;

/** The upper bound of a prefix if no text is greater. In SQLite, a blob sorts after every text. */
const aboveAllTexts = new Uint8Array([0]);

/** The range of texts that start with a prefix: from `low` to just before `high`. */
interface PrefixBounds {
  readonly low: StoredValue;
  readonly high: StoredValue;
}

/** Creates a getter for each bound. This is not in `compileWhere`, so that a plan does not keep the scope of that function. */
function splitBounds(bounds: ValueGetter<PrefixBounds>): Record<keyof PrefixBounds, ValueGetter> {
  return { low: (parameters) => bounds(parameters).low, high: (parameters) => bounds(parameters).high };
}

/** Creates the encoder for patterns of LIKE: a prefix, in which `\` escapes `%`, `_` and `\`, and `%`. Case matters. */
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
