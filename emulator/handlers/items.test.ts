import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eachAnswer } from "../testing/each-answer.js";
import { createEmptyDatabase, ItemsClient } from "../testing/items-client.js";
import { getErrorPointers } from "../testing/read-problem.js";
import { type TestEmulator, createTestEmulator } from "../testing/test-client.js";
import { useTestEmulator } from "../testing/use-test-emulator.js";

const itemsOf = "/api/v1/databases/db_demo/items";

describe("single items", () => {
  const running = useTestEmulator();
  let items: ItemsClient;
  beforeEach(async () => {
    running.emulator.reset();
    items = await createEmptyDatabase(running);
  });

  it("[ITEM-01] [ITEM-10] [GEN-06] Put returns pk, sk and updatedAt as JSON, sk null if there is none", async () => {
    const withSk = await items.put("a", "b", {});
    expect(withSk.status).toBe(200);
    expect(withSk.headers.get("content-type")).toBe("application/json");
    const { updatedAt } = withSk.body as { updatedAt: string };
    expect(withSk.text).toBe(`{"pk":"a","sk":"b","updatedAt":"${updatedAt}"}`);
    expect((await items.put("a", null, {})).body).toMatchObject({ pk: "a", sk: null });
    expect((await items.put("n", null, {}, { sk: null })).body).toMatchObject({ pk: "n", sk: null });
    expect((await items.get("n")).status).toBe(200);
  });

  it("[ITEM-02] [ITEM-12] Put creates an item that get returns whole", async () => {
    expect((await items.get("a", "b")).status).toBe(404);
    const { updatedAt } = (await items.put("a", "b", { n: 1 })).body as { updatedAt: string };
    const found = await items.get("a", "b");
    expect([found.status, found.body]).toEqual([
      200,
      { pk: "a", sk: "b", data: { n: 1 }, createdAt: updatedAt, updatedAt },
    ]);
    await items.put("a", null, { n: 2 });
    expect((await items.get("a")).body).toMatchObject({ pk: "a", sk: null, data: { n: 2 } });
  });

  it("[ITEM-03] Put replaces all data and merges nothing", async () => {
    await items.put("a", null, { kept: 1, nested: { old: true } });
    await items.put("a", null, { nested: { fresh: true } });
    expect((await items.get("a")).body).toMatchObject({ data: { nested: { fresh: true } } });
    expect((await items.get("a")).text).toContain('"data":{"nested":{"fresh":true}}');
  });

  it("[ITEM-38] a Put changes updatedAt, which get returns too; createdAt stays", async () => {
    const first = (await items.put("a", null, {})).body as { updatedAt: string };
    running.emulator.clock.advance("PT10M");
    const second = (await items.put("a", null, {})).body as { updatedAt: string };
    expect(Date.parse(second.updatedAt) - Date.parse(first.updatedAt)).toBeGreaterThanOrEqual(600_000);
    expect((await items.get("a")).body).toMatchObject({
      createdAt: first.updatedAt,
      updatedAt: second.updatedAt,
    });
    const third = (await items.put("a", null, {})).body as { updatedAt: string };
    expect(third.updatedAt).not.toBe(second.updatedAt);
  });

  it("updatedAt changes even if two Puts arrive in the same millisecond", async () => {
    running.emulator.clock.mode("system");
    const seen = new Set<string>();
    const puts = 60;
    for (let index = 0; index < puts; index += 1)
      seen.add(((await items.put("a", null, {})).body as { updatedAt: string }).updatedAt);
    expect(seen.size).toBe(puts);
    expect([...seen]).toEqual([...seen].sort());
  });

  it("updatedAt changes with every kind of write within one millisecond", async () => {
    const { clock } = running.emulator;
    const key = { pk: "a", sk: null };
    const readTime = async () => Date.parse(((await items.get("a")).body as { updatedAt: string }).updatedAt);
    const writes = [
      () => items.put("a", null, { n: 1 }),
      () => items.batchWrite([{ operation: "Put", ...key, data: { n: 2 } }]),
      () => items.transactWrite([{ action: "Put", ...key, data: { n: 3 } }]),
      () => items.transactWrite([{ action: "Update", ...key, data: { n: 4 } }]),
    ];
    await items.put("a", null, {});
    for (const write of writes) {
      const before = await readTime();
      clock.set(new Date(before - 1).toISOString());
      expect((await write()).status).toBe(200);
      expect(await readTime()).toBe(before + 1);
    }
    // but the clock may be set back
    clock.set("2029-01-01T00:00:00Z");
    await items.put("a", null, {});
    expect(new Date(await readTime()).getUTCFullYear()).toBe(2029);
  });

  it("[ITEM-08] refuses a Put without pk or data, and says where", async () => {
    const bodies = [
      [{ data: {} }, "/pk"],
      [{ pk: "a" }, "/data"],
      [{ pk: null, data: {} }, "/pk"],
      [{ pk: 1, data: {} }, "/pk"],
      [{ pk: "a", data: null }, "/data"],
      [{ pk: "a", data: [] }, "/data"],
      [{ pk: "a", data: "text" }, "/data"],
      [{ pk: "a", sk: 1, data: {} }, "/sk"],
      [{ pk: "a", data: {}, conditionExpression: "" }, "/conditionExpression"],
    ] as const;
    for (const [body, pointer] of bodies) {
      const refused = await items.client.put(items.root, body);
      const [error] = (refused.body as { errors: { in: string; pointer: string }[] }).errors;
      expect([refused.status, error?.in, error?.pointer], JSON.stringify(body)).toEqual([
        400,
        "body",
        pointer,
      ]);
    }
    expect((await items.client.request("PUT", items.root)).status).toBe(400);
    expect((await items.scan()).body).toMatchObject({ count: 0 });
  });

  it("[ITEM-08] [ITEM-10] treats an empty pk or sk as invalid, not as missing", async () => {
    for (const keys of [{ pk: "" }, { pk: "a", sk: "" }])
      expect((await items.client.put(items.root, { ...keys, data: {} })).status).toBe(400);
    expect((await items.scan()).body).toMatchObject({ count: 0 });
  });

  it("[ITEM-11] distinguishes items by pk, by sk, and by having an sk", async () => {
    const keys: [string, string | null][] = [
      ["a", null],
      ["a", "a"],
      ["a", "A"],
      ["a", " "],
      ["A", null],
      ["a/a", null],
      ["aa", null],
      ["é", null],
      ["e\u0301", null],
      ["a", "null"],
      ["a\u0000", null],
      ["a\u0000b", null],
    ];
    for (const [pk, sk] of keys) await items.put(pk, sk, { of: [pk, sk] });
    for (const [pk, sk] of keys)
      expect((await items.get(pk, sk)).body).toMatchObject({ pk, sk, data: { of: [pk, sk] } });
    await items.delete("a");
    for (const [pk, sk] of keys.slice(1)) expect((await items.get(pk, sk)).status).toBe(200);
  });

  it("[ITEM-13] [ITEM-14] returns a problem body with four fields for a missing item", async () => {
    await items.put("a", "b", {});
    for (const [pk, sk] of [
      ["a", null],
      ["a", "c"],
      ["b", "b"],
    ] as const) {
      const missing = await items.get(pk, sk);
      expect(missing.status).toBe(404);
      expect(missing.headers.get("content-type")).toBe("application/problem+json");
      const problem = missing.body as Record<string, unknown>;
      expect(Object.keys(problem)).toEqual(["type", "title", "status", "detail"]);
      expect(new URL(problem.type as string).protocol).toBe("https:");
      expect([problem.title, problem.status]).toEqual(["Item not found", 404]);
      expect(problem.detail).toContain(JSON.stringify(pk));
    }
  });

  it("[ITEM-15] Delete returns 204 without a body, and the item is gone", async () => {
    await items.put("a", "b", {});
    await items.put("a", null, {});
    for (const sk of ["b", null]) {
      const gone = await items.delete("a", sk);
      expect([gone.status, gone.text]).toEqual([204, ""]);
      expect((await items.get("a", sk)).status).toBe(404);
    }
    expect((await items.scan()).body).toMatchObject({ items: [], count: 0 });
    await items.put("a", "b", { again: true });
    expect((await items.get("a", "b")).body).toMatchObject({ data: { again: true } });
  });

  it("keys named like operations are ordinary keys", async () => {
    for (const pk of ["query", "scan", "batch", "__proto__", "constructor", "null", "undefined", "0"]) {
      await items.put(pk, pk, { pk });
      await items.put(pk, null, { alone: pk });
      expect((await items.get(pk, pk)).body).toMatchObject({ data: { pk } });
      expect((await items.get(pk)).body).toMatchObject({ data: { alone: pk } });
      expect((await items.delete(pk)).status).toBe(204);
      expect((await items.get(pk, pk)).status).toBe(200);
    }
  });

  it("refuses percent escapes that are not UTF-8, and paths with an empty key", async () => {
    for (const escape of ["%FF", "%C3", "%ED%A0%80", "%", "%zz"])
      expect((await items.client.get(`${items.root}/${escape}`)).status, escape).toBe(400);
    for (const path of ["/", "//", "//b", "/a/", "/a/b/c"])
      expect((await items.client.get(items.root + path)).status, path).toBe(404);
  });

  it("[ITEM-37] requires an access token or a key with the right scope", async () => {
    await items.put("a", null, {});
    const demo = new ItemsClient(running.client, "db_demo");
    const reads = (as: ItemsClient) => [
      as.get("settings", "currency"),
      as.query({ partitionKey: "settings" }),
      as.scan(),
    ];
    const writes = (as: ItemsClient) => [as.put("w", null, {}), as.put("w", "s", {}), as.delete("w")];
    const statuses = async (answers: Promise<{ status: number }>[]) =>
      (await Promise.all(answers)).map(({ status }) => status);
    const allowed = { database_read: "r", database_write: "w", database_all: "rw", all: "rw" };
    const none = { repository_read: "", repository_write: "", repository_all: "" };
    for (const [key, rights] of Object.entries({ ...allowed, ...none })) {
      const as = demo.as(`dsk_demo_${key}`);
      const refused = [403, 403, 403];
      expect(await statuses(reads(as)), key).toEqual(rights.includes("r") ? [200, 200, 200] : refused);
      expect(await statuses(writes(as)), key).toEqual(rights.includes("w") ? [200, 200, 204] : refused);
    }
    for (const [user, mayWrite] of Object.entries({
      owner: true,
      admin: true,
      member: true,
      readonly: false,
    })) {
      const { accessToken } = await running.tokens(`${user}@demo.test`, "org_demo_pro");
      const as = demo.as(accessToken);
      expect(await statuses(reads(as)), user).toEqual([200, 200, 200]);
      expect(await statuses(writes(as)), user).toEqual(mayWrite ? [200, 200, 204] : [403, 403, 403]);
    }
    expect(await statuses([...reads(demo), ...writes(demo)])).toEqual([401, 401, 401, 401, 401, 401]);
  });
});

