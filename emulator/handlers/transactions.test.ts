import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Profile } from "../../openapi/gaps/profile.js";
import { transactionErrorTypes } from "../../openapi/schemas/batches.js";
import { eachAnswer } from "../testing/each-answer.js";
import { createItemsClient, type ItemsClient } from "../testing/items-client.js";
import { getErrorPointers } from "../testing/read-problem.js";
import { getPropertyRuns } from "../testing/property-runs.js";
import { type TestResponse } from "../testing/test-client.js";
import { useTestEmulator } from "../testing/use-test-emulator.js";

const anyMessage = expect.stringMatching(/\w/) as string;
const largestItem = 400 * 1024;
const largestTransaction = 4 * 1024 * 1024;

const running = useTestEmulator();
let items: ItemsClient;
async function start(profile: Partial<Profile> = {}): Promise<void> {
  items = await createItemsClient(running, profile);
}

const applied = (successCount: number) => ({ successCount, errors: null });

/** Returns the index and type of each error of a failed transaction. */
function listErrors({ body }: TestResponse): [itemIndex: number, errorType: string][] {
  const { successCount, errors } = body as {
    successCount: number;
    errors: { itemIndex: number; errorType: string }[];
  };
  expect(successCount).toBe(0);
  return errors.map(({ itemIndex, errorType }) => [itemIndex, errorType]);
}

function numbered(count: number): { readonly pk: string; readonly sk: string }[] {
  return Array.from({ length: count }, (_, index) => ({ pk: "many", sk: String(index).padStart(3, "0") }));
}

const puts = (count: number) => numbered(count).map((key) => ({ action: "Put", ...key, data: { n: 1 } }));

/** Creates data for an item of the given size with this pk and no sk. */
function createDataForItemSize(pk: string, bytes: number): { readonly v: string } {
  return { v: "x".repeat(bytes - pk.length - '{"v":""}'.length) };
}

/** Adds an unknown field to a body to give it the wanted number of bytes. */
function padBody(body: object, bytes: number): string {
  const room = bytes - Buffer.byteLength(JSON.stringify({ ...body, padding: "" }));
  return JSON.stringify({ ...body, padding: "x".repeat(room) });
}

