import { scopes } from "../../openapi/schemas/roles.js";
import { type OperationId, operationIds, serviceApi } from "../../openapi/operations/register.js";
import { defineChecks } from "../check/check.js";
import type { ApiResponse, Caller } from "../client/client.js";
import type { CheckContext } from "../check/context.js";
import { listDataCalls, type OperationCall } from "../steps/data-calls.js";
import { assertRevealsNothing, assertCallsRevealNothing } from "../steps/out-of-reach.js";
import { databaseList, readPages } from "../steps/pages.js";
import { accessTable, createValidCall } from "./access-table.js";

/** Operations on resources of an organization whose ids another organization could guess. */
const onResources = operationIds.filter(
  (id) => /Item|Database|Repositor|Entit|Sql/.test(id) && !/^(create|list)Databases?$/.test(id),
);

const writesItems = (operationId: OperationId): boolean =>
  operationId.includes("Item") && serviceApi.operations[operationId].effect === "write";

/**
 * Asserts that an operation cannot reach a resource of another organization. For writes of items, only the data afterwards
 * counts, because a deployment may store items per organization, regardless of the database in the request.
 */
function assertForeign(context: CheckContext, operationId: OperationId, answer: ApiResponse): void {
  if (writesItems(operationId)) return;
  assertRevealsNothing(
    context,
    "GEN-05",
    answer,
    `${operationId} is called for another organization's resource`,
  );
}

/** Creates an item and an entity that contain a secret, by which they are recognized wherever they come out. */
async function putSecret(context: CheckContext, databaseId: string, repositoryId: string, as?: Caller) {
  const secret = `secret-of-${context.resources.createName()}`;
  const path = { databaseId };
  const pk = context.resources.createName();
  const own = { setUp: true, as };
  await context.call("putItem", { ...own, path: { ...path, pk }, body: { pk, data: { secret } } });
  const body = { data: { secret } };
  const made = await context.call("createEntity", { ...own, path: { repositoryId }, body });
  // where tokens open no data another organization has none: who is let in is seen all the same
  const entity = { repositoryId, entityId: (made.body?.id as string | undefined) ?? "none" };
  // whatever a deployment keeps at hand, it has by now
  await context.call("getEntity", { ...own, path: entity });
  await context.call("getItem", { ...own, path: { ...path, pk } });
  const assertKept = async () => {
    const item = await context.call("getItem", { as, path: { ...path, pk } });
    context.assertEqual("GEN-05", item.body?.data, { secret }, "the item afterwards");
    const kept = await context.call("getEntity", { as, path: entity });
    context.assertEqual("GEN-05", kept.body?.data, { secret }, "the entity afterwards");
  };
  return { secret, path, pk, entity, assertKept };
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
      const { secret, path, pk, entity, assertKept } = await putSecret(context, databaseId, repositoryId);
      const as = await context.actor("outsider");
      const reads = listDataCalls({ ...path, pk, sk: "s", entity }).filter(
        ([id]) => serviceApi.operations[id].effect === "read",
      );
      for (const [operationId, call] of reads) {
        const answer = await context.call(operationId, { ...call, as, intent: "invalid" });
        assertRevealsNothing(context, "GEN-05", answer, "the resource belongs to another organization");
        context.assert("GEN-05", !answer.text.includes(secret), "no part of the data", answer.text);
      }
      for (const operationId of onResources) {
        const { needs = [], unchanged } = accessTable[operationId];
        if (needs.some((need) => !context.offers(need))) continue;
        // others may wait for the room that it takes
        await resources.withLocks(needs, async () => {
          const call = await createValidCall(context, operationId);
          if (call === undefined) return;
          const answer = await context.call(operationId, { ...call, as, intent: "invalid" });
          context.cells.push({ operationId, caller: as.name, expected: "refused", status: answer.status });
          assertForeign(context, operationId, answer);
          if (unchanged !== undefined)
            context.assert(
              "GEN-05",
              await unchanged(context, call),
              "nothing changed",
              "the operation was executed",
            );
          if (needs.length > 0) await resources.removeCreated();
        });
      }
      await assertKept();
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
      // it goes with its database
      resources.recordRemoval("repository", repositoryId);
      const { secret, path, pk, entity, assertKept } = await putSecret(context, databaseId, repositoryId, as);
      const table = resources.createPlainName();
      const define = `CREATE TABLE ${table} (id TEXT, PRIMARY KEY (id))`;
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
          const answer = await context.call(operationId, { ...call, as: key, intent: "invalid" });
          context.assert("GEN-05", !answer.text.includes(secret), "no part of the data", answer.text);
          assertForeign(context, operationId, answer);
        }
      }
      if (await context.canUseTokensForData()) await assertKept();
      await context.call("deleteDatabase", { as, setUp: true, path });
      await resources.waitUntilGone(databaseId, { as });
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
    title: "The path of a caller's own database gives no access to another organization's repository",
    clauses: ["GEN-05"],
    needs: ["owner", "outsider", "database", "repositories", "create-databases"],
    run: async (context) => {
      const repositoryId = await context.resources.getRepository();
      const as = await context.actor("outsider");
      const { databaseId } = await context.resources.createDatabase({ as });
      const path = { databaseId, repositoryId };
      // that nothing is deleted is seen below
      await assertCallsRevealNothing(context, "GEN-05", "the repository belongs to another organization", [
        ["getRepository", { as, path }],
        ["deleteRepository", { as, path }],
      ]);
      await context.assertSuccess("GEN-05", "listEntities", { path: { repositoryId }, query: { limit: 1 } });
      await context.call("deleteDatabase", { as, setUp: true, path: { databaseId } });
      await context.resources.waitUntilGone(databaseId, { as });
    },
  },
);
