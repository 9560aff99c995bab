import { isDeepStrictEqual } from "node:util";
import type { ApiResponse } from "../../client/client.js";
import type { CheckContext } from "../../check/context.js";
import { anyTypeName, filledTableArbitrary, tableSpecArbitrary } from "../../generators/sql.js";
import { parseInstant } from "../../steps/parse-instant.js";
import { assertCurrentTime } from "../../steps/timestamps.js";
import { type TableSpec, createTableSpec } from "../../models/sql-table.js";
import { getSqlTypeNames, normalizeSqlType } from "../../models/sql-types.js";
import { defineSqlChecks, getErrorCode, SqlClient, type SqlTableSchema } from "../../steps/sql/sql-client.js";
import { type TableUnderTest, withTable } from "../../steps/sql/table-under-test.js";
import { typeCheckIds } from "./values.js";

const intTable = createTableSpec({ b: "INT", v: "INT", a: "INT", c: "INT" }, ["a"], ["c", "b"]);

/** Asserts the name, type and key role of each column; the order of columns is left open. */
function assertColumns(
  context: CheckContext,
  clause: "SQL-30" | "SQL-52",
  schema: SqlTableSchema,
  { columns, partition, clustering }: TableSpec,
): void {
  const seen = schema.columns.map(({ name, type, isPartitionKey, isClusteringKey }) => ({
    name,
    type: normalizeSqlType(type),
    isPartitionKey,
    isClusteringKey,
  }));
  const declared = columns.map(({ name, type }) => ({
    name,
    type: normalizeSqlType(type),
    isPartitionKey: partition.includes(name),
    isClusteringKey: clustering.includes(name),
  }));
  context.assertEqual(
    clause,
    seen.sort(compareNames),
    declared.sort(compareNames),
    "the columns as declared",
  );
}

