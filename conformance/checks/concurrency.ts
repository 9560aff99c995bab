import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import type { ApiResponse } from "../client/client.js";
import { type CheckContext, formatResponse } from "../check/context.js";
import { isSuccess } from "../client/is-success.js";
import type { ItemKey } from "../models/item-key.js";
import { requireConditionBuilder } from "./items/conditional-puts.js";
import {
  createExistenceCondition,
  getItemData,
  hasFailedCondition,
  isAppliedTransaction,
  type ItemClient,
} from "../steps/items/item-client.js";
import { defineRaceChecks, sendConcurrently } from "./items/races.js";
import { EntityClient } from "../steps/entity-client.js";
import { findTransactionConditionBuilder } from "./transactions/conditions.js";

const racers = fc.integer({ min: 2, max: 8 });

/** Checks of concurrent requests. */
export const concurrencyChecks = defineRaceChecks(
  {
    id: "concurrency/one-winner",
    title:
      "If several conditional Puts on one key run concurrently, exactly one succeeds, and its data is kept",
    clauses: ["ITEM-04", "ITEM-07"],
    run: async (items, context) => {
      await context.property(
        { count: racers },
        async ({ count }) => {
          const key = items.key("s");
          const responses = await sendConcurrently(count, (by) =>
            items.put(key, { by }, createExistenceCondition(false)),
          );
          await assertOneWinner(items, "ITEM-04", responses, key);
        },
        { examples: [{ count: 8 }, { count: 2 }] },
      );
    },
  },
  {
    id: "concurrency/one-partition",
    title: "Every accepted write takes effect, even if several run concurrently in one partition",
    clauses: ["ITEM-02", "ITEM-15", "BATCH-02", "TX-07"],
    run: async (items, context) => {
      await context.property(
        { count: racers },
        async ({ count }) => {
          const { pk } = items.key();
          for (const [clause, write, isApplied] of [
            ["ITEM-02", ({ data, ...key }: Entry) => items.put(key, data), isSuccess],
            ["BATCH-02", (entry: Entry) => items.batchWrite([{ operation: "Put", ...entry }]), isWholeBatch],
            [
              "TX-07",
              (entry: Entry) => items.transactWrite([{ action: "Put", ...entry }]),
              isAppliedTransaction,
            ],
            ["ITEM-15", (key: Entry) => items.remove(key), isSuccess],
          ] as const) {
            const createEntry = (by: number): Entry => ({ pk, sk: `s${by}`, data: { by, clause } });
            const responses = await sendConcurrently(count, (by) => write(createEntry(by)));
            for (const [by, response] of responses.entries()) {
              const { data, ...key } = createEntry(by);
              const written = clause === "ITEM-15" ? undefined : data;
              if (response !== undefined && isApplied(response)) await items.expect(clause, key, written);
            }
          }
        },
        { examples: [{ count: 8 }, { count: 2 }] },
      );
    },
  },
  {
    id: "concurrency/one-repository",
    title: "Every accepted write takes effect, even if several run concurrently in one repository",
    clauses: ["REPO-30", "REPO-32"],
    needs: ["repositories"],
    run: async ({ databaseId }, context) => {
      const entities = await EntityClient.withNewRepository(context, databaseId);
      const ids: string[] = [];
      while (ids.length < 8) ids.push(await entities.add({ by: null }));
      const writeAll = async (write: (id: string) => Promise<ApiResponse>) => {
        const responses = await sendConcurrently(ids.length, (by) => write(ids[by] ?? ""));
        return ids.filter((_, by) => responses[by] !== undefined && isSuccess(responses[by]));
      };
      for (const id of await writeAll((by) => entities.update(by, { by })))
        context.assertEqual("REPO-30", (await entities.read(id)).data, { by: id }, "the updated data");
      for (const id of await writeAll((by) => entities.remove(by))) {
        const deleted = await entities.get(id, { intent: "invalid" });
        context.assertRefused("REPO-32", deleted, "the entity is deleted");
      }
      await context.resources.remove("repository", entities.repositoryId);
    },
  },
  {
    id: "concurrency/updates",
    title: "Concurrent Updates of different attributes do not undo each other",
    clauses: ["TX-08"],
    run: async (items, context) => {
      await context.property(
        { count: racers },
        async ({ count }) => {
          const key = items.key("s");
          await items.put(key, { kept: true }, {}, { setUp: true });
          const responses = await sendConcurrently(count, (by) =>
            items.transactWrite([{ action: "Update", ...key, data: { [`a${by}`]: by } }]),
          );
          const seen = getItemData(await items.get(key)) as object | undefined;
          const applied = responses.flatMap((response, by) =>
            isAppliedTransaction(response) ? [[`a${by}`, by]] : [],
          );
          const expected: unknown = { ...seen, kept: true, ...Object.fromEntries(applied) };
          context.assertEqual("TX-08", seen, expected, "the data after all Updates");
        },
        { share: 0.5, examples: [{ count: 8 }, { count: 2 }] },
      );
    },
  },
  {
    id: "concurrency/compare-and-set",
    title: "Of several concurrent Puts whose condition can be true only once, exactly one succeeds",
    clauses: ["ITEM-06", "ITEM-07"],
    run: async (items, context) => {
      const compare = await requireConditionBuilder(items);
      await context.property(
        { count: racers, rounds: fc.integer({ min: 1, max: 3 }) },
        async ({ count, rounds }) => {
          const key = items.key("s");
          await items.put(key, { left: rounds }, {}, { setUp: true });
          // The number goes down, because `>=` is the operator that the specification shows.
          for (let left = rounds; left > 0; left--) {
            const condition = compare("left >= :seen", { ":seen": left });
            const responses = await sendConcurrently(count, (by) =>
              items.put(key, { left: left - 1, by }, condition),
            );
            await assertOneWinner(items, "ITEM-06", responses, key);
          }
        },
        { share: 0.5, examples: [{ count: 6, rounds: 2 }] },
      );
    },
  },
  {
    id: "concurrency/transactions",
    title:
      "Of several concurrent transactions whose conditions can be true only once, at most one is applied, completely",
    clauses: ["TX-08", "TX-12"],
    run: async (items, context: CheckContext) => {
      const compare = await findTransactionConditionBuilder(items);
      if (compare === undefined) context.notOffered("transactions reject a comparison that Put accepts");
      await context.property(
        { count: racers, rounds: fc.integer({ min: 1, max: 3 }) },
        async ({ count, rounds }) => {
          const keys = [items.key("s"), items.key()] as const;
          let current: Readonly<Record<string, unknown>> = { left: rounds, note: "kept" };
          for (const key of keys) await items.put(key, current, {}, { setUp: true });
          for (let left = rounds; left > 0; left--) {
            const condition = compare("left >= :seen", { ":seen": left });
            const createNext = (by: number) => ({ left: left - 1, by });
            const responses = await sendConcurrently(count, (by) =>
              items.transactWrite(
                keys.map((key) => ({ action: "Update", ...key, data: createNext(by), condition })),
              ),
            );
            const select = (isWanted: (response: ApiResponse | undefined) => boolean) =>
              responses.flatMap((response, by) => (isWanted(response) ? [by] : []));
            const applied = select(isAppliedTransaction);
            context.assert("TX-12", applied.length <= 1, "at most one applied transaction", applied);
            // A transaction without a response may have been applied, and all may have been canceled.
            const winners = applied.length > 0 ? applied : select((response) => response === undefined);
            const possible = [
              ...winners.map((by) => ({ ...current, ...createNext(by) })),
              ...(applied.length > 0 ? [] : [current]),
            ];
            const seen = getItemData(await items.get(keys[0]));
            current = possible.find((data) => isDeepStrictEqual(data, seen)) ?? possible[0] ?? current;
            for (const key of keys) await items.expect("TX-08", key, current);
            if (current.left === left) return;
          }
        },
        {
          share: 0.5,
          examples: [
            { count: 2, rounds: 1 },
            { count: 6, rounds: 2 },
          ],
        },
      );
    },
  },
  {
    id: "concurrency/one-token",
    title: "Concurrent transactions with the same token are applied once",
    clauses: ["TX-14"],
    run: async (items, context) => {
      await context.property(
        { count: racers },
        async ({ count }) => {
          const key = items.key("s");
          const token = await items.token();
          const send = (keepsToken: boolean) =>
            items.transactWrite(
              [{ action: "Put", ...key, data: { n: 1 }, condition: createExistenceCondition(false) }],
              token,
              { keepsToken },
            );
          const responses = await sendConcurrently(count, () => send(true));
          // The condition is false for a second execution. A response may instead ask to wait for the first execution.
          const repeated = responses.find(hasFailedCondition);
          const expected = "the transaction is executed only once";
          context.assert("TX-14", repeated === undefined, expected, repeated && formatResponse(repeated));
          items.assertApplied("TX-14", await send(false), "the transaction");
          await items.expect("TX-14", key, { n: 1 });
        },
        { share: 0.7, examples: [{ count: 8 }] },
      );
    },
  },
);

type Entry = ItemKey & { readonly data: Readonly<Record<string, unknown>> };

/** Whether no entry of a batch write failed. */
function isWholeBatch({ status, body }: ApiResponse): boolean {
  return status === 200 && body.failedCount === 0;
}

/** Asserts that exactly one of several Puts succeeded, and that the item has its data; a Put without a response may have. */
async function assertOneWinner(
  items: ItemClient,
  clause: "ITEM-04" | "ITEM-06",
  responses: readonly (ApiResponse | undefined)[],
  key: ItemKey,
): Promise<void> {
  const { context } = items;
  const winners = responses.flatMap((response, by) => (response?.status === 200 ? [by] : []));
  const isOne = winners.length === 1 || (winners.length === 0 && responses.includes(undefined));
  const statuses = responses.map((response) => response?.status ?? "no response");
  context.assert(clause, isOne, "one accepted Put", statuses);
  const { body } = await items.get(key);
  const isWinner = winners.length === 0 || body?.data?.by === winners[0];
  context.assert("ITEM-07", isWinner, `the data from the accepted Put, by ${winners.join()}`, body);
}
