import type { SqlValue } from "sql.js";
import type { Parameter } from "./statement.js";

/** How a column stores values that SQLite has no type for. */
interface ColumnMapping {
  readonly read: (stored: SqlValue) => unknown;
  readonly write: (value: never) => Parameter;
}

export const booleanColumn: ColumnMapping = {
  read: (stored) => stored === 1,
  write: (value: boolean) => Number(value),
};

export const jsonColumn: ColumnMapping = {
  read: (stored) => (stored === null ? null : (JSON.parse(stored as string) as unknown)),
  write: (value: unknown) => (value === null ? null : JSON.stringify(value)),
};

/** The columns of a table as the members of an object: `created_at` is `createdAt`. */
export class RowMapping<Row extends object> {
  readonly columns: string;
  /** A marker for each column. */
  readonly markers: string;
  readonly #names: readonly string[];
  readonly #cells: readonly (ColumnMapping | undefined)[];

  /** @param cells how the columns store values that are not text, numbers or null */
  constructor(columns: string, cells: { readonly [Name in keyof Row]?: ColumnMapping } = {}) {
    this.columns = columns;
    this.markers = columns.replace(/\w+/g, "?");
    this.#names = columns
      .split(", ")
      .map((column) => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));
    this.#cells = this.#names.map((name) => cells[name as keyof Row]);
  }

  readonly read = (row: SqlValue[]): Row => {
    const result: Record<string, unknown> = {};
    this.#names.forEach((name, at) => {
      const cell = this.#cells[at];
      result[name] = cell === undefined ? row[at] : cell.read(row[at] ?? null);
    });
    return result as Row;
  };

  /** The values of a row in the order of the columns. */
  values(row: Row): Parameter[] {
    return this.#names.map((name, at) => {
      const value = (row as Readonly<Record<string, unknown>>)[name];
      return (this.#cells[at]?.write(value as never) ?? value) as Parameter;
    });
  }
}
