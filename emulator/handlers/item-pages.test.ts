import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Profile } from "../../openapi/gaps/profile.js";
import { eachAnswer } from "../testing/each-answer.js";
import { createEmptyDatabase, type ItemsClient, type ReturnedPage } from "../testing/items-client.js";
import { getErrorPointers } from "../testing/read-problem.js";
import { type TestEmulator, createTestEmulator } from "../testing/test-client.js";
import { useTestEmulator } from "../testing/use-test-emulator.js";

/** Puts `count` items `p`/`00`, `p`/`01`, … with their numbers as data. */
async function putNumberedItems(items: ItemsClient, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await items.put("p", String(n).padStart(2, "0"), { n });
}

describe("query and scan", () => {
  const running = useTestEmulator();
  let items: ItemsClient;
  beforeEach(async () => {
    running.emulator.reset();
    items = await createEmptyDatabase(running);
  });

  const putAll = async (pk: string, sks: readonly (string | null)[]) => {
    for (const sk of sks) await items.put(pk, sk, { at: sk });
  };

  it("[ITEM-16] [ITEM-28] query returns the items of one partition whole, and nothing of another", async () => {
    await putAll("p", ["a", null]);
    await putAll("p/", ["a"]);
    await putAll("P", ["a"]);
    const answer = await items.query({ partitionKey: "p" });
    expect(answer.text).toBe(
      '{"items":[{"pk":"p","sk":null,"data":{"at":null}},{"pk":"p","sk":"a","data":{"at":"a"}}],' +
        '"nextCursor":null,"count":2,"scannedCount":2}',
    );
    expect((await items.query({ partitionKey: "none" })).body).toEqual({
      items: [],
      nextCursor: null,
      count: 0,
      scannedCount: 0,
    });
  });

  it("ends a page after 16 MiB, whatever its limit", async () => {
    const text = "x".repeat(390_000);
    for (let n = 0; n < 47; n += 1) await items.put("p", String(n).padStart(2, "0"), { n, text });
    for (const read of [
      (cursor: string | null) => items.query({ partitionKey: "p", limit: 100, cursor }),
      (cursor: string | null) => items.scan({ limit: 100, cursor }),
    ]) {
      const first: { readonly body: ReturnedPage } = await read(null);
      expect(first.body).toMatchObject({ count: 44, nextCursor: expect.any(String) as unknown });
      const second: { readonly body: ReturnedPage } = await read(first.body.nextCursor);
      expect(second.body.items.map(({ data }) => data.n)).toEqual([44, 45, 46]);
      expect(second.body.nextCursor).toBe(null);
    }
  });

  it("[ITEM-17] [ITEM-26] returns the item without a sort key first, if there is no condition", async () => {
    await putAll("p", ["b", "\u0000", "a", null]);
    expect(await items.sortKeys("p")).toEqual([null, "\u0000", "a", "b"]);
    expect(await items.sortKeys("p", undefined, { limit: 1 })).toEqual([null, "\u0000", "a", "b"]);
  });

  describe("sortKeyCondition", () => {
    const sks = [null, "a", "aa", "ab", "b", "ba"];

    it("[ITEM-18] `=:value` selects only that sort key", async () => {
      await putAll("p", sks);
      expect(await items.sortKeys("p", "=:a")).toEqual(["a"]);
      expect(await items.sortKeys("p", "=:c")).toEqual([]);
    });

    it("[ITEM-19] `<:value` selects smaller sort keys, never the item without one", async () => {
      await putAll("p", sks);
      expect(await items.sortKeys("p", "<:ab")).toEqual(["a", "aa"]);
      expect(await items.sortKeys("p", "<:a")).toEqual([]);
    });

    it("[ITEM-20] `<=:value` includes the value", async () => {
      await putAll("p", sks);
      expect(await items.sortKeys("p", "<=:ab")).toEqual(["a", "aa", "ab"]);
    });

    it("[ITEM-21] `>:value` excludes the value", async () => {
      await putAll("p", sks);
      expect(await items.sortKeys("p", ">:ab")).toEqual(["b", "ba"]);
    });

    it("[ITEM-22] `>=:value` includes the value", async () => {
      await putAll("p", sks);
      expect(await items.sortKeys("p", ">=:ab")).toEqual(["ab", "b", "ba"]);
    });

    it("[ITEM-23] `begins_with:prefix` selects the prefix itself and its extensions", async () => {
      await putAll("p", sks);
      expect(await items.sortKeys("p", "begins_with:a")).toEqual(["a", "aa", "ab"]);
      expect(await items.sortKeys("p", "begins_with:ab")).toEqual(["ab"]);
      expect(await items.sortKeys("p", "begins_with:B")).toEqual([]);
      await putAll("q", ["\u{10ffff}", "\u{10ffff}a", "\ud7ff1", "\ue000", "x"]);
      expect(await items.sortKeys("q", "begins_with:\u{10ffff}")).toEqual(["\u{10ffff}", "\u{10ffff}a"]);
      expect(await items.sortKeys("q", "begins_with:\ud7ff")).toEqual(["\ud7ff1"]);
    });

    it("[ITEM-23] treats wildcard characters of SQL literally", async () => {
      await putAll("p", ["a%b", "a_b", "a*b", "axb", "a'b"]);
      for (const prefix of ["a%", "a_", "a*", "a'"])
        expect(await items.sortKeys("p", `begins_with:${prefix}`)).toEqual([`${prefix}b`]);
    });

    it("[ITEM-24] `between:low:high` includes both bounds", async () => {
      await putAll("p", sks);
      expect(await items.sortKeys("p", "between:aa:b")).toEqual(["aa", "ab", "b"]);
      expect(await items.sortKeys("p", "between:ab:ab")).toEqual(["ab"]);
      expect(await items.sortKeys("p", "between:b:aa")).toEqual([]);
    });

    it("[ITEM-24] `between` splits bounds with colons at the middle one", async () => {
      const days = ["2023-12-31", "2024-01-01", "2024-01-15", "2024-02-01", "2024-02-02"];
      const times = days.map((day) => `${day}T00:00:00Z`);
      await putAll("p", times);
      expect(await items.sortKeys("p", "between:2024-01-01T00:00:00Z:2024-02-01T00:00:00Z")).toEqual(
        times.slice(1, 4),
      );
      const refused = await items.query({
        partitionKey: "p",
        sortKeyCondition: "between:2024-01-01T00:00Z:2024-02-01",
      });
      expect([refused.status, getErrorPointers(refused)[0]]).toEqual([400, "/sortKeyCondition"]);
      expect((refused.body as { detail: string }).detail).toMatch(/middle colon/);
    });

    it("values are taken as they are, colons, spaces and operators included", async () => {
      await putAll("p", ["a:b", " a", "=:a", "<", "between:a:b"]);
      expect(await items.sortKeys("p", "=:a:b")).toEqual(["a:b"]);
      expect(await items.sortKeys("p", "=: a")).toEqual([" a"]);
      expect(await items.sortKeys("p", "=:=:a")).toEqual(["=:a"]);
      expect(await items.sortKeys("p", "begins_with:between:")).toEqual(["between:a:b"]);
    });

    it("[ITEM-25] refuses every other form, reads nothing, and lists the valid ones", async () => {
      await items.put("other", "a", {});
      const forms = [
        "a",
        "=a",
        "= :a",
        "==:a",
        "<>:a",
        "!=:a",
        ":a",
        "begins_with",
        "BEGINS_WITH:a",
        "between:a",
      ];
      for (const sortKeyCondition of [...forms, " =:a", "between:a:b:c", "", 5, {}]) {
        const refused = await items.query({ partitionKey: "p", sortKeyCondition });
        expect([refused.status, getErrorPointers(refused)[0]], JSON.stringify(sortKeyCondition)).toEqual([
          400,
          "/sortKeyCondition",
        ]);
        expect(refused.body).not.toHaveProperty("items");
      }
      const { detail } = (await items.query({ partitionKey: "p", sortKeyCondition: "a" })).body as {
        detail: string;
      };
      for (const form of ["=:value", "<=:value", "begins_with:prefix", "between:low:high"])
        expect(detail).toContain(form);
    });
  });

  it("[ITEM-26] [ITEM-27] orders sort keys by UTF-8 bytes, ascending or descending", async () => {
    const ordered = [
      "",
      "A",
      "Z",
      "a",
      "a\u0000",
      "a ",
      "aa",
      "é",
      "\ud7ff",
      "\ue000",
      "\uffff",
      "\u{10000}",
      "😀",
    ];
    const [, ...sks] = ordered;
    await putAll("p", [...sks].reverse());
    expect(await items.sortKeys("p")).toEqual(sks);
    expect(await items.sortKeys("p", undefined, { scanForward: true })).toEqual(sks);
    expect(await items.sortKeys("p", undefined, { scanForward: false })).toEqual([...sks].reverse());
    expect(await items.sortKeys("p", ">:\uffff", { scanForward: false, limit: 1 })).toEqual([
      "😀",
      "\u{10000}",
    ]);
    await putAll("n", ["10", "9"]);
    expect(await items.sortKeys("n"), "numbers in a key are text").toEqual(["10", "9"]);
  });

  it("[ITEM-27] returns the item without a sort key last in descending order", async () => {
    await putAll("p", [null, "a", "b"]);
    expect(await items.sortKeys("p", undefined, { scanForward: false, limit: 2 })).toEqual(["b", "a", null]);
  });

  it("[ITEM-30] [ITEM-31] [GEN-03] [GEN-07] returns 20 items a page without a limit, and null on the last page", async () => {
    await putNumberedItems(items, 41);
    for (const pages of [await items.queryPages({ partitionKey: "p" }), await items.scanPages()]) {
      expect(pages.map(({ count }) => count)).toEqual([20, 20, 1]);
      expect(pages.map(({ nextCursor }) => nextCursor === null)).toEqual([false, false, true]);
    }
    await items.delete("p", "40");
    for (const pages of [await items.queryPages({ partitionKey: "p" }), await items.scanPages()])
      expect(pages.map(({ count, nextCursor }) => [count, nextCursor === null])).toEqual([
        [20, false],
        [20, true],
      ]);
    const whole = { cursor: null, limit: 1000 };
    expect((await items.query({ partitionKey: "p", ...whole })).body).toMatchObject({ count: 40 });
    expect((await items.scan(whole)).body).toMatchObject({ count: 40 });
  });

  it("[ITEM-31] [GEN-04] every limit returns the same items, each once", async () => {
    await putNumberedItems(items, 7);
    await putAll("q", [null, "00"]);
    for (const limit of [1, 2, 3, 6, 7, 8, 9, 10]) {
      const pages = await items.scanPages({ limit });
      expect(pages.every(({ count }) => count <= limit)).toBe(true);
      expect(pages.flatMap((page) => page.items.map(({ pk, sk }) => [pk, sk])).length).toBe(9);
      expect(await items.sortKeys("p", undefined, { limit })).toEqual([
        "00",
        "01",
        "02",
        "03",
        "04",
        "05",
        "06",
      ]);
      expect(await items.sortKeys("p", "between:01:05", { limit, scanForward: false })).toEqual([
        "05",
        "04",
        "03",
        "02",
        "01",
      ]);
    }
  });

  it("[ITEM-30] [GEN-04] a cursor continues after its place, whatever was written or deleted meanwhile", async () => {
    await putNumberedItems(items, 6);
    const first = (await items.query({ partitionKey: "p", limit: 2 })).body as ReturnedPage;
    await items.delete("p", "01");
    await items.delete("p", "02");
    await items.put("p", "00a", {});
    await items.put("p", "03a", {});
    const cursor = first.nextCursor;
    const second = (await items.query({ partitionKey: "p", limit: 10, cursor })).body as ReturnedPage;
    expect(second.items.map(({ sk }) => sk)).toEqual(["03", "03a", "04", "05"]);
    expect(second.nextCursor).toBeNull();
  });

  it("[ITEM-29] [ITEM-32] [ITEM-39] a filter counts what it examines and misses nothing over all pages", async () => {
    await putNumberedItems(items, 10);
    const filterExpression = { n: { $in: [0, 7, 8] } };
    for (const pages of [
      await items.queryPages({ partitionKey: "p", filterExpression, limit: 4 }),
      await items.scanPages({ filterExpression, limit: 4 }),
    ]) {
      expect(pages.map(({ count, scannedCount }) => [count, scannedCount])).toEqual([
        [1, 4],
        [1, 4],
        [1, 2],
      ]);
      expect(pages.flatMap((page) => page.items.map(({ data }) => data.n))).toEqual([0, 7, 8]);
    }
    expect((await items.scan({ filterExpression: { n: 99 } })).body).toEqual({
      items: [],
      nextCursor: null,
      count: 0,
      scannedCount: 10,
    });
  });

  it("[ITEM-32] refuses a filter that is no object or has an unknown operator, with a pointer", async () => {
    for (const filterExpression of ["n = 1", [], 5]) {
      for (const answer of [
        await items.query({ partitionKey: "p", filterExpression }),
        await items.scan({ filterExpression }),
      ])
        expect([answer.status, getErrorPointers(answer)[0]]).toEqual([400, "/filterExpression"]);
    }
    const unknown = await items.scan({ filterExpression: { "a/b": { $like: 1 } } });
    expect([unknown.status, getErrorPointers(unknown)[0]]).toEqual([400, "/filterExpression/a~1b/$like"]);
  });

  it("[ITEM-33] scan reads all partitions, ordered by both keys", async () => {
    await putAll("b", ["x"]);
    await putAll("\u{10000}", [null]);
    await putAll("\uffff", ["z", "y"]);
    await putAll("a", [null]);
    const found = (await items.scan()).body as ReturnedPage;
    expect(found.items.map(({ pk, sk }) => [pk, sk])).toEqual([
      ["a", null],
      ["b", "x"],
      ["\uffff", "y"],
      ["\uffff", "z"],
      ["\u{10000}", null],
    ]);
  });

  it("[ITEM-33] scan and query stay within their database", async () => {
    const other = await createEmptyDatabase(running, { name: "other" });
    await putAll("p", ["a"]);
    await other.put("p", "b", {});
    expect((await items.scan()).body).toMatchObject({ count: 1, items: [{ sk: "a" }] });
    expect(await other.sortKeys("p")).toEqual(["b"]);
  });

  it("[ITEM-34] refuses a query without a partition key, and invalid bodies", async () => {
    for (const body of [{}, { partitionKey: "" }, { partitionKey: null }, { partitionKey: 1 }, { pk: "p" }]) {
      const refused = await items.query(body);
      expect([refused.status, getErrorPointers(refused)[0]]).toEqual([400, "/partitionKey"]);
    }
    for (const body of [[], null, "p", 1, undefined]) {
      expect((await items.query(body)).status).toBe(400);
      expect((await items.scan(body ?? null)).status).toBe(400);
    }
    expect((await items.query({ partitionKey: "p", scanForward: "true" })).status).toBe(400);
  });

  it("[ITEM-31] accepts positive integers as limit", async () => {
    await putNumberedItems(items, 2);
    for (const limit of [0, -1, 1.5, "2", true]) {
      for (const answer of [await items.query({ partitionKey: "p", limit }), await items.scan({ limit })])
        expect([answer.status, getErrorPointers(answer)[0]], String(limit)).toEqual([400, "/limit"]);
    }
    const spelled = await items.client.request("POST", `${items.root}/scan`, { rawBody: '{"limit":1.0}' });
    expect(spelled.body).toMatchObject({ count: 1 });
  });

  it("[ITEM-30] refuses an invalid cursor, with a pointer to it", async () => {
    await putNumberedItems(items, 3);
    const { nextCursor } = (await items.query({ partitionKey: "p", limit: 1 })).body as ReturnedPage;
    const genuine = nextCursor ?? "";
    const last = genuine.at(-1) === "A" ? "B" : "A";
    const garbage = [
      "",
      " ",
      "garbage",
      "%00",
      "😀",
      "W10",
      `${genuine}A`,
      genuine.slice(1),
      genuine.slice(0, -1) + last,
    ];
    for (const cursor of [...garbage, ` ${genuine}`, 1, [], {}]) {
      for (const answer of [
        await items.query({ partitionKey: "p", limit: 1, cursor }),
        await items.scan({ cursor }),
      ])
        expect([answer.status, getErrorPointers(answer)[0]], JSON.stringify(cursor)).toEqual([
          400,
          "/cursor",
        ]);
    }
  });

  it("[ITEM-30] refuses a cursor of another partition, condition, direction, filter, operation or database", async () => {
    await putNumberedItems(items, 3);
    const other = await createEmptyDatabase(running, { name: "other" });
    await putNumberedItems(other, 3);
    const query = { partitionKey: "p", limit: 1 };
    const { nextCursor: cursor } = (await items.query(query)).body as ReturnedPage;
    const { nextCursor: ofScan } = (await items.scan({ limit: 1 })).body as ReturnedPage;
    const refused = [
      await items.query({ ...query, cursor, partitionKey: "q" }),
      await items.query({ ...query, cursor, sortKeyCondition: ">=:00" }),
      await items.query({ ...query, cursor, scanForward: false }),
      await items.query({ ...query, cursor, filterExpression: { n: 1 } }),
      await items.scan({ cursor: ofScan, filterExpression: { n: 1 } }),
      await items.query({ ...query, cursor: ofScan }),
      await items.scan({ cursor }),
      await other.query({ ...query, cursor }),
      await other.scan({ cursor: ofScan }),
      await items.client.get(`/api/v1/management/databases?cursor=${ofScan ?? ""}`),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 400));
    expect(refused.map(getErrorPointers)).toEqual(refused.map(() => ["/cursor"]));
    expect((await items.query({ ...query, cursor, limit: 2, scanForward: true })).body).toMatchObject({
      count: 2,
    });
  });
});

