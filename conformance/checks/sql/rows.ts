import fc from "fast-check";
import type { CheckContext } from "../../check/context.js";
import { isClientError } from "../../client/is-client-error.js";
import {
  filledTableArbitrary,
  plainKeyTypes,
  type FilledTable,
  type NewRow,
  type WhereChoice,
  whereChoiceArbitrary,
  buildWhereConditions,
} from "../../generators/sql.js";
import { type SqlCondition, type OrderItem, createTableSpec, getKeyColumns } from "../../models/sql-table.js";
import { normalizeSqlType, sqlNull, parseSqlType, toSqlValue } from "../../models/sql-types.js";
import { readUntil } from "../../steps/read-until.js";
import { assertLastPageNotEmpty, findLongLimits, longListLength } from "../../steps/pages.js";
import { defineSqlChecks, type SqlClient } from "../../steps/sql/sql-client.js";
import {
  type RowLiteral,
  type TableUnderTest,
  toCanonicalRow,
  whereEqual,
  withTable,
} from "../../steps/sql/table-under-test.js";
import { catchMissingResponse } from "../../steps/catch-missing-response.js";
import { typeCheckIds } from "./values.js";

/** Numbers that would have a different order as texts. */
const unsortedNumbers = [
  7, 100, -3, 0, 12, 9, 10, 2, 25, 11, -20, 1, 8, 1000, 3, 19, 21, -1, 5, 4, 6, 99, 13, 20, 18, 17, 16, 15,
  14, -100,
];

const numberRows = unsortedNumbers.flatMap((n, index) =>
  (index % 5 === 0 ? ["a", "b"] : ["a"]).map((p) => ({ p, n, v: index % 3 })),
);

/** Creates a table with a partition of thirty rows and another partition of six. */
async function withNumbers(sql: SqlClient, work: (table: TableUnderTest) => Promise<void>): Promise<void> {
  const spec = createTableSpec({ v: "INT", n: "INT", p: "VARCHAR" }, ["p"], ["n"]);
  await withTable(sql, spec, async (table) => {
    await table.fill(numberRows);
    await work(table);
  });
}

const inA = whereEqual({ p: "a" });

/** Orders by the first clustering columns, all in one direction. */
function orderByClustering(
  { clustering }: FilledTable["spec"],
  columns: number,
  isDescending: boolean,
): readonly OrderItem[] {
  const direction = isDescending ? "DESC" : "ASC";
  return clustering.slice(0, columns).map((column) => ({ column, direction }));
}

const everyRow = "every row that satisfies the condition, once";

/** Returns the values of the columns outside the primary key. */
function omitKey(table: TableUnderTest, row: NewRow): NewRow {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !table.model.key.includes(column)));
}

/** Asserts the order of the numbers by a column that is not selected, unless this is refused. */
async function assertOrderByUnselected({ sql, name, context }: TableUnderTest): Promise<void> {
  const statement = { sql: `SELECT v FROM ${name} WHERE p = ? ORDER BY n LIMIT 20`, values: ["a"] };
  const response = await sql.query(statement, { intent: "may-be-refused", skipValidation: true });
  if (response.status !== 200) return;
  const byNumber = unsortedNumbers.map((number, index) => ({ number, v: index % 3 }));
  const wanted = byNumber.toSorted((a, b) => a.number - b.number).map(({ v }) => v);
  const { rows } = await sql.select(statement);
  const values = rows.map((row) => Number(Object.values(row)[0]));
  context.assertEqual("SQL-15", values, wanted.slice(0, 20), "values in the order of an unselected column");
}

/** Asserts that exactly the rows that satisfy a condition are found and counted. */
async function assertFound(table: TableUnderTest, where: readonly SqlCondition[]): Promise<void> {
  await table.assertRows("SQL-13", where, "the rows that satisfy the condition");
  await table.assertCount(where);
}

