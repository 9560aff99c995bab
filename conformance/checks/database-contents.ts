import fc from "fast-check";
import { defineChecks } from "../check/check.js";
import type { CheckContext } from "../check/context.js";
import { formatItemKey, type ItemKey } from "../models/item-key.js";
import { ItemClient } from "../steps/items/item-client.js";
import { databaseList, findEntry } from "../steps/pages.js";
import { readUntil } from "../steps/read-until.js";
import { assertTimestamp, maxClockSkewMs } from "../steps/timestamps.js";

const kinds = [
  ...(["put", "delete", "transact", "transact-update", "transact-delete"] as const),
  ...(["batch", "batch-delete", "entity"] as const),
] as const;

/** Writes of one kind, one for each key. */
interface Step {
  readonly kind: (typeof kinds)[number];
  readonly keys: number[];
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("put", "delete", ...kinds),
  keys: fc.uniqueArray(fc.nat(7), { minLength: 1, maxLength: 3 }),
});

/** Numbers of items and entities in a database. */
interface Contents {
  readonly items: number;
  readonly entities: number;
}

/** Successive contents of a database, until a time on the deployment, in milliseconds since 1970. */
interface Phase {
  readonly until: number;
  readonly contents: readonly Contents[];
}

/**
 * Asserts the number of items in a database; entities may or may not be counted. Counts may lag behind writes: if the time
 * of a count is before the last write, the count must match the contents at this time. Before its creation, a database
 * had no contents.
 *
 * @param phases the earlier phases, oldest first
 * @param isListed whether to read the count from the list of databases
 */
async function assertItemCount(
  context: CheckContext,
  databaseId: string,
  { items, entities }: Contents,
  phases: readonly Phase[],
  isListed = false,
): Promise<void> {
  const readDatabase = async () => {
    if (isListed) {
      const listed = await findEntry(context, databaseList, databaseId);
      context.assert("DB-07", listed !== undefined, `${databaseId} in the list`, listed);
      return listed as DatabaseWithUsage;
    }
    const response = await context.call("getDatabase", { path: { databaseId } });
    return context.assertStatus("DB-16", response, 200).body as DatabaseWithUsage;
  };
  const matches = (contents: Contents, { itemCount }: Usage) =>
    itemCount === contents.items || itemCount === contents.items + contents.entities;
  const isCurrent = (usage: Usage) => matches({ items, entities }, usage);
  const { usage, createdAt } = await readUntil(context, readDatabase, (read) => isCurrent(read.usage));
  const lastUpdated = assertTimestamp(context, usage.lastUpdated, "usage.lastUpdated");
  const existed = lastUpdated >= assertTimestamp(context, createdAt, "createdAt") - maxClockSkewMs;
  // Phases may end at the same time, because timestamps may have whole seconds. The count may be from any of them.
  const next = phases.findIndex(({ until }) => lastUpdated < until);
  const wasCurrent =
    existed &&
    phases
      .slice(0, next < 0 ? undefined : next + 1)
      .filter(({ until }) => lastUpdated <= until)
      .some(({ contents }) => contents.some((earlier) => matches(earlier, usage)));
  const expected = `usage.itemCount ${items}, or ${items + entities} with entities`;
  context.assert("DB-16", isCurrent(usage) || wasCurrent, expected, usage);
}

interface Usage {
  readonly itemCount: number;
  readonly lastUpdated: string;
}

interface DatabaseWithUsage {
  readonly usage: Usage;
  readonly createdAt: string;
}

