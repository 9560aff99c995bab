import fc from "fast-check";
import { limits, planTerms } from "../../openapi/clauses/limits.js";
import { defineChecks } from "../check/check.js";
import type { Caller } from "../client/client.js";
import { isClientError } from "../client/is-client-error.js";
import { isSuccess } from "../client/is-success.js";
import type { CheckContext } from "../check/context.js";
import { getResourceLimit } from "../models/get-resource-limit.js";
import { readUntil } from "../steps/read-until.js";
import { createNewUser, createDedicatedOrganization } from "../steps/create-new-user.js";
import { assertList, databaseList, readPages } from "../steps/pages.js";
import { ItemClient } from "../steps/items/item-client.js";
import { createDataForItemSize } from "./items/item-sizes.js";

/** Maximum number of databases that the check creates to reach a limit on a shared deployment. */
const maxDatabases = 8;

/** Creates as many databases as an organization can have, and asserts that no more can be created. */
async function assertCeiling(context: CheckContext, as: Caller, ceiling: number): Promise<void> {
  const { resources } = context;
  const list = { ...databaseList, as };
  const before = (await readPages(context, list)).ids;
  const created: string[] = [];
  const create = () => {
    const body = { name: resources.createName(), region: resources.region };
    return context.call("createDatabase", { as, intent: "may-be-refused", body });
  };
  // The specification does not say how soon the count for the limit is up to date.
  const createOne = async () => {
    const response = await readUntil(context, create, isSuccess);
    created.push(context.assertStatus("DB-14", response, 201).body.databaseId as string);
  };
  const createTooMany = async () => {
    const response = await create();
    if (isClientError(response)) return response;
    const { databaseId } = response.body as { databaseId: string };
    await resources.waitUntilReady(databaseId, { as }).catch(() => undefined);
    await context.call("deleteDatabase", { as, setUp: true, path: { databaseId } });
    resources.recordRemoval("database", databaseId);
    return response;
  };
  const assertFull = async () => {
    const response = await readUntil(context, createTooMany, isClientError);
    context.assertRefused("DB-14", response, `the organization already has ${ceiling} databases`);
    const what = "the databases that existed before the refused request";
    await assertList(context, "DB-14", list, [...before, ...created], what);
  };
  while (before.length + created.length < ceiling) await createOne();
  await assertFull();
  const first = created.shift();
  if (first === undefined) return;
  await resources.waitUntilReady(first, { as });
  await context.assertSuccess("DB-12", "deleteDatabase", { as, path: { databaseId: first } }, 204);
  await resources.assertGone(first, { as });
  resources.recordRemoval("database", first);
  await createOne();
  await assertFull();
  for (const databaseId of created) {
    await resources.waitUntilReady(databaseId, { as });
    await context.call("deleteDatabase", { as, setUp: true, path: { databaseId } });
    await resources.waitUntilGone(databaseId, { as });
    resources.recordRemoval("database", databaseId);
  }
}

/** Share of the storage that must be usable for keys and data; the specification does not say what else counts. */
const usableShare = 0.95;

/** Size of an item in bytes; below the maximum in every way of counting. */
const itemBytes = Math.floor(limits.itemBytes * 0.9);

/** Checks of part 8: limits from the plan and the settings of an organization. */
export const planLimitChecks = defineChecks(
  {
    id: "databases/ceiling",
    title: "An organization can have as many databases as its plan and settings allow, but no more",
    clauses: ["DB-14"],
    needs: ["create-databases", "database"],
    run: async (context) => {
      if (context.offers("control-plane")) {
        await context.property(
          { own: fc.option(fc.integer({ min: 1, max: 5 })) },
          async ({ own }) => {
            const { as, organizationId } = await createNewUser(context);
            const path = { organizationId };
            const change = { settings: { maxDatabases: own ?? 0 } };
            if (own !== null) await context.control.call("changeOrganization", { path, body: change });
            const ofPlan = planTerms.free.limits?.maxDatabases ?? 0;
            const { body } = await context.call("getOrganization", { as, setUp: true, path });
            context.assertEqual("DB-14", body.settings.maxDatabases, own ?? ofPlan, "settings.maxDatabases");
            // The lower of the two limits applies.
            await assertCeiling(context, as, Math.min(own ?? ofPlan, ofPlan));
          },
          { share: 0.2, examples: [{ own: null }] },
        );
        return;
      }
      // A new organization has room for more databases, and a low limit; the owner's organization may have neither.
      const { as, organizationId } = context.offers("create-organizations")
        ? await createDedicatedOrganization(context)
        : {
            as: await context.actor("owner"),
            organizationId: await context.actors.getOrganizationId("owner"),
          };
      await context.resources.getDatabase();
      const { body } = await context.call("getOrganization", { as, path: { organizationId } });
      const ceiling = getResourceLimit("databases", body);
      const { ids } = await readPages(context, { ...databaseList, as });
      if (ceiling - ids.length > maxDatabases)
        context.notOffered(
          ceiling === Infinity
            ? "the organization can have any number of databases"
            : `the organization can have ${ceiling} databases, which is too many to create`,
        );
      await assertCeiling(context, as, ceiling);
    },
  },
  {
    id: "databases/storage",
    title: "An organization can store as much as its plan allows",
    clauses: ["DB-17"],
    needs: ["control-plane"],
    run: async (context) => {
      const { resources } = context;
      const { as, organizationId } = await createNewUser(context);
      const { key } = await context.control.call("createApiKey", {
        body: { organizationId, name: "storage", scopes: ["*"] },
      });
      const byKey: Caller = { name: "key of the new user", credential: key };
      const { databaseId } = await resources.createDatabase({ as });
      const items = new ItemClient(context, databaseId);
      // A GB has at least this many bytes.
      const promised = (planTerms.free.limits?.maxStorageGb ?? 0) * 1_000_000_000;
      let left = Math.floor(promised * usableShare);
      // Every deployment accepts two items, less than a megabyte, in a request.
      for (let number = 0; left > 2 * itemBytes; number += 2) {
        const entries = [number, number + 1].map((each) => {
          const key = { pk: `fill-${each}`, sk: null };
          return { operation: "Put" as const, ...key, data: createDataForItemSize(key, itemBytes) };
        });
        const { last } = await items.batchWriteAll(entries, { as: byKey, setUp: true });
        const isDone = last.status === 200 && last.body?.failedCount === 0;
        context.assert("DB-17", isDone, `room for ${left} more bytes`, last.body);
        left -= 2 * itemBytes;
      }
      const path = { databaseId, pk: "last" };
      const data = { text: "x".repeat(itemBytes - 100) };
      const put = { as: byKey, path, body: { pk: path.pk, data } };
      await context.assertSuccess("DB-17", "putItem", put);
      const got = await context.call("getItem", { as: byKey, path });
      context.assertEqual("DB-17", got.body?.data, data, "the data of an item within the storage limit");
      await context.call("deleteDatabase", { as, setUp: true, path: { databaseId } });
      resources.recordRemoval("database", databaseId);
    },
  },
);