/** Asserts that LIMIT returns the first rows in the order of the whole key, whatever the size of the pages. */
function assertFirst(
  table: TableUnderTest,
  where: readonly SqlCondition[],
  maxRows: number,
  isDescending: boolean,
  limit: number | undefined,
): Promise<void> {
  const order = orderByClustering(table.spec, Infinity, isDescending);
  return table.assertRows("SQL-17", where, `the first ${maxRows} rows in order`, {
    order,
    most: maxRows,
    limit,
  });
}

/**
 * Waits until an index is usable: a deployment may build it after the response, for an unspecified time.
 *
 * @returns whether there are rows to find; an index that finds no rows proves nothing
 */
async function waitForIndex(table: TableUnderTest, where: readonly SqlCondition[]): Promise<boolean> {
  const expected = table.model.select(where).length;
  await readUntil(
    table.context,
    () => table.sql.query(table.formatSelect(where), { intent: "may-be-refused" }),
    ({ status, body }) => status === 200 && (body as { readonly rowCount?: number }).rowCount === expected,
  );
  return expected > 0;
}

/** Creates a table with VARCHAR and INT columns, which every deployment can store, and its rows. */
function createFilledTable(
  pools: Readonly<Record<string, readonly (string | number)[]>>,
  [partition, ...clustering]: readonly [string, ...string[]],
  rows: readonly RowLiteral[],
): FilledTable {
  const types = mapValues(pools, ([first]) => (typeof first === "number" ? "INT" : "VARCHAR"));
  return {
    spec: createTableSpec(types, [partition], clustering),
    pools: mapValues(pools, (values) => values.map(toSqlValue)),
    rows: rows.map((row) => mapValues(row, toSqlValue)),
  };
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, map: (value: From) => To) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

const plainTable = createFilledTable(
  { p: ["a", "b"], n: [1, 2], v: ["x", "y"] },
  ["p", "n"],
  ["a", "b"].flatMap((p) => [1, 2].map((n) => ({ p, n, v: p === "a" ? "x" : "y" }))),
);

/** Selects one row of {@link plainTable}. */
const plainChoice: WhereChoice = { picks: [0, 1], depth: 1, range: null, second: null };

const numberTable = createFilledTable({ v: [0, 1], n: [10], p: ["a"] }, ["p", "n"], numberRows);

/** Selects ranges of {@link numberTable}, each bounded by the key of a row. */
const numberChoices = ([">", "<", "<=", ">=", null] as const).map((range): WhereChoice => ({
  ...{ picks: [0], depth: range === null ? 1 : 0, range },
  second: range === ">" ? "<=" : null,
}));

const words = ["a", "A", "a ", "ä", "a\u0308", "b"];
/** Many rows with the same text. */
const wordTable = createFilledTable(
  { id: [0], word: ["many", ...words] },
  ["id"],
  [...words, ...words, ...Array.from({ length: 12 }, () => "many")].map((word, id) => ({ id, word })),
);