describe("answers to the gaps of pages", () => {
  let running: TestEmulator;
  afterEach(() => running.emulator.close());

  /** Creates an emulator with a profile, and puts items with the given sort keys in one partition. */
  async function createPartition(
    profile: Partial<Profile>,
    sks: readonly (string | null)[],
  ): Promise<ItemsClient> {
    running = await createTestEmulator({ profile });
    const items = await createEmptyDatabase(running);
    for (const sk of sks) await items.put("p", sk, { at: sk });
    return items;
  }

  /** Returns the sort keys that a condition selects, or the status if it is rejected. */
  async function selectSortKeys(items: ItemsClient, sortKeyCondition: string): Promise<unknown> {
    const answer = await items.query({ partitionKey: "p", sortKeyCondition });
    if (answer.status !== 200) return answer.status;
    return (answer.body as ReturnedPage).items.map(({ sk }) => sk);
  }

  it("ends a filtered page after 32,000 tiny items, where returned items count", async () => {
    const items = await createPartition({ "limit-with-filter": "returned" }, []);
    const writes = Array.from({ length: 33_000 }, (_, n) => ({
      operation: "Put",
      pk: "p",
      sk: String(n),
      data: {},
    }));
    for (let at = 0; at < writes.length; at += 25) await items.batchWrite(writes.slice(at, at + 25));
    const page = (await items.scan({ limit: 1, filterExpression: { n: 1 } })).body as ReturnedPage;
    expect(page).toMatchObject({ count: 0, scannedCount: 32_769, nextCursor: expect.any(String) as unknown });
    await running.emulator.close();
  });

  eachAnswer("scan-order", "is that of the partitions", async (answer, profile) => {
    {
      const items = await createPartition(profile, [null, "\ue000", "😀"]);
      for (const pk of ["c", "a", "e", "b", "d", "g", "f", "h"]) await items.put(pk, null, {});
      const whole = (await items.scanPages({ limit: 100 })).flatMap((page) => page.items);
      const keys = [...new Set(whole.map(({ pk }) => pk))];
      expect(keys.toSorted().join("")).toBe("abcdefghp");
      expect(keys.join("") === "abcdefghp").toBe(answer === "by-key");
      // the items in a partition come consecutively, in sort-key order
      const within = whole.slice(keys.indexOf("p"), keys.indexOf("p") + 3).map(({ sk }) => sk);
      expect(within).toEqual([null, "\ue000", "😀"]);
      for (const limit of [1, 2, 3])
        expect((await items.scanPages({ limit })).flatMap((page) => page.items)).toEqual(whole);
      const filtered = await items.scanPages({ limit: 2, filterExpression: { at: "😀" } });
      expect(filtered.flatMap((page) => page.items.map(({ sk }) => sk))).toEqual(["😀"]);
      // a page starts after its cursor's key, even if that item was deleted
      const first = (await items.scan({ limit: 4 })).body as ReturnedPage;
      for (const { pk, sk } of first.items) await items.delete(pk, sk);
      const second = (await items.scan({ limit: 100, cursor: first.nextCursor })).body as ReturnedPage;
      expect([...first.items, ...second.items]).toEqual(whole);
      await running.emulator.close();
    }
  });

  eachAnswer("between-split", "says which colon ends the lower bound", async (answer, profile) => {
    const items = await createPartition(profile, ["a", "a:1", "a:5", "a:9", "b", "b:2"]);
    const expected: Readonly<Record<typeof answer, readonly unknown[]>> = {
      middle: [["a:1", "a:5", "a:9"], 400, 400],
      first: [[], [], ["a"]],
      last: [[], ["a:1", "a:5", "a:9", "b"], ["b", "b:2"]],
      refused: [400, 400, 400],
    };
    const texts = ["between:a:1:a:9", "between:a:1:b", "between:a:a:0:z"];
    const found = [];
    for (const text of texts) found.push(await selectSortKeys(items, text));
    expect(found).toEqual(expected[answer]);
    expect(await selectSortKeys(items, "between:a:b")).toEqual(["a", "a:1", "a:5", "a:9", "b"]);
  });

  eachAnswer("limit-with-filter", "ends a page with a filter after 4 MiB", async (_answer, profile) => {
    running = await createTestEmulator({ profile });
    const items = await createEmptyDatabase(running);
    const text = "x".repeat(390_000);
    for (let n = 0; n < 13; n += 1) await items.put("p", String(n).padStart(2, "0"), { n, text });
    const filterExpression = { n: { $gt: 8 } };
    const read = (cursor: string | null) =>
      items.query({ partitionKey: "p", filterExpression, limit: 100, cursor });
    const first: { readonly body: ReturnedPage } = await read(null);
    expect(first.body).toMatchObject({
      count: 2,
      scannedCount: 11,
      nextCursor: expect.any(String) as unknown,
    });
    const second: { readonly body: ReturnedPage } = await read(first.body.nextCursor);
    expect(second.body).toMatchObject({ count: 2, scannedCount: 2, nextCursor: null });
  });

  it("ends a filtered page earlier if the items have tens of thousands of fields", async () => {
    running = await createTestEmulator();
    const items = await createEmptyDatabase(running);
    const wide = Array.from({ length: 38_000 }, (_, index) => `"${index.toString(36)}":1`).join();
    for (let n = 0; n < 9; n += 1) await items.send("PUT", "", `{"pk":"p","sk":"${n}","data":{${wide}}}`);
    const pages = await items.queryPages({ partitionKey: "p", filterExpression: { n: 1 } });
    expect(pages.map(({ scannedCount }) => scannedCount)).toEqual([7, 2]);
  });

  eachAnswer(
    "limit-with-filter",
    "says whether a page ends by what it examined or returned",
    async (answer, profile) => {
      running = await createTestEmulator({ profile });
      const items = await createEmptyDatabase(running);
      await putNumberedItems(items, 10);
      const body = { filterExpression: { n: { $in: [1, 2, 6, 9] } }, limit: 2 };
      const expected =
      answer === "examined"
        ? [[1, 2], [1, 2], [0, 2], [1, 2], [1, 2]] // prettier-ignore
        : [[2, 3], [2, 7]]; // prettier-ignore
      for (const pages of [
        await items.queryPages({ partitionKey: "p", ...body }),
        await items.scanPages(body),
      ]) {
        expect(pages.map(({ count, scannedCount }) => [count, scannedCount])).toEqual(expected);
        expect(pages.flatMap((page) => page.items.map(({ data }) => data.n))).toEqual([1, 2, 6, 9]);
      }
      const backwards = { partitionKey: "p", ...body, scanForward: false };
      const found = (await items.queryPages(backwards)).flatMap((page) =>
        page.items.map(({ data }) => data.n),
      );
      expect(found).toEqual([9, 6, 2, 1]);
    },
  );

  const withLimit = async (items: ItemsClient, limit: number) => [
    await items.query({ partitionKey: "p", limit }),
    await items.scan({ limit }),
    await items.client.get(`/api/v1/management/databases?limit=${limit}`),
  ];

  eachAnswer("page-limit-max", "is the largest limit", async (answer, profile) => {
    running = await createTestEmulator({ profile });
    const items = await createEmptyDatabase(running);
    for (const [limit, status] of [
      [answer - 1, 200],
      [answer, 200],
      [answer + 1, 400],
    ] as const)
      for (const answered of await withLimit(items, limit)) {
        expect(answered.status).toBe(status);
        if (status === 400) expect(getErrorPointers(answered)[0]).toBe("/limit");
      }
  });

  eachAnswer("page-limit-over", "is what becomes of a larger limit", async (answer, profile) => {
    running = await createTestEmulator({ profile: { ...profile, "page-limit-max": 20 } });
    const items = await createEmptyDatabase(running);
    await putNumberedItems(items, 22);
    for (const limit of [21, 100_000, 1e15]) {
      const [query, scan, databases] = await withLimit(items, limit);
      expect([query?.status, scan?.status, databases?.status]).toEqual(
        answer === "reject" ? [400, 400, 400] : [200, 200, 200],
      );
      if (answer === "clamp")
        for (const page of [query, scan])
          expect(page?.body).toMatchObject({ count: 20, nextCursor: expect.any(String) as unknown });
    }
    expect((await items.scan({ limit: 20 })).body).toMatchObject({ count: 20 });
    expect((await items.scan({ limit: 0 })).status).toBe(400);
  });
});