describe("transact get", () => {
  it("[TX-01] returns an entry for every key in order, missing and repeated ones too", async () => {
    await start();
    await items.put("a", null, { n: 1 });
    await items.put("a", "s", { n: 2 });
    const answer = await items.transactGet([
      { pk: "a", sk: "s" },
      { pk: "b", sk: null },
      { pk: "a" },
      { pk: "a", sk: "s" },
    ]);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        items: [
          { pk: "a", sk: "s", item: { n: 2 }, itemExists: true },
          { pk: "b", sk: null, item: null, itemExists: false },
          { pk: "a", sk: null, item: { n: 1 }, itemExists: true },
          { pk: "a", sk: "s", item: { n: 2 }, itemExists: true },
        ],
      },
    ]);
  });

  const stored =
    '{"b":1.0,"2":12345678901234567890,"1":{"2":1e2,"1":[]},"__proto__":{"x":-0},"a.b":"ü","n":null}';

  it.each<[projection: string[], item: string]>([
    [["b"], '{"b":1.0}'],
    [["2"], '{"2":12345678901234567890}'],
    [["b", "2", "1"], '{"b":1.0,"2":12345678901234567890,"1":{"2":1e2,"1":[]}}'],
    [["__proto__"], '{"__proto__":{"x":-0}}'],
    [["a.b", "n"], '{"a.b":"ü","n":null}'],
    [["a", "toString", "constructor", "pk", "b"], '{"b":1.0}'],
    [["missing"], "{}"],
    [["n", "n"], '{"n":null}'],
    [[], "{}"],
  ])("[TX-02] returns those of the attributes %j that the item has, unchanged", async (projection, item) => {
    await start();
    await items.send("PUT", "", `{"pk":"p","data":${stored}}`);
    const answer = await items.transactGet([{ pk: "p", projectionExpression: projection }, { pk: "p" }]);
    expect(answer.text).toBe(
      `{"items":[{"pk":"p","sk":null,"item":${item},"itemExists":true},` +
        `{"pk":"p","sk":null,"item":${stored},"itemExists":true}]}`,
    );
  });

  it("[TX-02] returns null for a missing item, with or without a projection", async () => {
    await start();
    const answer = await items.transactGet([{ pk: "p", projectionExpression: ["a"] }]);
    expect(answer.body).toEqual({ items: [{ pk: "p", sk: null, item: null, itemExists: false }] });
  });

  it("[TX-03] never returns part of a concurrent transaction", async () => {
    await start();
    const move = (n: number) =>
      items.transactWrite(["a", "b"].map((pk) => ({ action: "Put", pk, data: { n } })));
    await move(0);
    const reads = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        const written = move(n);
        const read = await items.transactGet([{ pk: "a" }, { pk: "b" }]);
        await written;
        return read;
      }),
    );
    for (const { body } of reads) {
      const [a, b] = (body as { items: { item: unknown }[] }).items;
      expect(a?.item).toEqual(b?.item);
    }
  });

  it("[TX-04] [TX-05] accepts 99 and 100 items and refuses 101", async () => {
    await start();
    await items.transactWrite(puts(25));
    for (const count of [99, 100]) {
      const answer = await items.transactGet(numbered(count));
      const shown = (answer.body as { items: object[] }).items;
      expect(shown).toMatchObject(numbered(count));
      expect(shown.filter((entry) => "itemExists" in entry && entry.itemExists === true)).toHaveLength(25);
    }
    const refused = await items.unchangedBy(() => items.transactGet(numbered(101)));
    expect([refused.status, getErrorPointers(refused)]).toEqual([400, ["/items"]]);
  });

  it.each<[what: string, entry: unknown, pointers: string[]]>([
    ["a missing pk", { sk: "a" }, ["/items/1/pk"]],
    ["keys of a wrong type", { pk: 1, sk: [] }, ["/items/1/pk", "/items/1/sk"]],
    [
      "a projection that is a text",
      { pk: "a", projectionExpression: "a" },
      ["/items/1/projectionExpression"],
    ],
    [
      "a projection of numbers",
      { pk: "a", projectionExpression: ["a", 1] },
      ["/items/1/projectionExpression/1"],
    ],
    ["an entry that is no object", null, ["/items/1"]],
  ])("[TX-01] refuses the whole request for %s", async (_what, entry, pointers) => {
    await start();
    const answer = await items.transactGet([{ pk: "a" }, entry]);
    expect([answer.status, getErrorPointers(answer).sort()]).toEqual([400, pointers]);
  });
});

