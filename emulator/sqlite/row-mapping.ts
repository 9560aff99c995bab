import type { SqlValue } from "sql.js";
import type { Parameter, PreparedStatement, PreparedStatements, Query } from "./statement.js";

/**
 * The marker of a long text in a statement that writes. The text is bound as the bytes of {@link encodeUtf8View}, because
 * sql.js copies text character by character.
 */
export const castToTextSql = "CAST(? AS TEXT)";

const encoder = new TextEncoder();
const scratch = new Uint8Array(64 * 1024);

/** Encodes a text as UTF-8. The bytes are valid only until the next call. */
export function encodeUtf8View(text: string): Uint8Array {
  // A UTF-16 unit has at most three bytes.
  if (text.length * 3 > scratch.length) return encoder.encode(text);
  return scratch.subarray(0, encoder.encodeInto(text, scratch).written);
}

/** Converts values for which SQLite has no type. */
interface ColumnMapping {
  /** The marker of a bound value; by default `?`. */
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

/** A text that may be long. A table can have only one, because the encoded bytes are valid only until the next call. */
export const longTextColumn: ColumnMapping = {
  marker: castToTextSql,
  read: (stored) => stored,
  write: encodeUtf8View,
};

/** Maps the columns of a table to the fields of an object: `created_at` to `createdAt`. */
export class RowMapping<Row extends object> {
  /** A marker for each column. */
  readonly markers: string;
  readonly #names: readonly string[];
  readonly #mappings: readonly (ColumnMapping | undefined)[];

  /** @param mappings the mappings of columns whose values are not text, numbers or null */
  constructor(
    readonly table: string,
    readonly columns: string,
    mappings: { readonly [Name in keyof Row]?: ColumnMapping } = {},
  ) {
    this.#names = columns
      .split(", ")
      .map((column) => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));
    this.#mappings = this.#names.map((name) => mappings[name as keyof Row]);
    this.markers = this.#mappings.map((column) => column?.marker ?? "?").join(", ");
  }

  /** Returns SQL that reads rows. @param clauses the clauses after the name of the table */
  select(clauses: string): string {
    return `SELECT ${this.columns} FROM ${this.table} ${clauses}`;
  }

  /** Returns SQL that writes the {@link values} of a row. */
  insert(command = "INSERT"): string {
    return `${command} INTO ${this.table} (${this.columns}) VALUES (${this.markers})`;
  }

  readonly read = (row: SqlValue[]): Row => {
    const result: Record<string, unknown> = {};
    let at = 0;
    for (const name of this.#names) {
      const column = this.#mappings[at];
      result[name] = column === undefined ? row[at] : column.read(row[at] ?? null);
      at += 1;
    }
    return result as Row;
  };

  /** Returns the values of a row in the order of the columns. */
  values(row: Row): Parameter[] {
    return this.#names.map((name, at) => {
      const value = (row as Readonly<Record<string, unknown>>)[name];
      return (this.#mappings[at]?.write(value as never) ?? value) as Parameter;
    });
  }
}

/** Prepares statements that read and write whole rows of a table. */
export class RowStatements<Row extends object> {
  constructor(
    private readonly statements: PreparedStatements,
    private readonly mapping: RowMapping<Row>,
  ) {}

  query<Parameters extends readonly Parameter[]>(clauses: string): PreparedStatement<Parameters, Row> {
    return this.statements.query(this.mapping.select(clauses), this.mapping.read);
  }

  /** Creates a function that reads the first row. */
  one<Parameters extends readonly Parameter[]>(clauses: string): Query<Parameters, Row | undefined> {
    return this.statements.one(this.mapping.select(clauses), this.mapping.read);
  }

  /** Creates a function that reads all rows. */
  list<Parameters extends readonly Parameter[]>(clauses: string): Query<Parameters, Row[]> {
    return this.statements.list(this.mapping.select(clauses), this.mapping.read);
  }

  insert(): (row: Row) => void {
    return this.#write(this.mapping.insert());
  }

  /** Creates a function that inserts a row, or replaces the row with the same key. */
  put(): (row: Row) => void {
    return this.#write(this.mapping.insert("INSERT OR REPLACE"));
  }

  /** @param condition selects the row to update; `?1` is the value of its first column */
  update(condition: string): (row: Row) => void {
    const { table, columns, markers } = this.mapping;
    return this.#write(`UPDATE ${table} SET (${columns}) = (${markers}) WHERE ${condition}`);
  }

  #write(sql: string): (row: Row) => void {
    const write = this.statements.write(sql);
    return (row) => write(...this.mapping.values(row));
  }
}
