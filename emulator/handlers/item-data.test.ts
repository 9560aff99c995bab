import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../openapi/clauses/limits.js";
import { jsonTextArbitrary } from "../testing/json-text.arbitrary.js";
import { eachAnswer } from "../testing/each-answer.js";
import { createEmptyDatabase, type ItemsClient } from "../testing/items-client.js";
import { getPropertyRuns } from "../testing/property-runs.js";
import { type TestResponse, type TestEmulator, createTestEmulator } from "../testing/test-client.js";
import { useTestEmulator } from "../testing/use-test-emulator.js";

function getProblem({ body }: TestResponse) {
  return body as { type: string; detail: string; errors?: { in: string; pointer: string; detail: string }[] };
}

describe("data of items", () => {
  const running = useTestEmulator();
  let items: ItemsClient;
  beforeEach(async () => {
    running.emulator.reset();
    items = await createEmptyDatabase(running);
  });

  const putRaw = (dataText: string, keys = '"pk":"p","sk":"s"') =>
    items.client.request("PUT", items.root, { rawBody: `{${keys},"data":${dataText}}` });

  /** Expects get, query and scan to return the item with exactly this text as its data. */
  async function expectData(text: string): Promise<void> {
    const found = `{"pk":"p","sk":"s","data":${text}`;
    expect((await items.get("p", "s")).text.startsWith(`${found},"createdAt":`)).toBe(true);
    const page = `{"items":[${found}}],"nextCursor":null,"count":1,"scannedCount":1}`;
    expect((await items.query({ partitionKey: "p" })).text).toBe(page);
    expect((await items.scan({ filterExpression: { absent: { $exists: false } } })).text).toBe(page);
  }

  it("[ITEM-09] [GEN-06] returns attributes of every JSON type as they were put", async () => {
    const text =
      '{"s":"x","n":-1.5,"t":true,"f":false,"z":null,"a":[1,"2",null,[],{}],"o":{"deep":{"er":[{}]}}}';
    expect((await putRaw(text)).status).toBe(200);
    await expectData(text);
    await putRaw("{}");
    await expectData("{}");
  });

  it.each([
    ["members in their order, names of digits included", '{"b":1,"10":2,"a":3,"9":4,"":5,"-1":6,"01":7}'],
    ["__proto__ as a plain member", '{"__proto__":{"polluted":true},"constructor":1,"toString":null}'],
    ["integers beyond 2^53", '{"n":9007199254740993,"m":-123456789012345678901234567890}'],
    [
      "decimals of forty digits",
      '{"n":3.141592653589793238462643383279502884197,"m":0.1000000000000000055511151231}',
    ],
    [
      "numbers in the spelling they came in",
      '{"a":1.0,"b":-0,"c":1E5,"d":1e+5,"e":0.10,"f":-0.0,"g":1e-7,"h":100e-2}',
    ],
    [
      "the largest and smallest numbers",
      '{"a":1.7976931348623157e308,"b":5e-324,"c":-1.7976931348623157E+308}',
    ],
    ["characters that need no escape", '{"é\u2028\u2029":"/\u007f😀\ufeff\ud7ff\ue000\uffff"}'],
    ["characters that need one", String.raw`{"\u0000\"\\":"\b\t\n\f\r\u001f\u0000"}`],
  ])("[ITEM-09] keeps %s", async (_, text) => {
    expect((await putRaw(text)).status).toBe(200);
    await expectData(text);
  });

  it("[ITEM-09] writes escapes in their shortest form and omits white space", async () => {
    await putRaw(String.raw` { "\u0061\/" : [ "\u00e9\uD83D\uDE00" , "\u000A\u0022" ] ,` + '\r\n\t"b":1 } ');
    await expectData(String.raw`{"a/":["é😀","\n\""],"b":1}`);
  });

  it("[ITEM-09] keeps the last of duplicate fields", async () => {
    await putRaw('{"a":1,"b":2,"a":3,"n":1.0,"n":2.0}');
    await expectData('{"a":3,"b":2,"n":2.0}');
  });

  const runs = getPropertyRuns(30);
  it(
    "[ITEM-09] returns any JSON text in compact form, with every field, digit and character",
    { timeout: 180_000 + runs * 200 },
    () =>
      fc.assert(
        fc.asyncProperty(jsonTextArbitrary, jsonTextArbitrary, async (first, second) => {
          const loose = `{"2":${first.loose},"1":[${second.loose}],"v":1.0}`;
          expect((await putRaw(loose)).status).toBe(200);
          await expectData(`{"2":${first.compact},"1":[${second.compact}],"v":1.0}`);
        }),
        { numRuns: runs },
      ),
  );

  it("keys of any characters are returned as they were put, in bodies and responses", async () => {
    for (const key of [
      String.raw`\u0000`,
      String.raw`\"\\`,
      "__proto__",
      "..",
      ".",
      "😀",
      String.raw`\ud83d\ude00`,
    ]) {
      expect((await putRaw("{}", `"pk":"${key}","sk":"${key}"`)).status).toBe(200);
      const text = JSON.stringify(JSON.parse(`"${key}"`));
      const found = await items.client.request("POST", `${items.root}/query`, {
        rawBody: `{"partitionKey":"${key}","sortKeyCondition":"=:${key}"}`,
      });
      expect(found.text).toContain(`"items":[{"pk":${text},"sk":${text},"data":{}}]`);
    }
  });

  it.each([
    ["a number beyond a double's range", '{"n":1e400}', /1\.797/],
    ["a negative one", '{"n":-1e400}', /1\.797/],
    ["an integer of 400 digits", `{"n":${"9".repeat(400)}}`, /1\.797/],
    ["an exponent without end", `{"n":0e${"9".repeat(400)}}`, /exponent/],
    ["half of a surrogate pair", String.raw`{"s":"\ud800"}`, /U\+D800/],
    ["the other half", String.raw`{"s":"a\udc00b"}`, /U\+DC00/],
    ["a pair the wrong way round", String.raw`{"s":"\udc00\ud800"}`, /U\+DC00/],
    ["half of a pair in a name", String.raw`{"\udbff":1}`, /U\+DBFF/],
  ])("[ITEM-09] refuses %s and says what and where", async (_, text, detail) => {
    const refused = await putRaw(text);
    expect(refused.status).toBe(400);
    expect(getProblem(refused).errors?.[0]?.in).toBe("body");
    expect(getProblem(refused).detail).toMatch(detail);
    expect(getProblem(refused).detail).toMatch(/line 1, column \d+/);
    expect((await items.scan()).body).toMatchObject({ count: 0 });
  });

  it("refuses half of a surrogate pair in a key", async () => {
    const lone = String.raw`"\ud800"`;
    expect((await putRaw("{}", `"pk":${lone}`)).status).toBe(400);
    expect((await putRaw("{}", `"pk":"p","sk":${lone}`)).status).toBe(400);
    for (const body of [`{"partitionKey":${lone}}`, `{"partitionKey":"p","sortKeyCondition":"=:\\udc00"}`]) {
      const refused = await items.client.request("POST", `${items.root}/query`, { rawBody: body });
      expect(refused.status).toBe(400);
    }
  });

  it("[GEN-06] refuses bodies that are not JSON, not UTF-8 or not declared as JSON", async () => {
    const put = (rawBody: string | Uint8Array<ArrayBuffer>, headers = {}) =>
      items.client.request("PUT", items.root, { rawBody, headers });
    const good = '{"pk":"p","data":{}}';
    for (const text of [
      "{",
      `${good}x`,
      "{'pk':1}",
      '{"pk":"p","data":{},}',
      `\ufeff${good}`,
      '{"n":NaN}',
      " ",
    ])
      expect((await put(text)).status, text).toBe(400);
    const latin1 = Uint8Array.from(Buffer.from('{"pk":"é","data":{}}', "latin1"));
    expect((await put(latin1)).status).toBe(400);
    const surrogates = Uint8Array.from(Buffer.from("7b22706b223a22eda080222c2264617461223a7b7d7d", "hex"));
    expect((await put(surrogates)).status).toBe(400);
    for (const type of ["text/plain", "application/xml", "application/json; charset=latin1"])
      expect((await put(good, { "Content-Type": type })).status, type).toBe(415);
    expect((await items.scan()).body).toMatchObject({ count: 0 });
    for (const type of ["application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"'])
      expect((await put(good, { "Content-Type": type })).status, type).toBe(200);
  });
});

describe("size of items", () => {
  const running = useTestEmulator();
  let items: ItemsClient;
  beforeEach(async () => {
    running.emulator.reset();
    items = await createEmptyDatabase(running);
  });

  /** Creates data for an item that has `total` bytes, including its keys. */
  function createDataForItemSize(keyBytes: number, total: number, unit: string): string {
    const room = total - keyBytes - '{"v":""}'.length;
    const unitBytes = Buffer.byteLength(JSON.stringify(unit)) - 2;
    return unit.repeat(Math.floor(room / unitBytes)) + "x".repeat(room % unitBytes);
  }

  const units = [
    ["one byte each", "a"],
    ["two bytes each", "é"],
    ["four bytes each", "😀"],
    ["an escape of two", '"'],
    ["an escape of six", "\u0001"],
    ["a character that needs no escape", "/"],
  ] as const;

  it.each(units)("[ITEM-35] [ITEM-36] accepts 409,600 bytes and not one more: %s", async (_, unit) => {
    const [pk, sk] = ["é", "\u0000s"];
    const keyBytes = 4;
    for (const less of [1, 0]) {
      const v = createDataForItemSize(keyBytes, limits.itemBytes - less, unit);
      expect((await items.put(pk, sk, { v })).status).toBe(200);
      expect((await items.usage()).storageBytes).toBe(limits.itemBytes - less);
      expect(((await items.get(pk, sk)).body as { data: { v: string } }).data.v === v).toBe(true);
    }
    const before = [(await items.get(pk, sk)).text, (await items.usage()).writeUnitsConsumed];
    const refused = await items.put(pk, sk, {
      v: createDataForItemSize(keyBytes, limits.itemBytes + 1, unit),
    });
    expect([refused.status, getProblem(refused).type]).toEqual([
      413,
      "https://data-service.example/problems/item-too-large",
    ]);
    expect(getProblem(refused).detail).toMatch(/409601 bytes/);
    expect((await items.get(pk, sk)).text === before[0]).toBe(true);
    expect((await items.usage()).writeUnitsConsumed).toBe(before[1]);
  });

  it("[ITEM-35] counts both keys, each in UTF-8", async () => {
    const keys = [
      ["k", null, 1],
      ["k".repeat(1000), null, 1000],
      ["k", "s".repeat(1000), 1001],
      ["😀", "é", 6],
    ] as const;
    for (const [pk, sk, bytes] of keys) {
      expect(
        (await items.put(pk, sk, { v: createDataForItemSize(bytes, limits.itemBytes + 1, "a") })).status,
      ).toBe(413);
      expect(
        (await items.put(pk, sk, { v: createDataForItemSize(bytes, limits.itemBytes, "a") })).status,
      ).toBe(200);
    }
  });

  it("[ITEM-35] counts compact JSON, however it was formatted", async () => {
    const v = createDataForItemSize(1, limits.itemBytes, "é");
    const loose = `{ "pk" : "k" ,\n"data" : { "\\u0076" : "${v.replaceAll("é", "\\u00e9")}" } ${" ".repeat(10_000)}}`;
    expect((await items.client.request("PUT", items.root, { rawBody: loose })).status).toBe(200);
    expect((await items.usage()).storageBytes).toBe(limits.itemBytes);
  });
});

describe("answers to the gaps of data", () => {
  let running: TestEmulator;
  afterEach(() => running.emulator.close());

  eachAnswer("too-large-status", "answers an item over 400 KB", async (answer, profile) => {
    running = await createTestEmulator({ profile });
    const items = await createEmptyDatabase(running);
    const refused = await items.put("k", null, { v: "a".repeat(limits.itemBytes) });
    expect([refused.status, getProblem(refused).type]).toEqual([
      answer,
      "https://data-service.example/problems/item-too-large",
    ]);
    expect((await items.get("k")).status).toBe(404);
  });

  eachAnswer("request-bytes-max", "is how large a request body may be", async (answer, profile) => {
    running = await createTestEmulator({ profile });
    const items = await createEmptyDatabase(running);
    // a single long text, which is parsed faster than the same amount of white space
    const body = (bytes: number) => `{"pk":"k","data":{},"more":"${"x".repeat(bytes - 30)}"}`;
    expect(body(answer)).toHaveLength(answer);
    const put = (bytes: number) => items.client.request("PUT", items.root, { rawBody: body(bytes) });
    expect((await put(answer - 1)).status).toBe(200);
    expect((await put(answer)).status).toBe(200);
    const refused = await put(answer + 1);
    expect([refused.status, getProblem(refused).type]).toEqual([
      413,
      "https://data-service.example/problems/request-too-large",
    ]);
    expect(getProblem(refused).detail).toContain(String(answer));
  });

  eachAnswer("unknown-request-fields", "says what an unknown member does", async (answer, profile) => {
    running = await createTestEmulator({ profile });
    const items = await createEmptyDatabase(running);
    const status = answer === "ignore" ? 200 : 400;
    const put = await items.put("p", null, { any: 1 }, { surprise: true });
    const query = await items.query({ partitionKey: "p", surprise: true });
    const scan = await items.scan({ surprise: true });
    const login = await running.client.post("/auth/password", {
      email: "owner@demo.test",
      password: "demo-password",
      surprise: true,
    });
    for (const answered of [put, query, scan, login]) {
      expect(answered.status).toBe(status);
      if (status === 400) expect(getProblem(answered).errors?.[0]?.pointer).toBe("/surprise");
    }
    expect((await items.get("p")).status).toBe(answer === "ignore" ? 200 : 404);
    // with either answer, an item's data may have any fields
    expect((await items.put("p", null, { surprise: true })).status).toBe(200);
  });
});
