import fc from "fast-check";
import type { CheckContext } from "../../check/context.js";
import {
  filledTableArbitrary,
  type FilledTable,
  type NewRow,
  whereChoiceArbitrary,
  buildWhereConditions,
} from "../../generators/sql.js";
import { type SqlCondition, type OrderItem, createTableSpec } from "../../models/sql-table.js";
import {
  normalizeSqlType,
  sqlNull,
  parseKnownSqlType,
  formatType,
  createIntValue,
  createTextValue,
} from "../../models/sql-types.js";
import { readUntil } from "../../steps/read-until.js";
import { assertLastPageNotEmpty, findLongLimits, longListLength } from "../../steps/pages.js";
import {
  defineSqlChecks,
  createEqualityCondition,
  type SqlCalls,
  type TableUnderTest,
  formatWhereClause,
} from "../../steps/sql/calls.js";
import { typeCheckIds } from "./values.js";

/** Numbers that would have a different order as texts. */
const ladderNumbers = [
  7, 100, -3, 0, 12, 9, 10, 2, 25, 11, -20, 1, 8, 1000, 3, 19, 21, -1, 5, 4, 6, 99, 13, 20, 18, 17, 16, 15,
  14, -100,
];

/** Creates a table with a partition of thirty rows and another partition that must not be returned. */
async function withLadder(sql: SqlCalls, work: (table: TableUnderTest) => Promise<void>): Promise<void> {
  const spec = createTableSpec({ v: "INT", n: "INT", p: "VARCHAR" }, ["p"], ["n"]);
  await sql.withTable(spec, async (table) => {
    await table.fill(
      ladderNumbers.flatMap((number, index) => [
        ladderRow("a", number, index % 3),
        ...(index % 5 === 0 ? [ladderRow("b", number, index % 3)] : []),
      ]),
    );
    await work(table);
  });
}

/** Texts that are easily confused with each other. */
const similarTexts = ["a", "A", "a ", " a", "ä", "a\u0308", "Ä", "ß", "ss", "İ", "1", "01", "1.0", "1e0"];

const wordKeys = createTableSpec({ p: "TEXT", t: "TEXT" }, ["p"], ["t"]);

function ladderRow(partition: string, number: number, other: number): NewRow {
  return { p: createTextValue(partition), n: createIntValue(number), v: createIntValue(other) };
}

const inPartition = (partition: string): SqlCondition =>
  createEqualityCondition("p", createTextValue(partition));

const compared = (operator: SqlCondition["operator"], number: number): SqlCondition => ({
  column: "n",
  operator,
  value: createIntValue(number),
});

/** The first clustering columns, all in one direction. */
function orderBy(
  { clustering }: FilledTable["spec"],
  depth: number,
  descending: boolean,
): readonly OrderItem[] {
  const direction = descending ? "DESC" : "ASC";
  return clustering.slice(0, 1 + (depth % clustering.length)).map((column) => ({ column, direction }));
}

const everyRow = "every row that satisfies the condition, once";

/** Returns the values of the columns outside the primary key. */
function withoutKey(table: TableUnderTest, row: NewRow): NewRow {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !table.model.key.includes(column)));
}

async function assertCount(table: TableUnderTest, where: readonly SqlCondition[]): Promise<void> {
  const { sql, values = [] } = formatWhereClause(where);
  const counted = await table.sql.count({ sql: `SELECT COUNT(*) FROM ${table.name}${sql}`, values });
  table.sql.context.assertEqual("SQL-18", counted, table.model.select(where).length, `COUNT${sql}`);
  table.sql.context.markSetUpDone();
}

