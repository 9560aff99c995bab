import fc from "fast-check";
import { defineChecks } from "../check/check.js";
import type { CheckContext } from "../check/context.js";
import { ItemClient } from "../steps/items/item-calls.js";
import { readUntil } from "../steps/read-until.js";
import { assertTimestamp } from "../steps/timestamps.js";

/** One write of raw items in a database. */
type Step =
  | { readonly kind: "put" | "delete" | "transact" | "entity"; readonly key: number }
  | { readonly kind: "batch"; readonly keys: readonly number[] };

type OneKeyKind = Exclude<Step["kind"], "batch">;
const one = (kind: OneKeyKind, key: number): Step => ({ kind, key });
const batch = (...keys: readonly number[]): Step => ({ kind: "batch", keys });

const key = fc.nat(7);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: key.map((each) => one("put", each)) },
  { weight: 3, arbitrary: key.map((each) => one("delete", each)) },
  { weight: 1, arbitrary: key.map((each) => one("transact", each)) },
  { weight: 1, arbitrary: key.map((each) => one("entity", each)) },
  {
    weight: 1,
    arbitrary: fc.uniqueArray(key, { minLength: 1, maxLength: 4 }).map((keys) => batch(...keys)),
  },
);

/** Contents of a database. */
interface Held {
  readonly items: number;
  readonly entities: number;
}

/** Successive contents of a database, until a time on the deployment. */
interface Phase {
  readonly until: number;
  readonly held: readonly Held[];
}

/**
 * Asserts the number of items of a database; entities may or may not be counted. Counts may lag: they have a time, and a
 * count that is older than the last write must match the contents at its time.
 *
 * @param past the earlier phases, oldest first
 */
async function assertItemCount(
  context: CheckContext,
  databaseId: string,
  { items, entities }: Held,
  past: readonly Phase[],
): Promise<void> {
  const look = async () => {
    const answer = await context.call("getDatabase", { path: { databaseId } });
    return context.assertStatus("DB-16", answer, 200).body.usage as Usage;
  };
  const agrees = ({ itemCount }: Usage) => itemCount === items || itemCount === items + entities;
  const seen = await readUntil(context, look, agrees);
  const lastUpdated = assertTimestamp(context, seen.lastUpdated, "usage.lastUpdated");
  // of times in whole seconds several are the same: what was held in any of the phases that ended by then may be meant
  const after = past.findIndex(({ until }) => lastUpdated < until);
  const then = past
    .slice(0, after < 0 ? undefined : after + 1)
    .filter(({ until }) => lastUpdated <= until)
    .flatMap(({ held }) => held);
  const wasSo = then.some((held) => [held.items, held.items + held.entities].includes(seen.itemCount));
  const expected = `usage.itemCount ${items}, or ${items + entities} with entities`;
  context.assert("DB-16", agrees(seen) || wasSo, expected, seen);
}

interface Usage {
  readonly itemCount: number;
  readonly lastUpdated: string;
}

/** Checks of parts 2 and 4.5: the contents of databases. */
export const databaseContentsChecks = defineChecks({
  id: "databases/item-count",
  title: "After any sequence of writes, usage.itemCount equals the number of items",
  clauses: ["DB-16"],
  needs: ["create-databases"],
  run: async (context) => {
    const { databaseId } = await context.resources.newDatabase();
    const repositoryId = context.offers("repositories")
      ? await context.resources.newRepository(databaseId)
      : undefined;
    const path = { databaseId };
    const items = new ItemClient(context, databaseId);
    const present = new Set<string>();
    let entities = 0;
    let held: Held[] = [{ items: 0, entities }];
    const phases: Phase[] = [];
    /** Puts an item, whose time ends a phase and separates earlier counts from later ones. */
    const endPhase = async (item: { readonly pk: string; readonly sk?: string }) => {
      const last = await context.assertSuccess("DB-16", "putItem", {
        path: { ...path, ...item },
        body: { ...item, data: {} },
      });
      present.add(JSON.stringify(item));
      held.push({ items: present.size, entities });
      phases.push({ until: assertTimestamp(context, last.body.updatedAt, "updatedAt"), held });
      held = held.slice(-1);
    };
    await endPhase({ pk: context.resources.name() });
    await context.property(
      [fc.array(anyStep, { minLength: 1, maxLength: 12 })],
      async (steps) => {
        const prefix = context.resources.name();
        // half of the items have a sort key
        const keyOf = (number: number): { readonly pk: string; readonly sk?: string } => ({
          pk: `${prefix}-${number >> 1}`,
          ...(number % 2 === 0 ? {} : { sk: "s" }),
        });
        const note = (number: number, isThere: boolean) => {
          const name = JSON.stringify(keyOf(number));
          if (isThere) present.add(name);
          else present.delete(name);
          held.push({ items: present.size, entities });
        };
        for (const step of steps) {
          const number = "key" in step ? step.key : 0;
          const { pk, sk } = keyOf(number);
          const data = { number };
          if (step.kind === "put") {
            const put = { path: { ...path, ...keyOf(number) }, body: { ...keyOf(number), data } };
            await context.assertSuccess("DB-16", "putItem", put);
            note(number, true);
          } else if (step.kind === "delete") {
            const operationId = sk === undefined ? "deleteItem" : "deleteItemWithSortKey";
            await context.call(operationId, { path: { ...path, ...keyOf(number) } });
            note(number, false);
          } else if (step.kind === "transact") {
            await items.transactWrite([{ action: "Put", pk, sk: sk ?? null, data }]);
            note(number, true);
          } else if (step.kind === "entity") {
            if (repositoryId === undefined) continue;
            const made = await context.call("createEntity", { path: { repositoryId }, body: { data } });
            if (made.status === 201) entities++;
            held.push({ items: present.size, entities });
          } else if ("keys" in step) {
            await items.batchWriteAll(
              step.keys.map((each) => {
                const { pk, sk = null } = keyOf(each);
                return each % 3 === 0 ? { operation: "Delete", pk, sk } : { operation: "Put", pk, sk, data };
              }),
            );
            for (const each of step.keys) note(each, each % 3 !== 0);
          }
        }
        await endPhase(keyOf(0));
        await assertItemCount(context, databaseId, { items: present.size, entities }, phases);
      },
      {
        names: ["steps"],
        examples: [
          [[one("put", 0)]],
          [[one("put", 0), one("put", 0), one("delete", 1)]],
          [[one("put", 1), one("delete", 1), one("delete", 1)]],
          [[one("entity", 0)]],
          // of several batches one may fail in part
          [[batch(1, 2), batch(4, 5), batch(3, 7)]],
        ],
      },
    );
    if (repositoryId !== undefined) await context.resources.remove("repository", repositoryId);
    await context.resources.remove("database", databaseId);
  },
});
