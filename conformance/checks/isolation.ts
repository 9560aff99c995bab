import { scopes } from "../../openapi/schemas/roles.js";
import { type OperationId, operationIds, serviceApi } from "../../openapi/operations/register.js";
import { defineChecks } from "../check/check.js";
import type { ApiResponse, Caller, CallOptions } from "../client/client.js";
import { isSuccess } from "../client/is-success.js";
import type { CheckContext } from "../check/context.js";
import { listDataCalls, type OperationCall } from "../steps/data-calls.js";
import { assertRevealsNothing, assertCallsRevealNothing } from "../steps/assert-reveals-nothing.js";
import { createTableSpec } from "../models/sql-table.js";
import { ItemClient } from "../steps/items/item-client.js";
import { SqlClient } from "../steps/sql/sql-client.js";
import { withTable } from "../steps/sql/table-under-test.js";
import { databaseList, readPages } from "../steps/pages.js";
import { assertNoEffect, listPathParameters, withValidCall } from "./access/access-calls.js";
import { accessTable } from "./access/access-table.js";

/** Operations on a database or repository, whose id a user of another organization could guess. */
const operationsById = operationIds.filter((operationId) =>
  listPathParameters(operationId).some((name) => name === "databaseId" || name === "repositoryId"),
);

/**
 * Asserts that the response to a call of an operation on another organization's resource reveals nothing. After writes of
 * items, only the data counts: a deployment may store items per organization, regardless of the database in the request.
 */
function assertUnreachable(
  context: CheckContext,
  operationId: OperationId,
  response: ApiResponse,
  secret: string,
): void {
  context.assert(
    "GEN-05",
    !response.text.includes(secret),
    "none of the other organization's data",
    response.text,
  );
  const isItemWrite =
    accessTable[operationId].data === "database" && serviceApi.operations[operationId].effect === "write";
  const because = `${operationId} is called for another organization's resource`;
  if (!isItemWrite) assertRevealsNothing(context, "GEN-05", response, because);
}

/** Creates an item and an entity that contain a secret, by which a response that contains their data is recognized. */
async function createSecretData(
  context: CheckContext,
  databaseId: string,
  repositoryId: string,
  as?: Caller,
) {
  const secret = `secret-of-${context.resources.createName()}`;
  const path = { databaseId };
  const pk = context.resources.createName();
  const own = { setUp: true, as };
  const data = { secret };
  await context.call("putItem", { ...own, path: { ...path, pk }, body: { pk, data } });
  const created = await context.call("createEntity", { ...own, path: { repositoryId }, body: { data } });
  // If access tokens give no access to data, there is no entity, but responses still show who has access.
  const entity = { repositoryId, entityId: (created.body?.id as string | undefined) ?? "none" };
  const read = async (setUp: boolean) => ({
    item: await context.call("getItem", { as, setUp, path: { ...path, pk } }),
    entity: await context.call("getEntity", { as, setUp, path: entity }),
  });
  // These reads fill the deployment's caches, and show which of the two the caller can read.
  const readable = Object.entries(await read(true)).flatMap(([kind, before]) =>
    before.status === 200 ? [kind] : [],
  );
  const assertUnchanged = async () => {
    for (const [kind, { body }] of Object.entries(await read(false)))
      if (readable.includes(kind))
        context.assertEqual<unknown>("GEN-05", body?.data, data, `the ${kind} afterwards`);
  };
  return { secret, path, pk, entity, assertUnchanged };
}