/** Asserts the order of a ladder by a column that is not selected, unless this is refused. */
async function assertOrderByUnselected({ sql, name }: TableUnderTest): Promise<void> {
  const ordered = `SELECT v FROM ${name} WHERE p = ? ORDER BY n LIMIT 20`;
  const statement = { sql: ordered, values: [createTextValue("a")] };
  const answer = await sql.query(statement, { intent: "invalid", skipValidation: true });
  if (answer.status !== 200) return;
  const byNumber = ladderNumbers.map((number, index) => ({ number, v: index % 3 }));
  const wanted = byNumber.toSorted((a, b) => a.number - b.number).map(({ v }) => v);
  const { rows } = await sql.rows(statement);
  const seen = rows.map((row) => Number(Object.values(row)[0]));
  sql.context.assertEqual("SQL-15", seen, wanted.slice(0, 20), "values in the order of an unselected column");
}

/** Asserts that exactly the rows that satisfy a condition are found and counted. */
async function assertFound(table: TableUnderTest, where: readonly SqlCondition[]): Promise<void> {
  await table.assertRows("SQL-13", where, "the rows that satisfy the condition");
  await assertCount(table, where);
}

/** Asserts that LIMIT returns the first rows in the order of the whole key, whatever the size of the pages. */
function assertFirst(
  table: TableUnderTest,
  where: readonly SqlCondition[],
  most: number,
  descending: boolean,
  limit: number | undefined,
): Promise<void> {
  const order = orderBy(table.spec, table.spec.clustering.length - 1, descending);
  return table.assertRows("SQL-17", where, `the first ${most} rows in order`, { order, most, limit });
}

/**
 * Waits until an index is usable: a deployment may build it after the answer, for an unspecified time.
 *
 * @returns whether there were rows to find; an index that finds no rows proves nothing
 */
async function untilServed(table: TableUnderTest, where: readonly SqlCondition[]): Promise<boolean> {
  const expected = table.model.select(where).length;
  await readUntil(
    table.sql.context,
    () => table.sql.query(table.selection(where), { intent: "invalid" }),
    ({ status, body }) => status === 200 && (body as { readonly rowCount?: number }).rowCount === expected,
  );
  return expected > 0;
}

const plainPools = {
  p: [createTextValue("a"), createTextValue("b")],
  n: [createIntValue(1), createIntValue(2)],
  v: [createTextValue("x"), createTextValue("y")],
};

/** An example that every deployment can store, whichever types and keys it refuses. */
const plainTable: FilledTable = {
  spec: createTableSpec({ p: "TEXT", n: "INT", v: "TEXT" }, ["p"], ["n"]),
  pools: plainPools,
  rows: plainPools.p.flatMap((p) => plainPools.n.map((n) => ({ p, n, v: createTextValue("x") }))),
};

/** Selects one row of {@link plainTable}. */
const plainChoice = { picks: [0, 1], depth: 1, range: null, second: null };

