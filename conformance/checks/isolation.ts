import { type OperationId, operationIds } from "../../openapi/operations/register.js";
import { defineChecks } from "../check/check.js";
import type { Call } from "../client/client.js";
import type { CheckContext } from "../check/context.js";
import { databasePages, readPages } from "../steps/pages.js";
import { accessTable, trials } from "./access-table.js";

/** Operations on what one organization has, by an id that another could guess. */
const onResources = operationIds.filter(
  (id) => /Item|Database|Repositor|Entit|Sql/.test(id) && !/^(create|list)Databases?$/.test(id),
);

/** What the data of a victim carry, so that they are recognized wherever they come out. */
async function victim(context: CheckContext) {
  const secret = `secret-of-${context.resources.name()}`;
  const databaseId = await context.resources.database();
  const path = { databaseId };
  const pk = context.resources.name();
  await context.call("putItem", { setUp: true, path: { ...path, pk }, body: { pk, data: { secret } } });
  const repositoryId = await context.resources.repository();
  const made = await context.call("createEntity", {
    setUp: true,
    path: { repositoryId },
    body: { data: { secret } },
  });
  const entityId = made.body.id as string;
  // whatever a deployment keeps at hand, it has by now
  await context.call("getEntity", { setUp: true, path: { repositoryId, entityId } });
  await context.call("getItem", { setUp: true, path: { ...path, pk } });
  return { secret, path, pk, repositoryId, entityId };
}

/** General rule 4: resources of one organization are out of reach of another. */
export const isolationChecks = defineChecks(
  {
    id: "isolation/by-id",
    title: "Whoever knows the ids of another organization's resources can neither read nor change them",
    clauses: ["GEN-05"],
    needs: ["owner", "outsider", "database", "repositories", "sql"],
    run: async (context) => {
      const { secret, path, pk, repositoryId, entityId } = await victim(context);
      const callers = [await context.actor("outsider")];
      for (const as of callers) {
        const direct: readonly (readonly [OperationId, Call])[] = [
          ["getItem", { path: { ...path, pk } }],
          ["queryItems", { path, body: { partitionKey: pk } }],
          ["scanItems", { path, body: {} }],
          ["batchGetItems", { path, body: { keys: [{ pk }] } }],
          ["transactGetItems", { path, body: { items: [{ pk }] } }],
          ["getEntity", { path: { repositoryId, entityId } }],
          ["queryEntities", { path: { repositoryId }, body: {} }],
        ];
        for (const [operationId, call] of direct) {
          const answer = await context.call(operationId, { ...call, as, intent: "invalid" });
          context.demandRefused("GEN-05", answer, "the resource is another organization's");
          context.demand("GEN-05", !answer.text.includes(secret), "nothing of the data", answer.text);
        }
        for (const operationId of onResources) {
          const trial = trials[operationId] ?? {};
          if ((trial.needs ?? []).some((need) => !context.offers(need))) continue;
          const call = await accessTable[operationId].call(context);
          if (call === undefined) continue;
          const answer = await context.call(operationId, { ...call, as, intent: "invalid" });
          context.cells.push({ operationId, caller: as.name, expected: "refused", status: answer.status });
          // to others it is as good as gone: who answers a repeated deletion with 204 may answer so here as well
          const isAsGone = operationId.startsWith("delete") && answer.status === 204;
          if (!isAsGone || trial.unchanged === undefined)
            context.demandRefused("GEN-05", answer, `${operationId} is on another organization's resource`);
          if (trial.unchanged !== undefined)
            context.demand("GEN-05", await trial.unchanged(context, call), "nothing changed", "it was done");
        }
      }
      const kept = await context.call("getItem", { path: { ...path, pk } });
      context.demandEqual("GEN-05", kept.body?.data, { secret }, "the item afterwards");
      const entity = await context.call("getEntity", { path: { repositoryId, entityId } });
      context.demandEqual("GEN-05", entity.body?.data, { secret }, "the entity afterwards");
    },
  },
  {
    id: "isolation/lists",
    title: "Lists show nothing of another organization",
    clauses: ["GEN-05", "DB-09", "ORG-09"],
    needs: ["owner", "outsider", "database"],
    run: async (context) => {
      const databaseId = await context.resources.database();
      const organizationId = await context.actors.organizationOf("owner");
      const as = await context.actor("outsider");
      await context.call("listDatabases");
      const { pages } = await readPages(context, { ...databasePages, as });
      const shown = JSON.stringify(pages);
      context.demand(
        "DB-09",
        !shown.includes(JSON.stringify(databaseId)),
        "no database of another organization",
        shown,
      );
      const own = await context.call("listOrganizations", { as });
      context.demand(
        "ORG-09",
        !own.text.includes(`"${organizationId}"`),
        "no organization without membership",
        own.text,
      );
      for (const operationId of ["getPaymentInfo", "getPaymentStatus", "getUsage"] as const) {
        const answer = await context.call(operationId, { as });
        context.demand(
          "GEN-05",
          !answer.text.includes(`"${organizationId}"`),
          "nothing of another organization",
          answer.text,
        );
      }
    },
  },
  {
    id: "isolation/mixed-paths",
    title: "The path of one's own database does not lead to another one's repository",
    clauses: ["GEN-05"],
    needs: ["owner", "outsider", "database", "repositories", "create-databases"],
    run: async (context) => {
      const repositoryId = await context.resources.repository();
      const as = await context.actor("outsider");
      const { databaseId } = await context.resources.newDatabase({ as }, "outsider");
      const path = { databaseId, repositoryId };
      for (const operationId of ["getRepository", "deleteRepository"] as const) {
        const answer = await context.call(operationId, { as, path, intent: "invalid" });
        // that nothing is deleted is seen below
        if (operationId !== "deleteRepository" || answer.status !== 204)
          context.demandRefused("GEN-05", answer, "the repository is in another organization's database");
      }
      const kept = await context.call("listEntities", { path: { repositoryId }, query: { limit: 1 } });
      context.demandStatus("GEN-05", kept, 200);
      await context.call("deleteDatabase", { as, setUp: true, path: { databaseId } });
      await context.resources.untilGone(databaseId, { as });
    },
  },
);
