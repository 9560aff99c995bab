import { describe, expect, it } from "vitest";
import type { Profile } from "../../openapi/gaps/profile.js";
import { eachAnswer } from "../testing/each-answer.js";
import { createItemsClient, type ItemsClient } from "../testing/items-client.js";
import { getErrorPointers } from "../testing/read-problem.js";
import { useTestEmulator } from "../testing/use-test-emulator.js";

const anyMessage = expect.stringMatching(/\w/) as string;
const largestItem = 400 * 1024;

const running = useTestEmulator();
let items: ItemsClient;
async function start(profile: Partial<Profile> = {}): Promise<void> {
  items = await createItemsClient(running, profile);
}

/** Creates data with two-byte characters for an item of the given size with this pk and no sk. */
function createDataForItemSize(pk: string, bytes: number): { readonly v: string } {
  const room = bytes - pk.length - '{"v":""}'.length;
  return { v: "ü".repeat(Math.floor(room / 2)) + "x".repeat(room % 2) };
}

function numbered(count: number): { readonly pk: string; readonly sk: string }[] {
  return Array.from({ length: count }, (_, index) => ({ pk: "many", sk: String(index).padStart(3, "0") }));
}

const puts = (count: number) => numbered(count).map((key) => ({ operation: "Put", ...key, data: { n: 1 } }));

