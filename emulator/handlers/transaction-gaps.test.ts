import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

const entriesOf = ({ body }: TestAnswer) =>
  (body as { items: { pk: string; sk: string | null; item: unknown }[] }).items;

describe("what the specification leaves open about transact get", () => {
  eachAnswer("duplicate-keys", "answers a key named twice", async (answer, profile) => {
    await start(profile);
    await items.put("a", null, { n: 1, m: 2 });
    const got = await items.transactGet([
      { pk: "a", projectionExpression: ["n"] },
      { pk: "a", sk: "s" },
      { pk: "a", sk: null, projectionExpression: ["m"] },
    ]);
    if (answer === "reject") expect([got.status, getErrorPointers(got)]).toEqual([400, ["/items/2"]]);
    else expect(entriesOf(got).map(({ item }) => item)).toEqual([{ n: 1 }, null, { m: 2 }]);
  });

  eachAnswer("transact-get-item", "is what item is", async (answer, profile) => {
    await start(profile);
    await items.send(
      "PUT",
      "",
      '{"pk":"a","sk":"s","data":{"b":1.0,"data":{"x":1},"a":12345678901234567890}}',
    );
    const at = running.emulator.clock.get().now;
    const answered = await items.transactGet([
      { pk: "a", sk: "s" },
      { pk: "a", sk: "s", projectionExpression: ["data", "none"] },
      { pk: "a" },
    ]);
    const shown = (data: string) =>
      answer === "data" ? data : `{"pk":"a","sk":"s","data":${data},"createdAt":"${at}","updatedAt":"${at}"}`;
    expect(answered.text).toBe(
      `{"items":[{"pk":"a","sk":"s","item":${shown('{"b":1.0,"data":{"x":1},"a":12345678901234567890}')},"itemExists":true},` +
        `{"pk":"a","sk":"s","item":${shown('{"data":{"x":1}}')},"itemExists":true},` +
        '{"pk":"a","sk":null,"item":null,"itemExists":false}]}',
    );
  });
});

describe("what the specification leaves open about transact write", () => {
  const checkMissing = (pk: string) => ({
    action: "ConditionCheck",
    pk,
    conditionExpression: "attribute_exists(pk)",
  });

  eachAnswer("transaction-errors", "is which operations are listed", async (answer, profile) => {
    await start(profile);
    const failed = await items.unchangedBy(() =>
      items.transactWrite([
        { action: "Put", pk: "a", data: {} },
        checkMissing("b"),
        { action: "Put", pk: "c", sk: "s", data: {} },
        checkMissing("d"),
      ]),
    );
    const [a, b, c, d] = [
      { itemIndex: 0, pk: "a", sk: null, error: anyMessage, errorType: "TransactionCanceled" },
      { itemIndex: 1, pk: "b", sk: null, error: anyMessage, errorType: "ConditionalCheckFailed" },
      { itemIndex: 2, pk: "c", sk: "s", error: anyMessage, errorType: "TransactionCanceled" },
      { itemIndex: 3, pk: "d", sk: null, error: anyMessage, errorType: "ConditionalCheckFailed" },
    ];
    const listed = { "at-fault": [b, d], "first-at-fault": [b], "every-operation": [a, b, c, d] }[answer];
    expect(failed.body).toEqual({ successCount: 0, errors: listed });
  });

  eachAnswer("update-object-attribute", "is what Update makes of an object", async (answer, profile) => {
    await start(profile);
    const stored = '{"o":{"a":1.0,"deep":{"x":1,"y":2},"list":[1,2]},"text":"t","kept":{"k":1}}';
    await items.send("PUT", "", `{"pk":"a","data":${stored}}`);
    const set = '{"o":{"deep":{"y":{"z":1}},"list":[3],"new":12345678901234567890},"text":{"t":1}}';
    await items.send("POST", "/transact/write", `{"items":[{"action":"Update","pk":"a","data":${set}}]}`);
    const merged =
      '{"o":{"a":1.0,"deep":{"x":1,"y":{"z":1}},"list":[3],"new":12345678901234567890},"text":{"t":1},"kept":{"k":1}}';
    const replaced =
      '{"o":{"deep":{"y":{"z":1}},"list":[3],"new":12345678901234567890},"text":{"t":1},"kept":{"k":1}}';
    expect((await items.get("a")).text).toContain(`"data":${answer === "merge" ? merged : replaced},`);
  });

  it("[TX-08] merges __proto__ like any other attribute, and only into data", async () => {
    await start({ "update-object-attribute": "merge" });
    await items.send("PUT", "", '{"pk":"a","data":{"__proto__":{"x":1}}}');
    const update = '{"items":[{"action":"Update","pk":"a","data":{"__proto__":{"y":2}}}]}';
    await items.send("POST", "/transact/write", update);
    expect((await items.get("a")).text).toContain('"data":{"__proto__":{"x":1,"y":2}},');
    expect(({} as { y?: unknown }).y).toBeUndefined();
  });
});
