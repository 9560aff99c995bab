import type { SqlValue } from "sql.js";
import { type Column, sequence } from "./columns.js";
import type { Parameter, PreparedStatement, PreparedStatements, Query } from "./statement.js";

type Columns = Readonly<Record<string, Column>>;

/** The fields of a row: `createdAt` for the column `created_at`. */
type Row<Given extends Columns> = {
  readonly [
    Name in keyof Given as Given[Name] extends Column<undefined> ? never : Name
  ]: Given[Name] extends Column<infer Value> ? Value : never;
};

/** The row of a table or mapping. */
export type RowOf<Mapping> = Mapping extends RowMapping<infer Given> ? Given : never;

function toColumnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Maps columns of a table to the fields of an object. */
export class RowMapping<Given extends object> {
  /** The names of the columns. */
  readonly columns: string;
  /** A marker for each column. */
  readonly markers: string;
  readonly #fields: readonly string[];
  readonly #columns: readonly Column[];

  constructor(
    readonly table: string,
    columns: Columns,
  ) {
    this.#fields = Object.keys(columns);
    this.#columns = Object.values(columns);
    this.columns = this.#fields.map(toColumnName).join(", ");
    this.markers = this.#columns.map(({ marker = "?" }) => marker).join(", ");
  }

  /** Returns SQL that reads rows. @param clauses the clauses after the name of the table */
  select(clauses: string): string {
    return `SELECT ${this.columns} FROM ${this.table} ${clauses}`;
  }

  /** Returns SQL that writes the {@link values} of a row. */
  insert(command = "INSERT"): string {
    return `${command} INTO ${this.table} (${this.columns}) VALUES (${this.markers})`;
  }

  readonly read = (row: SqlValue[]): Given => {
    const result: Record<string, unknown> = {};
    let at = 0;
    for (const field of this.#fields) {
      const read = this.#columns[at]?.read;
      result[field] = read === undefined ? row[at] : read(row[at] ?? null);
      at += 1;
    }
    return result as Given;
  };

  /** Returns the values of a row in the order of the columns. */
  values(row: Given): Parameter[] {
    return this.#fields.map((field, at) => {
      const value = (row as Readonly<Record<string, unknown>>)[field];
      return (this.#columns[at]?.write?.(value as never) ?? value) as Parameter;
    });
  }
}

/**
 * A table of a state: its definition in SQL, and the conversion of its rows. A table without an
 * INTEGER PRIMARY KEY is stored by its primary key.
 */
export class StateTable<Given extends Columns = Columns> extends RowMapping<Row<Given>> {
  readonly columnsByName: ReadonlyMap<string, Column>;

  constructor(
    table: string,
    private readonly given: Given,
  ) {
    const entries = Object.entries<Column>(given);
    super(table, Object.fromEntries(entries.filter(([, column]) => column !== sequence)));
    this.columnsByName = new Map(entries.map(([field, column]) => [toColumnName(field), column]));
  }

  get createSql(): string {
    const lines = Array.from(this.columnsByName, ([name, column]) => `${name} ${buildColumnSql(column)}`);
    for (const key of ["PRIMARY KEY", "UNIQUE"] as const) {
      const parts = this.#find(({ partOf }) => partOf === key);
      if (parts.length > 0) lines.push(`${key} (${parts.join(", ")})`);
    }
    const numbers = this.#find(
      ({ type, constraints }) => type === "INTEGER" && constraints.startsWith("PRIMARY"),
    );
    return `CREATE TABLE ${this.table} (\n  ${lines.join(",\n  ")}\n)${numbers.length > 0 ? "" : " WITHOUT ROWID"};`;
  }

  #find(hasProperty: (column: Column) => boolean): string[] {
    return [...this.columnsByName].filter(([, column]) => hasProperty(column)).map(([name]) => name);
  }

  /** Maps only some columns. */
  pick<const Name extends keyof Row<Given> & string>(
    ...names: readonly Name[]
  ): RowMapping<Pick<Row<Given>, Name>> {
    return this.#select((field) => names.includes(field as Name));
  }

  /** Maps all other columns. */
  without<const Name extends keyof Row<Given> & string>(
    ...names: readonly Name[]
  ): RowMapping<Omit<Row<Given>, Name>> {
    return this.#select((field) => !names.includes(field as Name));
  }

  #select(isIncluded: (field: string) => boolean): RowMapping<never> {
    const columns = Object.entries(this.given).filter(([field]) => isIncluded(field));
    return new RowMapping(this.table, Object.fromEntries(columns));
  }
}

function buildColumnSql({ type, constraints, isNullable }: Column): string {
  const isNeeded = !isNullable && !constraints.startsWith("PRIMARY KEY");
  return [type, ...(isNeeded ? ["NOT NULL"] : []), ...(constraints === "" ? [] : [constraints])].join(" ");
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