/** Checks of SQL rows (part 4.8 rules 1 and 3). */
export const sqlRowChecks = defineSqlChecks(
  {
    id: "sql/insert",
    title: "An inserted row is found by its key, with the inserted values",
    clauses: ["SQL-01", "SQL-02", "SQL-03", "SQL-10"],
    after: typeCheckIds,
    run: async (sql, context: CheckContext) => {
      await context.property(
        { table: filledTableArbitrary({}, 6), omitted: fc.nat(6) },
        async ({ table: { spec, rows }, omitted }) => {
          await withTable(sql, spec, async (table) => {
            for (const [index, row] of rows.entries()) {
              // An omitted column is NULL.
              const given = Object.entries(row).filter(([, value]) => value !== sqlNull || index % 2 === 0);
              await table.insert(Object.fromEntries(given));
            }
            for (const row of rows) {
              const where = table.whereKey(row);
              const response = await sql.query(table.formatSelect(where));
              context.assertStatus("SQL-01", response, 200);
              await table.assertRows("SQL-10", where, "the row with this primary key");
            }
            const selected = spec.columns.filter((_, index) => (index + omitted) % 3 !== 0 || index === 0);
            const names = selected.map(({ name }) => name);
            const { rows: found, columns } = await sql.select(
              `SELECT ${names.join(", ")} FROM ${table.name}`,
            );
            table.assertSameRows("SQL-10", found, table.model.rows, "the selected columns", names);
            const [types, declared] = [columns, selected].map((list) =>
              list.map(({ name, type }) => [name, normalizeSqlType(type)]).sort(),
            );
            context.assertEqual("SQL-03", types, declared, "each column of the result once, with its type");
          });
        },
      );
    },
  },
  {
    id: "sql/concurrent-writes",
    title: "Concurrent INSERTs into a table and UPDATEs of different columns of a row do not undo each other",
    clauses: ["SQL-10", "SQL-11"],
    after: ["sql/insert", "sql/where-key"],
    run: async (sql, context: CheckContext) => {
      const columns = ["a", "b", "c", "d", "e"];
      const types = Object.fromEntries(["id", ...columns].map((name) => [name, "INT"]));
      await withTable(sql, createTableSpec(types, ["id"]), async (table) => {
        const shared = 100;
        await table.fill([{ id: shared }]);
        const writes = columns.flatMap((column, n) => [
          { id: n, column: "id", value: n, clause: "SQL-10", ...table.formatInsert({ id: n }) } as const,
          {
            ...({ id: shared, column, value: n, clause: "SQL-11" } as const),
            sql: `UPDATE ${table.name} SET ${column} = ? WHERE id = ?`,
            values: [n, shared],
          },
        ]);
        const responses = await Promise.all(writes.map((write) => catchMissingResponse(sql.query(write))));
        const { rows } = await sql.select(table.formatSelect([]));
        for (const [at, { id, column, value, clause, sql: statement }] of writes.entries()) {
          // A deployment may refuse a write because of a conflict.
          if (responses[at]?.status !== 200) continue;
          const found = rows.find((row) => Number(row.id) === id);
          const isWritten = Number(found?.[column] ?? NaN) === value;
          context.assert(clause, isWritten, `the effect of each accepted write, also of ${statement}`, rows);
        }
      });
    },
  },
  {
    id: "sql/where-key",
    title:
      "WHERE on key columns selects, counts, updates and deletes exactly the rows that satisfy the condition",
    clauses: ["SQL-11", "SQL-12", "SQL-13", "SQL-18"],
    after: ["sql/pages", ...typeCheckIds],
    run: async (sql, context: CheckContext) => {
      await context.property(
        {
          table: filledTableArbitrary({ clustering: [0, 3], others: [0, 2] }, 12),
          choices: fc.array(whereChoiceArbitrary, { minLength: 1, maxLength: 6, size: "max" }),
        },
        async ({ table: { spec, pools, rows }, choices }) => {
          await withTable(sql, spec, async (table) => {
            await table.assertCount();
            await table.fill(rows);
            for (const [index, choice] of choices.entries()) {
              const where = buildWhereConditions(table.spec, pools, choice);
              await assertFound(table, where);
              await table.update(where, omitKey(table, rows.at(-1 - (index % rows.length)) ?? {}));
              if (index % 2 === 1) await table.delete(where);
            }
            await sql.assertRowCount(table.name, table.model.rows.length);
          });
        },
        {
          share: 0.7,
          examples: [
            { table: plainTable, choices: [plainChoice, plainChoice] },
            { table: numberTable, choices: numberChoices },
          ],
        },
      );
    },
  },
  {
    id: "sql/where-index",
    title:
      "WHERE on an indexed column selects and counts the rows with a given value, before and after changes",
    clauses: ["SQL-14", "SQL-18"],
    after: ["sql/pages", ...typeCheckIds],
    run: async (sql, context: CheckContext) => {
      await context.property(
        {
          table: filledTableArbitrary({ partition: [1, 1], clustering: [0, 1], others: [1, 2] }, 12),
          limit: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
        },
        async ({ table: { spec, pools, rows }, limit }) => {
          const key = getKeyColumns(spec);
          const indexed = spec.columns.find(
            ({ name, type }) =>
              !key.includes(name) && !["FLOAT", "LIST", "SET", "MAP"].includes(parseSqlType(type).family),
          );
          if (indexed === undefined) return;
          const { name: column, type } = indexed;
          await withTable(sql, spec, async (table) => {
            const [first = {}, ...others] = rows;
            // Some rows are older than the index.
            const before = Math.floor(others.length / 2);
            await table.fill(others.slice(0, before));
            const created = await sql.execute(`CREATE INDEX i_${table.name} ON ${table.name} (${column})`);
            // The specification does not say which types indexed columns can have.
            if (isClientError(created) && !plainKeyTypes.includes(type)) return;
            context.assertStatus("SQL-06", created, 200);
            await table.fill([...others.slice(before), first]);
            let isUsable = false;
            const assertAll = async () => {
              for (const value of pools[column] ?? []) {
                // A comparison with NULL is never true.
                if (value.canonical === null) continue;
                const where = whereEqual({ [column]: value });
                isUsable ||= await waitForIndex(table, where);
                await table.assertRows("SQL-14", where, "the rows with this value", { limit });
                // An index that is being built may refuse to count.
                if (isUsable) await table.assertCount(where);
                const partition = Object.fromEntries(
                  spec.partition.map((name) => [name, first[name] ?? null]),
                );
                const both = [...whereEqual(partition), ...where];
                await table.assertRows("SQL-14", both, "the rows in the partition with this value");
              }
            };
            await assertAll();
            await table.update(table.whereKey(first), { [column]: pools[column]?.[0] ?? null });
            await assertAll();
            await table.delete(table.whereKey(first));
            await assertAll();
          });
        },
        {
          share: 0.5,
          examples: [
            { table: plainTable, limit: undefined },
            { table: wordTable, limit: 5 },
          ],
        },
      );
    },
  },
  {
    id: "sql/pages",
    title:
      "Pages of any size return every row once (with LIMIT, the first rows), in the order that ORDER BY specifies",
    clauses: ["SQL-15", "SQL-17", "SQL-18", "SQL-25", "SQL-26"],
    run: async (sql, context: CheckContext) => {
      await withNumbers(sql, async (table) => {
        for (const limit of [undefined, 1, 2, 5, 6, 9, 10, 12, 18]) {
          const { rows, sizes } = await sql.select(table.formatSelect([]), { limit });
          assertLastPageNotEmpty(context, "SQL-25", sizes, "nextPageToken");
          const what = `every row once, with limit ${limit ?? "omitted"}`;
          table.assertSameRows("SQL-26", rows, table.model.rows, what);
        }
        for (const limit of [undefined, 4, 7, 10, 15])
          for (const isDescending of [false, true]) {
            const order = orderByClustering(table.spec, 1, isDescending);
            await table.assertRows("SQL-26", inA, everyRow, { order, limit });
          }
        for (const most of [1, 9, 10, 12, 30, 500])
          for (const limit of [undefined, 4, 10]) await assertFirst(table, inA, most, most === 10, limit);
        await assertOrderByUnselected(table);
        const first33 = await sql.select(table.formatSelect([], { most: 33 }), { limit: 9 });
        context.assertEqual("SQL-17", first33.rows.length, 33, "rows from the whole table with LIMIT 33");
        const first = await sql.write("SQL-25", table.formatSelect(inA), { limit: 20 });
        const token: unknown = first.body.nextPageToken;
        context.assert("SQL-25", typeof token === "string", "a token for the remaining rows", token);
      });
      const twoKeys = createTableSpec({ p: "VARCHAR", n: "INT", m: "INT" }, ["p"], ["n", "m"]);
      await withTable(sql, twoKeys, async (table) => {
        const numbers = [2, 10, 1];
        await table.fill(numbers.flatMap((n) => numbers.map((m) => ({ p: "a", n, m }))));
        const order = [
          { column: "n", direction: "ASC" },
          { column: "m", direction: "DESC" },
        ] as const;
        // A deployment may refuse to order in two directions.
        const response = await sql.query(table.formatSelect(inA, { order }), { intent: "may-be-refused" });
        if (response.status !== 200) return;
        for (const limit of [undefined, 2]) await table.assertRows("SQL-15", inA, everyRow, { order, limit });
      });
      await withTable(sql, createTableSpec({ p: "VARCHAR", n: "INT" }, ["p"], ["n"]), async (table) => {
        await table.fill(Array.from({ length: longListLength }, (_, n) => ({ p: "a", n })));
        const limits = await findLongLimits((limit, call) =>
          sql.query(table.formatSelect([]), { limit, ...call }),
        );
        for (const limit of limits) await table.assertRows("SQL-26", [], everyRow, { limit });
        const count = await sql.count(`SELECT COUNT(*) FROM ${table.name}`, { limit: 2 });
        context.assertEqual("SQL-18", count, longListLength, "COUNT with a limit of 2");
      });
    },
  },
  {
    id: "sql/large-pages",
    title: "Pages of long rows return every row once, even if together they have more than a megabyte",
    clauses: ["SQL-26"],
    after: ["sql/pages"],
    run: async (sql, context) => {
      await withTable(sql, createTableSpec({ n: "INT", v: "VARCHAR" }, ["n"]), async (table) => {
        const createRow = (n: number) => ({ n, v: "x".repeat(60_000) });
        const first = await sql.query(table.formatInsert(createRow(0)), { intent: "may-be-refused" });
        if (isClientError(first)) context.notOffered("texts of 60,000 characters are refused");
        table.model.insert(toCanonicalRow(createRow(0)));
        await table.fill(Array.from({ length: 19 }, (_, n) => createRow(n + 1)));
        const { rows: found } = await sql.select(table.formatSelect([]));
        table.assertSameRows("SQL-26", found, table.model.rows, everyRow, ["n"]);
      });
    },
  },
  {
    id: "sql/typed-pages",
    title:
      "Pages of rows with values of any type return every row once (with LIMIT, the first rows), in order",
    clauses: ["SQL-26"],
    after: ["sql/pages", ...typeCheckIds],
    run: async (sql, context: CheckContext) => {
      await context.property(
        {
          table: filledTableArbitrary({ clustering: [0, 3], others: [0, 1] }, 20, 12),
          limit: fc.integer({ min: 1, max: 8 }),
          choice: fc.option(whereChoiceArbitrary, { freq: 3 }),
          orderColumns: fc.integer({ min: 1, max: 3 }),
          isDescending: fc.boolean(),
          most: fc.option(fc.integer({ min: 1, max: 20 }), { freq: 2 }),
        },
        async ({ table: { spec, pools, rows }, limit, choice, orderColumns, isDescending, most }) => {
          await withTable(sql, spec, async (table) => {
            await table.fill(rows);
            const where =
              choice === null ? [] : buildWhereConditions(table.spec, pools, { ...choice, depth: 0 });
            const isOrdered = choice !== null && table.spec.clustering.length > 0;
            const order = isOrdered ? orderByClustering(table.spec, orderColumns, isDescending) : [];
            await table.assertRows("SQL-26", where, everyRow, { order, limit });
            if (most === null) return;
            if (isOrdered) return assertFirst(table, where, most, isDescending, limit);
            const found = await sql.select(table.formatSelect(where, { most }), { limit });
            const wanted = Math.min(most, table.model.select(where).length);
            context.assertEqual("SQL-25", found.rows.length, wanted, `rows on all pages with LIMIT ${most}`);
          });
        },
        {
          examples: [
            { table: plainTable, limit: 1, choice: null, orderColumns: 1, isDescending: false, most: null },
          ],
        },
      );
    },
  },
);
