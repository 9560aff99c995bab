import fc from "fast-check";
import { planNumbers, sizeLimit } from "../../openapi/clauses/limits.js";
import { defineChecks } from "../check/check.js";
import type { Caller } from "../client/client.js";
import type { CheckContext } from "../check/context.js";
import { ceilingOf } from "../models/ceilings.js";
import { NotOffered } from "../client/violation.js";
import { newcomer } from "../steps/newcomer.js";
import { demandEachOnce, databasePages, readPages } from "../steps/pages.js";

/** A ceiling that is farther away than this many databases is not tried on a deployment that others use. */
const mostDatabases = 8;

/** Creates databases up to the ceiling of an organization, and demands that there it ends. */
async function demandCeiling(context: CheckContext, as: Caller, ceiling: number): Promise<void> {
  const { resources } = context;
  const listing = { ...databasePages, as };
  const before = (await readPages(context, listing)).ids;
  const made: string[] = [];
  const create = async (intent: "valid" | "invalid" = "valid") => {
    const name = resources.name();
    return resources.make({ kind: "database", name }, "databaseId", () =>
      context.call("createDatabase", { as, intent, body: { name, region: resources.region } }),
    );
  };
  const createOne = async () => {
    const { body } = context.demandStatus("DB-14", await create(), 201);
    made.push(body.databaseId);
  };
  const refuseOne = async () => {
    context.demandRefused(
      "DB-14",
      await create("invalid"),
      `the organization holds ${ceiling} databases already`,
    );
    const { ids } = await readPages(context, listing);
    demandEachOnce(
      context,
      "DB-14",
      ids,
      [...before, ...made],
      "the databases from before the refused request",
    );
  };
  while (before.length + made.length < ceiling) await createOne();
  await refuseOne();
  const [first] = made;
  if (first === undefined) return;
  await resources.untilReady(first, { as });
  context.demandStatus(
    "DB-12",
    await context.call("deleteDatabase", { as, path: { databaseId: first } }),
    204,
  );
  await resources.afterDeletion(first, { as });
  resources.removed("database", made.shift() ?? "");
  await createOne();
  await refuseOne();
  for (const databaseId of made) {
    await resources.untilReady(databaseId, { as });
    await context.call("deleteDatabase", { as, setUp: true, path: { databaseId } });
    await resources.untilGone(databaseId, { as });
    resources.removed("database", databaseId);
  }
}

/** This much of the storage has to be there for keys and data; the specification does not say what counts. */
const mostOwnData = 0.95;

/** Smaller than the largest item, whichever way its size is counted. */
const largest = Math.floor(sizeLimit("item", 1000) * 0.9);

/** UTF-8 bytes that an item counts: its keys and the compact JSON of its data. */
function bytesOf(pk: string, data: object): number {
  return Buffer.byteLength(pk) + Buffer.byteLength(JSON.stringify(data));
}

/** Data that, with a partition key, make an item of so many bytes. */
function dataOf(pk: string, bytes: number): { readonly t: string } {
  return { t: "x".repeat(bytes - bytesOf(pk, { t: "" })) };
}

/** Part 8: what the plan and the settings of an organization allow. */
export const databaseCeilingChecks = defineChecks(
  {
    id: "databases/ceiling",
    title: "An organization holds as many databases as it may, and not one more",
    clauses: ["DB-14"],
    needs: ["create-databases", "database"],
    run: async (context) => {
      if (context.offers("control-plane")) {
        await context.property(
          [fc.option(fc.integer({ min: 1, max: 5 }))],
          async (own) => {
            const { as, organizationId } = await newcomer(context);
            if (own !== null)
              await context.control.call("changeOrganization", {
                path: { organizationId },
                body: { settings: { maxDatabases: own } },
              });
            const ofPlan = planNumbers.free.limits?.maxDatabases ?? 0;
            const { body } = await context.call("getOrganization", {
              as,
              setUp: true,
              path: { organizationId },
            });
            context.demandEqual("DB-14", body.settings.maxDatabases, own ?? ofPlan, "settings.maxDatabases");
            // both count: the plan, and the settings where they allow less
            await demandCeiling(context, as, Math.min(own ?? ofPlan, ofPlan));
          },
          { names: ["own"], share: 0.2, examples: [[null]] },
        );
        return;
      }
      await context.resources.database();
      const organizationId = await context.actors.organizationOf("owner");
      const organization = await context.call("getOrganization", { path: { organizationId } });
      const ceiling = ceilingOf("databases", organization.body);
      const { ids } = await readPages(context, databasePages);
      if (ceiling - ids.length > mostDatabases)
        throw new NotOffered(
          ceiling === Infinity
            ? "there is no ceiling to the databases of the organization"
            : `the organization may hold ${ceiling} databases: too many to try`,
        );
      await demandCeiling(context, await context.actor("owner"), ceiling);
    },
  },
  {
    id: "databases/storage",
    title: "An organization stores as much as its plan allows",
    clauses: ["DB-17"],
    needs: ["control-plane"],
    run: async (context) => {
      const { resources } = context;
      const { as, organizationId } = await newcomer(context);
      const { key } = await context.control.call("createApiKey", {
        body: { organizationId, name: "storage", scopes: ["*"] },
      });
      const byKey: Caller = { name: "key of the newcomer", credential: key };
      const { body: database } = await context.call("createDatabase", {
        as,
        setUp: true,
        body: { name: resources.name(), region: resources.region },
      });
      const databaseId = database.databaseId as string;
      const path = { databaseId };
      await resources.untilReady(databaseId, { as });
      const repositoryId = await resources.newRepository(databaseId, {}, { as });
      resources.removed("repository", repositoryId);
      // the smaller GB, and room for what a deployment may store beside the data
      const promised = (planNumbers.free.limits?.maxStorageGb ?? 0) * 1_000_000_000;
      let left = Math.floor(promised * mostOwnData);
      // two items a request, as any deployment takes a megabyte
      for (let number = 0; left > 2 * largest; number += 2) {
        const items = [number, number + 1].map((each) => {
          const pk = `fill-${each}`;
          return { operation: "Put", pk, data: dataOf(pk, largest) };
        });
        const { body } = await context.call("batchWriteItems", {
          as: byKey,
          setUp: true,
          path,
          body: { items },
        });
        context.demand("DB-17", body?.successCount === 2, `room for ${left} bytes more`, body);
        left -= 2 * largest;
      }
      const put = { pk: "last", data: dataOf("last", largest) };
      const answer = await context.call("putItem", { as: byKey, path: { ...path, pk: put.pk }, body: put });
      context.demandStatus("DB-17", answer, 200);
      const got = await context.call("getItem", { as: byKey, path: { ...path, pk: put.pk } });
      context.demandEqual("DB-17", got.body?.data, put.data, "the data of an item within the storage");
      await context.call("deleteDatabase", { as, setUp: true, path });
    },
  },
);
