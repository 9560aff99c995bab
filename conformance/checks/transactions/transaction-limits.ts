import fc from "fast-check";
import { limits } from "../../../openapi/clauses/limits.js";
import { JsonText, writeJson } from "../../client/json-text.js";
import type { CheckContext } from "../../check/context.js";
import {
  answerText,
  isApplied,
  defineItemChecks,
  transactionBody,
  type TransactionEntry,
} from "../../steps/items/item-calls.js";
import { dataOfSize, sizesAround, unlessCutOff } from "../items/item-sizes.js";
import { Transacted } from "../items/transacted.js";

/** Numbers of part 8 about transactions. */
export const transactionLimitChecks = defineItemChecks(
  {
    id: "limits/transact-get",
    title: "A transact get takes 100 items and no more",
    clauses: ["TX-04", "TX-05"],
    run: async (items, context: CheckContext) => {
      const pk = items.partition();
      const limit = limits.transactGetItems;
      const keys = Array.from({ length: limit + 1 }, (_, n) => ({ pk, sk: `s${n}` }));
      await items.load(keys.slice(limit - 3).map((key) => ({ ...key, data: { there: true } })));
      const full = await items.transactGet(keys.slice(0, limit));
      context.assert("TX-04", full.status === 200, `${limit} items to be accepted`, answerText(full));
      const transacted = await Transacted.of(items);
      const found = keys.slice(0, limit).map((key) => transacted.entriesOf(full, key)[0]?.itemExists);
      const expected = found.map((_, n) => n >= limit - 3);
      context.assertEqual("TX-04", found, expected, "itemExists of each");
      await context.property(
        [fc.integer({ min: limit + 1, max: 3 * limit })],
        async (count) => {
          const given = Array.from({ length: count }, (_, n) => ({ pk, sk: `s${n}` }));
          const over = await items.transactGet(given, undefined, { intent: "invalid" });
          context.assertRefused("TX-05", over, `${count} items`);
        },
        { names: ["count"], share: 0.2, examples: [[limit + 1]] },
      );
    },
  },
  {
    id: "limits/transact-write",
    title: "A transact write takes 25 items and no more",
    clauses: ["TX-16", "TX-17"],
    run: async (items, context: CheckContext) => {
      const pk = items.partition();
      const limit = limits.transactWriteItems;
      const entries = (count: number): TransactionEntry[] =>
        Array.from({ length: count }, (_, n) => ({ action: "Put", pk, sk: `s${n}`, data: { n } }));
      await context.property(
        [fc.integer({ min: limit + 1, max: 4 * limit })],
        async (count) => {
          const over = await items.transactWrite(entries(count), undefined, { intent: "invalid" });
          context.assert("TX-17", !isApplied(over), `${count} items not to be applied`, answerText(over));
          const left = await items.list("queryItems", { partitionKey: pk });
          context.assertEqual("TX-17", left, [], "nothing to be written");
        },
        { names: ["count"], share: 0.2, examples: [[limit + 1]] },
      );
      const full = await items.transactWrite(entries(limit));
      const isWhole = full.status === 200 && full.body.successCount === limit;
      context.assert("TX-16", isWhole, `${limit} items to be accepted`, answerText(full));
      for (const entry of entries(limit)) await items.expect("TX-16", entry, entry.data);
    },
  },
  {
    id: "limits/transaction-item-size",
    title: "An item over 400 KB fails its transaction",
    clauses: ["TX-19"],
    run: async (items, context: CheckContext) => {
      const { within, past } = sizesAround(context, "item");
      for (const action of ["Put", "Update"] as const) {
        const [large, other, after] = [items.key("s"), items.key("s"), items.key()];
        // an Update is judged by the item that comes of it: half of it is there before
        const before = action === "Update" ? { rest: "x".repeat(Math.floor(within / 2)) } : undefined;
        const kept = before === undefined ? 0 : writeJson(before).length - 1;
        if (before !== undefined) await items.put(large, before, {}, { setUp: true });
        const answer = await unlessCutOff(
          items.transactWrite(
            [
              { action: "Put", ...other, data: { n: 1 } },
              { action, ...large, data: dataOfSize(large, past - kept) },
              { action: "Put", ...after, data: { n: 1 } },
            ],
            undefined,
            { intent: "invalid" },
          ),
        );
        if (answer !== undefined)
          context.assert("TX-19", !isApplied(answer), `an item of ${past} bytes to fail`, answerText(answer));
        await items.expect("TX-19", large, before);
        for (const key of [other, after]) await items.expect("TX-19", key, undefined);
        const fits = await items.transactWrite([
          { action: "Put", ...other, data: { n: 1 } },
          { action, ...large, data: dataOfSize(large, within - kept) },
        ]);
        context.assert(
          "TX-19",
          isApplied(fits),
          `an item of ${within} bytes to be applied`,
          answerText(fits),
        );
      }
    },
  },
  {
    id: "limits/transaction-size",
    title: "A transaction over 4 MB is refused, one below it is accepted",
    clauses: ["TX-18"],
    run: async (items, context: CheckContext) => {
      const { within, past } = sizesAround(context, "transaction");
      const pk = items.partition();
      const keys = Array.from({ length: 12 }, (_, n) => ({ pk, sk: `s${n}` }));
      // once, not for every run: the bodies are large
      const over = await unlessCutOff(
        items.transactWriteText(transactionOfSize(keys, past), { intent: "invalid" }),
      );
      if (over !== undefined)
        context.assert(
          "TX-18",
          !isApplied(over),
          `a transaction of ${past} bytes not to be applied`,
          answerText(over),
        );
      const left = (await items.batchGetAll(keys)).body?.items;
      context.assertEqual("TX-18", left, [], "nothing to be written");
      const fits = await items.transactWriteText(transactionOfSize(keys, within));
      context.assert(
        "TX-18",
        isApplied(fits),
        `a transaction of ${within} bytes to be applied`,
        answerText(fits),
      );
      for (const key of [keys[0], keys.at(-1)])
        if (key !== undefined) {
          const { body } = await items.get(key);
          context.assert(
            "TX-18",
            body?.data?.text?.length > 1000,
            "the items of the transaction",
            "other data",
          );
        }
      await items.batchWriteAll(
        keys.map((key) => ({ operation: "Delete", ...key })),
        { setUp: true },
      );
    },
  },
);

/** The body of a transaction of just so many bytes, none of its items too large. */
function transactionOfSize(
  keys: readonly { readonly pk: string; readonly sk: string }[],
  bytes: number,
): string {
  const texts = (lengths: readonly number[]) =>
    writeJson(
      transactionBody(
        keys.map((key, n) => ({
          action: "Put",
          ...key,
          data: new JsonText(`{"text":"${"x".repeat(lengths[n] ?? 0)}"}`),
        })),
      ),
    );
  const room = bytes - Buffer.byteLength(texts([]));
  const each = Math.floor(room / keys.length);
  return texts(keys.map((_, n) => each + (n === 0 ? room % keys.length : 0)));
}
