import { limits } from "../../../openapi/clauses/limits.js";
import { stringifyJson } from "../../client/json-text.js";
import { formatResponse } from "../../check/context.js";
import type { ItemKey } from "../../models/item-key.js";
import {
  defineItemChecks,
  buildTransactionBody,
  createExistenceCondition,
  type TransactionEntry,
} from "../../steps/items/item-client.js";
import {
  createDataForItemSize,
  getSizesAroundLimit,
  checkCountsAboveLimit,
  catchBrokenConnection,
} from "../items/item-sizes.js";
import { TransactGetReader } from "../items/transact-get-reader.js";

/** Checks of the limits for transactions (part 8). */
export const transactionLimitChecks = defineItemChecks(
  {
    id: "limits/transact-get",
    title: "A transactional get accepts at most 100 items",
    clauses: ["TX-04", "TX-05"],
    run: async (items, context) => {
      const pk = items.partition();
      const limit = limits.transactGetItems;
      const keysOf = (count: number) => Array.from({ length: count }, (_, n) => ({ pk, sk: `s${n}` }));
      const keys = keysOf(limit);
      await items.load(keys.slice(-3).map((key) => ({ ...key, data: { there: true } })));
      const full = context.assertStatus("TX-04", await items.transactGet(keys), 200);
      const reader = await TransactGetReader.detect(items);
      const found = keys.map((key) => reader.entriesOf(full, key)[0]?.itemExists);
      const expected = keys.map((_, n) => n >= limit - 3);
      context.assertEqual("TX-04", found, expected, "itemExists in each entry");
      await checkCountsAboveLimit(context, limit, async (count) => {
        const over = await items.transactGet(keysOf(count), undefined, { intent: "invalid" });
        context.assertRefused("TX-05", over, `${count} items`);
      });
    },
  },
  {
    id: "limits/transact-write",
    title: "A transactional write accepts at most 25 items",
    clauses: ["TX-16", "TX-17"],
    run: async (items, context) => {
      const pk = items.partition();
      const limit = limits.transactWriteItems;
      const entries = (count: number, isMixed = false): TransactionEntry[] =>
        Array.from({ length: count }, (_, n) =>
          isMixed && n % 2 === 1
            ? { action: "ConditionCheck", pk, sk: `s${n}`, condition: createExistenceCondition(false) }
            : { action: "Put", pk, sk: `s${n}`, data: { n } },
        );
      await checkCountsAboveLimit(context, limit, async (count) => {
        for (const isMixed of [false, true]) {
          const over = await items.transactWrite(entries(count, isMixed), undefined, { intent: "invalid" });
          items.assertApplied("TX-17", over, `${count} items`, false);
          const written = await items.list("queryItems", { partitionKey: pk });
          context.assertEqual("TX-17", written, [], "no write");
        }
      });
      const full = await items.transactWrite(entries(limit));
      const isWhole = full.status === 200 && full.body.successCount === limit;
      context.assert("TX-16", isWhole, `${limit} items are accepted`, formatResponse(full));
      for (const entry of entries(limit)) await items.expect("TX-16", entry, entry.data);
    },
  },
  {
    id: "limits/transaction-item-size",
    title: "A transaction with an item over 400 KB fails",
    clauses: ["TX-19"],
    run: async (items, context) => {
      const { within, past } = getSizesAroundLimit(context, "item");
      for (const action of ["Put", "Update"] as const) {
        const [first, large, last] = [items.key("s"), items.key("s"), items.key()];
        // The limit applies to the item after an Update. Half of the item exists before.
        const before = action === "Update" ? { rest: "x".repeat(Math.floor(within / 2)) } : undefined;
        const existingBytes = before === undefined ? 0 : stringifyJson(before).length - 1;
        if (before !== undefined) await items.put(large, before, {}, { setUp: true });
        const entries = (bytes: number): TransactionEntry[] => [
          { action: "Put", ...first, data: { n: 1 } },
          { action, ...large, data: createDataForItemSize(large, bytes - existingBytes) },
          { action: "Put", ...last, data: { n: 1 } },
        ];
        const over = items.transactWrite(entries(past), undefined, { intent: "invalid" });
        const response = await catchBrokenConnection(over);
        if (response !== undefined)
          items.assertApplied("TX-19", response, `a transaction with an item of ${past} bytes`, false);
        await items.expect("TX-19", large, before);
        for (const key of [first, last]) await items.expect("TX-19", key, undefined);
        const fits = await items.transactWrite(entries(within));
        items.assertApplied("TX-19", fits, `a transaction with an item of ${within} bytes`);
      }
    },
  },
  {
    id: "limits/transaction-size",
    title: "A transaction over 4 MB is rejected, and a smaller transaction is accepted",
    clauses: ["TX-18"],
    run: async (items, context) => {
      const { within, past } = getSizesAroundLimit(context, "transaction");
      const pk = items.partition();
      const keys = Array.from({ length: 12 }, (_, n) => ({ pk, sk: `s${n}` }));
      const assertTooLarge = async (action: "Put" | "Update", filling: string) => {
        const entries = createEntriesOfSize(keys, past, action, filling);
        const over = await catchBrokenConnection(
          items.transactWrite(entries, undefined, { intent: "invalid" }),
        );
        if (over !== undefined)
          items.assertApplied("TX-18", over, `a transaction of ${past} bytes with ${action}`, false);
      };
      // The size is in bytes.
      await assertTooLarge("Put", "\u00e9");
      const written = (await items.batchGetAll(keys)).body?.items;
      context.assertEqual("TX-18", written, [], "no write");
      const fits = await items.transactWrite(createEntriesOfSize(keys, within, "Put", "x"));
      items.assertApplied("TX-18", fits, `a transaction of ${within} bytes`);
      await assertTooLarge("Update", "y");
      for (const key of keys.slice(0, 1).concat(keys.slice(-1))) {
        const { body } = await items.get(key);
        const isWritten = /^x{1000}/.test(String(body?.data?.text));
        context.assert("TX-18", isWritten, "the items from the transaction", "different data");
      }
    },
  },
);

/** Creates the entries of a transaction whose body has exactly the given size; none of its items is too large. */
function createEntriesOfSize(
  keys: readonly ItemKey[],
  bytes: number,
  action: "Put" | "Update",
  filling: string,
): readonly TransactionEntry[] {
  const create = (getLength: (n: number) => number) =>
    keys.map((key, n) => {
      const length = getLength(n);
      const size = Buffer.byteLength(filling);
      const text = filling.repeat(length / size) + "y".repeat(length % size);
      return { action, ...key, data: { text } };
    });
  const room = bytes - Buffer.byteLength(stringifyJson(buildTransactionBody(create(() => 0))));
  const share = Math.floor(room / keys.length);
  return create((n) => share + (n === 0 ? room % keys.length : 0));
}
