import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getPropertyRuns } from "../testing/property-runs.js";
import { JsonNumber, type JsonValue } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import { TestSqlEngine } from "../testing/test-sql-engine.js";

/**
 * Values of each type in order, as JSON and as SQL literals. The model represents a value by its index in this list, so
 * that it does not depend on the engine's types.
 */
const domains: Readonly<Record<string, readonly (readonly [json: string, sql: string])[]>> = {
  VARCHAR: [
    ['""', "''"],
    ['"\\u0000"', "'\0'"],
    ['"10"', "'10'"],
    ['"9"', "'9'"],
    ['"it\'s -- /*"', "'it''s -- /*'"],
    ['"\ufeff9"', "'\ufeff9'"],
    ['"\uffff"', "'\uffff'"],
    ['"\u{1d11e}"', "'\u{1d11e}'"],
  ],
  BIGINT: [
    "-9223372036854775808",
    "-9007199254740993",
    "-1",
    "9",
    "10",
    "9007199254740993",
    "9223372036854775807",
  ].map((text) => [text, text] as const),
  DECIMAL: ["-10.5", "-9", "-0.1", "0", "0.10000000000000000000001", "1", "9.99", "10"].map(
    (text) => [text, text] as const,
  ),
  INT: ["-2147483648", "-1", "0", "9", "10", "2147483647"].map((text) => [text, text] as const),
  DOUBLE: ["-1.5", "0", "0.1", "100"].map((text) => [text, text] as const),
  BOOLEAN: [
    ["false", "FALSE"],
    ["true", "true"],
  ],
  BLOB: [
    ['""', "X''"],
    ['"AA=="', "X'00'"],
    ['"AAE="', "X'0001'"],
    ['"/w=="', "X'Ff'"],
  ],
  DATE: ['"0001-01-01"', '"2030-01-01"', '"9999-12-31"'].map(
    (text) => [text, text.replaceAll('"', "'")] as const,
  ),
  UUID: [
    ['"00000000-0000-0000-0000-000000000000"', "'00000000-0000-0000-0000-000000000000'"],
    ['"6ba7b810-9dad-11d1-80b4-00c04fd430c8"', "'6BA7B810-9DAD-11D1-80B4-00C04FD430C8'"],
  ],
};
const typeNames = Object.keys(domains);

interface ModelColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  /** Index of the default value in the domain. */
  readonly fallback: number | null;
}

interface Schema {
  readonly partition: readonly ModelColumn[];
  readonly clustering: readonly ModelColumn[];
  readonly others: readonly ModelColumn[];
  readonly unique: boolean;
}

/** Indexes in the domains, by column name. */
type ModelRow = Readonly<Record<string, number | null>>;

const columnNames = ["a", 'B "quoted"', "c'; DROP TABLE t; --", "\0", "select", "__proto__x", "\ufeffa"];

const schemas: fc.Arbitrary<Schema> = fc
  .record({
    types: fc.array(fc.constantFrom(...typeNames), { minLength: 7, maxLength: 7 }),
    nullable: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
    fallbacks: fc.array(fc.option(fc.nat(1)), { minLength: 7, maxLength: 7 }),
    partition: fc.integer({ min: 1, max: 2 }),
    clustering: fc.integer({ min: 0, max: 2 }),
    others: fc.integer({ min: 0, max: 3 }),
    unique: fc.boolean(),
  })
  .map(({ types, nullable, fallbacks, partition, clustering, others, unique }) => {
    const columns = columnNames.map((name, index): ModelColumn => ({
      name,
      type: types[index] ?? "INT",
      nullable: index >= partition + clustering && nullable[index] === true,
      fallback: index >= partition + clustering ? (fallbacks[index] ?? null) : null,
    }));
    const keys = partition + clustering;
    return {
      partition: columns.slice(0, partition),
      clustering: columns.slice(partition, keys),
      others: columns.slice(keys, keys + others),
      unique: unique && others > 0,
    };
  });

/** Random numbers from which a statement is built, so that fast-check shrinks a list of small numbers. */
class Draw {
  #at = 0;
  constructor(readonly numbers: readonly number[]) {}