describe("answers to the gaps of single items", () => {
  let running: TestEmulator;
  afterEach(() => running.emulator.close());

  eachAnswer("put-item-route", "is where an item is put, and nowhere else", async (answer, profile) => {
    running = await createTestEmulator({ profile });
    const client = running.client.as("dsk_demo_database_all");
    const keys = [
      ["k/1", "s?1"],
      ["k/1", null],
    ] as const;
    for (const [pk, sk] of keys) {
      const path = `${itemsOf}/${encodeURIComponent(pk)}${sk === null ? "" : `/${encodeURIComponent(sk)}`}`;
      const body = { pk, sk, data: { via: answer } };
      const keyPath = path.slice(itemsOf.length);
      const tried = {
        "PUT /items": () => client.put(itemsOf, body),
        "POST /items": () => client.post(itemsOf, body),
        "PUT /items/{pk}[/{sk}]": () => client.put(path, body),
        "POST /api/v1/databases/{databaseId}/items/put": () => client.post(`${itemsOf}/put`, body),
        "PUT /v1/{databaseId}/records/{pk}[/{sk}]": () => client.put(`/v1/db_demo/records${keyPath}`, body),
      };
      for (const [route, put] of Object.entries(tried))
        expect((await put()).status === 200, route).toBe(route === answer);
      expect((await client.get(path)).body).toMatchObject({ pk, sk, data: { via: answer } });
    }
  });

  it("[ITEM-01] the body may omit keys given in the path, and must not contradict them", async () => {
    running = await createTestEmulator({ profile: { "put-item-route": "PUT /items/{pk}[/{sk}]" } });
    const client = running.client.as("dsk_demo_database_all");
    const put = (path: string, keys: object) => client.put(itemsOf + path, { ...keys, data: {} });
    expect((await put("/a/b", {})).body).toMatchObject({ pk: "a", sk: "b" });
    expect((await put("/a", {})).body).toMatchObject({ pk: "a", sk: null });
    expect((await put("/a", { pk: "a", sk: null })).status).toBe(200);
    expect((await put("/a/b", { pk: "a", sk: "b" })).status).toBe(200);
    expect((await put("/a/b", { sk: "b" })).status).toBe(200);
    expect((await put("/a/b", { pk: null, sk: null })).body).toMatchObject({ pk: "a", sk: "b" });
    const contradictions = [
      ["/a/b", { pk: "other" }, "/pk"],
      ["/a/b", { sk: "other" }, "/sk"],
      ["/a", { sk: "b" }, "/sk"],
      ["/a", { pk: "" }, "/pk"],
    ] as const;
    for (const [path, keys, pointer] of contradictions) {
      const refused = await put(path, keys);
      const [error] = (refused.body as { errors: { pointer: string }[] }).errors;
      expect([refused.status, error?.pointer], path + JSON.stringify(keys)).toEqual([400, pointer]);
    }
    expect((await client.put(`${itemsOf}/a`, { pk: "a" })).status).toBe(400);
  });

  eachAnswer(
    "delete-missing-item-status",
    "answers Delete of an item that is not there",
    async (answer, profile) => {
      running = await createTestEmulator({ profile });
      const items = await createEmptyDatabase(running);
      await items.put("a", null, {});
      for (const [pk, sk] of [
        ["b", null],
        ["a", "s"],
      ] as const) {
        const missing = await items.delete(pk, sk);
        expect(missing.status).toBe(answer);
        if (answer === 204) expect(missing.text).toBe("");
        else
          expect((missing.body as { type: string }).type).toMatch(
            answer === 404 ? /item-not-found$/ : /nothing-to-delete$/,
          );
      }
      expect((await items.delete("a")).status).toBe(204);
    },
  );

  eachAnswer("item-updated-at", "says which writes change updatedAt", async (answer, profile) => {
    running = await createTestEmulator({ profile });
    const items = await createEmptyDatabase(running);
    const seen = async () => ((await items.get("a")).body as { updatedAt: string }).updatedAt;
    const put = (data: unknown) => items.put("a", null, data);
    const batch = (data: unknown) =>
      items.client.post(`${items.root}/batch/write`, { items: [{ operation: "Put", pk: "a", data }] });
    const transact = (data: unknown) =>
      items.client.post(`${items.root}/transact/write`, { items: [{ action: "Put", pk: "a", data }] });
    for (const write of [put, batch, transact]) {
      await write({ n: 1, m: 2 });
      const first = await seen();
      running.emulator.clock.advance("PT1M");
      await write({ m: 2, n: 1 });
      const second = await seen();
      expect(second > first).toBe(answer === "each-put");
      running.emulator.clock.advance("PT1M");
      await write({ n: 2 });
      expect((await seen()) > second).toBe(answer !== "never");
    }
    const { updatedAt } = (await put({ n: 3 })).body as { updatedAt: string };
    expect(updatedAt).toBe(await seen());
  });

  eachAnswer("number-precision", "says what is left of numbers beyond doubles", async (answer, profile) => {
    running = await createTestEmulator({ profile });
    const items = await createEmptyDatabase(running);
    const given =
      '{"10":9007199254740993,"b":[1.0,{"a":0.1000000000000000055511151231257827}],"__proto__":1}';
    const kept = answer === "exact" ? given : '{"10":9007199254740992,"b":[1,{"a":0.1}],"__proto__":1}';
    const body = `{"pk":"a","data":${given}}`;
    expect((await items.client.request("PUT", items.root, { rawBody: body })).status).toBe(200);
    expect((await items.get("a")).text).toContain(`"data":${kept},`);
    const filter = await items.client.request("POST", `${items.root}/scan`, {
      rawBody: '{"filterExpression":{"10":9007199254740992}}',
    });
    expect(filter.body).toMatchObject({ count: answer === "exact" ? 0 : 1 });
  });

  eachAnswer("key-characters", "says which texts may be keys", async (answer, profile) => {
    running = await createTestEmulator({ profile });
    const items = await createEmptyDatabase(running);
    const status = answer === "any" ? 200 : 400;
    const root = items.root;
    expect((await items.put("customer#ada-1_2.3:4@5~", "k".repeat(255), { pk: "a/b" })).status).toBe(200);
    for (const [path, body, pointer] of [
      ["", { pk: "a/b", data: {} }, "/pk"],
      ["", { pk: "a", sk: "k".repeat(256), data: {} }, "/sk"],
      ["/query", { partitionKey: "a b" }, "/partitionKey"],
      ["/batch/get", { keys: [{ pk: "a" }, { pk: "a", sk: "\u00e9" }] }, "/keys/1/sk"],
      ["/transact/write", { items: [{ action: "Put", pk: "%", data: {} }] }, "/items/0/pk"],
    ] as const) {
      const sent = await items.client.request(path === "" ? "PUT" : "POST", `${root}${path}`, { body });
      expect([path, sent.status]).toEqual([path, status]);
      if (answer === "plain") expect(getErrorPointers(sent)).toEqual([pointer]);
    }
    const byPath = await items.client.request("GET", `${root}/a/b%2Fc`);
    expect(byPath.status).toBe(answer === "any" ? 404 : 400);
    if (answer === "plain") expect(byPath.text).toContain("The sk in the path must consist of");
  });
});
