import fc from "fast-check";
import { isClientError } from "../../client/is-client-error.js";
import type { ApiResponse } from "../../client/client.js";
import type { CheckContext } from "../../check/context.js";
import { keyText } from "../../generators/item-keys.js";
import {
  defineItemChecks,
  createExistenceCondition,
  isUuid,
  type TransactionEntry,
} from "../../steps/items/item-client.js";
import { TransactGetReader } from "../items/transact-get-reader.js";

/** Generates the end of a token. The specification leaves the form of tokens open, so unusual tokens may be rejected. */
const tokenSuffix = fc.oneof({ weight: 3, arbitrary: fc.constant("") }, { weight: 1, arbitrary: keyText });

/** Checks of repeated transactions (part 4.2 rule 12, part 8). */
export const transactionTokenChecks = defineItemChecks(
  {
    id: "transactions/token",
    title: "A transaction repeated with its token returns the original result and is not executed again",
    clauses: ["TX-01", "TX-14"],
    run: async (items, context) => {
      const reader = await TransactGetReader.detect(items);
      await context.property(
        {
          kind: fc.constantFrom("put", "delete", "update", "read"),
          repeats: fc.integer({ min: 1, max: 3 }),
          removes: fc.boolean(),
          suffix: tokenSuffix,
        },
        async ({ kind, repeats, removes, suffix }) => {
          const token = await items.token(suffix);
          const [key, secondKey] = [items.key("s"), items.key()];
          if (kind !== "put") await items.put(key, { n: 0 }, {}, { setUp: true });
          const entry: Readonly<Record<Exclude<typeof kind, "read">, TransactionEntry>> = {
            put: { action: "Put", ...key, data: { n: 1 }, condition: createExistenceCondition(false) },
            delete: { action: "Delete", ...key },
            update: { action: "Update", ...key, data: { n: 1 } },
          };
          const send = () =>
            kind === "read"
              ? items.transactGet([key, secondKey], token)
              : items.transactWrite([entry[kind]], token);
          const first = await send();
          if (suffix !== "" && isRejected(first)) return;
          if (kind === "read") context.assertEqual("TX-01", reader.dataOf(first, key), { n: 0 }, "the item");
          else items.assertApplied("TX-14", first, "a transaction with a token");
          // After these changes, a second execution would be visible.
          const later = { n: 2 };
          if (removes) await items.remove(key, { setUp: true });
          else await items.put(key, later, {}, { setUp: true });
          await items.put(secondKey, later, {}, { setUp: true });
          for (let repeat = 0; repeat < repeats; repeat++) {
            const repeated = await send();
            await items.expect("TX-14", key, removes ? undefined : later);
            assertSameResult(context, repeated, first);
          }
          // A token that only begins with the first token, or differs from it in case, belongs to another transaction.
          const put: TransactionEntry = { action: "Put", ...key, data: { n: 3 } };
          const execute = (otherToken: string) => items.transactWrite([put], otherToken);
          const change = (name: string) => (suffix === "" ? name.toUpperCase() : `${name}2`);
          const isName = !isUuid(token);
          const other = await execute(isName ? change(token) : await items.token());
          // The form of this token may be invalid. In that case, every token of this form is rejected.
          if (isName && isRejected(other))
            if (isRejected(await execute(change(await items.token(suffix))))) return;
          items.assertApplied("TX-14", other, "a transaction with a new token");
          await items.expect("TX-14", key, { n: 3 });
          assertSameResult(context, await send(), first);
          await items.expect("TX-14", key, { n: 3 });
        },
        {
          share: 0.8,
          examples: [
            { kind: "put", repeats: 1, removes: false, suffix: "" },
            { kind: "put", repeats: 2, removes: true, suffix: "" },
            { kind: "delete", repeats: 1, removes: false, suffix: "" },
            { kind: "update", repeats: 1, removes: false, suffix: "" },
            { kind: "read", repeats: 1, removes: true, suffix: "" },
            { kind: "delete", repeats: 1, removes: false, suffix: "k".repeat(100) },
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
    run: async (items, context) => {
      const key = items.key("s");
      const [token, readToken] = [await items.token(), await items.token()];
      const entry: TransactionEntry = { action: "Put", ...key, data: { n: 1 } };
      const first = await items.transactWrite([entry], token);
      const read = () => items.transactGet([key], readToken);
      const firstRead = await read();
      await items.put(key, { n: 2 }, {}, { setUp: true });
      await context.control.advance("PT9M30S");
      const repeated = await items.transactWrite([entry], token);
      await items.expect("TX-14", key, { n: 2 });
      assertSameResult(context, repeated, first);
      assertSameResult(context, await read(), firstRead);
      // The specification does not say how long after the 10 minutes a token is forgotten.
      await context.control.advance("PT1H");
      const executed = await items.transactWrite([entry], token);
      items.assertApplied("TX-15", executed, "the transaction with the expired token");
      await items.expect("TX-15", key, { n: 1 });
      await items.put(key, { n: 3 }, {}, { setUp: true });
      const current = (await TransactGetReader.detect(items)).dataOf(await read(), key);
      context.assertEqual("TX-15", current, { n: 3 }, "the current item");
    },
  },
);

/** Whether a request was rejected. A failed transaction was not: it has a result, with any status. */
function isRejected(response: ApiResponse): boolean {
  return isClientError(response) && response.body?.successCount === undefined;
}

/** Asserts the original result: the status, and the fields in the specification. */
function assertSameResult(context: CheckContext, actual: ApiResponse, first: ApiResponse): void {
  context.assertStatus("TX-14", actual, first.status);
  context.assertEqual("TX-14", pickResult(actual), pickResult(first), "the original result");
}

function pickResult({ body }: ApiResponse): unknown {
  const pickFields = ({ pk, sk, item, itemExists, itemIndex, errorType }: Record<string, unknown>) => ({
    ...{ pk, sk, item, itemExists, itemIndex, errorType },
  });
  const { items, successCount, errors } = (body ?? {}) as Record<string, unknown>;
  const pickEach = (list: unknown): unknown => (Array.isArray(list) ? list.map(pickFields) : list);
  return { successCount, items: pickEach(items), errors: pickEach(errors) };
}
