import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Profile } from "../../openapi/gaps/profile.js";
import { eachAnswer } from "../testing/each-answer.js";
import { beginItems, type ItemsClient, pointersOf } from "../testing/items-client.js";
import { type TestAnswer, type TestEmulator, testEmulator } from "../testing/test-client.js";

const anyMessage = expect.stringMatching(/\w/) as string;

let running: TestEmulator;
let items: ItemsClient;
async function start(profile: Partial<Profile> = {}): Promise<void> {
  items = await beginItems(running, profile);
}
beforeAll(async () => {
  running = await testEmulator();
});
afterAll(() => running.emulator.close());

const entriesOf = ({ body }: TestAnswer) =>
  (body as { items: { pk: string; sk: string | null; item: unknown }[] }).items;
const errorsOf = ({ body }: TestAnswer) =>
  (body as { errors: { itemIndex: number; pk: string; errorType: string }[] }).errors;

describe("what the specification leaves open about transact get", () => {
  eachAnswer("transact-get-order", "is the order of the entries", async (answer, profile) => {
    await start(profile);
    await items.put("b", null, { n: 1 });
    const asked = [{ pk: "b" }, { pk: "a", sk: "9" }, { pk: "a", sk: "10" }, { pk: "a" }];
    const seen = entriesOf(await items.transactGet(asked)).map(({ pk, sk, item }) => [pk, sk, item]);
    const byKey = [
      ["a", null, null],
      ["a", "10", null],
      ["a", "9", null],
      ["b", null, { n: 1 }],
    ];
    expect(seen).toEqual(answer === "key" ? byKey : [byKey[3], byKey[2], byKey[1], byKey[0]]);
  });

  eachAnswer(
    "condition-check-without-condition",
    "is what becomes of a check of nothing",
    async (answer, profile) => {
      await start(profile);
      const entries = [
        { action: "Put", pk: "a", data: { n: 1 } },
        { action: "ConditionCheck", pk: "b" },
      ];
      const written = await items.transactWrite(entries);
      if (answer === "reject")
        expect([written.status, pointersOf(written)]).toEqual([400, ["/items/1/conditionExpression"]]);
      else expect(written.body).toEqual({ successCount: 2, errors: null });
      expect((await items.get("a")).status).toBe(answer === "reject" ? 404 : 200);
      expect((await items.get("b")).status).toBe(404);
    },
  );

  eachAnswer("transact-get-duplicate-key", "answers a key named twice", async (answer, profile) => {
    await start(profile);
    await items.put("a", null, { n: 1, m: 2 });
    const got = await items.transactGet([
      { pk: "a", projectionExpression: ["n"] },
      { pk: "a", sk: "s" },
      { pk: "a", sk: null, projectionExpression: ["m"] },
    ]);
    if (answer === "reject") expect([got.status, pointersOf(got)]).toEqual([400, ["/items/2"]]);
    else {
      const all = [{ n: 1 }, null, { m: 2 }];
      expect(entriesOf(got).map(({ item }) => item)).toEqual(answer === "each" ? all : all.slice(0, 2));
    }
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

  eachAnswer("projection-absent-name", "answers a name that is not there", async (answer, profile) => {
    await start(profile);
    await items.put("a", null, { there: null, other: 1 });
    const got = await items.transactGet([
      { pk: "a", projectionExpression: ["none", "there"] },
      { pk: "missing", projectionExpression: ["none"] },
    ]);
    const projected = answer === "null" ? { none: null, there: null } : { there: null };
    expect(entriesOf(got).map(({ item }) => item)).toEqual([projected, null]);
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

  eachAnswer("item-index-base", "is where itemIndex begins", async (answer, profile) => {
    await start(profile);
    const failed = await items.transactWrite([
      checkMissing("a"),
      { action: "Put", pk: "b", data: {} },
      checkMissing("c"),
    ]);
    expect(errorsOf(failed).map(({ itemIndex, pk }) => [itemIndex, pk])).toEqual([
      [answer, "a"],
      [answer + 2, "c"],
    ]);
  });

  eachAnswer("condition-check-counts", "is whether checks are counted", async (answer, profile) => {
    await start(profile);
    await items.put("a", null, {});
    const write = await items.transactWrite([
      checkMissing("a"),
      { action: "Update", pk: "a", sk: "s", data: {}, conditionExpression: "attribute_not_exists(none)" },
    ]);
    expect(write.body).toMatchObject({ successCount: 0 });
    const counted = await items.transactWrite([checkMissing("a"), { action: "Put", pk: "b", data: {} }]);
    expect(counted.body).toEqual({ successCount: answer === "counted" ? 2 : 1, errors: null });
    const alone = await items.unchangedBy(() => items.transactWrite([checkMissing("a")]));
    expect(alone.body).toEqual({ successCount: answer === "counted" ? 1 : 0, errors: null });
  });

  eachAnswer("delete-missing-in-transaction", "is what becomes of it", async (answer, profile) => {
    await start(profile);
    await items.put("there", null, {});
    const operations = [
      { action: "Delete", pk: "there" },
      { action: "Delete", pk: "missing" },
    ];
    if (answer === "succeeds") {
      expect((await items.transactWrite(operations)).body).toEqual({ successCount: 2, errors: null });
      expect((await items.get("there")).status).toBe(404);
    } else {
      const failed = await items.unchangedBy(() => items.transactWrite(operations));
      expect(errorsOf(failed)).toMatchObject([{ itemIndex: 1, pk: "missing", errorType: answer }]);
    }
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

  it("[TX-08] merging goes into __proto__ as into any other attribute, and into nothing but data", async () => {
    await start({ "update-object-attribute": "merge" });
    await items.send("PUT", "", '{"pk":"a","data":{"__proto__":{"x":1}}}');
    const update = '{"items":[{"action":"Update","pk":"a","data":{"__proto__":{"y":2}}}]}';
    await items.send("POST", "/transact/write", update);
    expect((await items.get("a")).text).toContain('"data":{"__proto__":{"x":1,"y":2}},');
    expect(({} as { y?: unknown }).y).toBeUndefined();
  });

  eachAnswer("token-same-request", "is which body repeats a transaction", async (answer, profile) => {
    await start(profile);
    const body = '{"items":[{"action":"Put","pk":"a","data":{"n":1,"m":2}}],"clientRequestToken":"t"}';
    const send = (text: string) => items.send("POST", "/transact/write", text);
    await send(body);
    await items.put("a", null, { n: 5 });
    const repeated = await send(body);
    expect([repeated.status, repeated.body]).toEqual([200, { successCount: 1, errors: null }]);
    for (const alike of [
      body.replace('"n":1,"m":2', '"m":2,"n":1'),
      ` ${body}`,
      body.replace('"a"', '"\\u0061"'),
      body.replace(',"clientRequestToken":"t"', "").replace("{", '{"clientRequestToken":"t",'),
    ]) {
      const again = await items.unchangedBy(() => send(alike));
      expect(again.status).toBe(answer === "same-json" ? 200 : 400);
      if (answer === "same-bytes") expect(pointersOf(again)).toEqual(["/clientRequestToken"]);
    }
    const read = '{"items":[{"pk":"a"}],"clientRequestToken":"t"}';
    const first = await items.send("POST", "/transact/get", read);
    expect((await items.send("POST", "/transact/get", read)).text).toBe(first.text);
    expect((await items.send("POST", "/transact/get", `${read} `)).status).toBe(
      answer === "same-json" ? 200 : 400,
    );
  });

  eachAnswer("token-length-max", "is how long a token may be", async (answer, profile) => {
    await start(profile);
    const send = (length: number) =>
      items.transactWrite([{ action: "Delete", pk: "a" }], "\u{1f600}".repeat(length));
    expect((await send(answer)).status).toBe(200);
    const refused = await items.unchangedBy(() => send(answer + 1));
    expect([refused.status, pointersOf(refused)]).toEqual([400, ["/clientRequestToken"]]);
  });
});
