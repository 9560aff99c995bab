import type { SqlValue } from "sql.js";
import { castToTextSql, encodeUtf8View } from "./long-text.js";
import type { Parameter, PreparedStatement, PreparedStatements, Query } from "./statement.js";

/** How a column stores values that SQLite has no type for. */
interface ColumnMapping {
  /** The marker of a bound value; `?` unless it is given. */
  readonly marker?: string;
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

/** A text that may be long. A table has one at most, because its bytes hold only until the next are written. */
export const longTextColumn: ColumnMapping = {
  marker: castToTextSql,
  read: (stored) => stored,
  write: encodeUtf8View,
};

/** The columns of a table as the members of an object: `created_at` is `createdAt`. */
export class RowMapping<Row extends object> {
  /** A marker for each column. */
  readonly markers: string;
  readonly #names: readonly string[];
  readonly #cells: readonly (ColumnMapping | undefined)[];

  /** @param cells how the columns store values that are not text, numbers or null */
  constructor(
    readonly table: string,
    readonly columns: string,
    cells: { readonly [Name in keyof Row]?: ColumnMapping } = {},
  ) {
    this.#names = columns
      .split(", ")
      .map((column) => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));
    this.#cells = this.#names.map((name) => cells[name as keyof Row]);
    this.markers = this.#cells.map((cell) => cell?.marker ?? "?").join(", ");
  }

  /** SQL that reads rows. @param rest what follows the name of the table */
  select(rest: string): string {
    return `SELECT ${this.columns} FROM ${this.table} ${rest}`;
  }

  /** SQL that writes the {@link values} of a row. */
  insert(command = "INSERT"): string {
    return `${command} INTO ${this.table} (${this.columns}) VALUES (${this.markers})`;
  }

  readonly read = (row: SqlValue[]): Row => {
    const result: Record<string, unknown> = {};
    let at = 0;
    for (const name of this.#names) {
      const cell = this.#cells[at];
      result[name] = cell === undefined ? row[at] : cell.read(row[at] ?? null);
      at += 1;
    }
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

/** Makes the statements that read and write whole rows of a table. */
export class RowStatements<Row extends object> {
  constructor(
    private readonly statements: PreparedStatements,
    private readonly mapping: RowMapping<Row>,
  ) {}

  query<Parameters extends readonly Parameter[]>(rest: string): PreparedStatement<Parameters, Row> {
    return this.statements.query(this.mapping.select(rest), this.mapping.read);
  }

  /** A function that reads the first row. */
  one<Parameters extends readonly Parameter[]>(rest: string): Query<Parameters, Row | undefined> {
    return this.statements.one(this.mapping.select(rest), this.mapping.read);
  }

  /** A function that reads all rows. */
  list<Parameters extends readonly Parameter[]>(rest: string): Query<Parameters, Row[]> {
    return this.statements.list(this.mapping.select(rest), this.mapping.read);
  }

  insert(): (row: Row) => void {
    return this.#write(this.mapping.insert());
  }

  /** A function that writes a row in the place of the one with its key. */
  put(): (row: Row) => void {
    return this.#write(this.mapping.insert("INSERT OR REPLACE"));
  }

  /** @param condition selects the row to write over: `?1` is the value of its first column */
  update(condition: string): (row: Row) => void {
    const { table, columns, markers } = this.mapping;
    return this.#write(`UPDATE ${table} SET (${columns}) = (${markers}) WHERE ${condition}`);
  }

  #write(sql: string): (row: Row) => void {
    const write = this.statements.write(sql);
    return (row) => write(...this.mapping.values(row));
  }
}
