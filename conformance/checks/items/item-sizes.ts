import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { limits } from "../../../openapi/clauses/limits.js";
import type { ApiResponse } from "../../client/client.js";
import type { CheckContext } from "../../check/context.js";
import { BrokenConnectionError, NoResponseError, RunError } from "../../client/violation.js";
import type { ItemKey } from "../../models/item-key.js";
import { defineItemChecks, getItemTimestamps } from "../../steps/items/item-client.js";

/** Share of the size by which a deployment's count may differ from the bytes of an item. */
const margin = 0.01;

/** Fillings for data, with different numbers of bytes per character. */
const fillings = [
  ["ASCII", "x"],
  ["two bytes per character", "\u00e9"],
  ["four bytes per character", "\u{1f600}"],
] as const;

/**
 * Returns a size within a limit and a size above it: exact to the byte if the deployment can be judged exactly, otherwise
 * with a margin for different units and ways of counting.
 */
export function getSizesAroundLimit(
  context: CheckContext,
  of: "item" | "transaction",
): { readonly within: number; readonly past: number } {
  const limit = of === "item" ? limits.itemBytes : limits.transactionRequestBytes;
  if (context.isStrict) return { within: limit, past: limit + 1 };
  const decimalLimit = of === "item" ? 400_000 : 4_000_000;
  return { within: Math.floor(decimalLimit * (1 - margin)), past: Math.ceil(limit * (1 + margin)) };
}

/** Creates data for an item of exactly the given size, counting its keys and the compact JSON of its data. */
export function createDataForItemSize(key: ItemKey, bytes: number, filling = "x"): { readonly text: string } {
  const frame = '{"text":""}';
  const room = bytes - Buffer.byteLength(key.pk) - Buffer.byteLength(key.sk ?? "") - frame.length;
  const unit = Buffer.byteLength(filling);
  return { text: filling.repeat(Math.floor(room / unit)) + "x".repeat(room % unit) };
}

/** Awaits the response to a request that is too large; undefined if the connection was closed, which is a refusal. */
export async function catchBrokenConnection(
  response: Promise<ApiResponse>,
): Promise<ApiResponse | undefined> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof BrokenConnectionError) return undefined;
    // A RunError, so that the check is not repeated: there would be no response again.
    throw error instanceof NoResponseError ? new RunError(error.message) : error;
  }
}

/** Tries numbers of entries above the limit of a request, always including the limit plus one. */
export function checkCountsAboveLimit(
  context: CheckContext,
  limit: number,
  assertForCount: (count: number) => Promise<void>,
): Promise<void> {
  return context.property(
    { count: fc.integer({ min: limit + 1, max: 4 * limit }) },
    ({ count }) => assertForCount(count),
    { share: 0.2, examples: [{ count: limit + 1 }] },
  );
}

/** Checks of the size of an item (part 8). */
export const itemSizeChecks = defineItemChecks({
  id: "limits/item-size",
  title: "An item of 400 KB is accepted, and a larger item is rejected",
  clauses: ["ITEM-35", "ITEM-36"],
  run: async (items, context: CheckContext) => {
    const { within, past } = getSizesAroundLimit(context, "item");
    const assertTooLarge = async (key: ItemKey, filling: string, what: string) => {
      const data = createDataForItemSize(key, past, filling);
      const response = await catchBrokenConnection(items.put(key, data, {}, { intent: "invalid" }));
      if (response !== undefined) context.assertRefused("ITEM-36", response, `${past} bytes of ${what}`);
    };
    for (const [what, filling] of fillings) {
      const key = items.key("s");
      const data = createDataForItemSize(key, within, filling);
      const put = await items.put(key, data);
      context.assert("ITEM-35", put.status === 200, `${within} bytes of ${what} are accepted`, put.text);
      const stored = await items.get(key);
      const { length } = (stored.body?.data?.text ?? "") as string;
      context.assertEqual("ITEM-35", length, data.text.length, "the length of the returned text");
      await assertTooLarge(key, filling, what);
      const after = await items.get(key);
      // The values are too large to be shown in a report.
      const isUnchanged = isDeepStrictEqual(getContents(after), getContents(stored));
      context.assert("ITEM-36", isUnchanged, "the item unchanged", "a different item");
      const other = items.key();
      await assertTooLarge(other, filling, `${what} in a new item`);
      await items.expect("ITEM-36", other, undefined);
    }
  },
});

/** Returns the fields of an item in a response, with its times as instants. */
function getContents(response: ApiResponse): unknown {
  const { pk, sk, data } = (response.body ?? {}) as Readonly<Record<string, unknown>>;
  return { pk, sk, data, times: getItemTimestamps(response) };
}