describe("batch write", () => {
  it("[BATCH-01] [BATCH-02] [BATCH-03] puts, replaces and deletes, with and without sort keys", async () => {
    await start();
    await items.put("old", null, { gone: true });
    await items.put("kept", "1", { before: 1 });
    const answer = await items.batchWrite([
      { operation: "Put", pk: "new", data: { a: 1 } },
      { operation: "Put", pk: "kept", sk: "1", data: { after: 2 } },
      { operation: "Delete", pk: "old", sk: null },
      { operation: "Delete", pk: "never", sk: "there" },
    ]);
    expect([answer.status, answer.body]).toEqual([200, { successCount: 4, failedCount: 0, errors: null }]);
    expect((await items.get("new")).body).toMatchObject({ pk: "new", sk: null, data: { a: 1 } });
    expect((await items.get("kept", "1")).body).toMatchObject({ data: { after: 2 } });
    expect((await items.get("old")).status).toBe(404);
    expect(await items.usage()).toMatchObject({ itemCount: 2 });
  });

  it("[BATCH-02] preserves data as sent: digits, field order, __proto__", async () => {
    await start();
    const data = '{"b":1.0,"2":12345678901234567890,"1":{"__proto__":1e2},"__proto__":{"x":-0},"a":"ü"}';
    await items.send("POST", "/batch/write", `{"items": [{"operation": "Put", "pk": "p", "data": ${data}}]}`);
    expect((await items.get("p")).text).toContain(`"data":${data},`);
    expect((await items.batchGet([{ pk: "p" }])).text).toContain(`"data":${data},`);
  });

  it("[BATCH-04] [BATCH-05] writes the other entries if some fail, and names those that failed", async () => {
    await start();
    await items.put("b", "1", { n: 1 });
    const answer = await items.batchWrite([
      { operation: "Put", pk: "a", data: { n: 1 } },
      { operation: "Put", pk: "b", sk: "1", data: {}, conditionExpression: "attribute_not_exists(pk)" },
      { operation: "Put", pk: "large", data: createDataForItemSize("large", largestItem + 1) },
      {
        operation: "Delete",
        pk: "b",
        sk: "1",
        conditionExpression: "n = :n",
        filterValues: { ":n": 1 },
      },
    ]);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        successCount: 2,
        failedCount: 2,
        errors: [
          { pk: "b", sk: "1", error: anyMessage },
          { pk: "large", sk: null, error: anyMessage },
        ],
      },
    ]);
    expect((await items.get("a")).status).toBe(200);
    expect((await items.get("b", "1")).status).toBe(404);
    expect((await items.get("large")).status).toBe(404);
  });

  it("[BATCH-05] changes nothing, including timestamps and usage, if every entry fails", async () => {
    await start();
    await items.put("a", null, { n: 1 });
    const answer = await items.unchangedBy(() =>
      items.batchWrite([
        { operation: "Put", pk: "a", data: {}, conditionExpression: "attribute_not_exists(pk)" },
        { operation: "Delete", pk: "a", conditionExpression: "attribute_exists(missing)" },
      ]),
    );
    expect(answer.body).toMatchObject({ successCount: 0, failedCount: 2 });
  });

  it("[ITEM-36] accepts an item of exactly 400 KB and fails the entry with one byte more", async () => {
    await start();
    const sizes = [largestItem - 1, largestItem, largestItem + 1];
    const answer = await items.batchWrite(
      sizes.map((bytes, index) => ({
        operation: "Put",
        pk: `k${index}`,
        data: createDataForItemSize(`k${index}`, bytes),
      })),
    );
    expect(answer.body).toEqual({
      successCount: 2,
      failedCount: 1,
      errors: [{ pk: "k2", sk: null, error: anyMessage }],
    });
    expect(await items.usage()).toMatchObject({ itemCount: 2, storageBytes: 2 * largestItem - 1 });
  });

  it.each<[what: string, entry: object, pointers: string[]]>([
    ["an unknown operation", { operation: "Update", pk: "a", data: {} }, ["/items/1/operation"]],
    ["an operation in lower case", { operation: "put", pk: "a", data: {} }, ["/items/1/operation"]],
    ["a missing operation", { pk: "a", data: {} }, ["/items/1/operation"]],
    ["a Put without data", { operation: "Put", pk: "a" }, ["/items/1/data"]],
    ["a missing pk", { operation: "Delete", sk: "a" }, ["/items/1/pk"]],
    ["an empty pk", { operation: "Delete", pk: "" }, ["/items/1/pk"]],
    ["an empty sk", { operation: "Delete", pk: "a", sk: "" }, ["/items/1/sk"]],
    ["keys of a wrong type", { operation: "Delete", pk: 1, sk: true }, ["/items/1/pk", "/items/1/sk"]],
    ["data that is no object", { operation: "Put", pk: "a", data: [] }, ["/items/1/data"]],
    ["data that is null", { operation: "Put", pk: "a", data: null }, ["/items/1/data"]],
    [
      "a condition that cannot be read",
      { operation: "Put", pk: "a", data: {}, conditionExpression: "n = = 1" },
      ["/items/1/conditionExpression"],
    ],
    [
      "a condition of a wrong type",
      { operation: "Delete", pk: "a", conditionExpression: {} },
      ["/items/1/conditionExpression"],
    ],
    [
      "a value that the condition misses",
      { operation: "Delete", pk: "a", conditionExpression: "n = :n", filterValues: { ":m": 1 } },
      ["/items/1/filterValues"],
    ],
  ])("[BATCH-06] refuses the whole request for %s, and changes nothing", async (_what, entry, pointers) => {
    await start();
    await items.put("a", null, { n: 1 });
    const good = { operation: "Put", pk: "good", data: {} };
    const answer = await items.unchangedBy(() => items.batchWrite([good, entry, good]));
    expect(answer.status).toBe(400);
    expect(getErrorPointers(answer).sort()).toEqual(pointers);
  });

  it("[BATCH-06] refuses a body without a list of objects", async () => {
    await start();
    for (const [value, pointer] of [
      [undefined, "/items"],
      [{}, "/items"],
      [["Put"], "/items/0"],
    ] as const) {
      const answer = await items.unchangedBy(() => items.batchWrite(value));
      expect([answer.status, getErrorPointers(answer)]).toEqual([400, [pointer]]);
    }
  });

  it("[BATCH-07] [BATCH-08] accepts 24 and 25 entries and refuses 26, changing nothing", async () => {
    await start();
    expect((await items.batchWrite(puts(24))).body).toMatchObject({ successCount: 24 });
    expect((await items.batchWrite(puts(25))).body).toMatchObject({ successCount: 25 });
    const refused = await items.unchangedBy(() => items.batchWrite(puts(26)));
    expect([refused.status, getErrorPointers(refused)]).toEqual([400, ["/items"]]);
    expect(await items.usage()).toMatchObject({ itemCount: 25 });
  });

  eachAnswer("batch-too-large-status", "answers too many entries", async (answer, profile) => {
    await start(profile);
    const keys = numbered(101);
    const refusals = [
      await items.batchWrite(puts(26)),
      await items.batchGet(keys),
      await items.transactGet(keys),
      await items.transactWrite(keys.slice(0, 26).map((key) => ({ action: "Delete", ...key }))),
    ];
    for (const { status, body } of refusals)
      expect([status, body]).toEqual([
        answer,
        expect.objectContaining({
          status: answer,
          type: expect.stringMatching(/batch-too-large$/) as string,
        }),
      ]);
  });

  it("refuses a request without entries", async () => {
    await start();
    const answers = [
      await items.batchWrite([]),
      await items.batchGet([]),
      await items.transactGet([]),
      await items.transactWrite([]),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect(answers.map(getErrorPointers)).toEqual([["/items"], ["/keys"], ["/items"], ["/items"]]);
  });

  eachAnswer("batch-conditions", "is what becomes of a condition in an entry", async (answer, profile) => {
    await start(profile);
    await items.put("a", null, { n: 1 });
    const written = await items.batchWrite([
      { operation: "Put", pk: "a", data: { n: 2 }, conditionExpression: "attribute_not_exists(pk)" },
    ]);
    if (answer === "reject")
      expect([written.status, getErrorPointers(written)]).toEqual([400, ["/items/0/conditionExpression"]]);
    else expect(written.body).toMatchObject(answer === "ignore" ? { successCount: 1 } : { failedCount: 1 });
    expect((await items.get("a")).body).toMatchObject({ data: { n: answer === "ignore" ? 2 : 1 } });
    const unreadable = { operation: "Delete", pk: "a", conditionExpression: "(" };
    const isRefused = answer === "evaluate" || answer === "reject";
    expect((await items.batchWrite([unreadable])).status).toBe(isRefused ? 400 : 200);
  });

  eachAnswer("duplicate-keys", "is what happens to two entries on one key", async (answer, profile) => {
    await start(profile);
    await items.put("a", null, { n: 0 });
    const entries = [
      { operation: "Delete", pk: "a" },
      {
        operation: "Put",
        pk: "a",
        sk: null,
        data: { n: 1 },
        conditionExpression: "attribute_not_exists(pk)",
      },
      { operation: "Put", pk: "a", sk: "1", data: {} },
      {
        operation: "Put",
        pk: "a",
        data: { n: 2 },
        conditionExpression: "n = :n",
        filterValues: { ":n": 1 },
      },
    ];
    if (answer === "allow") {
      expect((await items.batchWrite(entries)).body).toMatchObject({ successCount: 4, errors: null });
      expect((await items.get("a")).body).toMatchObject({ data: { n: 2 } });
    } else {
      const refused = await items.unchangedBy(() => items.batchWrite(entries));
      expect([refused.status, getErrorPointers(refused)]).toEqual([400, ["/items/1"]]);
    }
  });
});

