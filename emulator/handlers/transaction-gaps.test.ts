import { describe, expect, it } from "vitest";
import type { Profile } from "../../openapi/gaps/profile.js";
import { parseJson } from "../json/parse-json.js";
import { eachAnswer } from "../testing/each-answer.js";
import { createItemsClient, type ItemsClient } from "../testing/items-client.js";
import { getErrorPointers } from "../testing/read-problem.js";
import { measureProcessorMs } from "../testing/measure-processor-ms.js";
import { type TestResponse } from "../testing/test-client.js";
import { useTestEmulator } from "../testing/use-test-emulator.js";

const running = useTestEmulator();
let items: ItemsClient;
async function start(profile: Partial<Profile> = {}): Promise<void> {
  items = await createItemsClient(running, profile);
}

const entriesOf = ({ body }: TestResponse) =>
  (body as { items: { pk: string; sk: string | null; item: unknown }[] }).items;

describe("gaps about transact get", () => {
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

describe("gaps about transact write", () => {
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

  eachAnswer("item-updated-at", "says which updates change updatedAt", async (answer, profile) => {
    await start({ ...profile, "update-object-attribute": "merge" });
    await items.send("PUT", "", '{"pk":"a","data":{"o":{"x":1.0,"list":[{"y":1,"z":2}]},"n":1}}');
    const changes = async (data: object) => {
      const seen = async () => ((await items.get("a")).body as { updatedAt: string }).updatedAt;
      const before = await seen();
      running.emulator.clock.advance("PT1M");
      await items.transactWrite([{ action: "Update", pk: "a", data }]);
      return (await seen()) > before;
    };
    for (const same of [{}, { o: {} }, { o: { x: 1, list: [{ z: 2, y: 1 }] } }, { n: 1 }])
      expect(await changes(same), JSON.stringify(same)).toBe(answer === "each-put");
    for (const other of [{ o: { x: 2 } }, { o: { list: [{ z: 3, y: 1 }] } }, { o: { new: {} } }, { n: {} }])
      expect(await changes({ ...other, same: 1 }), JSON.stringify(other)).toBe(answer !== "never");
    expect(await changes({ o: { x: 3 }, n: {} })).toBe(answer !== "never");
  });
});

describe("transactions on large items", () => {
  /** Creates as many fields as an item of 400 KB can contain. */
  const wide = () => Array.from({ length: 38_000 }, (_, index) => `"${index.toString(36)}":1`).join();
  const keys = Array.from({ length: 25 }, (_, index) => ({ pk: `p${index}` }));
  const putEach = async (data: string) => {
    for (const { pk } of keys)
      expect((await items.send("PUT", "", `{"pk":"${pk}","data":${data}}`)).status).toBe(200);
  };
  const write = (entry: object) => items.transactWrite(keys.map((key) => ({ ...entry, ...key })));

  it("cost at most so many projections together", async () => {
    await start();
    await items.send("PUT", "", `{"pk":"wide","data":{${wide()}}}`);
    const ordinary = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`n${index}`, "x".repeat(390)]),
    );
    await items.put("ordinary", null, ordinary);
    const get = (pk: string) =>
      items.transactGet(Array.from({ length: 100 }, () => ({ pk, projectionExpression: ["n0"] })));
    expect((await get("ordinary")).status).toBe(200);
    const refused = await get("wide");
    expect([refused.status, getErrorPointers(refused)]).toEqual([
      400,
      [expect.stringMatching(/^\/items\/[5-9]\d\/projectionExpression$/)],
    ]);
    expect(refused.text).toContain("too expensive");
  });

  it("cost at most so many updates together, and change nothing if they cost more", async () => {
    await start({ "update-object-attribute": "merge" });
    const levels = 90;
    await putEach(`${'{"o":'.repeat(levels)}{${wide()}}${"}".repeat(levels)}`);
    const deep = Array.from({ length: levels }).reduce<object>((inner) => ({ o: inner }), { "1": 2 });
    const refused = await write({ action: "Update", data: deep });
    expect([refused.status, getErrorPointers(refused)]).toEqual([
      400,
      [expect.stringMatching(/^\/items\/\d\/data$/)],
    ]);
    expect(refused.text).toContain("too expensive");
    expect((await items.get("p0")).text).not.toContain('"1":2');
  });

  it("update one field among tens of thousands without parsing the others", async () => {
    await start({ "update-object-attribute": "merge", "item-updated-at": "when-data-changes" });
    const data = `{"o":{${wide()}}}`;
    await putEach(data);
    let least = Infinity;
    let leastOfParsing = Infinity;
    for (const value of [2, 3, 4]) {
      const begin = process.cpuUsage();
      const updated = await write({ action: "Update", data: { o: { "1": value } } });
      const { user, system } = process.cpuUsage(begin);
      expect(updated.body).toMatchObject({ successCount: 25 });
      expect((await items.get("p24")).text).toContain(`"1":${value},`);
      least = Math.min(least, (user + system) / 1000);
      const parseEach = () => keys.map(() => parseJson(data, { maxDepth: 10 }));
      leastOfParsing = Math.min(leastOfParsing, measureProcessorMs(parseEach));
    }
    expect(least).toBeLessThan(1.5 * leastOfParsing);
  });

  it("cost more to check for conditions, the more fields they have", async () => {
    await start();
    await putEach(`{${wide()}}`);
    const check = { action: "ConditionCheck", conditionExpression: "attribute_exists(n)" };
    const refused = await write(check);
    expect([refused.status, getErrorPointers(refused)]).toEqual([400, ["/items/8/conditionExpression"]]);
    await putEach(`{${Array.from({ length: 1000 }, (_, index) => `"n${index}":"some text"`).join()},"n":1}`);
    expect((await write(check)).body).toMatchObject({ successCount: 25 });
  });
});
