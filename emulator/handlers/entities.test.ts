import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { jsonTextArbitrary } from "../testing/json-text.arbitrary.js";
import { createDemoNamespace } from "../testing/demo-namespace.js";
import { eachAnswer } from "../testing/each-answer.js";
import {
  getEntitiesPath,
  getTextField,
  repositoriesPath,
  createRepositoryTestSetup,
  type RepositoryTestSetup,
} from "../testing/repository-client.js";
import type { JsonObject } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import { stringifyJson } from "../json/stringify-json.js";
import { createEntity, mergeFields, updateEntity } from "./entities.js";
import type { HandlerContext } from "./handler.js";

let scene: RepositoryTestSetup;
afterEach(() => scene.emulator.close());

const schema = {
  title: { type: "string", required: true, minLength: 2, maxLength: 4, pattern: "^[A-Z]" },
  price: { type: "number", min: 0, max: 10 },
  inStock: { type: "boolean", default: true },
  tags: { type: "array", items: { type: "string", minLength: 1 }, minItems: 1, maxItems: 2 },
  maker: { type: "object", properties: { name: { type: "string", required: true, maxLength: 3 } } },
};

const create = (data: unknown) => scene.owner.post(scene.entities, { data });
const update = (id: string, data: unknown) => scene.owner.put(`${scene.entities}/${id}`, { data });
const read = (id: string) => scene.owner.get(`${scene.entities}/${id}`);
const count = async () => (await scene.owner.get(scene.entities)).body.totalCount;
const storage = async () =>
  (await scene.owner.get("/api/v1/management/databases/db_demo")).body.usage.storageBytes;

