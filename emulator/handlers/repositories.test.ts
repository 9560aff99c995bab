import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { EmulatorOptions } from "../api/emulator.js";
import { eachAnswer } from "../testing/each-answer.js";
import { getPropertyRuns } from "../testing/property-runs.js";
import {
  getEntitiesPath,
  getTextField,
  repositoriesPath,
  type RepositoryClient,
} from "../testing/repository-client.js";
import { createTestEmulator, type TestEmulator } from "../testing/test-client.js";

let test: TestEmulator;
let owner: RepositoryClient;

async function start(profile: NonNullable<EmulatorOptions["profile"]> = {}): Promise<void> {
  test = await createTestEmulator({ profile });
  owner = await test.login("owner@demo.test", "org_demo_pro");
}

afterEach(() => test.emulator.close());

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const create = (body: object) => owner.post(repositoriesPath, body);

const usage = async () => (await owner.get("/api/v1/management/databases/db_demo")).body.usage;

describe("creating a repository", () => {
  it("[REPO-01] [REPO-02] returns 201 with the created fields, without updatedAt", async () => {
    await start();
    const { status, body } = await create({ name: "things", entityName: "Thing" });
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(["repositoryId", "databaseId", "name", "entityName", "createdAt"]);
    expect(body).toMatchObject({ databaseId: "db_demo", name: "things", entityName: "Thing" });
    expect(body.repositoryId).toMatch(/^repo_/);
    expect(body.createdAt).toMatch(isoTime);
  });

  it("[REPO-03] [REPO-07] may omit the schema, and then shows an empty one", async () => {
    await start();
    const { repositoryId } = (await create({ name: "things", entityName: "Thing" })).body;
    const { body } = await owner.get(`${repositoriesPath}/${repositoryId}`);
    expect(body).toMatchObject({ name: "things", entityName: "Thing", schema: {}, status: "Active" });
  });

  it("refuses a very long schema", async () => {
    await start();
    const described = (length: number) =>
      create({ name: "x", entityName: "X", schema: { a: { type: "string", default: "x".repeat(length) } } });
    const refused = await described(2 * 1024 * 1024);
    expect([refused.status, refused.body.errors[0]?.pointer]).toEqual([400, "/schema"]);
    expect((await described(2 * 1024 * 1024 - 200)).status).toBe(201);
  });

  it("[REPO-07] returns the schema as given, with every digit and the order of names", async () => {
    await start();
    const schema =
      '{"b":{"type":"number","max":1.50,"min":-0},"2":{"default":12345678901234567890,"type":"number"},"1":{"type":"boolean"}}';
    const rawBody = `{ "name": "x", "entityName": "X", "schema": ${schema} }`;
    const created = await owner.request("POST", repositoriesPath, { rawBody });
    expect(created.status).toBe(201);
    const answer = await owner.get(`${repositoriesPath}/${created.body.repositoryId}`);
    expect(getTextField(answer, "schema")).toBe(schema);
  });

  it.each([{ entityName: "Thing" }, { name: "things" }, { name: "", entityName: "Thing" }])(
    "[REPO-04] refuses %j",
    async (body) => {
      await start();
      expect((await create(body)).status).toBe(400);
      expect((await owner.get(repositoriesPath)).body.repositories).toHaveLength(2);
    },
  );

  it("[REPO-45] refuses a field of any other type, at every depth", async () => {
    await start();
    const types = ["string", "number", "boolean", "array", "object"];
    const within = fc.array(fc.constantFrom("items" as const, "properties" as const), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string(), fc.constantFrom("integer", "null", "String", "number ")),
        within,
        async (type, path) => {
          fc.pre(!types.includes(type));
          const field = path.reduce<object>(
            (inner, at) =>
              at === "items" ? { type: "array", items: inner } : { type: "object", properties: { inner } },
            { type },
          );
          expect((await create({ name: "x", entityName: "X", schema: { field } })).status).toBe(400);
          expect((await owner.get(repositoriesPath)).body.repositories).toHaveLength(2);
        },
      ),
      { numRuns: getPropertyRuns(20) },
    );
  });

  it("reports every field that violates the contract with a pointer", async () => {
    await start();
    const schema = {
      a: { type: "integer" },
      b: "string",
      c: { type: "object", properties: { d: { type: "number", minimum: 1 } } },
      e: { type: "string", minLength: -1 },
    };
    const { status, body } = await create({ entityName: "Thing", schema });
    expect(status).toBe(400);
    expect(body.errors.map(({ pointer }) => pointer).sort()).toEqual([
      "/name",
      "/schema/a/type",
      "/schema/b",
      "/schema/c/properties/d/minimum",
      "/schema/e/minLength",
    ]);
  });

  it("reports mistakes that no JSON Schema finds", async () => {
    await start();
    const schema = {
      a: { type: "string", min: 1, pattern: "(?=x)" },
      b: { type: "string", minLength: 5, maxLength: 2 },
    };
    const { status, body } = await create({ name: "x", entityName: "X", schema });
    expect(status).toBe(400);
    expect(body.errors.map(({ pointer }) => pointer)).toEqual([
      "/schema/a/min",
      "/schema/a/pattern",
      "/schema/b/minLength",
    ]);
  });

  eachAnswer("duplicate-name", "decides about a second one of the name", async (answer, profile) => {
    await start(profile);
    const { status } = await create({ name: "products", entityName: "Thing" });
    expect(status).toBe(answer === "reject" ? 409 : 201);
    expect((await owner.get(repositoriesPath)).body.repositories).toHaveLength(answer === "reject" ? 2 : 3);
  });

  eachAnswer("repository-name-form", "decides about names", async (answer, profile) => {
    await start(profile);
    const isAny = answer === "any";
    for (const name of ["Größe", "With Space", "ab", "9lives"])
      expect([name, (await create({ name, entityName: "Thing" })).status]).toEqual([name, isAny ? 201 : 400]);
    for (const [index, entityName] of ["Order Line", "é", "1st"].entries())
      expect((await create({ name: `named-${index}`, entityName })).status).toBe(isAny ? 201 : 400);
    expect((await create({ name: "a-name", entityName: "Order_Line-2" })).status).toBe(201);
    expect((await create({ name: "x".repeat(101), entityName: "Thing" })).status).toBe(400);
  });
});

