import { describe, expect, it } from "vitest";
import { limits } from "../../openapi/clauses/limits.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { ItemsClient } from "../testing/items-client.js";
import { getErrorPointers } from "../testing/read-problem.js";
import { createItemsClient, createDatabaseClient } from "../testing/items-client.js";
import { useTestEmulator } from "../testing/use-test-emulator.js";

const running = useTestEmulator();
let items: ItemsClient;
async function start(profile: Partial<Profile> = {}): Promise<void> {
  items = await createItemsClient(running, profile);
}

const put = (n: number) => [{ action: "Put", pk: "a", data: { n } }];
const numberOf = async (pk: string) => ((await items.get(pk)).body as { data: { n: number } }).data.n;

/** Sets the clock so that the next request is at this time; each request advances the manual clock by a millisecond. */
function nextRequestAt(milliseconds: number): void {
  running.emulator.clock.set(new Date(milliseconds - 1).toISOString());
}
const timeOfLastRequest = () => Date.parse(running.emulator.clock.get().now);

describe("clientRequestToken", () => {
  it("[TX-14] repeats a write from memory, even if the item has changed since", async () => {
    await start();
    const first = await items.transactWrite(put(1), "token");
    await items.put("a", null, { n: 2 });
    const again = await items.unchangedBy(() => items.transactWrite(put(1), "token"));
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(await numberOf("a")).toBe(2);
  });

  it("[TX-14] repeats a get with the items as they were", async () => {
    await start();
    await items.send("PUT", "", '{"pk":"a","data":{"b":1.0,"2":12345678901234567890}}');
    const keys = [{ pk: "a" }, { pk: "b" }];
    const first = await items.transactGet(keys, "token");
    await items.delete("a");
    await items.put("b", null, {});
    const again = await items.unchangedBy(() => items.transactGet(keys, "token"));
    expect(again.text).toBe(first.text);
    expect(again.text).toContain('{"b":1.0,"2":12345678901234567890}');
    const fresh = await items.transactGet(keys);
    expect(fresh.body).toMatchObject({ items: [{ itemExists: false }, { itemExists: true }] });
  });

  it.each([200, 409, 400] as const)("[TX-14] repeats a failed transaction with status %i", async (status) => {
    await start({ "transaction-failed-status": status });
    const check = [{ action: "ConditionCheck", pk: "a", conditionExpression: "attribute_exists(pk)" }];
    const failed = await items.transactWrite(check, "token");
    await items.put("a", null, {});
    const again = await items.transactWrite(check, "token");
    expect((await items.transactWrite(check)).body).toEqual({ successCount: 1, errors: null });
    expect([again.status, again.text]).toEqual([failed.status, failed.text]);
  });

  it("[TX-14] [TX-15] write: returns the same for 10 minutes, then executes anew", async () => {
    await start();
    await items.transactWrite(put(1), "token");
    const answered = timeOfLastRequest();
    await items.put("a", null, { n: 2 });
    nextRequestAt(answered + limits.transactionTokenMs - 1);
    await items.transactWrite(put(1), "token");
    expect(timeOfLastRequest() - answered).toBe(10 * 60 * 1000 - 1);
    expect(await numberOf("a")).toBe(2);
    nextRequestAt(answered + limits.transactionTokenMs);
    await items.transactWrite(put(1), "token");
    expect(await numberOf("a")).toBe(1);

    // the new execution starts another 10 minutes, but repetitions do not
    await items.put("a", null, { n: 3 });
    nextRequestAt(answered + 2 * limits.transactionTokenMs - 1);
    await items.transactWrite(put(1), "token");
    expect(await numberOf("a")).toBe(3);
    nextRequestAt(answered + 2 * limits.transactionTokenMs);
    await items.transactWrite(put(1), "token");
    expect(await numberOf("a")).toBe(1);
  });

  it("[TX-14] [TX-15] get: returns the same for 10 minutes, then reads anew", async () => {
    await start();
    await items.put("a", null, { n: 1 });
    const read = async () => (await items.transactGet([{ pk: "a" }], "token")).body as unknown;
    const first = await read();
    const answered = timeOfLastRequest();
    await items.put("a", null, { n: 2 });
    nextRequestAt(answered + limits.transactionTokenMs - 1);
    expect(await read()).toEqual(first);
    nextRequestAt(answered + limits.transactionTokenMs);
    expect(await read()).toMatchObject({ items: [{ item: { n: 2 } }] });
  });

  it("[TX-15] accepts another body with the token after 10 minutes", async () => {
    await start();
    await items.transactWrite(put(1), "token");
    nextRequestAt(timeOfLastRequest() + limits.transactionTokenMs);
    expect((await items.transactWrite(put(2), "token")).status).toBe(200);
    expect(await numberOf("a")).toBe(2);
  });

  it("[TX-14] is remembered for gets and writes separately", async () => {
    await start();
    await items.transactWrite(put(1), "token");
    const read = await items.transactGet([{ pk: "a" }], "token");
    expect(read.body).toMatchObject({ items: [{ item: { n: 1 } }] });
    expect((await items.transactWrite(put(1), "token")).body).toEqual({ successCount: 1, errors: null });
  });

  it("[TX-14] is remembered for each database separately", async () => {
    await start();
    const client = await running.login("owner@demo.test", "org_demo_pro");
    const others = await createDatabaseClient(client, "other-items");
    await items.transactWrite(put(1), "token");
    expect((await others.transactWrite(put(2), "token")).status).toBe(200);
    expect((await others.get("a")).body).toMatchObject({ data: { n: 2 } });
    expect(await numberOf("a")).toBe(1);
  });

  it("[TX-14] distinguishes tokens by case, and executes everything without a token", async () => {
    await start();
    const addOne = { action: "Put", pk: "a", data: {}, conditionExpression: "attribute_not_exists(pk)" };
    const succeeds = async (token?: string) =>
      ((await items.transactWrite([addOne], token)).body as { errors: unknown }).errors === null;
    expect([await succeeds("t"), await succeeds("T"), await succeeds("t")]).toEqual([true, false, true]);
    await items.delete("a");
    expect([await succeeds(), await succeeds()]).toEqual([true, false]);
  });

  it("[TX-14] ignores the order of fields and white space, not the order of operations", async () => {
    await start();
    const send = (body: string) => items.send("POST", "/transact/write", body);
    const put1 = '{"action":"Put","pk":"a","data":{"n":1,"m":2}}';
    const put2 = '{"action":"Put","pk":"b","data":{}}';
    await send(`{"clientRequestToken":"token","items":[${put1},${put2}]}`);
    await items.put("a", null, { n: 5 });
    const reordered = '{ "data": {"m":2, "n":1}, "pk":"\\u0061", "action":"Put"}';
    const again = await send(`{"items": [${reordered},${put2}], "clientRequestToken":"token"}`);
    expect(again.body).toEqual({ successCount: 2, errors: null });
    expect(await numberOf("a")).toBe(5);
    const other = await send(`{"items":[${put2},${put1}],"clientRequestToken":"token"}`);
    expect(other.status).toBe(400);
  });

  it.each<[what: string, refused: unknown]>([
    ["of form", [{ action: "Put", pk: "a" }]],
    ["of a condition", [{ action: "Delete", pk: "a", conditionExpression: "(" }]],
    ["of number", Array.from({ length: 26 }, (_, n) => ({ action: "Delete", pk: String(n) }))],
    ["of size", [{ action: "Put", pk: "a", data: { v: "x".repeat(4 * 1024 * 1024) } }]],
  ])("[TX-14] remains unused after a request that is refused for a fault %s", async (_what, refused) => {
    await start();
    expect((await items.transactWrite(refused, "token")).status).toBeGreaterThanOrEqual(400);
    expect((await items.transactWrite(put(1), "token")).body).toEqual({ successCount: 1, errors: null });
    expect(await numberOf("a")).toBe(1);
  });

  it("[TX-14] is forgotten at a reset, but not when another token expires", async () => {
    await start();
    await items.transactWrite(put(1), "early");
    const early = timeOfLastRequest();
    nextRequestAt(early + limits.transactionTokenMs / 2);
    await items.transactWrite(put(2), "late");
    nextRequestAt(early + limits.transactionTokenMs);
    await items.transactWrite(put(1), "early");
    await items.transactWrite(put(2), "late");
    expect(await numberOf("a")).toBe(1);
    await start();
    await items.transactWrite(put(3), "late");
    expect(await numberOf("a")).toBe(3);
  });

  it.each<[unknown, string]>([
    ["", "empty"],
    ["x".repeat(1025), "too long"],
    [7, "a number"],
  ])("[TX-14] refuses the token %j: %s", async (token) => {
    await start();
    for (const kind of ["get", "write"]) {
      const body = { items: [{ action: "Delete", pk: "a" }], clientRequestToken: token };
      const answer = await items.unchangedBy(() => items.send("POST", `/transact/${kind}`, body));
      expect([answer.status, getErrorPointers(answer)]).toEqual([400, ["/clientRequestToken"]]);
    }
  });

  it.each([400, 422] as const)("refuses a token that comes with another body with %i", async (status) => {
    await start({ "validation-status": status });
    const first = await items.transactWrite(put(1), "token");
    await items.transactGet([{ pk: "a" }], "token");
    const others = [
      await items.unchangedBy(() => items.transactWrite(put(2), "token")),
      await items.unchangedBy(() => items.transactGet([{ pk: "b" }], "token")),
    ];
    expect(others.map((other) => other.status)).toEqual([status, status]);
    expect(others.map(getErrorPointers)).toEqual([["/clientRequestToken"], ["/clientRequestToken"]]);
    const original = await items.transactWrite(put(1), "token");
    expect(original.text).toBe(first.text);
  });

  it("refuses a response that exceeds the memory for tokens", async () => {
    await start();
    await items.put("large", null, { text: "x".repeat(400_000) });
    const often = (times: number) => Array.from({ length: times }, () => ({ pk: "large" }));
    for (const token of ["1", "2", "3", "4"])
      expect((await items.transactGet(often(40), token)).status).toBe(200);
    for (const [times, token] of [
      [42, "too long"],
      [40, "too many"],
    ] as const) {
      const refused = await items.transactGet(often(times), token);
      expect([refused.status, refused.text]).toEqual([413, expect.stringContaining("Omit the token")]);
    }
    expect((await items.transactGet([{ pk: "large" }], "third")).status).toBe(200);
  });
});