describe("creating an entity", () => {
  it("[REPO-23] [REPO-25] [REPO-26] [REPO-27] returns 201 with id, data, both times and version 1", async () => {
    scene = await createRepositoryTestSetup();
    const first = await create({ a: 1 });
    const second = await create({ a: 1 });
    expect(first.status).toBe(201);
    expect(Object.keys(first.body)).toEqual(["id", "data", "createdAt", "updatedAt", "version"]);
    expect(first.body).toMatchObject({ data: { a: 1 }, version: 1 });
    expect(first.body.createdAt).toBe(first.body.updatedAt);
    expect(second.body.id).not.toBe(first.body.id);
    expect((await read(first.body.id)).body).toEqual(first.body);
  });

  it.each([{}, { data: [] }, { data: null }, { data: "text" }])("[REPO-24] refuses %j", async (body) => {
    scene = await createRepositoryTestSetup();
    expect((await scene.owner.post(scene.entities, body)).status).toBe(400);
    const { id } = (await create({ a: 1 })).body;
    expect((await scene.owner.put(`${scene.entities}/${id}`, body)).status).toBe(400);
    expect((await read(id)).body).toMatchObject({ data: { a: 1 }, version: 1 });
  });

  it.each([
    ["[REPO-10] string", { title: 5 }, "/data/title"],
    ["[REPO-10] number", { title: "Tea", price: "5" }, "/data/price"],
    ["[REPO-10] boolean", { title: "Tea", inStock: 1 }, "/data/inStock"],
    ["[REPO-10] array", { title: "Tea", tags: "x" }, "/data/tags"],
    ["[REPO-10] object", { title: "Tea", maker: [] }, "/data/maker"],
    ["[REPO-10] null for a value", { title: "Tea", price: null }, "/data/price"],
    ["[REPO-11] required", { price: 1 }, "/data/title"],
    ["[REPO-14] minLength", { title: "T" }, "/data/title"],
    ["[REPO-14] maxLength", { title: "Teaaa" }, "/data/title"],
    ["[REPO-15] pattern", { title: "tea" }, "/data/title"],
    ["[REPO-16] min", { title: "Tea", price: -0.5 }, "/data/price"],
    ["[REPO-16] max", { title: "Tea", price: 10.5 }, "/data/price"],
    ["[REPO-17] items", { title: "Tea", tags: ["a", ""] }, "/data/tags/1"],
    ["[REPO-18] minItems", { title: "Tea", tags: [] }, "/data/tags"],
    ["[REPO-18] maxItems", { title: "Tea", tags: ["a", "b", "c"] }, "/data/tags"],
    ["[REPO-19] properties", { title: "Tea", maker: { name: "long" } }, "/data/maker/name"],
    ["[REPO-19] required in properties", { title: "Tea", maker: {} }, "/data/maker/name"],
  ])(
    "[REPO-22] [REPO-31] holds data to the schema, in create and update: %s",
    async (_title, data, pointer) => {
      scene = await createRepositoryTestSetup(schema);
      const { id } = (await create({ title: "Tea" })).body;
      for (const refused of [await create(data), await update(id, data)]) {
        expect(refused.status).toBe(400);
        expect(refused.body.errors).toMatchObject([{ pointer }]);
      }
      expect(await count()).toBe(1);
      expect((await read(id)).body).toMatchObject({
        data: { title: "Tea", inStock: true },
        version: 1,
      });
    },
  );

  it("names every invalid place", async () => {
    scene = await createRepositoryTestSetup(schema);
    const { body } = await create({ price: -1, tags: ["", "b", "c"], maker: { name: 1 } });
    const errors = body.errors;
    expect(errors.map(({ pointer }) => pointer).sort()).toEqual([
      "/data/maker/name",
      "/data/price",
      "/data/tags",
      "/data/tags/0",
      "/data/title",
    ]);
  });

  it("[REPO-12] [REPO-13] [REPO-14] [REPO-16] [REPO-18] [REPO-20] accepts valid data, including bounds, with defaults", async () => {
    scene = await createRepositoryTestSetup(schema);
    expect((await create({ title: "Te" })).body.data).toEqual({ title: "Te", inStock: true });
    const whole = { title: "Teas", price: 10, inStock: false, tags: ["a", "b"], maker: { name: "abc" } };
    expect((await create(whole)).body.data).toEqual(whole);
    expect((await create({ title: "T\u{1f375}\u{1f375}\u{1f375}", price: 0, tags: ["a"] })).status).toBe(201);
  });

  it("refuses elements that lack too many defaults", async () => {
    const properties = { note: { type: "string", default: "x".repeat(1000) } };
    scene = await createRepositoryTestSetup({
      lines: { type: "array", items: { type: "object", properties } },
    });
    const withLines = (count: number) => create({ lines: Array<object>(count).fill({}) });
    expect((await withLines(300)).status).toBe(201);
    expect(await withLines(500)).toMatchObject({ status: 413, body: { status: 413 } });
  });

  it("[REPO-21] accepts any object without a schema, and returns it exactly", async () => {
    scene = await createRepositoryTestSetup();
    await fc.assert(
      fc.asyncProperty(jsonTextArbitrary, async ({ compact, loose }) => {
        const rawBody = `{"data":{"before":1.0,"value":${loose}}}`;
        const created = await scene.owner.request("POST", scene.entities, { rawBody });
        expect(created.status).toBe(201);
        const expected = `{"before":1.0,"value":${compact}}`;
        expect(getTextField(created, "data")).toBe(expected);
        const { id } = created.body;
        const got = await read(id);
        expect(getTextField(got, "data")).toBe(expected);
        expect(got.text).toContain(expected);
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 60) },
    );
  });
});