  below(limit: number): number {
    const number = this.numbers[this.#at % this.numbers.length] ?? 0;
    this.#at += 1;
    return number % limit;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }
}

/** Builds the text of a statement; values become literals or markers. */
class Writer {
  readonly parameters: JsonValue[] = [];
  constructor(readonly draw: Draw) {}

  value(column: ModelColumn, place: number | null): string {
    const [json, sql] =
      place === null ? ["null", "NULL"] : (domains[column.type]?.[place] ?? ["null", "NULL"]);
    if (this.draw.below(2) === 0) return sql;
    this.parameters.push(parseJson(json, { maxDepth: 10 }));
    return "?";
  }

  place(column: ModelColumn): number {
    return this.draw.below(domains[column.type]?.length ?? 1);
  }

  /** A condition, and its value in the model: true, false or unknown (null). */
  condition(
    columns: readonly ModelColumn[],
    depth: number,
  ): { sql: string; test: (row: ModelRow) => boolean | null } {
    const column = this.draw.pick(columns);
    const name = quote(column.name);
    const of = (row: ModelRow): number | null => row[column.name] ?? null;
    switch (this.draw.below(depth > 0 ? 8 : 5)) {
      case 0:
      case 1: {
        const operator = this.draw.pick(["=", "!=", "<>", "<", "<=", ">", ">="]);
        const place = this.place(column);
        return {
          sql: `${name} ${operator} ${this.value(column, place)}`,
          test: (row) => compare(operator, of(row), place),
        };
      }
      case 2: {
        const places = [this.place(column), this.place(column)];
        const sql = `${name} IN (${places.map((place) => this.value(column, place)).join(", ")})`;
        return { sql, test: (row) => (of(row) === null ? null : places.includes(of(row) ?? -1)) };
      }
      case 3: {
        const [low, high] = [this.place(column), this.place(column)];
        const sql = `${name} BETWEEN ${this.value(column, low)} AND ${this.value(column, high)}`;
        return {
          sql,
          test: (row) => both(compare(">=", of(row), low), compare("<=", of(row), high)),
        };
      }
      case 4: {
        const negated = this.draw.below(2) === 1;
        return {
          sql: `${name} IS ${negated ? "NOT NULL" : "NULL"}`,
          test: (row) => (of(row) === null) !== negated,
        };
      }
      case 5: {
        const inner = this.condition(columns, depth - 1);
        return { sql: `NOT (${inner.sql})`, test: (row) => not(inner.test(row)) };
      }
      default: {
        const and = this.draw.below(2) === 0;
        const left = this.condition(columns, depth - 1);
        const right = this.condition(columns, depth - 1);
        return {
          sql: `(${left.sql}) ${and ? "AND" : "OR"} (${right.sql})`,
          test: (row) => {
            const [a, b] = [left.test(row), right.test(row)];
            return and ? both(a, b) : not(both(not(a), not(b)));
          },
        };
      }
    }
  }
}

function compare(operator: string, a: number | null, b: number): boolean | null {
  if (a === null) return null;
  if (operator === "=") return a === b;
  if (operator === "!=" || operator === "<>") return a !== b;
  if (operator === "<") return a < b;
  if (operator === "<=") return a <= b;
  return operator === ">" ? a > b : a >= b;
}

function both(a: boolean | null, b: boolean | null): boolean | null {
  if (a === false || b === false) return false;
  return a === null || b === null ? null : true;
}

function not(a: boolean | null): boolean | null {
  return a === null ? null : !a;
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

class World {
  readonly engine = new TestSqlEngine({ "sql-filtering": "always" });
  readonly columns: readonly ModelColumn[];
  readonly key: readonly ModelColumn[];
  rows: ModelRow[] = [];

  constructor(readonly schema: Schema) {
    this.key = [...schema.partition, ...schema.clustering];
    this.columns = [...schema.others, ...this.key];
    const definitions = this.columns.map((column) => {
      const [, sql] = column.fallback === null ? [] : (domains[column.type]?.[column.fallback] ?? []);
      return `${quote(column.name)} ${column.type}${column.nullable ? "" : " NOT NULL"}${sql === undefined ? "" : ` DEFAULT ${sql}`}`;
    });
    const partition = schema.partition.map((column) => quote(column.name)).join(", ");
    const key = [`(${partition})`, ...schema.clustering.map((column) => quote(column.name))].join(", ");
    this.engine.execute(`CREATE TABLE t (${definitions.join(", ")}, PRIMARY KEY (${key}))`);
    const [first] = schema.others;
    if (schema.unique && first !== undefined)
      this.engine.execute(`CREATE UNIQUE INDEX i ON t (${quote(first.name)})`);
  }

  /** Whether the rows satisfy the primary key and the unique index. */
  consistent(rows: readonly ModelRow[]): boolean {
    const keys = rows.map((row) => this.key.map((column) => row[column.name]).join());
    const [first] = this.schema.others;
    const indexed =
      this.schema.unique && first !== undefined
        ? rows.map((row) => row[first.name]).filter((place) => place !== null)
        : [];
    return new Set(keys).size === keys.length && new Set(indexed).size === indexed.length;
  }

  ordered(rows: readonly ModelRow[], order: readonly (readonly [ModelColumn, number])[]): ModelRow[] {
    return [...rows].sort((a, b) => {
      for (const [{ name }, sign] of order) {
        const difference = (a[name] ?? -1) - (b[name] ?? -1);
        if (difference !== 0) return difference * sign;
      }
      return 0;
    });
  }

  json(row: ModelRow, columns: readonly ModelColumn[]): unknown {
    return Object.fromEntries(
      columns.map((column) => {
        const place = row[column.name] ?? null;
        const text = place === null ? "null" : (domains[column.type]?.[place]?.[0] ?? "null");
        return [column.name, toPlain(parseJson(text, { maxDepth: 5 }))];
      }),
    );
  }

  /** Asserts that the model and the engine both accept a change, or both reject it. */
  change(sql: string, writer: Writer, rows: ModelRow[] | null, affected: number): void {
    if (rows === null || !this.consistent(rows)) {
      expect(this.engine.refusal(() => this.engine.query(sql, writer.parameters)).code, sql).toBe(
        "SQL_VALIDATION_ERROR",
      );
      return;
    }
    expect(this.engine.query(sql, writer.parameters).rowCount, sql).toBe(affected);
    this.rows = rows;
  }

  insert(draw: Draw): void {
    const writer = new Writer(draw);
    const columns = this.columns.filter((column) => this.key.includes(column) || draw.below(3) > 0);
    const rows: ModelRow[] = [];
    let valid = this.columns.every(
      (column) => columns.includes(column) || column.nullable || column.fallback !== null,
    );
    const texts = Array.from({ length: 1 + draw.below(3) }, () => {
      const places = columns.map((column) => (draw.below(6) === 0 ? null : writer.place(column)));
      columns.forEach((column, index) => (valid &&= places[index] !== null || column.nullable));
      rows.push(
        Object.fromEntries(
          this.columns.map((column) => {
            const index = columns.indexOf(column);
            return [column.name, index < 0 ? column.fallback : (places[index] ?? null)];
          }),
        ),
      );
      return `(${columns.map((column, index) => writer.value(column, places[index] ?? null)).join(", ")})`;
    });
    const names = columns.map((column) => quote(column.name)).join(", ");
    this.change(
      `INSERT INTO t (${names}) VALUES ${texts.join(", ")}`,
      writer,
      valid ? [...this.rows, ...rows] : null,
      rows.length,
    );
  }

  update(draw: Draw): void {
    const [column] = this.schema.others.length > 0 ? [draw.pick(this.schema.others)] : [];
    if (column === undefined) return;
    const writer = new Writer(draw);
    const place = draw.below(5) === 0 ? null : writer.place(column);
    const value = writer.value(column, place);
    const { sql, test } = writer.condition(this.columns, 1);
    const found = this.rows.filter((row) => test(row) === true).length;
    const rows = this.rows.map((row) => (test(row) === true ? { ...row, [column.name]: place } : row));
    const valid = place !== null || column.nullable;
    this.change(
      `UPDATE t SET ${quote(column.name)} = ${value} WHERE ${sql}`,
      writer,
      valid ? rows : null,
      found,
    );
  }

  delete(draw: Draw): void {
    const writer = new Writer(draw);
    const { sql, test } = writer.condition(this.columns, 1);
    const rows = this.rows.filter((row) => test(row) !== true);
    this.change(`DELETE FROM t WHERE ${sql}`, writer, rows, this.rows.length - rows.length);
  }

  select(draw: Draw): void {
    const writer = new Writer(draw);
    const columns = draw.below(2) === 0 ? this.columns : this.columns.filter(() => draw.below(2) === 0);
    const shown = columns.length === 0 ? this.columns : columns;
    const conditional = draw.below(4) > 0;
    const where = conditional
      ? writer.condition(draw.below(2) === 0 ? this.columns : this.key, 2)
      : { sql: "", test: () => true };
    const wanted = this.schema.clustering.filter(() => draw.below(2) === 0);
    const order = wanted.map((column) => [column, draw.below(2) === 0 ? 1 : -1] as const);
    const last = order.at(-1)?.[1] ?? 1;
    const whole = [
      ...order,
      ...this.key.filter((column) => !wanted.includes(column)).map((column) => [column, last] as const),
    ];
    const limit = draw.below(3) === 0 ? draw.below(6) : undefined;
    const selected = this.rows.filter((row) => where.test(row) === true);
    const sql = [
      `SELECT ${shown === this.columns ? "*" : shown.map((column) => quote(column.name)).join(", ")} FROM t`,
      conditional ? `WHERE ${where.sql}` : "",
      order.length === 0
        ? ""
        : `ORDER BY ${order.map(([column, sign]) => `${quote(column.name)}${sign > 0 ? "" : " DESC"}`).join(", ")}`,
      limit === undefined ? "" : `LIMIT ${limit}`,
    ].join(" ");
    const expected = this.ordered(selected, whole).slice(0, limit);
    const actual: unknown[] = [];
    const size = 1 + draw.below(4);
    let pageToken: string | null = null;
    let pages = 0;
    do {
      const page = this.engine.query(sql, writer.parameters, {
        limit: size,
        ...(pageToken === null ? {} : { pageToken }),
      });
      const rows = toPlain(parseJson(page.rowsJson, { maxDepth: 10 })) as unknown[];
      expect(rows.length, sql).toBe(page.rowCount);
      expect(rows.length).toBeLessThanOrEqual(size);
      actual.push(...rows);
      pageToken = page.nextPageToken;
      expect((pages += 1), sql).toBeLessThanOrEqual(this.rows.length + 1);
    } while (pageToken !== null);
    expect(actual, sql).toEqual(expected.map((row) => this.json(row, shown)));
    const counted = `SELECT COUNT(*) FROM t ${conditional ? `WHERE ${where.sql}` : ""}`;
    expect(this.engine.query(counted, writer.parameters).rowsJson).toBe(`[{"count":${selected.length}}]`);
  }
}

/** Converts numbers to their text and objects to plain objects, so that `toEqual` compares them without loss. */
function toPlain(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return `number ${value.text}`;
  if (typeof value === "number") return `number ${value}`;
  if (Array.isArray(value)) return value.map((item) => toPlain(item as JsonValue));
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([name, member]) => [name, toPlain(member)]));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toPlain(member)]));
  return value;
}

describe("random schemas and statements", () => {
  it("behaves like a model of tables", () => {
    const draws = fc.array(fc.nat(2 ** 20), { minLength: 20, maxLength: 40 });
    const steps = fc.array(
      fc.tuple(fc.constantFrom("insert", "insert", "insert", "update", "delete", "select", "select"), draws),
      {
        minLength: 5,
        maxLength: 30,
      },
    );
    fc.assert(
      fc.property(schemas, steps, (schema, statements) => {
        const world = new World(schema);
        for (const [kind, numbers] of statements) world[kind as "insert"](new Draw(numbers));
        expect(world.engine.engine.listTables("db_1")).toMatchObject([
          { name: "t", rowCount: world.rows.length },
        ]);
        world.engine.query("DELETE FROM t");
        expect(world.engine.countBytes()).toBe(0);
        world.engine.database.close();
      }),
      { numRuns: getPropertyRuns(60) },
    );
  });
});