/** Checks of parts 2 and 4.5: the contents of databases. */
export const databaseContentsChecks = defineChecks({
  id: "databases/item-count",
  title: "After any sequence of writes, usage.itemCount equals the number of items",
  clauses: ["DB-16", "DB-07"],
  needs: ["create-databases"],
  run: async (context) => {
    const { resources } = context;
    let databaseId = "";
    let repositoryId: string | undefined;
    let items: ItemClient;
    let entities = 0;
    let contents: Contents[] = [];
    let phases: Phase[] = [];
    const present = new Set<string>();
    // An interrupted try has written an unknown number of items.
    let isCountKnown = false;
    const noteWrite = (key: ItemKey, exists: boolean) => {
      if (exists) present.add(formatItemKey(key));
      else present.delete(formatItemKey(key));
      contents.push({ items: present.size, entities });
    };
    /** Puts an item; its time separates earlier counts from later ones. */
    const endPhase = async (key: ItemKey) => {
      const last = context.assertStatus("DB-16", await items.put(key, {}), 200);
      noteWrite(key, true);
      phases.push({ until: assertTimestamp(context, last.body.updatedAt, "updatedAt"), contents });
      contents = contents.slice(-1);
    };
    const beginDatabase = async () => {
      ({ databaseId } = await resources.createDatabase());
      repositoryId = context.offers("repositories")
        ? await resources.createRepository(databaseId)
        : undefined;
      items = new ItemClient(context, databaseId);
      present.clear();
      entities = 0;
      contents = [{ items: 0, entities }];
      phases = [];
      await endPhase(items.key());
      isCountKnown = true;
    };
    await beginDatabase();
    await context.property(
      { steps: fc.array(anyStep, { minLength: 1, maxLength: 12 }) },
      async ({ steps }) => {
        if (!isCountKnown) {
          await resources.removeCreated();
          await beginDatabase();
        }
        isCountKnown = false;
        const prefix = resources.createName();
        // Half of the items have a sort key.
        const keyOf = (number: number): ItemKey => ({
          pk: `${prefix}-${number >> 1}`,
          sk: number % 2 === 0 ? null : "s",
        });
        for (const { kind, keys } of steps) {
          // The specification leaves open whether a transaction may update or delete a missing item.
          const needsItems = kind === "transact-update" || kind === "transact-delete";
          const chosen = keys.map(keyOf).filter((key) => !needsItems || present.has(formatItemKey(key)));
          if (chosen.length === 0) continue;
          const data = { keys };
          if (kind === "entity") {
            if (repositoryId === undefined) continue;
            const made = await context.call("createEntity", { path: { repositoryId }, body: { data } });
            if (made.status === 201) entities++;
            contents.push({ items: present.size, entities });
            continue;
          }
          if (kind === "put")
            for (const key of chosen) context.assertStatus("DB-16", await items.put(key, data), 200);
          else if (kind === "delete") for (const key of chosen) await items.remove(key);
          else if (kind === "transact")
            await items.transactWrite(chosen.map((key) => ({ action: "Put", ...key, data })));
          else if (kind === "transact-update")
            await items.transactWrite(chosen.map((key) => ({ action: "Update", ...key, data })));
          else if (kind === "transact-delete")
            await items.transactWrite(chosen.map((key) => ({ action: "Delete", ...key })));
          else if (kind === "batch")
            await items.batchWriteAll(chosen.map((key) => ({ operation: "Put", ...key, data })));
          else await items.batchWriteAll(chosen.map((key) => ({ operation: "Delete", ...key })));
          for (const key of chosen) noteWrite(key, !kind.endsWith("delete"));
        }
        await endPhase(keyOf(0));
        isCountKnown = true;
        await assertItemCount(context, databaseId, { items: present.size, entities }, phases);
      },
      {
        examples: [
          { steps: [{ kind: "put", keys: [0] }] },
          {
            steps: [
              { kind: "put", keys: [0, 1] },
              { kind: "put", keys: [0] },
              { kind: "delete", keys: [1, 3] },
            ],
          },
          { steps: [{ kind: "entity", keys: [0] }] },
          {
            steps: [
              { kind: "batch", keys: [1, 2, 4] },
              { kind: "transact", keys: [5, 7] },
              { kind: "batch-delete", keys: [2, 3, 5] },
              { kind: "transact-update", keys: [1, 7] },
              { kind: "transact-delete", keys: [1, 4] },
            ],
          },
        ],
      },
    );
    await assertItemCount(context, databaseId, { items: present.size, entities }, phases, true);
  },
});