describe("reading, updating and deleting an entity", () => {
  it("[REPO-26] [REPO-27] [REPO-28] [REPO-30] an update changes updatedAt and version, and keeps the rest", async () => {
    scene = await createRepositoryTestSetup();
    const before = (await create({ a: 1, b: 1 })).body;
    // even within the same millisecond
    scene.emulator.clock.set(new Date(Date.parse(before.updatedAt) - 1).toISOString());
    const updated = await update(before.id, { a: 2, c: 3 });
    expect(updated.status).toBe(200);
    expect(updated.body).toMatchObject({ id: before.id, createdAt: before.createdAt, version: 2 });
    expect(updated.body.data).toMatchObject({ a: 2, c: 3 });
    expect(updated.body.updatedAt > before.updatedAt).toBe(true);
    expect((await read(before.id)).body).toEqual(updated.body);
  });

  it("[REPO-32] a deleted entity is gone", async () => {
    scene = await createRepositoryTestSetup();
    const before = await storage();
    const { id } = (await create({ text: "x".repeat(2000) })).body;
    expect(await storage()).toBe(before + '{"text":""}'.length + 2000 + id.length);
    const deleted = await scene.owner.delete(`${scene.entities}/${id}`);
    expect([deleted.status, deleted.text]).toEqual([204, ""]);
    expect((await read(id)).status).toBe(404);
    expect(await count()).toBe(0);
    expect(await storage()).toBe(before);
  });

  it("[REPO-29] no request creates an entity that does not exist", async () => {
    scene = await createRepositoryTestSetup();
    expect((await read("nothing")).status).toBe(404);
    expect((await update("nothing", {})).status).toBe(404);
    await scene.owner.delete(`${scene.entities}/nothing`);
    expect(await count()).toBe(0);
  });

  eachAnswer("delete-missing-entity", "answers DELETE of what is not there", async (answer, profile) => {
    scene = await createRepositoryTestSetup(undefined, profile);
    expect((await scene.owner.delete(`${scene.entities}/nothing`)).status).toBe(answer);
  });

  eachAnswer("entity-put", "decides what becomes of members left out", async (answer, profile) => {
    scene = await createRepositoryTestSetup(
      { n: { type: "number", default: 1 }, s: { type: "string" } },
      profile,
    );
    const rawBody = '{"data":{"10":1.50,"n":7,"s":"old","free":{"a":1}}}';
    const { id } = (await scene.owner.request("POST", scene.entities, { rawBody })).body;
    const updated = await update(id, { s: "new", free: { b: 2 } });
    expect(getTextField(updated, "data")).toBe(
      answer === "merge" ? '{"10":1.50,"n":7,"s":"new","free":{"b":2}}' : '{"s":"new","free":{"b":2},"n":1}',
    );
  });

  eachAnswer(
    "entity-unknown-fields",
    "decides about fields the schema does not name",
    async (answer, profile) => {
      scene = await createRepositoryTestSetup(schema, profile);
      const created = await create({ title: "Tea", more: 1, maker: { name: "abc", more: 2 } });
      if (answer === "reject") {
        expect(created.status).toBe(400);
        const errors = created.body.errors;
        expect(errors.map(({ pointer }) => pointer).sort()).toEqual(["/data/maker/more", "/data/more"]);
        return;
      }
      const kept = { title: "Tea", more: 1, maker: { name: "abc", more: 2 }, inStock: true };
      const dropped = { title: "Tea", maker: { name: "abc" }, inStock: true };
      expect(created.body.data).toEqual(answer === "keep" ? kept : dropped);
    },
  );

  eachAnswer("entity-null-fields", "decides about null", async (answer, profile) => {
    scene = await createRepositoryTestSetup(
      {
        needed: { type: "string", required: true },
        text: { type: "string", minLength: 1, pattern: "^x" },
        list: { type: "array", items: { type: "number" } },
        filled: { type: "number", default: 3 },
        within: { type: "object", properties: { a: { type: "boolean" } } },
      },
      profile,
    );
    const nulls = { needed: "x", text: null, list: null, filled: null, within: { a: null } };
    const created = await create(nulls);
    const updated = await update((await create({ needed: "y" })).body.id, { ...nulls, within: null });
    if (answer === "refused") {
      const pointers = created.body.errors.map(({ pointer }) => pointer).sort();
      expect(pointers).toEqual(["/data/filled", "/data/list", "/data/text", "/data/within/a"]);
      expect(updated.status).toBe(400);
    } else {
      const dropped = { needed: "x", filled: 3 };
      expect(created.body.data).toEqual(answer === "kept" ? nulls : { ...dropped, within: {} });
      expect(updated.body.data).toEqual(answer === "kept" ? { ...nulls, within: null } : dropped);
    }
    // null is never valid for a required field or an array element, and other values must still be valid
    for (const data of [{ needed: null }, { needed: "x", list: [null] }, { needed: "x", text: "y" }])
      expect((await create(data)).status, JSON.stringify(data)).toBe(400);
  });

  eachAnswer("entity-null-fields", "holds for defaults", async (answer, profile) => {
    // reject null for optional fields, because otherwise a default of null would count as omitted
    scene = await createRepositoryTestSetup(undefined, { ...profile, "null-optional-fields": "reject" });
    const properties = { b: { type: "string" }, c: { type: "number", default: 1 } };
    const schema = {
      a: { type: "object", default: { b: null, c: null }, properties },
      d: { type: "string", default: null },
    };
    const made = await scene.owner.post(repositoriesPath, { name: "nulls", entityName: "Null", schema });
    expect(made.status).toBe(answer === "refused" ? 400 : 201);
    if (made.status !== 201) return;
    const { body } = await scene.owner.post(getEntitiesPath(made.body.repositoryId), { data: {} });
    const kept = { a: { b: null, c: null }, d: null };
    expect(body.data).toEqual(answer === "kept" ? kept : { a: { c: 1 } });
  });

  it("follows a profile change at once, and accepts repositories created under another", async () => {
    scene = await createRepositoryTestSetup({
      a: { type: "object", default: { x: 1 }, properties: { y: { type: "number" } } },
    });
    expect((await create({ more: 1 })).body.data).toEqual({ more: 1, a: { x: 1 } });
    scene.emulator.profile.set({ "entity-unknown-fields": "drop" });
    expect((await create({ more: 1 })).body.data).toEqual({ a: {} });
    scene.emulator.profile.set({ "entity-unknown-fields": "reject" });
    expect((await create({ more: 1 })).status).toBe(400);
  });

  eachAnswer("pattern-match", "decides where a pattern has to match", async (answer, profile) => {
    scene = await createRepositoryTestSetup(
      { code: { type: "string", pattern: "b|c+" }, whole: { type: "string", pattern: "^x|y$" } },
      profile,
    );
    const status = async (data: object) => (await scene.owner.post(scene.entities, { data })).status;
    expect([await status({ code: "ccc" }), await status({ code: "b" }), await status({ code: "a" })]).toEqual(
      [201, 201, 400],
    );
    const within = answer === "anywhere" ? 201 : 400;
    expect([await status({ code: "abc" }), await status({ whole: "xa" })]).toEqual([within, within]);
  });
});