describe("reading repositories", () => {
  it("[REPO-05] [REPO-06] [REPO-08] lists those of the database, page by page", async () => {
    await start();
    const other = { name: "other", region: "eu-west-1" };
    const { databaseId } = (await owner.post("/api/v1/management/databases", other)).body;
    const elsewhere = `/api/v1/management/databases/${databaseId}/repositories`;
    await owner.post(elsewhere, { name: "elsewhere", entityName: "E" });
    await create({ name: "third", entityName: "T" });
    const described = ["repositoryId", "databaseId", "name", "entityName", "status"];
    const members = [...described, "schema", "itemCount", "createdAt", "updatedAt"];
    const names: string[] = [];
    for (let cursor = ""; ;) {
      const { body } = await owner.get(`${repositoriesPath}?limit=1${cursor}`);
      expect(body.repositories).toHaveLength(1);
      for (const repository of body.repositories) {
        expect(Object.keys(repository)).toEqual(members);
        names.push(`${repository.name} ${repository.itemCount}`);
      }
      if (body.nextCursor === null) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(names).toEqual(["products 6", "events 3", "third 0"]);
  });

  it("refuses a cursor of another list", async () => {
    await start();
    const { nextCursor } = (await owner.get(`${getEntitiesPath("repo_demo_products")}?limit=1`)).body;
    expect((await owner.get(`${repositoriesPath}?cursor=${nextCursor}`)).status).toBe(400);
  });

  it("[REPO-08] itemCount and updatedAt follow every write", async () => {
    await start();
    const path = getEntitiesPath("repo_demo_products");
    const read = async () => (await owner.get(`${repositoriesPath}/repo_demo_products`)).body;
    const before = await read();
    const data = { sku: "AAA-0001", title: "New", price: 1 };
    const { id } = (await owner.post(path, { data })).body;
    const afterCreate = await read();
    expect(afterCreate.itemCount).toBe(7);
    expect(afterCreate.updatedAt > before.updatedAt).toBe(true);
    await owner.post(path, { data: { sku: "wrong" } });
    await owner.put(`${path}/${id}`, { data });
    expect((await read()).itemCount).toBe(7);
    await owner.delete(`${path}/${id}`);
    expect((await read()).itemCount).toBe(6);
  });
});

describe("deleting a repository", () => {
  it("[REPO-09] removes it with its entities and their bytes", async () => {
    await start();
    const before = await usage();
    const { repositoryId } = (await create({ name: "x", entityName: "X" })).body;
    const { id } = (await owner.post(getEntitiesPath(repositoryId), { data: { text: "x".repeat(5000) } }))
      .body;
    const between = await usage();
    expect(between.storageBytes).toBeGreaterThan(before.storageBytes + 5000);
    expect(between.itemCount).toBe(before.itemCount);
    const deleted = await owner.delete(`${repositoriesPath}/${repositoryId}`);
    expect([deleted.status, deleted.text]).toEqual([204, ""]);
    expect((await owner.get(`${repositoriesPath}/${repositoryId}`)).status).toBe(404);
    expect((await owner.get(getEntitiesPath(repositoryId))).status).toBe(404);
    expect((await owner.get(getEntitiesPath(repositoryId, id))).status).toBe(404);
    expect((await usage()).storageBytes).toBe(before.storageBytes);
    expect((await owner.delete(`${repositoriesPath}/${repositoryId}`)).status).toBe(404);
  });

  it("goes with its database, which frees the storage", async () => {
    await start();
    const database = { name: "other", region: "eu-west-1" };
    const { databaseId } = (await owner.post("/api/v1/management/databases", database)).body;
    const inOther = `/api/v1/management/databases/${databaseId}/repositories`;
    const { repositoryId } = (await owner.post(inOther, { name: "x", entityName: "X" })).body;
    await owner.post(getEntitiesPath(repositoryId), { data: {} });
    expect((await owner.get(`${repositoriesPath}/${repositoryId}`)).status).toBe(404);
    await owner.delete(`/api/v1/management/databases/${databaseId}`);
    expect((await owner.get(getEntitiesPath(repositoryId))).status).toBe(404);
    expect((await owner.get(inOther)).status).toBe(404);
    expect((await owner.get(getEntitiesPath("repo_demo_products"))).body.totalCount).toBe(6);
  });
});