function compareNames(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

/** Values of `defaultValue` for a column without a default, as a value or as SQL text. */
const absentDefaultForms: readonly unknown[] = [null, "NULL", "null", ""];

/** Whether a default is shown as its value or as an expression, such as `'-7'::integer` or `((-7))`; null means none. */
function isDefaultValue(shown: unknown, value: string | number | boolean | null): boolean {
  if (value === null) return absentDefaultForms.includes(shown);
  const expression = String(shown).replace(/::.*$|^\(+|\)+$/gs, "");
  const text = expression.replace(/^(['"])(.*)\1$/s, "$2").replaceAll("''", "'");
  return text === String(value) || (value === true && /^(?:1|t|true)$/i.test(text));
}

/** Returns the indexes that were created, without those of the primary and partition key, which may also be listed. */
function getCreatedIndexes(
  { primaryKey: { partitionKeys, clusteringKeys }, indexes }: SqlTableSchema,
  created: SqlTableSchema["indexes"] = [],
): SqlTableSchema["indexes"] {
  const keys = [[...partitionKeys, ...clusteringKeys], partitionKeys];
  return indexes.filter(
    ({ name, columns }) =>
      created.some((one) => one.name === name) || !keys.some((key) => isDeepStrictEqual(key, columns)),
  );
}

/** Asserts the name, columns and key of a table in its schema. */
async function assertSchema(table: TableUnderTest, spec: TableSpec = table.spec): Promise<SqlTableSchema> {
  const { context, sql, name } = table;
  const schema = await sql.readSchema(name);
  context.assertEqual("SQL-29", schema.tableName, name, "tableName");
  assertColumns(context, "SQL-30", schema, spec);
  const { partitionKeys, clusteringKeys } = schema.primaryKey;
  context.assertEqual("SQL-31", partitionKeys, spec.partition, "partitionKeys in order");
  context.assertEqual("SQL-31", clusteringKeys, spec.clustering, "clusteringKeys in order");
  return schema;
}

/** Whether a refusal shows that the deployment does not know a syntax that the specification does not define. */
function isUnknownSyntax(response: ApiResponse): boolean {
  return (
    response.status === 400 &&
    ["SQL_SYNTAX_ERROR", "SQL_VALIDATION_ERROR"].includes(String(getErrorCode(response)))
  );
}

/** Checks of SQL tables, their schemas and the list of tables (parts 2 and 4.8). */
export const sqlTableChecks = defineSqlChecks(
  {
    id: "sql/schema",
    title: "A table has the schema that CREATE TABLE defines",
    clauses: ["SQL-29", "SQL-30", "SQL-31", "SQL-32"],
    run: async (sql, context: CheckContext) => {
      await context.property(
        { spec: tableSpecArbitrary({ others: [0, 4] }) },
        async ({ spec }) => {
          await withTable(sql, spec, async (table) => {
            const schema = await assertSchema(table);
            context.assertEqual("SQL-32", getCreatedIndexes(schema), [], "no index");
            for (const { isPartitionKey, isClusteringKey, isNullable, defaultValue } of schema.columns) {
              if (isPartitionKey || isClusteringKey) continue;
              context.assertEqual("SQL-30", isNullable, true, "isNullable for a column without NOT NULL");
              const what = "defaultValue without DEFAULT: null, or the text null";
              context.assert("SQL-30", absentDefaultForms.includes(defaultValue), what, defaultValue);
            }
          });
        },
        { examples: [{ spec: intTable }] },
      );
    },
  },
  {
    id: "sql/nullable-default",
    title: "NOT NULL and DEFAULT appear in the schema and take effect",
    clauses: ["SQL-30", "SQL-48"],
    run: async (sql, context: CheckContext) => {
      const name = context.resources.createPlainName();
      const created = await sql.createTable(
        name,
        "k INT, plain INT, must INT NOT NULL, word TEXT DEFAULT 'it''s', number INT DEFAULT -7, yes BOOLEAN DEFAULT true, PRIMARY KEY (k)",
      );
      // The specification mentions neither NOT NULL nor DEFAULT, but a deployment that accepts them must enforce them.
      if (isUnknownSyntax(created)) context.notOffered("CREATE TABLE does not accept NOT NULL and DEFAULT");
      context.assertStatus("SQL-06", created, 200);
      const schema = await sql.readSchema(name);
      const expected = { word: "it's", number: -7, yes: true };
      for (const { name: column, isNullable, defaultValue } of schema.columns) {
        if (column === "k") continue;
        context.assertEqual("SQL-30", isNullable, column !== "must", `isNullable for ${column}`);
        const value = (expected as Readonly<Record<string, string | number | boolean>>)[column] ?? null;
        const what = `defaultValue for ${column}: ${JSON.stringify(value)}, or this value as text`;
        context.assert("SQL-30", isDefaultValue(defaultValue, value), what, defaultValue);
      }
      await sql.write("SQL-10", `INSERT INTO ${name} (k, must) VALUES (1, 2)`);
      const { rows } = await sql.select(`SELECT word, number, yes FROM ${name} WHERE k = 1`);
      const seen = rows.map(({ word, number, yes }) => ({ word, number: Number(number), yes }));
      context.assertEqual<unknown>("SQL-30", seen, [expected], "values of columns that INSERT omits");
      const invalid = `INSERT INTO ${name} (k, plain) VALUES (2, 2)`;
      await sql.assertRefusal("SQL-48", invalid, "SQL_VALIDATION_ERROR", "the column `must` is NOT NULL");
      context.assertEqual("SQL-48", await sql.count(`SELECT COUNT(*) FROM ${name}`), 1, "rows");
    },
  },
  {
    id: "sql/primary-key",
    title: "Rows are identified by all columns of the primary key, and by no other columns",
    clauses: ["SQL-19"],
    run: async (sql) => {
      await withTable(sql, intTable, async (table) => {
        for (let bits = 0; bits < 8; bits++)
          await table.insert({ v: 7, a: bits & 1, b: (bits >> 1) & 1, c: bits >> 2 }, "SQL-19");
        await table.assertRows("SQL-19", [], "one row for each key");
        await table.insertExisting({ v: 8, a: 0, b: 0, c: 0 }, "SQL-19", "SQL-19");
      });
    },
  },
  {
    id: "sql/indexes",
    title:
      "After CREATE INDEX and DROP INDEX, the schema lists each index with its name, ordered columns and uniqueness",
    clauses: ["SQL-06", "SQL-32"],
    run: async (sql, context: CheckContext) => {
      const types = { b: "INT", v: "INT", a: "INT", c: "INT", w: "VARCHAR", u: "BIGINT" };
      const spec = createTableSpec(types, ["a"], ["c", "b"]);
      await withTable(sql, spec, async (table) => {
        const index = (suffix: string) => `i${suffix}_${table.name}`;
        const known: SqlTableSchema["indexes"][number][] = [];
        const assertIndexes = async () => {
          const seen = getCreatedIndexes(await sql.readSchema(table.name), known).toSorted(compareNames);
          context.assertEqual("SQL-32", seen, known.toSorted(compareNames), "the indexes on the table");
        };
        for (const [suffix, unique, columns] of [
          ["w", false, ["w"]],
          ["v", false, ["v"]],
          // The specification shows several columns and UNIQUE only in the schema, not in a statement.
          ["vw", false, ["w", "v"]],
          ["u", true, ["u"]],
        ] as const) {
          const response = await sql.execute(
            `CREATE ${unique ? "UNIQUE " : ""}INDEX ${index(suffix)} ON ${table.name} (${columns.join(", ")})`,
          );
          const isSpecified = !unique && columns.length === 1;
          if (!isSpecified && isUnknownSyntax(response)) continue;
          context.assertStatus("SQL-06", response, 200);
          known.push({ name: index(suffix), columns: [...columns], isUnique: unique });
          await assertIndexes();
        }
        await assertSchema(table);
        if (known.some(({ isUnique }) => isUnique)) {
          const row = (b: number, u: number) =>
            `INSERT INTO ${table.name} (a, b, c, u) VALUES (1, ${b}, 1, ${u})`;
          await sql.write("SQL-10", row(1, 5));
          await sql.assertRefusal("SQL-48", row(2, 5), "SQL_VALIDATION_ERROR", "the index is unique");
          const count = await sql.count(`SELECT COUNT(*) FROM ${table.name}`);
          context.assertEqual("SQL-48", count, 1, "rows after the refused INSERT");
          await sql.write("SQL-10", row(2, 6));
        }
        for (const { name } of [...known]) {
          await sql.dropIndex(name, table.name);
          known.shift();
          await assertIndexes();
        }
      });
    },
  },
  {
    id: "sql/list-tables",
    title: "The list contains every table in the database once, with its row count",
    clauses: ["SQL-27", "SQL-28", "GEN-01"],
    run: async (sql, context: CheckContext) => {
      const plain = Array.from({ length: 11 }, () => context.resources.createPlainName()).sort();
      // One name begins with another one.
      const names = [...plain, `${plain[0]}a`].sort();
      for (const name of names)
        context.assertStatus("SQL-06", await sql.createTable(name, "k INT, v INT, PRIMARY KEY (k)"), 200);
      const listOwn = async () =>
        (await sql.listTables()).map((table) => table.name).filter((name) => names.includes(name));
      const [name = "", other = "", ...others] = names;
      context.assertEqual(
        "SQL-27",
        (await listOwn()).sort(),
        names,
        "the tables that were created, each once",
      );
      const found = await sql.findTable(name);
      await assertCurrentTime(context, found?.createdAt, "createdAt");
      const createdAt = parseInstant(found?.createdAt);
      const assertCount = async (expected: number) => {
        await sql.assertRowCount(name, expected);
        const instant = parseInstant((await sql.findTable(name))?.createdAt);
        context.assertEqual("SQL-27", instant, createdAt, "createdAt, which writes do not change");
      };
      await assertCount(0);
      for (let k = 1; k <= 12; k++) {
        await sql.write("SQL-10", `INSERT INTO ${name} (k, v) VALUES (${k}, 1)`);
        await assertCount(k);
      }
      await sql.write("SQL-11", `UPDATE ${name} SET v = 2 WHERE k = 3`);
      await assertCount(12);
      await sql.query(`INSERT INTO ${name} (k, v) VALUES (4, 4)`);
      await assertCount(12);
      // An UPDATE may create a missing row.
      await sql.query(`UPDATE ${name} SET v = 2 WHERE k = 99`);
      const created = (await sql.select(`SELECT * FROM ${name} WHERE k = 99`)).rows.length;
      await assertCount(12 + created);
      for (const k of [99, 5, 5]) await sql.write("SQL-12", `DELETE FROM ${name} WHERE k = ${k}`);
      await assertCount(11);
      await sql.assertRowCount(other, 0);
      await sql.write("SQL-10", `INSERT INTO ${other} (k, v) VALUES (1, 1)`);
      await sql.dropTable(name);
      await sql.assertRowCount(other, 1);
      const { rows } = await sql.select(`SELECT * FROM ${other}`);
      context.assertEqual("SQL-10", rows.length, 1, "rows in the table whose name is longer");
      context.assertEqual("SQL-27", (await listOwn()).sort(), [other, ...others], "the remaining tables");
      for (const each of names) await context.resources.remove("table", each);
    },
  },
  {
    id: "sql/tables-of-two-databases",
    title: "Databases have separate tables, even if the tables have the same name",
    clauses: ["SQL-27", "SQL-28", "SQL-49"],
    needs: ["create-databases"],
    run: async (sql, context) => {
      const { databaseId } = await context.resources.createDatabase();
      const other = new SqlClient(context, databaseId);
      await withTable(sql, intTable, async (table) => {
        const { name } = table;
        await table.insert({ a: 1, b: 1, c: 1, v: 1 });
        const listed = await other.findTable(name);
        context.assertEqual("SQL-27", listed, undefined, "the table is not in the other database");
        const because = "the table is in another database";
        await other.assertRefusal("SQL-49", `SELECT * FROM ${name}`, "TABLE_NOT_FOUND", because);
        context.assertStatus("SQL-06", await other.createTable(name, "a INT, PRIMARY KEY (a)"), 200);
        await other.assertRowCount(name, 0);
        await sql.assertRowCount(name, 1);
        await other.dropTable(name);
        await table.assertRows("SQL-27", [], "rows in the table that was not dropped");
      });
    },
  },
  {
    id: "sql/alter-table",
    title: "Adding or dropping a column changes the schema and the rows, and nothing else",
    clauses: ["SQL-52"],
    after: typeCheckIds,
    run: async (sql, context: CheckContext) => {
      await context.property(
        { table: filledTableArbitrary({ others: [1, 2] }, 6), type: anyTypeName },
        async ({ table: { spec, rows }, type }) => {
          await withTable(sql, spec, async (table) => {
            await table.fill(rows);
            await sql.addColumn(table.name, `added ${type}`);
            await assertAltered(table, [...table.spec.columns, { name: "added", type }]);
            if (!(await sql.tryDropColumn(table.name, "added"))) return;
            await assertAltered(table, table.spec.columns);
            const dropped = table.columns.find((column) => !table.model.key.includes(column)) ?? "";
            if (!(await sql.tryDropColumn(table.name, dropped))) return;
            await assertAltered(
              table,
              table.spec.columns.filter((column) => column.name !== dropped),
            );
            await sql.assertRefusal("SQL-52", `SELECT ${dropped} FROM ${table.name}`, undefined);
          });
        },
        { share: 0.7 },
      );
      // A new column has no values, even if it has the name of a dropped column, and can be written.
      await withTable(sql, intTable, async (table) => {
        const key = { a: 1, b: 1, c: 1 };
        await table.insert({ ...key, v: 1 });
        for (const type of getSqlTypeNames("INT")) {
          if (!(await sql.tryDropColumn(table.name, "v"))) return;
          await sql.addColumn(table.name, `v ${type}`);
          table.model.update(table.whereKey(key), { v: null });
          const what = "rows with a new column that has the name of a dropped column";
          await table.assertRows("SQL-52", [], what);
          await table.update(table.whereKey(key), { v: 5 }, "SQL-52");
        }
      });
    },
  },
);

/** Asserts the columns of the schema and the rows; rows must keep their values and have NULL in new columns. */
async function assertAltered(table: TableUnderTest, columns: TableSpec["columns"]): Promise<void> {
  const { context, sql, name } = table;
  assertColumns(context, "SQL-52", await sql.readSchema(name), { ...table.spec, columns });
  const result = await sql.select(`SELECT * FROM ${name}`);
  const [seen, wanted] = [result.columns, columns].map((list) => list.map((column) => column.name).sort());
  context.assertEqual("SQL-52", seen, wanted, "columns in a row");
  const [old, added] = [true, false].map((isOld) =>
    columns.map((column) => column.name).filter((column) => table.columns.includes(column) === isOld),
  );
  table.assertSameRows("SQL-52", result.rows, table.model.rows, "the previous values", old);
  for (const column of added ?? []) {
    const isNull = result.rows.every((row) => (row[column] ?? null) === null);
    context.assert("SQL-52", isNull, `NULL in the new column ${column}`, result.rows);
  }
}