describe("transact write", () => {
  it("[TX-06] [TX-07] [TX-08] [TX-09] applies Put, Update, Delete and ConditionCheck together", async () => {
    await start();
    await items.put("updated", "s", { a: 1, b: 2 });
    await items.put("deleted", null, {});
    await items.put("checked", null, { stock: 5 });
    const checked = (await items.get("checked")).text;
    const answer = await items.transactWrite([
      { action: "Put", pk: "put", data: { n: 1 }, conditionExpression: "attribute_not_exists(pk)" },
      { action: "Update", pk: "updated", sk: "s", data: { b: 3, c: 4 } },
      { action: "Delete", pk: "deleted", sk: null },
      { action: "Delete", pk: "never there" },
      {
        action: "ConditionCheck",
        pk: "checked",
        conditionExpression: "stock >= :least",
        filterValues: { ":least": 5 },
      },
    ]);
    expect([answer.status, answer.body]).toEqual([200, applied(5)]);
    expect((await items.get("put")).body).toMatchObject({ data: { n: 1 } });
    expect((await items.get("updated", "s")).body).toMatchObject({ data: { a: 1, b: 3, c: 4 } });
    expect((await items.get("deleted")).status).toBe(404);
    expect((await items.get("checked")).text).toBe(checked);
  });

  it("[TX-08] sets attributes unchanged, with all digits, their order and __proto__", async () => {
    await start();
    await items.send(
      "PUT",
      "",
      '{"pk":"p","data":{"z":1.0,"2":12345678901234567890,"__proto__":{"x":1},"a":1}}',
    );
    const created = (await items.get("p")).body as { createdAt: string };
    const set = '{"1": 1e2, "__proto__": {"y":-0}, "z": 0.10, "new": {"b":[],"10":9007199254740993}}';
    const update = `{"items":[{"action":"Update","pk":"p","data":${set}}]}`;
    expect((await items.send("POST", "/transact/write", update)).body).toEqual(applied(1));
    const after = await items.get("p");
    expect(after.text).toContain(
      '"data":{"z":0.10,"2":12345678901234567890,"__proto__":{"y":-0},"a":1,"1":1e2,"new":{"b":[],"10":9007199254740993}},',
    );
    expect(after.body).toMatchObject({ createdAt: created.createdAt });
  });

  it("[TX-08] replaces a whole attribute and sets null as a value", async () => {
    await start();
    await items.put("p", null, { nested: { a: 1, b: 2 }, list: [1, 2], kept: true });
    await items.transactWrite([{ action: "Update", pk: "p", data: { nested: { c: 3 }, list: null } }]);
    expect((await items.get("p")).text).toContain('"data":{"nested":{"c":3},"list":null,"kept":true},');
  });

  it("[TX-08] Update and Put keep createdAt and change updatedAt", async () => {
    await start();
    await items.put("p", null, { n: 1 });
    const createdAt = running.emulator.clock.get().now;
    for (const action of ["Update", "Put"]) {
      await items.transactWrite([{ action, pk: "p", data: { n: 2 } }]);
      const updatedAt = running.emulator.clock.get().now;
      expect((await items.get("p")).body).toMatchObject({ createdAt, updatedAt });
    }
  });

  it("[TX-10] [TX-11] [TX-12] [TX-13] names exactly the failing operations and changes nothing", async () => {
    await start({ "duplicate-keys": "reject" });
    await items.put("a", null, { n: 1 });
    await items.put("b", "s", { n: 1 });
    const answer = await items.unchangedBy(() =>
      items.transactWrite([
        { action: "Put", pk: "new", data: {} },
        { action: "ConditionCheck", pk: "a", conditionExpression: "n > :n", filterValues: { ":n": 1 } },
        { action: "Update", pk: "b", sk: "s", data: { n: 2 } },
        { action: "Delete", pk: "b", sk: "other", conditionExpression: "attribute_exists(pk)" },
        { action: "Put", pk: "large", data: createDataForItemSize("large", largestItem + 1) },
        { action: "Update", pk: "missing", data: {} },
        { action: "Delete", pk: "a" },
      ]),
    );
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        successCount: 0,
        errors: [
          { itemIndex: 1, pk: "a", sk: null, error: anyMessage, errorType: "ConditionalCheckFailed" },
          { itemIndex: 3, pk: "b", sk: "other", error: anyMessage, errorType: "ConditionalCheckFailed" },
          { itemIndex: 4, pk: "large", sk: null, error: anyMessage, errorType: "ValidationError" },
          { itemIndex: 5, pk: "missing", sk: null, error: anyMessage, errorType: "ConditionalCheckFailed" },
          { itemIndex: 6, pk: "a", sk: null, error: anyMessage, errorType: "ValidationError" },
        ],
      },
    ]);
    for (const [, errorType] of listErrors(answer)) expect(transactionErrorTypes).toContain(errorType);
  });

  it("[TX-09] [TX-12] ConditionCheck covers missing items too", async () => {
    await start();
    const check = (conditionExpression: string) =>
      items.transactWrite([{ action: "ConditionCheck", pk: "none", conditionExpression }]);
    expect((await items.unchangedBy(() => check("attribute_not_exists(pk)"))).body).toEqual(applied(1));
    const failed = await items.unchangedBy(() => check("attribute_exists(pk)"));
    expect(listErrors(failed)).toEqual([[0, "ConditionalCheckFailed"]]);
  });

  it("[TX-16] [TX-17] accepts 24 and 25 operations and refuses 26, changing nothing", async () => {
    await start();
    expect((await items.transactWrite(puts(24))).body).toEqual(applied(24));
    expect((await items.transactWrite(puts(25))).body).toEqual(applied(25));
    const refused = await items.unchangedBy(() => items.transactWrite(puts(26)));
    expect([refused.status, getErrorPointers(refused)]).toEqual([400, ["/items"]]);
    expect(await items.usage()).toMatchObject({ itemCount: 25 });
  });

  it("[TX-18] accepts a write of 4 MB, and refuses one byte more", async () => {
    await start();
    const body = (n: number) => ({
      items: Array.from({ length: 10 }, (_, index) => ({
        action: "Put",
        pk: `large-${index}`,
        data: { n, v: "ü".repeat(200_000) },
      })),
    });
    const write = (n: number, bytes: number) =>
      items.send("POST", "/transact/write", padBody(body(n), bytes));
    expect((await write(1, largestTransaction - 1)).body).toEqual(applied(10));
    expect((await write(2, largestTransaction)).body).toEqual(applied(10));
    const refused = await items.unchangedBy(() => write(3, largestTransaction + 1));
    expect(refused.status).toBe(413);
    expect((await items.get("large-9")).body).toMatchObject({ data: { n: 2 } });
  });

  it("[TX-18] accepts a get of 4 MB and refuses one byte more", async () => {
    await start();
    const read = (bytes: number) =>
      items.send("POST", "/transact/get", padBody({ items: [{ pk: "a" }] }, bytes));
    expect((await read(largestTransaction)).status).toBe(200);
    expect((await items.unchangedBy(() => read(largestTransaction + 1))).status).toBe(413);
  });

  it("[TX-19] accepts an item of 400 KB, put or updated, and fails with one byte more, changing nothing", async () => {
    await start();
    const put = (bytes: number) => [
      { action: "Put", pk: "other", data: { bytes } },
      { action: "Put", pk: "p", data: createDataForItemSize("p", bytes) },
    ];
    expect((await items.transactWrite(put(largestItem - 1))).body).toEqual(applied(2));
    expect((await items.transactWrite(put(largestItem))).body).toEqual(applied(2));
    const failedPut = await items.unchangedBy(() => items.transactWrite(put(largestItem + 1)));
    expect(listErrors(failedPut)).toEqual([[1, "ValidationError"]]);

    const grown = ',"w":""'.length;
    await items.put("u", null, createDataForItemSize("u", largestItem - grown - 1));
    const update = (w: string) => [
      { action: "Delete", pk: "other" },
      { action: "Update", pk: "u", data: { w } },
    ];
    const failedUpdate = await items.unchangedBy(() => items.transactWrite(update("xx")));
    expect(listErrors(failedUpdate)).toEqual([[1, "ValidationError"]]);
    expect((await items.transactWrite(update("x"))).body).toEqual(applied(2));
    expect(await items.usage()).toMatchObject({ itemCount: 2, storageBytes: 2 * largestItem });
  });

  const condition = "conditionExpression";
  it.each<[what: string, entry: unknown, pointers: string[]]>([
    ["an unknown action", { action: "Get", pk: "a" }, ["/items/1/action"]],
    ["a missing action", { pk: "a", data: {} }, ["/items/1/action"]],
    ["a Put without data", { action: "Put", pk: "a" }, ["/items/1/data"]],
    ["an Update without data", { action: "Update", pk: "a" }, ["/items/1/data"]],
    ["data of a wrong type", { action: "Update", pk: "a", data: "text" }, ["/items/1/data"]],
    ["a missing pk", { action: "Delete" }, ["/items/1/pk"]],
    ["an empty sk", { action: "Delete", pk: "a", sk: "" }, ["/items/1/sk"]],
    ["a ConditionCheck without condition", { action: "ConditionCheck", pk: "a" }, [`/items/1/${condition}`]],
    ["an empty condition", { action: "ConditionCheck", pk: "a", [condition]: "" }, [`/items/1/${condition}`]],
    [
      "a condition that cannot be read",
      { action: "Delete", pk: "a", [condition]: "attribute_exists(pk" },
      [`/items/1/${condition}`],
    ],
    [
      "a condition that is too long",
      { action: "Delete", pk: "a", [condition]: `a = ${"1".repeat(4093)}` },
      [`/items/1/${condition}`],
    ],
    [
      "values that the condition misses",
      { action: "Delete", pk: "a", [condition]: "n = :n" },
      ["/items/1/filterValues"],
    ],
    [
      "values of a wrong type",
      { action: "Delete", pk: "a", [condition]: "n = :n", filterValues: [1] },
      ["/items/1/filterValues"],
    ],
    ["an entry that is no object", 1, ["/items/1"]],
    ["several faults", { action: "Put", pk: 1 }, ["/items/1/data", "/items/1/pk"]],
  ])("[TX-10] refuses the whole request for %s, and changes nothing", async (_what, entry, pointers) => {
    await start();
    await items.put("a", null, { n: 1 });
    const good = { action: "Put", pk: "good", data: {} };
    const answer = await items.unchangedBy(() => items.transactWrite([good, entry]));
    expect(answer.status).toBe(400);
    expect(getErrorPointers(answer).sort()).toEqual(pointers);
  });

  it("[TX-20] refuses any other action, and changes nothing", async () => {
    await start();
    const actions = ["Put", "Update", "Delete", "ConditionCheck"];
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string(), fc.constantFrom("Get", "put", "DELETE", "Put ")),
        async (action) => {
          fc.pre(!actions.includes(action));
          const entry = { action, pk: "a", data: {}, conditionExpression: "attribute_not_exists(pk)" };
          const answer = await items.unchangedBy(() => items.transactWrite([...puts(1), entry]));
          expect([answer.status, getErrorPointers(answer)]).toEqual([400, ["/items/1/action"]]);
        },
      ),
      { numRuns: getPropertyRuns(20) },
    );
  });

  eachAnswer("transaction-failed-status", "answers a failed transaction", async (answer, profile) => {
    for (const errorBody of ["problem", "error-message"] as const) {
      await start({ ...profile, "error-body": errorBody });
      const failed = await items.transactWrite([
        { action: "ConditionCheck", pk: "a", conditionExpression: "attribute_exists(pk)" },
      ]);
      expect(failed.status).toBe(answer);
      expect(failed.headers.get("content-type")).toBe("application/json");
      expect(listErrors(failed)).toEqual([[0, "ConditionalCheckFailed"]]);
      const refused = await items.transactWrite([{ action: "Delete" }]);
      expect(refused.status).toBe(400);
      expect(refused.body).not.toHaveProperty("successCount");
    }
  });

  eachAnswer("too-large-status", "answers a body over 4 MB", async (answer, profile) => {
    await start(profile);
    const write = padBody({ items: [{ action: "Put", pk: "a", data: {} }] }, largestTransaction + 1);
    const refused = await items.send("POST", "/transact/write", write);
    expect([refused.status, refused.body]).toEqual([
      answer,
      expect.objectContaining({ type: expect.stringMatching(/transaction-too-large$/) as string }),
    ]);
  });

  eachAnswer("update-missing-item", "is what becomes of an Update without item", async (answer, profile) => {
    await start(profile);
    const operations = [
      { action: "Put", pk: "other", data: {} },
      { action: "Update", pk: "a", sk: "s", data: { n: 1 } },
    ];
    if (answer === "create") {
      expect((await items.transactWrite(operations)).body).toEqual(applied(2));
      const now = running.emulator.clock.get().now;
      expect((await items.get("a", "s")).body).toEqual({
        pk: "a",
        sk: "s",
        data: { n: 1 },
        createdAt: now,
        updatedAt: now,
      });
    } else {
      const failed = await items.unchangedBy(() => items.transactWrite(operations));
      expect(listErrors(failed)).toEqual([[1, answer]]);
    }
    const conditional = { ...operations[1], conditionExpression: "attribute_exists(other)" };
    await items.delete("a", "s");
    const failed = await items.transactWrite([conditional]);
    expect(listErrors(failed)).toEqual([[0, "ConditionalCheckFailed"]]);
  });

  eachAnswer("duplicate-keys", "is what happens to two operations on one key", async (answer, profile) => {
    await start(profile);
    await items.put("a", null, { n: 0, old: true });
    const operations = [
      { action: "Update", pk: "a", data: { n: 1 } },
      { action: "Put", pk: "a", sk: "1", data: {} },
      { action: "Delete", pk: "a", sk: null },
      { action: "ConditionCheck", pk: "a", conditionExpression: "attribute_not_exists(pk)" },
      { action: "Put", pk: "a", data: { n: 2 } },
    ];
    if (answer === "reject") {
      const failed = await items.unchangedBy(() => items.transactWrite(operations));
      expect(listErrors(failed)).toEqual([2, 3, 4].map((index) => [index, "ValidationError"]));
      return;
    }
    expect((await items.transactWrite(operations)).body).toEqual(applied(5));
    const now = running.emulator.clock.get().now;
    expect((await items.get("a")).body).toEqual({
      pk: "a",
      sk: null,
      data: { n: 2 },
      createdAt: now,
      updatedAt: now,
    });
    const failed = await items.unchangedBy(() =>
      items.transactWrite([
        { action: "Delete", pk: "a" },
        { action: "Put", pk: "a", data: {}, conditionExpression: "attribute_exists(pk)" },
      ]),
    );
    expect(listErrors(failed)).toEqual([[1, "ConditionalCheckFailed"]]);
  });
});