describe("batch get", () => {
  it("[BATCH-09] [BATCH-10] returns the existing items whole, in the order of the keys", async () => {
    await start();
    await items.put("a", null, { n: 1 });
    const created = running.emulator.clock.get().now;
    await items.put("a", "/ü", { n: 2 });
    await items.put("a", null, { n: 3 });
    const updated = running.emulator.clock.get().now;
    const answer = await items.batchGet([
      { pk: "a", sk: "/ü" },
      { pk: "b" },
      { pk: "a", sk: "x" },
      { pk: "a" },
    ]);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        items: [
          expect.objectContaining({ pk: "a", sk: "/ü", data: { n: 2 } }),
          { pk: "a", sk: null, data: { n: 3 }, createdAt: created, updatedAt: updated },
        ],
        unprocessedKeys: null,
      },
    ]);
  });

  it("[BATCH-10] reads about 16 MB at once, and returns the other keys as unprocessed", async () => {
    await start();
    const keys = Array.from({ length: 45 }, (_, n) => ({ pk: `p${10 + n}`, sk: null }));
    for (const { pk } of keys) await items.put(pk, null, createDataForItemSize(pk, largestItem));
    const got = await items.batchGet(keys);
    expect((got.body as { items: unknown[] }).items).toMatchObject(keys.slice(0, 41));
    expect(got.body).toMatchObject({ unprocessedKeys: keys.slice(41) });
    expect((await items.batchGet(keys.slice(41))).body).toMatchObject({ unprocessedKeys: null });
  });

  it("[BATCH-11] [BATCH-12] accepts 99 and 100 keys and refuses 101", async () => {
    await start();
    for (let from = 0; from < 100; from += 25) await items.batchWrite(puts(100).slice(from, from + 25));
    for (const count of [99, 100]) {
      const got = await items.batchGet(numbered(count));
      expect((got.body as { items: unknown[] }).items).toMatchObject(numbered(count));
    }
    const refused = await items.unchangedBy(() => items.batchGet(numbered(101)));
    expect([refused.status, getErrorPointers(refused)]).toEqual([400, ["/keys"]]);
  });

  it.each<[what: string, keys: unknown, pointers: string[]]>([
    ["a key without pk", [{ pk: "a" }, { sk: "a" }], ["/keys/1/pk"]],
    ["keys of a wrong type", [{ pk: null, sk: 1 }], ["/keys/0/pk", "/keys/0/sk"]],
    ["empty keys", [{ pk: "", sk: "" }], ["/keys/0/pk", "/keys/0/sk"]],
    ["a key that is a text", ["a"], ["/keys/0"]],
    ["no list", undefined, ["/keys"]],
  ])("[BATCH-09] refuses the whole request for %s", async (_what, keys, pointers) => {
    await start();
    const answer = await items.batchGet(keys);
    expect([answer.status, getErrorPointers(answer).sort()]).toEqual([400, pointers]);
  });

  eachAnswer("duplicate-keys", "answers a key that is named twice", async (answer, profile) => {
    await start(profile);
    await items.batchWrite([
      { operation: "Put", pk: "a", data: {} },
      { operation: "Put", pk: "b", data: {} },
    ]);
    const got = await items.batchGet([{ pk: "a" }, { pk: "b" }, { pk: "a", sk: null }]);
    if (answer === "reject") expect([got.status, getErrorPointers(got)]).toEqual([400, ["/keys/2"]]);
    else expect(got.body).toMatchObject({ items: [{ pk: "a" }, { pk: "b" }] });
  });
});
