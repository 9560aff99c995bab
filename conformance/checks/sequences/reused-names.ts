import fc from "fast-check";
import type { OperationId } from "../../../openapi/operations/register.js";
import { defineChecks } from "../../check/check.js";
import { isClientError } from "../../client/is-client-error.js";
import type { CheckContext } from "../../check/context.js";
import { listDataCalls, type OperationCall } from "../../steps/data-calls.js";
import { assertCallsRevealNothing } from "../../steps/assert-reveals-nothing.js";
import { EntityClient } from "../../steps/entity-client.js";
import { assertSqlError, SqlClient } from "../../steps/sql/sql-client.js";

const numbers = [0, 1, 2, 3, 4, 5];
const types = ["string", "number", "boolean", "array", "object"] as const;
type FieldType = (typeof types)[number];

/** A value of each type that is invalid for every other type. */
const valueOfType: Readonly<Record<FieldType, unknown>> = {
  string: "text",
  number: 1,
  boolean: true,
  array: [],
  object: {},
};

const twoTypes = fc
  .tuple(fc.constantFrom(...types), fc.constantFrom(...types))
  .filter(([before, after]) => before !== after);

/**
 * Reads the first page of lists, with one entry per page.
 *
 * @returns the requests for the second pages
 */
async function readFirstPages(
  context: CheckContext,
  lists: readonly (readonly [OperationId, Readonly<Record<string, string>>, "query" | "body", object])[],
): Promise<readonly OperationCall[]> {
  const nextPages: OperationCall[] = [];
  for (const [operationId, path, place, rest] of lists) {
    const fields = { ...rest, limit: 1 };
    const { body } = await context.call(operationId, { setUp: true, path, [place]: fields });
    for (const [member, name] of [
      ["nextCursor", "cursor"],
      ["nextPageToken", "pageToken"],
    ] as const)
      if (typeof body?.[member] === "string")
        nextPages.push([operationId, { path, [place]: { ...fields, [name]: body[member] } }]);
  }
  return nextPages;
}

