import { JsonText } from "../client/json-text.js";
import { type ComparisonOperator, comparisons } from "./comparisons.js";
import { decodeSqlValue, type SqlValueFormats } from "./sql-value-formats.js";
import { toCanonicalValue, compareValues, type SqlType, type SqlValue, parseSqlType } from "./sql-types.js";

/** Declaration of a table. */
export interface TableSpec {
  /** Columns, each with a name of its type, in the order of the declaration. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
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

/** Returns the columns of the primary key, in order. */
export function getKeyColumns({ partition, clustering }: TableSpec): readonly string[] {
  return [...partition, ...clustering];
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
  readonly #types: ReadonlyMap<string, SqlType>;
  readonly #rows = new Map<string, Row>();

  /** @param formats the formats of values in responses */
  constructor(
    readonly spec: TableSpec,
    readonly formats: SqlValueFormats,
  ) {
    this.#types = new Map(spec.columns.map(({ name, type }) => [name, parseSqlType(type)]));
  }

  get key(): readonly string[] {
    return getKeyColumns(this.spec);
  }

  get rows(): readonly Row[] {
    return [...this.#rows.values()];
  }

  #getType(column: string): SqlType {
    const type = this.#types.get(column);
    if (type === undefined) throw new Error(`the table has no column ${column}`);
    return type;
  }

  /** Replaces the row with the same key; omitted columns become NULL. */
  insert(values: Row): void {
    const row = Object.fromEntries(this.spec.columns.map(({ name }) => [name, values[name] ?? null]));
    this.#rows.set(this.#formatKey(row), row);
  }

  select(where: readonly SqlCondition[]): readonly Row[] {
    return this.rows.filter((row) =>
      where.every(({ column, operator, value }) => {
        const stored = row[column] ?? null;
        // A comparison with NULL is never true.
        if (stored === null || value.canonical === null) return false;
        return comparisons[operator](compareValues(this.#getType(column), stored, value.canonical), 0);
      }),
    );
  }

  update(where: readonly SqlCondition[], changes: Row): void {
    for (const row of this.select(where)) this.insert({ ...row, ...changes });
  }

  delete(where: readonly SqlCondition[]): void {
    for (const row of this.select(where)) this.#rows.delete(this.#formatKey(row));
  }

  /** Compares two rows by ORDER BY. */
  compare(order: readonly OrderItem[], a: Row, b: Row): number {
    for (const { column, direction } of order) {
      const [left, right] = [a[column] ?? null, b[column] ?? null];
      const sign = left === null || right === null ? 0 : compareValues(this.#getType(column), left, right);
      if (sign !== 0) return direction === "ASC" ? sign : -sign;
    }
    return 0;
  }

  /** Converts the given columns of a row in a response; a missing field counts as NULL. */
  parseRow(row: Readonly<Record<string, unknown>>, columns: readonly string[]): Row {
    return Object.fromEntries(
      columns.map((column) => {
        const type = this.#getType(column);
        return [column, toCanonicalValue(type, decodeSqlValue(type, row[column], this.formats))];
      }),
    );
  }

  #formatKey(row: Row): string {
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
