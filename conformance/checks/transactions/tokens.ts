import fc from "fast-check";
import { isClientError } from "../../client/is-client-error.js";
import type { ApiResponse } from "../../client/client.js";
import type { CheckContext } from "../../check/context.js";
import { keyText } from "../../generators/item-keys.js";
import {
  defineItemChecks,
  createExistenceCondition,
  type TransactionEntry,
} from "../../steps/items/item-client.js";
import { TransactGetReader } from "../items/transact-get-reader.js";

/** Generates the end of a token. Tokens with unusual characters may be refused, as the specification leaves them open. */
const tokenSuffix = fc.oneof({ weight: 3, arbitrary: fc.constant("") }, { weight: 1, arbitrary: keyText });

/** Checks of repeated transactions (part 4.2 rule 12, part 8). */
export const transactionTokenChecks = defineItemChecks(
  {
    id: "transactions/token",
    title: "A transaction repeated with its token returns the original result and is not executed again",
    clauses: ["TX-14"],
    run: async (items, context: CheckContext) => {
      await context.property(
        [
          // what the token of a failed transaction answers is not said (gap `failed-transaction-token`)
          fc.constantFrom("put", "delete", "update", "read"),
          fc.integer({ min: 1, max: 3 }),
          fc.boolean(),
          tokenSuffix,
        ],
        async (kind, repeats, removes, suffix) => {
          const token = await items.token(suffix);
          const [key, other] = [items.key("s"), items.key()];
          if (kind !== "put") await items.put(key, { n: 0 }, {}, { setUp: true });
          const entry: Readonly<Record<Exclude<typeof kind, "read">, TransactionEntry>> = {
            put: { action: "Put", ...key, data: { n: 1 }, condition: createExistenceCondition(false) },
            delete: { action: "Delete", ...key },
            update: { action: "Update", ...key, data: { n: 1 } },
          };
          const send = () =>
            kind === "read"
              ? items.transactGet([key, other], token)
              : items.transactWrite([entry[kind]], token);
          const first = await send();
          if (suffix !== "" && isRefusedWhole(first)) return;
          // the items have changed since, so that executing again would show, whatever came of it
          const later = { n: 2 };
          if (removes) await items.remove(key, { setUp: true });
          else await items.put(key, later, {}, { setUp: true });
          await items.put(other, later, {}, { setUp: true });
          for (let repeat = 0; repeat < repeats; repeat++) {
            const again = await send();
            await items.expect("TX-14", key, removes ? undefined : later);
            assertSameResult(context, again, first);
          }
          // another token is another transaction, even if it begins in the same way
          const put: TransactionEntry = { action: "Put", ...key, data: { n: 3 } };
          const execute = (other: string) => items.transactWrite([put], other);
          const isName = suffix !== "" && token.endsWith(suffix);
          const another = await execute(isName ? `${token}2` : await items.token());
          // its form may be refused, for which no other token that ends like this counts either
          if (isName && isRefusedWhole(another))
            if (isRefusedWhole(await execute(await items.token(`${suffix}2`)))) return;
          items.assertApplied("TX-14", another, "a transaction with a new token");
          await items.expect("TX-14", key, { n: 3 });
          assertSameResult(context, await send(), first);
          await items.expect("TX-14", key, { n: 3 });
        },
        {
          names: ["kind", "repeats", "removes", "suffix"],
          share: 0.8,
          examples: [
            ["put", 1, false, ""],
            ["put", 2, true, ""],
            ["delete", 1, false, ""],
            ["update", 1, false, ""],
            ["read", 1, true, ""],
            ["delete", 1, false, "k".repeat(100)],
          ],
        },
      );
    },
  },
  {
    id: "time/transaction-token",
    title: "A clientRequestToken is remembered for 10 minutes, but not forever",
    clauses: ["TX-14", "TX-15"],
    needs: ["control-plane"],
    run: async (items, context: CheckContext) => {
      const key = items.key("s");
      const [token, reading] = [await items.token(), await items.token()];
      const entry: TransactionEntry = { action: "Put", ...key, data: { n: 1 } };
      const first = await items.transactWrite([entry], token);
      const firstRead = await items.transactGet([key], reading);
      await items.put(key, { n: 2 }, {}, { setUp: true });
      await context.control.advance("PT9M30S");
      const within = await items.transactWrite([entry], token);
      await items.expect("TX-14", key, { n: 2 });
      assertSameResult(context, within, first);
      assertSameResult(context, await items.transactGet([key], reading), firstRead);
      // how long after the window the last token is forgotten, is not said
      await context.control.advance("PT1H");
      const past = await items.transactWrite([entry], token);
      items.assertApplied("TX-15", past, "the transaction with the expired token");
      await items.expect("TX-15", key, { n: 1 });
      await items.put(key, { n: 3 }, {}, { setUp: true });
      const fresh = (await TransactGetReader.detect(items)).dataOf(
        await items.transactGet([key], reading),
        key,
      );
      context.assertEqual("TX-15", fresh, { n: 3 }, "the current item");
    },
  },
);

/** Whether a request was refused, which a failed transaction is not: it has a result, whatever its status. */
function isRefusedWhole(answer: ApiResponse): boolean {
  return (
    isClientError(answer) &&
    (answer.body as { successCount?: unknown } | undefined)?.successCount === undefined
  );
}

/** Asserts the original result: the status, and every member that the specification knows. */
function assertSameResult(context: CheckContext, again: ApiResponse, first: ApiResponse): void {
  context.assertStatus("TX-14", again, first.status);
  context.assertEqual("TX-14", resultOf(again), resultOf(first), "the original result");
}

function resultOf({ body }: ApiResponse): unknown {
  const known = ({ pk, sk, item, itemExists, itemIndex, errorType }: Record<string, unknown>) => ({
    ...{ pk, sk, item, itemExists, itemIndex, errorType },
  });
  const { items, successCount, errors } = (body ?? {}) as Record<string, unknown>;
  const listed = (value: unknown): unknown => (Array.isArray(value) ? value.map(known) : value);
  return { successCount, items: listed(items), errors: listed(errors) };
}
