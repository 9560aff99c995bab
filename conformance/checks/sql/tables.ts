import type { CheckContext } from "../../check/context.js";
import type { components } from "../../../openapi/generated/service-types.js";
import { anyTypeNameArbitrary, filledTableArbitrary, tableSpecArbitrary } from "../../generators/sql.js";
import { parseInstant } from "../../steps/parse-instant.js";
import { type TableSpec, createTableSpec } from "../../models/sql-table.js";
import {
  getSqlTypeNames,
  normalizeSqlType,
  parseKnownSqlType,
  formatType,
  createIntValue,
} from "../../models/sql-types.js";
import {
  getErrorCode,
  assertSqlError,
  defineSqlChecks,
  SqlCalls,
  type TableUnderTest,
} from "../../steps/sql/calls.js";
import { toLowerCaseName } from "../../steps/sql/parse-rows.js";
import { typeCheckIds } from "./values.js";

const keyed: TableSpec = createTableSpec({ b: "INT", v: "INT", a: "INT", c: "INT" }, ["a"], ["c", "b"]);

type Schema = components["schemas"]["SqlTableSchema"];

async function schemaOf({ sql, name }: TableUnderTest): Promise<Schema> {
  return sql.context.assertStatus("SQL-29", await sql.ownSchema(name), 200).body as Schema;
}

/** Returns the name, type and key role of each column, sorted, because the order of columns is left open. */
function columnsIn({ columns }: Schema) {
  return columns
    .map(({ name, type, isPartitionKey, isClusteringKey }) => ({
      name,
      type: normalizeSqlType(type),
      isPartitionKey,
      isClusteringKey,
    }))
    .sort(byName);
}

