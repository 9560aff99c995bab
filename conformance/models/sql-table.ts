import { JsonText } from "../client/json-text.js";
import { type ComparisonOperator, comparisons } from "./comparisons.js";
import { decodeSqlValue, suiteValueFormats, type SqlValueFormats } from "./sql-value-formats.js";
import {
  toCanonicalValue,
  compareValues,
  type SqlType,
  type SqlValue,
  parseKnownSqlType,
} from "./sql-types.js";

/** Declaration of a column. */
export interface ColumnSpec {
  readonly name: string;
  /** A name of the type. */
  readonly type: string;
}

/** Declaration of a table. */
export interface TableSpec {
  /** Columns in the order of the declaration. */
  readonly columns: readonly ColumnSpec[];
  readonly partition: readonly string[];
  readonly clustering: readonly string[];
}

/** Creates the declaration of a table with columns of the given types, in this order. */
export function createTableSpec(
  types: Readonly<Record<string, string>>,
  partition: readonly string[],
  clustering: readonly string[] = [],
): TableSpec {
  const columns = Object.entries(types).map(([name, type]) => ({ name, type }));
  return { columns, partition, clustering };
}

/** A row: canonical values by column, with `null` for NULL. */
export type Row = Readonly<Record<string, string | null>>;

/** One comparison in a WHERE; a row must satisfy all comparisons. */
export interface SqlCondition {
  readonly column: string;
  readonly operator: ComparisonOperator;
  readonly value: SqlValue;
}

export interface OrderItem {
  readonly column: string;
  readonly direction: "ASC" | "DESC";
}

/** Model of the contents of a table, according to the specification alone. */
export class SqlTableModel {
  readonly spec: TableSpec;
  readonly #types: ReadonlyMap<string, SqlType>;
  readonly #forms: SqlValueFormats;
  readonly #rows = new Map<string, Row>();

  /** @param forms the formats of values in answers */
  constructor(spec: TableSpec, forms: SqlValueFormats = suiteValueFormats) {
    this.spec = spec;
    this.#forms = forms;
    this.#types = new Map(spec.columns.map(({ name, type }) => [name, parseKnownSqlType(type)]));
  }

  get key(): readonly string[] {
    return [...this.spec.partition, ...this.spec.clustering];
  }

  get rows(): readonly Row[] {
    return [...this.#rows.values()];
  }

  typeOf(column: string): SqlType {
    const type = this.#types.get(column);
    if (type === undefined) throw new Error(`the table has no column ${column}`);
    return type;
  }

  /** Replaces the row with the same key; omitted columns become NULL. */
  insert(given: Row): void {
    const row = Object.fromEntries(this.spec.columns.map(({ name }) => [name, given[name] ?? null]));
    this.#rows.set(this.#keyOf(row), row);
  }

  select(where: readonly SqlCondition[]): readonly Row[] {
    return this.rows.filter((row) =>
      where.every(({ column, operator, value }) => {
        const held = row[column] ?? null;
        // NULL is neither equal nor less nor greater
        if (held === null || value.canonical === null) return false;
        return comparisons[operator](compareValues(this.typeOf(column), held, value.canonical), 0);
      }),
    );
  }

  update(where: readonly SqlCondition[], changes: Row): void {
    for (const row of this.select(where)) this.insert({ ...row, ...changes });
  }

  delete(where: readonly SqlCondition[]): void {
    for (const row of this.select(where)) this.#rows.delete(this.#keyOf(row));
  }

  /** Compares two rows by ORDER BY. */
  compare(order: readonly OrderItem[], a: Row, b: Row): number {
    for (const { column, direction } of order) {
      const [left, right] = [a[column] ?? null, b[column] ?? null];
      const sign = left === null || right === null ? 0 : compareValues(this.typeOf(column), left, right);
      if (sign !== 0) return direction === "ASC" ? sign : -sign;
    }
    return 0;
  }

  /** Converts a row of an answer, with the requested columns; a missing field counts as NULL. */
  seen(row: Readonly<Record<string, unknown>>, columns: readonly string[]): Row {
    return Object.fromEntries(
      columns.map((column) => {
        const type = this.typeOf(column);
        return [column, toCanonicalValue(type, decodeSqlValue(type, row[column], this.#forms))];
      }),
    );
  }

  #keyOf(row: Row): string {
    return JSON.stringify(this.key.map((column) => row[column]));
  }
}

/** Formats rows in a fixed order, to compare results that have no order. */
export function toSortedRowTexts(rows: readonly Row[], columns: readonly string[]): readonly JsonText[] {
  return rows
    .map((row) => `{${columns.map((column) => `${JSON.stringify(column)}:${row[column] ?? "null"}`).join()}}`)
    .sort()
    .map((text) => new JsonText(text));
}