it("[DB-17] entities count for the plan's storage", async () => {
  scene = await createRepositoryTestSetup();
  const namespace = await createDemoNamespace();
  const { store } = namespace.world;
  const caller = {
    kind: "user",
    userId: "user_demo_owner",
    organizationId: "org_demo_pro",
    role: "owner",
  } as const;
  const context: HandlerContext = {
    ...namespace.world,
    caller,
    now: Date.UTC(2030),
    baseUrl: () => "http://localhost",
  };
  const path = { repositoryId: "repo_demo_events" };
  const request = (text: string) => ({
    path,
    query: {},
    body: { data: { text } },
    json: { data: { text } },
    bodyBytes: 0,
  });
  const { id } = createEntity(request("short"), context).body;
  const ref = store.databases.find("db_demo")?.ref ?? 0;
  const room = 10 * 1024 ** 3 - store.databases.storageBytes("org_demo_pro");
  store.databases.addWrite(ref, { items: 0, bytes: room - 500, writeUnits: 0 }, 0);
  const long = "x".repeat(600);
  expect(() => createEntity(request(long), context)).toThrow(/can store at most 10 GB/);
  expect(() => updateEntity({ ...request(long), path: { ...path, entityId: id } }, context)).toThrow(/10 GB/);
  expect(createEntity(request("short"), context).status).toBe(201);
  namespace.close();
});

it("counts reads and writes as units, but no entity as an item", async () => {
  scene = await createRepositoryTestSetup();
  const usage = async () => (await scene.owner.get("/api/v1/management/databases/db_demo")).body.usage;
  const before = await usage();
  const { id } = (await create({ t: "x".repeat(5000) })).body;
  await read(id);
  await scene.owner.get(scene.entities);
  await scene.owner.post(`${scene.entities}/query`, { sortBy: "t" });
  const after = await usage();
  expect(after.itemCount).toBe(before.itemCount);
  expect(after.writeUnitsConsumed).toBe(before.writeUnitsConsumed + 5);
  expect(after.readUnitsConsumed).toBe(before.readUnitsConsumed + 6);
  expect((await scene.owner.get(`${repositoriesPath}/${scene.repositoryId}`)).body.itemCount).toBe(1);
});

it("a merging update keeps fields that it omits, and replaces the others completely", () => {
  const read = (text: string) => parseJson(text, { maxDepth: 10 }) as JsonObject;
  const merged = mergeFields(read('{"2":1.0,"a":{"x":1},"__proto__":1}'), read('{"a":{"y":2},"1":1E2}'));
  expect(stringifyJson(merged)).toBe('{"2":1.0,"a":{"y":2},"__proto__":1,"1":1E2}');
});
