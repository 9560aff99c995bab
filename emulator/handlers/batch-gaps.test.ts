import { describe, expect, it } from "vitest";
import { limits } from "../../openapi/clauses/limits.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { createItemsClient, type ItemsClient } from "../testing/items-client.js";
import { getErrorPointers } from "../testing/read-problem.js";
import { useTestEmulator } from "../testing/use-test-emulator.js";

const anyMessage = expect.stringMatching(/\w/) as string;

const running = useTestEmulator();
let items: ItemsClient;
async function start(profile: Partial<Profile> = {}): Promise<void> {
  items = await createItemsClient(running, profile);
}

/** Creates data for an item of the given size with this pk and no sk. */
const createDataForItemSize = (pk: string, bytes: number) => ({
  v: "x".repeat(bytes - pk.length - '{"v":""}'.length),
});
const failed = (pk: string) => ({ pk, sk: null, error: anyMessage });

describe("gaps about batches", () => {
  it("[ITEM-36] [TX-19] an item over 400 KB fails its entry or the transaction", async () => {
    await start();
    const large = { pk: "large", data: createDataForItemSize("large", limits.itemBytes + 1) };
    const small = { pk: "small", data: {} };
    const transaction = await items.unchangedBy(() =>
      items.transactWrite([small, large].map((item) => ({ action: "Put", ...item }))),
    );
    expect(transaction.body).toMatchObject({
      successCount: 0,
      errors: [{ itemIndex: 1, errorType: "ValidationError" }],
    });
    const batch = await items.batchWrite([small, large].map((item) => ({ operation: "Put", ...item })));
    expect(batch.body).toEqual({ successCount: 1, failedCount: 1, errors: [failed("large")] });
  });

  it("[ITEM-35] [ITEM-36] [TX-18] counts sizes of items and transactions in units of 1024", async () => {
    await start();
    const largest = 400 * 1024;
    const put = (bytes: number) => items.put("a", null, createDataForItemSize("a", bytes));
    expect([(await put(largest)).status, (await put(largest + 1)).status]).toEqual([200, 413]);
    const batch = (bytes: number) =>
      items.batchWrite([{ operation: "Put", pk: "a", data: createDataForItemSize("a", bytes) }]);
    expect((await batch(largest)).body).toMatchObject({ successCount: 1 });
    expect((await batch(largest + 1)).body).toMatchObject({ failedCount: 1 });
    const transact = (bytes: number) => {
      const body = (padding: string) => JSON.stringify({ items: [{ pk: "a" }], padding });
      return items.send("POST", "/transact/get", body("x".repeat(bytes - body("").length)));
    };
    const whole = 4 * 1024 * 1024;
    expect([(await transact(whole)).status, (await transact(whole + 1)).status]).toEqual([200, 413]);
  });

  it("[BATCH-06] rejects a condition with a pointer to it, and writes nothing", async () => {
    await start({ "batch-conditions": "reject" });
    const refused = await items.unchangedBy(() =>
      items.batchWrite([
        { operation: "Put", pk: "a", data: {} },
        { operation: "Put", pk: "b", data: {}, conditionExpression: "attribute_not_exists(pk)" },
      ]),
    );
    expect([refused.status, getErrorPointers(refused)]).toEqual([400, ["/items/1/conditionExpression"]]);
  });
});