/** Checks of general rule 4: users of one organization cannot reach resources of another organization. */
export const isolationChecks = defineChecks(
  {
    id: "isolation/by-id",
    title: "A user who knows the ids of another organization's resources can neither read nor change them",
    clauses: ["GEN-05"],
    needs: ["owner", "outsider", "database", "repositories"],
    run: async (context) => {
      const { resources } = context;
      const [databaseId, repositoryId] = [await resources.getDatabase(), await resources.getRepository()];
      const { secret, path, pk, entity, assertUnchanged } = await createSecretData(
        context,
        databaseId,
        repositoryId,
      );
      const as = await context.actor("outsider");
      for (const [operationId, call] of listDataCalls({ ...path, pk, sk: "s", entity })) {
        if (serviceApi.operations[operationId].effect !== "read") continue;
        const response = await context.call(operationId, { ...call, as, intent: "invalid" });
        assertUnreachable(context, operationId, response, secret);
      }
      for (const operationId of operationsById)
        await withValidCall(context, operationId, async (call) => {
          const response = await context.call(operationId, { ...call, as, intent: "invalid" });
          context.cells.push({ operationId, caller: as.name, expected: "refused", status: response.status });
          assertUnreachable(context, operationId, response, secret);
          await assertNoEffect(context, "GEN-05", operationId, call);
        });
      await assertUnchanged();
    },
  },
  {
    id: "isolation/by-key",
    title: "No API key grants access to another organization's resources",
    clauses: ["GEN-05"],
    needs: ["outsider", "key *", "create-databases", "repositories", "sql"],
    run: async (context) => {
      const { resources } = context;
      const as = await context.actor("outsider");
      const { databaseId } = await resources.createDatabase({ as });
      const repositoryId = await resources.createRepository(databaseId, {}, { as });
      const { secret, path, pk, entity, assertUnchanged } = await createSecretData(
        context,
        databaseId,
        repositoryId,
        as,
      );
      const table = resources.createPlainName();
      const define = `CREATE TABLE ${table} (id VARCHAR, PRIMARY KEY (id))`;
      await context.call("executeSql", { as, setUp: true, path, body: { sql: define } });
      const statements = [`INSERT INTO ${table} (id) VALUES ('${secret}')`, `SELECT * FROM ${table}`];
      await context.call("runSqlQuery", { as, setUp: true, path, body: { sql: statements[0] } });
      const calls: readonly OperationCall[] = [
        ...listDataCalls({ databaseId, pk, sk: "s", entity }),
        ["deleteItem", { path: { ...path, pk } }],
        ["deleteEntity", { path: entity }],
        ...statements.map((sql) => ["runSqlQuery", { path, body: { sql } }] as const),
        ["executeSql", { path, body: { sql: `DROP TABLE ${table}` } }],
        ["listSqlTables", { path }],
      ];
      for (const scope of scopes) {
        if (!context.offers(`key ${scope}`)) continue;
        const key = await context.actors.getKeyCaller(scope);
        for (const [operationId, call] of calls) {
          const response = await context.call(operationId, { ...call, as: key, intent: "invalid" });
          assertUnreachable(context, operationId, response, secret);
        }
      }
      await assertUnchanged();
    },
  },
  {
    id: "isolation/lists",
    title: "Lists contain nothing that belongs to another organization",
    clauses: ["GEN-05", "DB-09", "ORG-09"],
    needs: ["owner", "outsider", "database"],
    run: async (context) => {
      const databaseId = await context.resources.getDatabase();
      const organizationId = await context.actors.getOrganizationId("owner");
      const as = await context.actor("outsider");
      await context.call("listDatabases");
      const { pages } = await readPages(context, { ...databaseList, as });
      const shown = JSON.stringify(pages);
      const hasNone = !shown.includes(JSON.stringify(databaseId));
      context.assert("DB-09", hasNone, "no database from another organization", shown);
      for (const [clause, operationId] of [
        ["ORG-09", "listOrganizations"],
        ["GEN-05", "getPaymentInfo"],
        ["GEN-05", "getPaymentStatus"],
        ["GEN-05", "getUsage"],
      ] as const) {
        const { text } = await context.call(operationId, { as });
        context.assert(clause, !text.includes(`"${organizationId}"`), "no other organization", text);
      }
    },
  },
  {
    id: "isolation/mixed-paths",
    title: "The path of a caller's own database gives no access to another organization's repository or item",
    clauses: ["GEN-05"],
    needs: ["owner", "outsider", "database", "repositories", "create-databases"],
    run: async (context) => {
      const repositoryId = await context.resources.getRepository();
      const as = await context.actor("outsider");
      const { databaseId, name } = await context.resources.createDatabase({ as });
      const path = { databaseId, repositoryId };
      await assertCallsRevealNothing(context, "GEN-05", "the repository belongs to another organization", [
        ["getRepository", { as, path }],
        ["deleteRepository", { as, path }],
      ]);
      await context.assertSuccess("GEN-05", "listEntities", { path: { repositoryId }, query: { limit: 1 } });
      const body = { name, region: context.resources.region };
      const { status, body: namesake } = await context.call("createDatabase", {
        body,
        intent: "may-be-refused",
      });
      // The name may be taken.
      if (status !== 201) return;
      await context.resources.waitUntilReady(namesake.databaseId as string);
      const pk = context.resources.createName();
      const put = { path: { databaseId: namesake.databaseId as string, pk }, body: { pk, data: {} } };
      await context.call("putItem", { ...put, setUp: true });
      const because = "the item is in another organization's database with the same name";
      await assertCallsRevealNothing(context, "GEN-05", because, [
        ["getItem", { as, path: { databaseId, pk } }],
      ]);
      await context.resources.remove("database", namesake.databaseId as string);
      await context.assertSuccess("GEN-05", "getDatabase", { as, path: { databaseId } });
    },
  },
  {
    id: "isolation/qualified-tables",
    title: "A table name with a database gives no access to another organization's table",
    clauses: ["GEN-05"],
    needs: ["owner", "outsider", "sql", "database", "create-databases"],
    run: async (context) => {
      const own = await SqlClient.shared(context);
      const as = await context.actor("outsider");
      const { databaseId } = await context.resources.createDatabase({ as });
      const column = `${context.resources.createPlainName()}column`;
      await withTable(own, createTableSpec({ k: "INT", [column]: "VARCHAR" }, ["k"]), async (table) => {
        const secret = `secret-of-${context.resources.createName()}`;
        await table.fill([{ k: 1, [column]: secret }]);
        for (const quote of ["", '"', "`"]) {
          const name = `${quote}${own.databaseId}${quote}.${quote}${table.name}${quote}`;
          for (const [operationId, call] of [
            ["getSqlTableSchema", { path: { databaseId, tableName: name } }],
            ["runSqlQuery", { path: { databaseId }, body: { sql: `SELECT * FROM ${name}` } }],
            ["runSqlQuery", { path: { databaseId }, body: { sql: `DELETE FROM ${name} WHERE k = 1` } }],
            ["executeSql", { path: { databaseId }, body: { sql: `DROP TABLE ${name}` } }],
          ] as const) {
            const { text } = await context.call(operationId, { ...call, as, intent: "invalid" });
            const hasNone = [column, secret].every((hidden) => !text.toLowerCase().includes(hidden));
            context.assert("GEN-05", hasNone, "none of the other organization's data", text);
          }
        }
        await own.select(table.formatSelect([]), {}, "GEN-05");
        await table.assertRows("GEN-05", [], "rows after statements of another organization");
      });
    },
  },
  {
    id: "isolation/cursors",
    title: "A cursor of one organization gives no access to its data to another organization",
    clauses: ["GEN-05"],
    needs: ["owner", "outsider", "database", "repositories", "create-databases"],
    run: async (context) => {
      const { resources } = context;
      const as = await context.actor("outsider");
      const databaseId = await resources.getDatabase();
      const foreign = { databaseId, repositoryId: await resources.createRepository(databaseId) };
      const { databaseId: empty } = await resources.createDatabase({ as });
      const own = { databaseId: empty, repositoryId: await resources.createRepository(empty, {}, { as }) };
      const secret = `secret-of-${resources.createName()}`;
      const pk = resources.createName();
      const data = { secret };
      for (const sk of ["a", "b"]) {
        await context.call("putItem", { setUp: true, path: { ...foreign, pk, sk }, body: { pk, sk, data } });
        await context.call("createEntity", { setUp: true, path: foreign, body: { data } });
      }
      // With two databases, the list has a second page.
      await resources.createDatabase();
      const { ids } = await readPages(context, databaseList);
      for (const [operationId, body] of [
        ["queryItems", { partitionKey: pk }],
        ["queryEntities", {}],
        ["listEntities", undefined],
        ["listDatabases", undefined],
      ] as const) {
        const ask = (cursor: object, call: CallOptions) => {
          const page = { limit: 1, ...cursor };
          return context.call(operationId, {
            ...call,
            ...(body === undefined ? { query: page } : { body: { ...body, ...page } }),
          });
        };
        const first = await ask({}, { setUp: true, path: foreign });
        const cursor = (first.body as { nextCursor?: unknown } | undefined)?.nextCursor;
        if (typeof cursor !== "string") continue;
        const { text } = await ask({ cursor }, { as, path: own, intent: "may-be-refused" });
        // A refusal may contain the cursor, and the cursor an id.
        const hidden = [secret, ...ids].filter((shown) => !cursor.includes(shown));
        const hasNone = hidden.every((shown) => !text.includes(JSON.stringify(shown)));
        context.assert("GEN-05", hasNone, "none of the data of the organization with the cursor", text);
      }
    },
  },
  {
    id: "isolation/transaction-tokens",
    title: "A clientRequestToken that one organization has used has no effect in another organization",
    clauses: ["GEN-05"],
    needs: ["owner", "outsider", "database", "create-databases"],
    run: async (context) => {
      const { resources } = context;
      const as = await context.actor("outsider");
      const databaseId = await resources.getDatabase();
      const { databaseId: own } = await resources.createDatabase({ as });
      const items = await ItemClient.shared(context);
      const [readToken, writeToken] = [await items.token(), await items.token()];
      const [secret, pk] = [`secret-of-${resources.createName()}`, resources.createName()];
      const read = { body: { items: [{ pk }], clientRequestToken: readToken } };
      const createWrite = (data: object) => ({
        body: { items: [{ action: "Put", pk, data }], clientRequestToken: writeToken },
      });
      const setUp = { setUp: true, path: { databaseId } } as const;
      await context.call("transactWriteItems", { ...setUp, ...createWrite({ secret }) });
      await context.call("transactGetItems", { ...setUp, ...read });
      const path = { databaseId: own };
      const asOutsider = { as, path, intent: "may-be-refused" } as const;
      const { text } = await context.call("transactGetItems", { ...asOutsider, ...read });
      context.assert("GEN-05", !text.includes(secret), "none of the other organization's data", text);
      const data = { secret: "none" };
      const written = await context.call("transactWriteItems", { ...asOutsider, ...createWrite(data) });
      // The deployment may refuse a token that is in use.
      if (!isSuccess(written) || written.body?.successCount !== 1) return;
      const { body } = await context.call("getItem", { as, path: { ...path, pk } });
      context.assertEqual("GEN-05", body?.data, data, "the item of a transaction with another's token");
    },
  },
);
