import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eachAnswer } from "../testing/each-answer.js";
import { createEmptyDatabase, type ItemsClient } from "../testing/items-client.js";
import { getErrorPointers } from "../testing/read-problem.js";
import { type TestEmulator, createTestEmulator } from "../testing/test-client.js";
import { useTestEmulator } from "../testing/use-test-emulator.js";

describe("conditions of Put", () => {
  const running = useTestEmulator();
  let items: ItemsClient;
  beforeEach(async () => {
    running.emulator.reset();
    items = await createEmptyDatabase(running);
  });

  const put = (sk: string | null, conditionExpression: string, filterValues?: object) =>
    items.put(
      "a",
      sk,
      { written: true },
      { conditionExpression, ...(filterValues === undefined ? {} : { filterValues }) },
    );

  it("[ITEM-04] [ITEM-07] attribute_not_exists(pk) writes only a new item", async () => {
    expect((await put("s", "attribute_not_exists(pk)")).status).toBe(200);
    const before = (await items.get("a", "s")).text;
    expect((await put("s", "attribute_not_exists(pk)")).status).toBe(409);
    expect((await items.get("a", "s")).text).toBe(before);
    // the condition applies to the item with these two keys, not to other items in the partition
    expect((await put("t", "attribute_not_exists(pk)")).status).toBe(200);
  });

  it("[ITEM-05] [ITEM-07] attribute_exists(pk) replaces only an existing item", async () => {
    expect((await put(null, "attribute_exists(pk)")).status).toBe(409);
    expect((await items.get("a")).status).toBe(404);
    await items.put("a", null, {});
    expect((await put(null, "attribute_exists(pk)")).status).toBe(200);
    expect((await items.get("a")).body).toMatchObject({ data: { written: true } });
  });

  it("[ITEM-06] a comparison with a placeholder is evaluated on the stored item, not the new one", async () => {
    const cases = [
      ["amount = :v", [false, true, false]],
      ["amount <> :v", [true, false, true]],
      ["amount < :v", [true, false, false]],
      ["amount <= :v", [true, true, false]],
      ["amount > :v", [false, false, true]],
      ["amount >= :v", [false, true, true]],
    ] as const;
    for (const [text, expected] of cases) {
      const written: boolean[] = [];
      for (const amount of [9, 10, 11]) {
        await items.put("a", "s", { amount });
        written.push((await put("s", text, { ":v": 10 })).status === 200);
      }
      expect(written, text).toEqual(expected);
    }
    expect((await put("missing", "amount >= :v", { ":v": 0 })).status).toBe(409);
  });

  it("[ITEM-06] compares numbers by exact value and strings by UTF-8 bytes", async () => {
    const root = items.root;
    const raw = (rawBody: string) => items.client.request("PUT", root, { rawBody });
    await raw('{"pk":"n","data":{"n":9007199254740993}}');
    const guarded = (value: string) =>
      raw(
        `{"pk":"n","data":{"n":9007199254740993},"conditionExpression":"n = :v","filterValues":{":v":${value}}}`,
      );
    expect((await guarded("9007199254740992")).status).toBe(409);
    expect((await guarded("9007199254740993.0")).status).toBe(200);
    await items.put("a", "s", { amount: "\uffff" });
    expect((await put("s", "amount < :v", { ":v": "\u{10000}" })).status).toBe(200);
    await items.put("a", "s", { amount: "10" });
    expect((await put("s", "amount < :v", { ":v": 11 })).status, "a string is below no number").toBe(409);
  });

  it("[ITEM-07] a refused Put returns a problem and changes neither item nor usage", async () => {
    await items.put("a", "s", { n: 1 });
    const database = `/api/v1/management/databases/${items.databaseId}`;
    const before = [(await items.get("a", "s")).text, (await items.client.get(database)).body as unknown];
    const refused = await put("s", "n > :v", { ":v": 1 });
    expect([refused.status, (refused.body as { type: string }).type]).toEqual([
      409,
      "https://data-service.example/problems/condition-failed",
    ]);
    const usage = (body: unknown) => {
      const { writeUnitsConsumed, storageBytes, itemCount } = (body as { usage: Record<string, number> })
        .usage;
      return { writeUnitsConsumed, storageBytes, itemCount };
    };
    expect((await items.get("a", "s")).text).toBe(before[0]);
    expect(usage((await items.client.get(database)).body)).toEqual(usage(before[1]));
  });

  it("pk and sk in a condition are the keys of the item, whatever its data contains", async () => {
    await items.put("a", null, { pk: "other", sk: "other" });
    expect((await put(null, "pk = :v", { ":v": "other" })).status).toBe(409);
    expect((await put(null, "attribute_exists(sk)")).status).toBe(409);
    expect((await put(null, "pk = :v", { ":v": "a" })).status).toBe(200);
    await items.put("a", "s", {});
    expect((await put("s", "attribute_exists(sk) AND sk = :v", { ":v": "s" })).status).toBe(200);
  });

  it("points at an invalid condition and at a missing value", async () => {
    const unread = await put(null, "amount >>= :v", { ":v": 1 });
    expect([unread.status, getErrorPointers(unread)[0]]).toEqual([400, "/conditionExpression"]);
    for (const values of [undefined, {}, { v: 1 }, { ":w": 1 }]) {
      const unnamed = await put(null, "amount >= :v", values);
      expect([unnamed.status, getErrorPointers(unnamed)[0]]).toEqual([400, "/filterValues"]);
      expect((unnamed.body as { detail: string }).detail).toContain(":v");
    }
    expect((await put(null, "__proto__ = :v", { ":v": 1 })).status).toBe(409);
    expect((await items.get("a")).status).toBe(404);
  });

  it("rejects an expression that is nested too deeply", async () => {
    const nested = (levels: number) => `${"(".repeat(levels)}attribute_exists(pk)${")".repeat(levels)}`;
    expect((await put(null, nested(50))).status).toBe(409);
    const refused = await put(null, nested(51));
    expect([refused.status, getErrorPointers(refused)[0]]).toEqual([400, "/conditionExpression"]);
    expect((await put(null, nested(30_000))).status).toBe(400);
  });
});