/** Checks of SQL rows (part 4.8 rules 1 and 3). */
export const sqlRowChecks = defineSqlChecks(
  {
    id: "sql/insert",
    title: "An inserted row is found by its key, with the inserted values",
    clauses: ["SQL-01", "SQL-02", "SQL-03", "SQL-10"],
    after: typeCheckIds,
    run: async (sql, context: CheckContext) => {
      await context.property(
        [filledTableArbitrary({}, { rows: 6 }), fc.nat(6)],
        async ({ spec, rows }, some) => {
          await sql.withTable(spec, async (table) => {
            for (const [index, row] of rows.entries()) {
              // a column that is left out is NULL
              const given = Object.entries(row).filter(([, value]) => value !== sqlNull || index % 2 === 0);
              await table.insert(Object.fromEntries(given));
            }
            for (const row of rows) {
              const where = table.whereKey(row);
              const answer = await sql.query(table.selection(where));
              context.assertStatus("SQL-01", answer, 200);
              await table.assertRows("SQL-10", where, "the row with this primary key");
            }
            const columns = table.columns.filter((_, index) => (index + some) % 3 !== 0 || index === 0);
            const picked = await sql.rows(`SELECT ${columns.join(", ")} FROM ${table.name}`);
            table.assertSame("SQL-10", picked.rows, table.model.rows, "the selected columns", columns);
            const types = picked.columns.map(({ name, type }) => [name, normalizeSqlType(type)]);
            const declared = columns.map((column) => [column, formatType(table.model.typeOf(column))]);
            const what = "each column of the result once, with its type";
            context.assertEqual("SQL-03", types.sort(), declared.sort(), what);
          });
        },
        { names: ["table", "some"] },
      );
    },
  },
  {
    id: "sql/where-key",
    title:
      "WHERE on key columns selects, counts, updates and deletes exactly the rows that satisfy the condition",
    clauses: ["SQL-11", "SQL-12", "SQL-13", "SQL-18"],
    after: ["sql/pages"],
    run: async (sql) => {
      await withLadder(sql, async (table) => {
        for (const operator of ["=", "<", "<=", ">", ">="] as const)
          for (const number of [10, -100, 1000, 22])
            await assertFound(table, [inPartition("a"), compared(operator, number)]);
        await assertFound(table, [inPartition("a"), compared(">", 9), compared("<=", 20)]);
        // of a partition that has no rows, too
        for (const partition of ["a", "b", "c"]) await assertFound(table, [inPartition(partition)]);
        await assertCount(table, []);
        const change = (number: number) => ({ v: createIntValue(number) });
        await table.update([inPartition("a"), compared("=", 9)], change(9));
        await table.update([inPartition("a"), compared("=", 22)], change(78));
        await table.update([inPartition("a"), compared(">", 10), compared("<=", 20)], change(79));
        await table.update([inPartition("b")], change(80));
        await table.insertAgain(ladderRow("a", 9, 10));
        await table.delete([inPartition("b"), compared("=", 7)]);
        await table.delete([inPartition("a"), compared("=", 22)]);
        await table.delete([inPartition("a"), compared(">=", 12), compared("<", 20)]);
        await assertFound(table, [inPartition("b")]);
        await table.delete([inPartition("b")]);
      });
      await sql.withTable(wordKeys, async (table) => {
        const words = similarTexts.map((word) => createTextValue(word));
        // each word is a partition of its own, and a row of one partition
        const same = createTextValue("same");
        for (const word of words)
          await table.fill([
            { p: word, t: same },
            { p: same, t: word },
          ]);
        for (const word of words) {
          await table.assertRows(
            "SQL-13",
            [createEqualityCondition("p", word)],
            "the row in the partition with this text",
          );
          await table.assertRows(
            "SQL-13",
            [createEqualityCondition("p", same), createEqualityCondition("t", word)],
            "the row with this text",
          );
        }
      });
    },
  },
  {
    id: "sql/typed-keys",
    title:
      "WHERE on key columns of any type selects, counts, updates and deletes exactly the rows that satisfy the condition",
    clauses: ["SQL-12", "SQL-13", "SQL-18"],
    after: ["sql/where-key", ...typeCheckIds],
    run: async (sql, context: CheckContext) => {
      await context.property(
        [
          filledTableArbitrary({ clustering: [0, 3], others: [0, 2] }, { rows: 12 }),
          fc.array(whereChoiceArbitrary, { minLength: 1, maxLength: 6, size: "max" }),
        ],
        async ({ spec, pools: of, rows }, choices) => {
          await sql.withTable(spec, async (table) => {
            await assertCount(table, []);
            await table.fill(rows);
            for (const [index, choice] of choices.entries()) {
              const where = buildWhereConditions(table.spec, of, choice);
              await assertFound(table, where);
              await table.update(where, withoutKey(table, rows[index % rows.length] ?? {}));
              if (index % 2 === 1) await table.delete(where);
            }
            await sql.assertRowCount(table.name, table.model.rows.length);
          });
        },
        {
          names: ["table", "choices"],
          share: 0.7,
          examples: [[plainTable, [plainChoice, plainChoice]]],
        },
      );
    },
  },
  {
    id: "sql/where-index",
    title:
      "WHERE on an indexed text column selects and counts the rows with a given text, on pages of any size",
    clauses: ["SQL-14", "SQL-18", "SQL-26"],
    after: ["sql/pages"],
    run: async (sql) => {
      const spec = createTableSpec({ id: "INT", word: "TEXT" }, ["id"]);
      await sql.withTable(spec, async (table) => {
        await sql.define(`CREATE INDEX i_${table.name} ON ${table.name} (word)`);
        const words = ["a", "A", "a ", "ä", "a\u0308", "b"].map((word) => createTextValue(word));
        const many = createTextValue("many");
        const rows = [...words, ...words, ...Array.from({ length: 12 }, () => many)];
        await table.fill(rows.map((word, index) => ({ id: createIntValue(index), word })));
        const ofMany = [createEqualityCondition("word", many)];
        await untilServed(table, ofMany);
        await table.assertRows("SQL-14", ofMany, "the rows with this text");
        await table.assertRows("SQL-26", ofMany, "the rows with this text", { limit: 5 });
        await assertCount(table, ofMany);
        for (const word of words)
          await table.assertRows(
            "SQL-14",
            [createEqualityCondition("word", word)],
            "the rows with this text",
          );
      });
    },
  },
  {
    id: "sql/typed-indexes",
    title:
      "WHERE on an indexed column of any type selects the rows with a given value, before and after changes",
    clauses: ["SQL-14"],
    after: ["sql/where-index", ...typeCheckIds],
    run: async (sql, context: CheckContext) => {
      const tried = filledTableArbitrary(
        { partition: [1, 1], clustering: [0, 1], others: [1, 2] },
        { rows: 12 },
      );
      await context.property(
        [tried],
        async ({ spec, pools: of, rows }) => {
          const indexed = spec.columns.find(
            ({ name, type }) =>
              ![...spec.partition, ...spec.clustering].includes(name) &&
              !["FLOAT", "LIST", "SET", "MAP"].includes(parseKnownSqlType(type).family),
          );
          if (indexed === undefined) return;
          const column = indexed.name;
          await sql.withTable(spec, async (table) => {
            const [first = {}, ...others] = rows;
            // some rows are there before the index is
            const before = Math.floor(others.length / 2);
            await table.fill(others.slice(0, before));
            await sql.define(`CREATE INDEX i_${table.name} ON ${table.name} (${column})`);
            await table.fill([...others.slice(before), first]);
            // no comparison finds NULL
            const sought = (of[column] ?? []).filter(({ canonical }) => canonical !== null);
            let isServed = false;
            const assertAll = async () => {
              for (const value of sought) {
                const where = [createEqualityCondition(column, value)];
                isServed ||= await untilServed(table, where);
                await table.assertRows("SQL-14", where, "the rows with this value");
                // an index that is not built yet may have nothing to count
                if (isServed) await assertCount(table, where);
                const both = [
                  ...spec.partition.map((part) => createEqualityCondition(part, first[part])),
                  ...where,
                ];
                await table.assertRows("SQL-14", both, "the rows in the partition with this value");
              }
            };
            await assertAll();
            await table.update(table.whereKey(first), { [column]: of[column]?.[0] ?? sqlNull });
            await assertAll();
            await table.delete(table.whereKey(first));
            await assertAll();
          });
        },
        { names: ["table"], share: 0.5, examples: [[plainTable]] },
      );
    },
  },
  {
    id: "sql/pages",
    title:
      "Pages of any size return every row once (with LIMIT, the first rows), in the order that ORDER BY specifies",
    clauses: ["SQL-15", "SQL-17", "SQL-18", "SQL-25", "SQL-26"],
    run: async (sql, context: CheckContext) => {
      await withLadder(sql, async (table) => {
        const all = table.model.rows;
        for (const limit of [undefined, 1, 2, 5, 6, 9, 10, 12, 18]) {
          const { rows, sizes } = await sql.rows(table.selection([]), limit);
          assertLastPageNotEmpty(context, "SQL-25", sizes, "nextPageToken");
          table.assertSame("SQL-26", rows, all, `every row once, with limit ${limit ?? "omitted"}`);
        }
        for (const limit of [undefined, 4, 7, 10, 15])
          for (const descending of [false, true]) {
            const order = orderBy(table.spec, 0, descending);
            await table.assertRows("SQL-26", [inPartition("a")], everyRow, { order, limit });
          }
        for (const most of [1, 9, 10, 12, 30, 500])
          for (const limit of [undefined, 4, 10])
            await assertFirst(table, [inPartition("a")], most, most === 10, limit);
        await assertOrderByUnselected(table);
        const first33 = await sql.rows(table.selection([], { most: 33 }), 9);
        context.assertEqual("SQL-17", first33.rows.length, 33, "rows from the whole table with LIMIT 33");
        // a page token goes on after its page
        const order = orderBy(table.spec, 0, false);
        const first = await sql.write("SQL-25", table.selection([inPartition("a")], { order }), {
          limit: 20,
        });
        const token: unknown = first.body.nextPageToken;
        context.assert("SQL-25", typeof token === "string", "a token for the remaining rows", token);
      });
      await sql.withTable(
        createTableSpec({ p: "TEXT", n: "INT", m: "INT" }, ["p"], ["n", "m"]),
        async (table) => {
          const p = createTextValue("a");
          const numbers = [2, 10, 1].map((number) => createIntValue(number));
          await table.fill(numbers.flatMap((n) => numbers.map((m) => ({ p, n, m }))));
          const order = [
            { column: "n", direction: "ASC" },
            { column: "m", direction: "DESC" },
          ] as const;
          const where = [inPartition("a")];
          // two directions may be refused
          const answer = await sql.query(table.selection(where, { order }), { intent: "invalid" });
          if (answer.status !== 200) return;
          for (const limit of [undefined, 2])
            await table.assertRows("SQL-15", where, everyRow, { order, limit });
        },
      );
      await sql.withTable(createTableSpec({ p: "TEXT", n: "INT" }, ["p"], ["n"]), async (table) => {
        const numbers = Array.from({ length: longListLength }, (_, n) => createIntValue(n));
        await table.fill(numbers.map((n) => ({ p: createTextValue("a"), n })));
        const long = await findLongLimits((limit, call) =>
          sql.query(table.selection([]), { limit, ...call }),
        );
        for (const limit of long) await table.assertRows("SQL-26", [], everyRow, { limit });
        const counted = await sql.count(`SELECT COUNT(*) FROM ${table.name}`, { limit: 2 });
        context.assertEqual("SQL-18", counted, longListLength, "COUNT with a limit of 2");
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
        [
          filledTableArbitrary({ clustering: [0, 3], others: [0, 1] }, { rows: 20, values: 12 }),
          fc.integer({ min: 1, max: 8 }),
          fc.option(whereChoiceArbitrary, { freq: 3 }),
          fc.nat(2),
          fc.boolean(),
          fc.option(fc.integer({ min: 1, max: 20 }), { freq: 2 }),
        ],
        async ({ spec, pools: of, rows: held }, limit, choice, depth, descending, most) => {
          await sql.withTable(spec, async (table) => {
            await table.fill(held);
            const where =
              choice === null ? [] : buildWhereConditions(table.spec, of, { ...choice, depth: 0 });
            const isOrdered = choice !== null && table.spec.clustering.length > 0;
            const order = isOrdered ? orderBy(table.spec, depth, descending) : [];
            await table.assertRows("SQL-26", where, everyRow, { order, limit });
            if (most === null) return;
            if (isOrdered) return assertFirst(table, where, most, descending, limit);
            const cut = await sql.rows(table.selection(where, { most }), limit);
            const wanted = Math.min(most, table.model.select(where).length);
            context.assertEqual("SQL-25", cut.rows.length, wanted, `rows on all pages with LIMIT ${most}`);
          });
        },
        {
          names: ["table", "limit", "choice", "depth", "descending", "most"],
          examples: [[plainTable, 1, null, 0, false, null]],
        },
      );
    },
  },
);