/** Checks of resources that are deleted and created again with the same name. */
export const reusedNameChecks = defineChecks(
  {
    id: "sequences/database-again",
    title: "Deleting a database deletes its contents and cursors; a new database with the same name is empty",
    clauses: ["DB-12"],
    needs: ["create-databases", "repositories"],
    run: async (context: CheckContext) => {
      const { resources } = context;
      const secret = `secret-of-${resources.createName()}`;
      const { databaseId, name } = await resources.createDatabase();
      const path = { databaseId };
      const repositoryId = await resources.createRepository(databaseId);
      const pk = resources.createName();
      const table = resources.createPlainName();
      const sql = context.offers("sql") ? new SqlClient(context, databaseId) : undefined;
      await sql?.createTable(table, "a INT, b INT, t TEXT, PRIMARY KEY (a, b)");
      const entities = new EntityClient(context, repositoryId);
      let entityId = "";
      for (const b of numbers) {
        entityId = await entities.add({ b, secret });
        const insert = `INSERT INTO ${table} (a, b, t) VALUES (1, ${b}, '${secret}')`;
        await sql?.query(insert, { setUp: true });
      }
      const items = numbers.map((b) => ({ operation: "Put", pk, sk: String(b), data: { b, secret } }));
      await context.call("batchWriteItems", { setUp: true, path, body: { items } });
      const select = { sql: `SELECT * FROM ${table} WHERE a = 1` };
      const nextPages = await readFirstPages(context, [
        ["queryItems", path, "body", { partitionKey: pk }],
        ["scanItems", path, "body", {}],
        ["listEntities", { repositoryId }, "query", {}],
        ["queryEntities", { repositoryId }, "body", {}],
        ...(sql === undefined ? [] : [["runSqlQuery", path, "body", select] as const]),
      ]);
      const deleted = await context.call("deleteDatabase", { path });
      if (isClientError(deleted)) context.notOffered("a database that is not empty cannot be deleted");
      context.assertStatus("DB-12", deleted, 204);
      await resources.assertGone(databaseId);
      resources.recordRemoval("database", databaseId);
      resources.recordContentsRemoval(databaseId);
      const tables = sql === undefined ? [] : (["listSqlTables"] as const);
      await assertCallsRevealNothing(context, "DB-12", "its database is deleted", [
        ...listDataCalls({ databaseId, pk, sk: "0", entity: { repositoryId, entityId } }),
        ["listRepositories", { path }],
        ["getRepository", { path: { ...path, repositoryId } }],
        ["createRepository", { path, body: { name: resources.createPlainName(), entityName: "Thing" } }],
        ...tables.map((operationId) => [operationId, { path }] as const),
        ...nextPages,
      ]);

      // The name may stay reserved for a while.
      const recreated = await context.call("createDatabase", { body: { name, region: resources.region } });
      const others = [await resources.getDatabase()];
      if (recreated.status === 201) {
        const newId = recreated.body.databaseId as string;
        await resources.waitUntilReady(newId);
        const inNew = { path: { databaseId: newId } };
        for (const [operationId, member, call] of [
          ["scanItems", "items", { body: {} }],
          ["queryItems", "items", { body: { partitionKey: pk } }],
        ] as const) {
          const { body } = await context.assertSuccess("DB-12", operationId, { ...inNew, ...call });
          context.assertEqual("DB-12", body[member], [], `${member} of a new database with the same name`);
        }
        // A new database may have other repositories and tables.
        const { text } = await context.assertSuccess("DB-12", "listRepositories", inNew);
        context.assert(
          "DB-12",
          !text.includes(`"${repositoryId}"`),
          "a list without the old repository",
          text,
        );
        const oldTable = await (sql && new SqlClient(context, newId).findTable(table));
        context.assertEqual("DB-12", oldTable, undefined, "the old table in the list of the new database");
        const found = await context.call("batchGetItems", { ...inNew, body: { keys: [{ pk, sk: "0" }] } });
        context.assertEqual("DB-12", found.body?.items, [], "items found by their old keys");
        await assertCallsRevealNothing(context, "DB-12", "the resource was in the deleted database", [
          ["getItemWithSortKey", { path: { databaseId: newId, pk, sk: "0" } }],
          ["listEntities", { path: { repositoryId } }],
          ...(sql === undefined ? [] : [["runSqlQuery", { ...inNew, body: select }] as const]),
        ]);
        others.push(newId);
      }
      // The deployment may accept a cursor from another database, but must not return old data.
      for (const [operationId, call] of nextPages)
        for (const other of others) {
          const otherPath = { ...call.path, databaseId: other };
          const { text } = await context.call(operationId, {
            ...call,
            path: otherPath,
            intent: "may-be-refused",
          });
          const expected = `nothing from the deleted database in the response to ${operationId}`;
          context.assert("DB-12", !text.includes(secret), expected, text);
        }
    },
  },
  {
    id: "sequences/repository-again",
    title:
      "A repository that reuses the name of a deleted repository has its own schema and none of the old entities",
    clauses: ["REPO-07", "REPO-08", "REPO-09", "REPO-10", "REPO-20"],
    needs: ["database", "repositories"],
    run: async (context: CheckContext) => {
      const { resources } = context;
      const databaseId = await resources.getDatabase();
      await context.property(
        { types: twoTypes, count: fc.integer({ min: 1, max: 4 }) },
        async ({ types: [before, after], count }) => {
          const name = resources.createPlainName();
          const create = (type: FieldType) =>
            resources.tryToCreateRepository(databaseId, {
              name,
              entityName: `Of${type}`,
              schema: { f: { type, required: true } },
            });
          const remove = async (repositoryId: string) => {
            const path = { databaseId, repositoryId };
            await context.assertSuccess("REPO-09", "deleteRepository", { path }, 204);
            resources.recordRemoval("repository", repositoryId);
          };
          const old = new EntityClient(context, (await create(before)).repositoryId ?? "");
          const oldPath = { repositoryId: old.repositoryId };
          const entityIds: string[] = [];
          for (let n = 0; n < count; n++) {
            const response = await old.create({ f: valueOfType[before] });
            entityIds.push(context.assertStatus("REPO-20", response, 201).body.id as string);
          }
          const nextPages = await readFirstPages(context, [
            ["listEntities", oldPath, "query", {}],
            ["queryEntities", oldPath, "body", {}],
          ]);
          await remove(old.repositoryId);
          await assertCallsRevealNothing(context, "REPO-09", "the cursor's repository is deleted", nextPages);
          const { repositoryId } = await create(after);
          if (repositoryId === undefined)
            context.notOffered("the name of a deleted repository cannot be reused");
          const recreated = new EntityClient(context, repositoryId);
          const { ids } = await recreated.pages();
          context.assertEqual("REPO-09", ids, [], "entities in the new repository");
          await recreated.assertItemCount(databaseId, 0);
          const path = { databaseId, repositoryId };
          const got = await context.assertSuccess("REPO-07", "getRepository", { path });
          context.assertEqual("REPO-07", got.body.entityName, `Of${after}`, "the new entityName");
          context.assertEqual("REPO-07", got.body.schema?.f?.type, after, "the type of f in the new schema");
          const reads = entityIds.map((id) => ["getEntity", { path: recreated.path(id) }] as const);
          await assertCallsRevealNothing(context, "REPO-09", "its repository was deleted", reads);
          const mismatch = await recreated.create({ f: valueOfType[before] }, { intent: "invalid" });
          context.assertRefused("REPO-10", mismatch, `f has the type ${after} in the new schema`);
          context.assertStatus("REPO-20", await recreated.create({ f: valueOfType[after] }), 201);
          await remove(repositoryId);
        },
        { share: 0.5, examples: [{ types: ["string", "number"], count: 2 }] },
      );
    },
  },
  {
    id: "sequences/table-again",
    title:
      "A table that reuses the name of a dropped table has its own columns and indexes and none of the old rows",
    clauses: ["SQL-28", "SQL-30", "SQL-32", "SQL-52"],
    needs: ["database", "sql"],
    run: async (context: CheckContext) => {
      const sql = await SqlClient.shared(context);
      const { resources } = context;
      await context.property(
        {
          rows: fc.integer({ min: 1, max: 5 }),
          type: fc.constantFrom("INT", "TEXT", "BOOLEAN"),
          isIndexed: fc.boolean(),
        },
        async ({ rows, type, isIndexed }) => {
          const table = resources.createPlainName();
          await sql.createTable(table, "a INT, b INT, old_value TEXT, PRIMARY KEY (a, b)");
          if (isIndexed) await sql.define(`CREATE INDEX ${table}_old ON ${table} (old_value)`);
          for (let b = 0; b < rows; b++)
            await sql.write("SQL-04", `INSERT INTO ${table} (a, b, old_value) VALUES (1, ${b}, 'old ${b}')`);
          const select = `SELECT * FROM ${table} WHERE a = 1`;
          const page = await sql.query(select, { limit: 1 });
          const pageToken: unknown = page.body?.nextPageToken;
          await sql.dropTable(table);
          const listed = await sql.findTable(table);
          context.assertEqual("SQL-52", listed, undefined, "the entry for the dropped table in the list");
          for (const response of [await sql.getSchema(table), await sql.query(select)])
            assertSqlError(context, "SQL-52", response, "TABLE_NOT_FOUND", "the table was dropped");
          const readNextPage = (token: string) =>
            sql.query(select, { limit: 1, pageToken: token, intent: "invalid" });
          const because = "the page token's table is dropped";
          if (typeof pageToken === "string")
            context.assertRefused("SQL-52", await readNextPage(pageToken), because);
          const newColumns = `a INT, b INT, new_value ${type}, PRIMARY KEY (a, b)`;
          const recreated = await sql.createTable(table, newColumns);
          if (isClientError(recreated)) context.notOffered("the name of a dropped table cannot be reused");
          context.assertStatus("SQL-52", recreated, 200);
          const result = await sql.select(select, {}, "SQL-52");
          context.assertEqual("SQL-52", result.rows, [], "rows in the new table");
          await sql.assertRowCount(table, 0);
          const { columns, indexes } = await sql.readSchema(table, "SQL-30");
          const names = columns.map((column) => column.name);
          context.assertEqual("SQL-30", names.sort(), ["a", "b", "new_value"], "the new columns");
          const hasOldIndex = indexes.some((index) => index.columns.includes("old_value"));
          context.assert("SQL-32", !hasOldIndex, "no index from the old table", indexes);
          await sql.assertRefusal("SQL-52", `SELECT old_value FROM ${table}`, undefined);
          if (typeof pageToken === "string") {
            const { text } = await readNextPage(pageToken);
            context.assert("SQL-52", !text.includes("old "), "no row from the old table", text);
          }
          await sql.dropTable(table);
          const schema = await sql.getSchema(table);
          assertSqlError(context, "SQL-52", schema, "TABLE_NOT_FOUND", "the table was dropped again");
          await resources.remove("table", table);
        },
        { share: 0.5, examples: [{ rows: 3, type: "INT", isIndexed: true }] },
      );
    },
  },
);