describe("answers to the gaps of conditions and filters", () => {
  let running: TestEmulator;
  afterEach(() => running.emulator.close());

  async function begin(profile: object): Promise<ItemsClient> {
    running = await createTestEmulator({ profile });
    const items = await createEmptyDatabase(running);
    await items.put("a", "s", { n: 5, tags: ["x", "y"], name: "anna", deep: { n: 1 } });
    return items;
  }

  eachAnswer("condition-failed-status", "answers a Put whose condition is false", async (answer, profile) => {
    const items = await begin(profile);
    const refused = await items.put("a", "s", {}, { conditionExpression: "attribute_not_exists(pk)" });
    expect([refused.status, (refused.body as { type: string }).type]).toEqual([
      answer,
      "https://data-service.example/problems/condition-failed",
    ]);
  });

  eachAnswer("condition-grammar", "says which conditions can be read", async (answer, profile) => {
    const items = await begin(profile);
    const data = (await items.get("a", "s")).body as { data: object };
    const status = async (conditionExpression: string) => {
      const filterValues = { ":a": 5, ":b": 9, ":p": "an", ":x": "x" };
      return (await items.put("a", "s", data.data, { conditionExpression, filterValues })).status;
    };
    const documented = ["attribute_exists(pk)", "n >= :a", "n <> :b"];
    for (const text of documented) expect(await status(text), text).toBe(200);
    expect(await status("attribute_not_exists(pk)")).toBe(409);
    const more = [
      "attribute_exists(n)",
      "n >= :a AND n < :b",
      "n = :b OR n = :a",
      "NOT n = :b",
      "(n = :a)",
      "n BETWEEN :a AND :b",
      "n IN (:b, :a)",
      "begins_with(name, :p)",
      "contains(tags, :x)",
      "size(tags) < :a",
      "deep.n < :a",
      ":a = n",
    ];
    for (const text of more) expect(await status(text), text).toBe(answer === "full" ? 200 : 400);
  });

  eachAnswer("condition-values", "is the member with the values", async (answer, profile) => {
    const items = await begin(profile);
    for (const member of ["filterValues", "expressionAttributeValues"]) {
      const put = await items.put(
        "a",
        "s",
        { n: 5 },
        { conditionExpression: "n = :v", [member]: { ":v": 5 } },
      );
      expect(put.status, member).toBe(member === answer ? 200 : 400);
      if (member !== answer) expect(getErrorPointers(put)[0]).toBe(`/${answer}`);
    }
  });

  eachAnswer("item-filter-grammar", "says what a filterExpression knows", async (answer, profile) => {
    const items = await begin(profile);
    const counts = async (filterExpression: object) => {
      const answers = [
        await items.query({ partitionKey: "a", filterExpression }),
        await items.scan({ filterExpression }),
      ];
      return answers.map(({ status, body }) => (status === 200 ? (body as { count: number }).count : status));
    };
    expect(await counts({ n: 5 })).toEqual([1, 1]);
    expect(await counts({ n: 5, name: "otto" })).toEqual([0, 0]);
    expect(await counts({ tags: ["x", "y"] })).toEqual([1, 1]);
    expect(await counts({ tags: ["y", "x"] })).toEqual([0, 0]);
    expect(await counts({ deep: { n: 1 } })).toEqual([1, 1]);
    expect(await counts({ "deep.n": 1, sk: "s" })).toEqual([1, 1]);
    expect(await counts({})).toEqual([1, 1]);
    const operators = [
      { n: { $eq: 5 } },
      { n: { $ne: 6 } },
      { n: { $gt: 4, $lt: 6 } },
      { n: { $gte: 5, $lte: 5 } },
      { n: { $in: [1, 5] } },
      { missing: { $exists: false } },
      { name: { $beginsWith: "an" } },
      { tags: { $contains: "x" } },
    ];
    // in the equality grammar, this object is an ordinary value, which no item contains
    for (const filter of operators)
      expect(await counts(filter), JSON.stringify(filter)).toEqual(answer === "operators" ? [1, 1] : [0, 0]);
    const logic = [{ $and: [{ n: 5 }] }, { $or: [{ n: 1 }, { n: 5 }] }, { $not: { n: 1 } }];
    for (const filter of logic)
      expect(await counts(filter), JSON.stringify(filter)).toEqual(
        answer === "operators" ? [1, 1] : [400, 400],
      );
  });
});

describe("conditions of many entries", () => {
  it.each(["batch/write", "transact/write"])("cost at most %s together", async (suffix) => {
    const running = await createTestEmulator();
    try {
      const items = await createEmptyDatabase(running);
      const keys = Array.from({ length: 25 }, (_, index) => ({ pk: "a", sk: `s${index}` }));
      const data = { list: Array.from({ length: 1200 }, (_, index) => index) };
      await items.batchWrite(keys.map((key) => ({ operation: "Put", ...key, data })));
      const test = {
        conditionExpression: Array<string>(180).fill("contains(list,:v)").join(" OR "),
        filterValues: { ":v": -1 },
      };
      const outcome = (entries: typeof keys) => {
        const same = { action: "ConditionCheck", operation: "Delete", ...test };
        return items.send("POST", `/${suffix}`, { items: entries.map((key) => ({ ...same, ...key })) });
      };
      expect((await outcome(keys.slice(0, 1))).text).not.toContain("too expensive");
      expect((await outcome(keys)).text).toContain("too expensive");
    } finally {
      await running.emulator.close();
    }
  });
});
