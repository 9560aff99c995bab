import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getSizeLimit } from "../../openapi/clauses/limits.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { eachAnswer } from "../testing/each-answer.js";
import { createItemsClient, type ItemsClient, getErrorPointers } from "../testing/items-client.js";
import { type TestAnswer, type TestEmulator, createTestEmulator } from "../testing/test-client.js";

const anyMessage = expect.stringMatching(/\w/) as string;

let running: TestEmulator;
let items: ItemsClient;
async function start(profile: Partial<Profile> = {}): Promise<void> {
  items = await createItemsClient(running, profile);
}
beforeAll(async () => {
  running = await createTestEmulator();
});
afterAll(() => running.emulator.close());

/** Data that gives an item of this pk and no sk the wanted number of bytes. */
const dataOfItem = (pk: string, bytes: number) => ({ v: "x".repeat(bytes - pk.length - '{"v":""}'.length) });
const failed = (pk: string) => ({ pk, sk: null, error: anyMessage });
const kindOf = ({ body }: TestAnswer) => (body as { type: string }).type.split("/").at(-1);

describe("gaps about batches", () => {
  eachAnswer(
    "batch-all-failed-status",
    "answers a batch all of whose entries fail",
    async (answer, profile) => {
      await start(profile);
      const condition = { conditionExpression: "attribute_exists(pk)" };
      const put = (pk: string, more: object = {}) => ({ operation: "Put", pk, data: {}, ...more });
      const none = await items.unchangedBy(() =>
        items.batchWrite([put("a", condition), put("b", condition)]),
      );
      expect([none.status, none.body]).toEqual([
        answer,
        { successCount: 0, failedCount: 2, errors: [failed("a"), failed("b")] },
      ]);
      const some = await items.batchWrite([put("a", condition), put("b")]);
      expect([some.status, some.body]).toEqual([
        200,
        { successCount: 1, failedCount: 1, errors: [failed("a")] },
      ]);
    },
  );

  eachAnswer("large-item-in-batch", "is what an item over 400 KB fails", async (answer, profile) => {
    for (const status of [413, 418]) {
      await start({ ...profile, "too-large-status": status });
      const large = { pk: "large", data: dataOfItem("large", getSizeLimit("item", 1024) + 1) };
      const small = { pk: "small", data: {} };
      const batch = () =>
        items.batchWrite([
          { operation: "Put", ...small },
          { operation: "Put", ...large },
        ]);
      const transact = () =>
        items.transactWrite([
          { action: "Put", ...small },
          { action: "Put", ...large },
        ]);
      if (answer === "fails-request")
        for (const send of [batch, transact]) {
          const refused = await items.unchangedBy(send);
          expect([refused.status, kindOf(refused)]).toEqual([status, "entry-too-large"]);
        }
      else {
        expect((await items.unchangedBy(transact)).body).toMatchObject({
          successCount: 0,
          errors: [{ itemIndex: 1, errorType: "ValidationError" }],
        });
        expect((await batch()).body).toEqual({ successCount: 1, failedCount: 1, errors: [failed("large")] });
      }
    }
  });

  it("[BATCH-04] a request refused for a large item does not use up its token", async () => {
    await start({ "large-item-in-batch": "fails-request" });
    const put = (bytes: number) => [{ action: "Put", pk: "a", data: dataOfItem("a", bytes) }];
    expect((await items.transactWrite(put(getSizeLimit("item", 1024) + 1), "token")).status).toBe(413);
    expect((await items.transactWrite(put(100), "token")).status).toBe(200);
  });

  eachAnswer("empty-list-members", "is what an empty list is", async (answer, profile) => {
    await start(profile);
    const nothing = answer === "as-null" ? null : [];
    expect((await items.batchWrite([{ operation: "Put", pk: "a", data: {} }])).body).toEqual({
      successCount: 1,
      failedCount: 0,
      errors: nothing,
    });
    expect((await items.batchGet([{ pk: "a" }])).body).toMatchObject({ unprocessedKeys: nothing });
    const write = await items.transactWrite([{ action: "Delete", pk: "a" }]);
    expect(write.body).toEqual({ successCount: 1, errors: nothing });
  });

  eachAnswer("size-unit", "is the unit of the sizes of items and transactions", async (answer, profile) => {
    await start(profile);
    const largest = 400 * answer;
    const put = (bytes: number) => items.put("a", null, dataOfItem("a", bytes));
    expect([(await put(largest)).status, (await put(largest + 1)).status]).toEqual([200, 413]);
    const batch = (bytes: number) =>
      items.batchWrite([{ operation: "Put", pk: "a", data: dataOfItem("a", bytes) }]);
    expect((await batch(largest)).body).toMatchObject({ successCount: 1 });
    expect((await batch(largest + 1)).body).toMatchObject({ failedCount: 1 });
    const transact = (bytes: number) => {
      const body = (padding: string) => JSON.stringify({ items: [{ pk: "a" }], padding });
      return items.send("POST", "/transact/get", body("x".repeat(bytes - body("").length)));
    };
    const whole = 4 * answer * answer;
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