function columnsOf({ columns, partition, clustering }: TableSpec) {
  return columns
    .map(({ name, type }) => ({
      name,
      type: formatType(parseKnownSqlType(type)),
      isPartitionKey: partition.includes(name),
      isClusteringKey: clustering.includes(name),
    }))
    .sort(byName);
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

/** Values of `defaultValue` for a column without a default, as a value or as SQL text. */
const noDefaults: readonly unknown[] = [null, "NULL", "null"];

/** Returns the indexes that were created, without the index of the primary key, which may also be listed. */
function madeIndexes({ primaryKey: { partitionKeys, clusteringKeys }, indexes }: Schema): Schema["indexes"] {
  const key = JSON.stringify([...partitionKeys, ...clusteringKeys]);
  return indexes.filter(({ columns, isUnique }) => !isUnique || JSON.stringify(columns) !== key);
}

async function assertColumns(table: TableUnderTest, spec: TableSpec = table.spec): Promise<Schema> {
  const context: CheckContext = table.sql.context;
  const schema = await schemaOf(table);
  context.assertEqual("SQL-29", schema.tableName, table.name, "tableName");
  context.assertEqual("SQL-30", columnsIn(schema), columnsOf(spec), "the columns as declared");
  context.assertEqual("SQL-31", schema.primaryKey.partitionKeys, spec.partition, "partitionKeys in order");
  context.assertEqual("SQL-31", schema.primaryKey.clusteringKeys, spec.clustering, "clusteringKeys in order");
  return schema;
}

/** Whether a refusal shows that the deployment does not know a syntax that the specification does not define. */
function isUnknownForm(answer: Parameters<typeof getErrorCode>[0]): boolean {
  return (
    answer.status === 400 &&
    ["SQL_SYNTAX_ERROR", "SQL_VALIDATION_ERROR"].includes(String(getErrorCode(answer)))
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
        [tableSpecArbitrary({ others: [0, 4] })],
        async (spec) => {
          await sql.withTable(spec, async (table) => {
            const schema = await assertColumns(table);
            context.assertEqual("SQL-32", madeIndexes(schema), [], "no index");
            for (const { isPartitionKey, isClusteringKey, isNullable, defaultValue } of schema.columns) {
              if (isPartitionKey || isClusteringKey) continue;
              context.assertEqual("SQL-30", isNullable, true, "isNullable for a column without NOT NULL");
              const isNone = noDefaults.includes(defaultValue);
              context.assert(
                "SQL-30",
                isNone,
                "defaultValue without DEFAULT: null, or the text null",
                defaultValue,
              );
            }
          });
        },
        { names: ["spec"], examples: [[keyed]] },
      );
    },
  },
  {
    id: "sql/nullable-default",
    title: "NOT NULL and DEFAULT appear in the schema and are enforced",
    clauses: ["SQL-30", "SQL-48"],
    run: async (sql, context: CheckContext) => {
      const name = context.resources.createPlainName();
      const made = await sql.create(
        name,
        "k INT, plain INT, must INT NOT NULL, word TEXT DEFAULT 'it''s', number INT DEFAULT -7, yes BOOLEAN DEFAULT true, PRIMARY KEY (k)",
      );
      // neither word is in the specification: where they are taken they must hold
      if (isUnknownForm(made)) context.notOffered("CREATE TABLE does not accept NOT NULL and DEFAULT");
      context.assertStatus("SQL-06", made, 200);
      const schema = context.assertStatus("SQL-29", await sql.ownSchema(name), 200).body as Schema;
      const expected = { word: "it's", number: -7, yes: true };
      for (const { name: column, isNullable, defaultValue } of schema.columns) {
        if (column === "k") continue;
        context.assertEqual("SQL-30", isNullable, column !== "must", `isNullable for ${column}`);
        const value = (expected as Readonly<Record<string, unknown>>)[column] ?? null;
        // the value, or its text
        const forms = value === null ? noDefaults : [value, JSON.stringify(value), "'it''s'"];
        const what = `defaultValue for ${column}: ${JSON.stringify(value)}, or this value as text`;
        context.assert("SQL-30", forms.includes(defaultValue), what, defaultValue);
      }
      await sql.write("SQL-10", `INSERT INTO ${name} (k, must) VALUES (1, 2)`);
      const { rows } = await sql.rows(`SELECT word, number, yes FROM ${name} WHERE k = 1`);
      const seen = rows.map(({ word, number, yes }) => ({ word, number: Number(number), yes }));
      context.assertEqual<unknown>("SQL-30", seen, [expected], "values of columns that INSERT omits");
      const refused = await sql.query(`INSERT INTO ${name} (k, plain) VALUES (2, 2)`, { intent: "invalid" });
      assertSqlError(context, "SQL-48", refused, "SQL_VALIDATION_ERROR", "must is NOT NULL");
      context.assertEqual("SQL-48", await sql.count(`SELECT COUNT(*) FROM ${name}`), 1, "rows");
    },
  },
  {
    id: "sql/primary-key",
    title: "Rows are identified by all columns of the primary key, and by no other columns",
    clauses: ["SQL-19"],
    run: async (sql) => {
      await sql.withTable(keyed, async (table) => {
        const rows = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => ({
          v: createIntValue(7),
          a: createIntValue(bits & 1),
          b: createIntValue((bits >> 1) & 1),
          c: createIntValue(bits >> 2),
        }));
        for (const row of rows) await table.insert(row, "SQL-19");
        await table.assertRows("SQL-19", [], "one row for each key");
        const [first = {}] = rows;
        await table.insertAgain({ ...first, v: createIntValue(8) }, "SQL-19", "SQL-19");
      });
    },
  },
  {
    id: "sql/indexes",
    title:
      "After CREATE INDEX and DROP INDEX, the schema lists each index with its name, ordered columns and uniqueness",
    clauses: ["SQL-06", "SQL-32"],
    run: async (sql, context: CheckContext) => {
      const spec = {
        ...keyed,
        columns: [...keyed.columns, { name: "w", type: "TEXT" }, { name: "u", type: "BIGINT" }],
      };
      await sql.withTable(spec, async (table) => {
        const index = (suffix: string) => `i${suffix}_${table.name}`;
        const known: Schema["indexes"][number][] = [];
        const assertIndexes = async () => {
          const seen = madeIndexes(await schemaOf(table)).toSorted(byName);
          context.assertEqual("SQL-32", seen, known.toSorted(byName), "the indexes on the table");
        };
        for (const [suffix, unique, columns] of [
          ["w", false, ["w"]],
          ["v", false, ["v"]],
          // several columns and UNIQUE stand in the schema, not in a statement of the specification
          ["vw", false, ["w", "v"]],
          ["u", true, ["u"]],
        ] as const) {
          const answer = await sql.execute(
            `CREATE ${unique ? "UNIQUE " : ""}INDEX ${index(suffix)} ON ${table.name} (${columns.join(", ")})`,
          );
          const isShown = !unique && columns.length === 1;
          if (!isShown && isUnknownForm(answer)) continue;
          context.assertStatus("SQL-06", answer, 200);
          known.push({ name: index(suffix), columns: [...columns], isUnique: unique });
          await assertIndexes();
        }
        await assertColumns(table, spec);
        if (known.some(({ isUnique }) => isUnique)) {
          const row = (b: number, u: number) =>
            `INSERT INTO ${table.name} (a, b, c, u) VALUES (1, ${b}, 1, ${u})`;
          await sql.write("SQL-10", row(1, 5));
          const refused = await sql.query(row(2, 5), { intent: "invalid" });
          assertSqlError(context, "SQL-48", refused, "SQL_VALIDATION_ERROR", "the index is unique");
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
    clauses: ["SQL-27", "SQL-28"],
    run: async (sql, context: CheckContext) => {
      const names: string[] = [];
      for (let number = 0; number < 12; number++) {
        const name = context.resources.createPlainName();
        context.assertStatus("SQL-06", await sql.create(name, "k INT, v INT, PRIMARY KEY (k)"), 200);
        names.push(name);
      }
      const own = async () => {
        const { body } = context.assertStatus("SQL-27", await sql.list(), 200);
        const listed = (body.tables as { name: string }[]).map((table) => toLowerCaseName(table.name));
        return listed.filter((name) => names.includes(name)).sort();
      };
      context.assertEqual(
        "SQL-27",
        await own(),
        [...names].sort(),
        "the tables that were created, each once",
      );
      const [name = "", other = "", ...rest] = names;
      const createdAt = parseInstant((await sql.listed(name))?.createdAt);
      context.assert("SQL-27", createdAt !== undefined, "a time in createdAt", createdAt);
      const assertCount = async (expected: number) => {
        await sql.assertRowCount(name, expected);
        const seen = parseInstant((await sql.listed(name))?.createdAt);
        context.assertEqual(
          "SQL-27",
          seen,
          createdAt,
          "the same instant in createdAt, because writes do not change createdAt",
        );
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
      // a row may be made (gap `sql-update-missing`): then it counts
      await sql.query(`UPDATE ${name} SET v = 2 WHERE k = 99`);
      const made = (await sql.rows(`SELECT * FROM ${name} WHERE k = 99`)).rows.length;
      await assertCount(12 + made);
      await sql.write("SQL-12", `DELETE FROM ${name} WHERE k = 99`);
      await sql.write("SQL-12", `DELETE FROM ${name} WHERE k = 5`);
      await sql.write("SQL-12", `DELETE FROM ${name} WHERE k = 5`);
      await assertCount(11);
      await sql.assertRowCount(other, 0);
      await sql.define(`DROP TABLE ${name}`);
      context.assertEqual("SQL-27", await own(), [other, ...rest].sort(), "the remaining tables");
      for (const left of names) await context.resources.remove("table", left);
    },
  },
  {
    id: "sql/tables-of-two-databases",
    title: "Databases have separate tables, even if the tables have the same name",
    clauses: ["SQL-27", "SQL-28", "SQL-49"],
    needs: ["create-databases"],
    run: async (sql, context) => {
      const { databaseId } = await context.resources.createDatabase();
      const other = new SqlCalls(context, databaseId);
      await sql.withTable(keyed, async (table) => {
        const { name } = table;
        await table.insert({
          a: createIntValue(1),
          b: createIntValue(1),
          c: createIntValue(1),
          v: createIntValue(1),
        });
        const listed = await other.listed(name);
        context.assertEqual("SQL-27", listed, undefined, "the table is not in the other database");
        const answer = await other.query(`SELECT * FROM ${name}`, { intent: "invalid" });
        assertSqlError(context, "SQL-49", answer, "TABLE_NOT_FOUND", "the table is in another database");
        context.assertStatus("SQL-06", await other.create(name, "a INT, PRIMARY KEY (a)"), 200);
        await other.assertRowCount(name, 0);
        await sql.assertRowCount(name, 1);
        await other.define(`DROP TABLE ${name}`);
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
        [filledTableArbitrary({ others: [1, 2] }, { rows: 6 }), anyTypeNameArbitrary],
        async ({ spec, rows }, type) => {
          await sql.withTable(spec, async (table) => {
            await table.fill(rows);
            const added = { name: "added", type };
            await sql.addColumn(table.name, `${added.name} ${type}`);
            const wider = { ...table.spec, columns: [...table.spec.columns, added] };
            await assertAltered(table, wider);
            // which alterations there are is not said
            if (!(await sql.drops(table.name, added.name))) return;
            await assertAltered(table, table.spec);
            const dropped = table.columns.find((column) => !table.model.key.includes(column)) ?? "";
            if (!(await sql.drops(table.name, dropped))) return;
            const without = (list: TableSpec["columns"]) => list.filter(({ name }) => name !== dropped);
            await assertAltered(table, { ...table.spec, columns: without(table.spec.columns) });
            const gone = `SELECT ${dropped} FROM ${table.name}`;
            await sql.assertRefused("SQL-52", gone, `${dropped} was dropped`);
          });
        },
        { names: ["table", "type"], share: 0.7 },
      );
      // what is added can be written, and is not what it was before
      await sql.withTable(keyed, async (table) => {
        const key = { a: createIntValue(1), b: createIntValue(1), c: createIntValue(1) };
        await table.insert({ ...key, v: createIntValue(1) });
        for (const name of getSqlTypeNames("INT")) {
          if (!(await sql.drops(table.name, "v"))) return;
          await sql.addColumn(table.name, `v ${name}`);
          table.model.update(table.whereKey(key), { v: null });
          await table.assertRows(
            "SQL-52",
            [],
            "rows with a new column that has the name of a dropped column",
          );
          await table.update(table.whereKey(key), { v: createIntValue(5) }, "SQL-52");
        }
      });
    },
  },
);

/** Asserts the columns of the schema and the rows; rows must keep their values and have NULL in new columns. */
async function assertAltered(table: TableUnderTest, spec: TableSpec): Promise<void> {
  const context: CheckContext = table.sql.context;
  const columns = spec.columns.map(({ name }) => name);
  const schema = await schemaOf(table);
  context.assertEqual("SQL-52", columnsIn(schema), columnsOf(spec), "the columns in the schema");
  const { rows, columns: shown } = await table.sql.rows(`SELECT * FROM ${table.name}`);
  const names = shown.map(({ name }) => name).sort();
  context.assertEqual("SQL-52", names, [...columns].sort(), "columns in a row");
  const old = table.columns.filter((column) => columns.includes(column));
  table.assertSame("SQL-52", rows, table.model.rows, "the previous values", old);
  for (const column of columns.filter((name) => !old.includes(name))) {
    const isEmpty = rows.every((row) => (row[column] ?? null) === null);
    context.assert("SQL-52", isEmpty, `NULL in the new column ${column}`, rows);
  }
}
