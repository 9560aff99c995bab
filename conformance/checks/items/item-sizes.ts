import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { getSizeLimit } from "../../../openapi/clauses/limits.js";
import type { ApiResponse } from "../../client/client.js";
import { JsonText } from "../../client/json-text.js";
import type { CheckContext } from "../../check/context.js";
import { BrokenConnectionError, NoResponseError, RunError } from "../../client/violation.js";
import type { ItemKey } from "../../models/item-key.js";
import { defineItemChecks, getItemTimestamps } from "../../steps/items/item-calls.js";

/** Relative difference that a deployment may count in addition to, or less than, the bytes of an item. */
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
  const unit = context.known("size-unit");
  if (context.isStrict && unit !== undefined) {
    const limit = getSizeLimit(of, unit);
    return { within: limit, past: limit + 1 };
  }
  return {
    within: Math.floor(getSizeLimit(of, unit ?? 1000) * (1 - margin)),
    past: Math.ceil(getSizeLimit(of, unit ?? 1024) * (1 + margin)),
  };
}

/** Creates data for an item of exactly the given size, counting its keys and the compact JSON of its data. */
export function createDataForItemSize(key: ItemKey, bytes: number, filling = "x"): JsonText {
  const frame = '{"text":""}';
  const room = bytes - Buffer.byteLength(key.pk) - Buffer.byteLength(key.sk ?? "") - frame.length;
  const unit = Buffer.byteLength(filling);
  const text = filling.repeat(Math.floor(room / unit)) + "x".repeat(room % unit);
  return new JsonText(`{"text":"${text}"}`);
}

/** Awaits the answer to a request that is too large; returns undefined if the connection was closed, which is a refusal. */
export async function catchBrokenConnection(answer: Promise<ApiResponse>): Promise<ApiResponse | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof BrokenConnectionError) return undefined;
    // silence would be the same again: the check is not begun anew
    throw error instanceof NoResponseError ? new RunError(error.message) : error;
  }
}

/** Tries numbers of entries above the limit of a request, always including the limit plus one. */
export function checkCountsAboveLimit(
  context: CheckContext,
  limit: number,
  holds: (count: number) => Promise<void>,
): Promise<void> {
  return context.property([fc.integer({ min: limit + 1, max: 4 * limit })], holds, {
    names: ["count"],
    share: 0.2,
    examples: [[limit + 1]],
  });
}

/** Checks of the size of an item (part 8). */
export const itemSizeChecks = defineItemChecks({
  id: "limits/item-size",
  title: "An item of 400 KB is accepted, and a larger item is rejected",
  clauses: ["ITEM-35", "ITEM-36"],
  run: async (items, context: CheckContext) => {
    const assertTooLarge = async (key: ItemKey, data: JsonText, what: string) => {
      const answer = await catchBrokenConnection(items.put(key, data, {}, { intent: "invalid" }));
      if (answer !== undefined) context.assertRefused("ITEM-36", answer, what);
    };
    const { within, past } = getSizesAroundLimit(context, "item");
    // once, not for every run: the bodies are large
    for (const [what, filling] of fillings) {
      const key = items.key("s");
      const put = await items.put(key, createDataForItemSize(key, within, filling));
      context.assert("ITEM-35", put.status === 200, `${within} bytes of ${what} are accepted`, put.text);
      const stored = await items.get(key);
      const length = (stored.body?.data?.text as string | undefined)?.length;
      const expected = (JSON.parse(createDataForItemSize(key, within, filling).text) as { text: string }).text
        .length;
      context.assertEqual("ITEM-35", length, expected, "the length of the returned text");
      await assertTooLarge(
        key,
        createDataForItemSize(key, past, filling),
        `an item of ${past} bytes of ${what}`,
      );
      const after = await items.get(key);
      context.assert(
        "ITEM-36",
        // what is large is not shown; an instant may be spelled in several ways
        isDeepStrictEqual(
          [known(after), getItemTimestamps(after)],
          [known(stored), getItemTimestamps(stored)],
        ),
        "the item unchanged",
        "a different item",
      );
      const other = items.key();
      await assertTooLarge(
        other,
        createDataForItemSize(other, past, filling),
        `a new item of ${past} bytes of ${what}`,
      );
      await items.expect("ITEM-36", other, undefined);
    }
  },
});

/** Returns the fields of an item in an answer, except its times. */
function known({ body }: ApiResponse): unknown {
  const { pk, sk, data } = (body ?? {}) as Readonly<Record<string, unknown>>;
  return { pk, sk, data };
}
