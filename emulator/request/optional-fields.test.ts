import { afterEach, describe, expect, it } from "vitest";
import { buildDocument } from "../../openapi/document/document.js";
import { defaultProfile, type Profile } from "../../openapi/gaps/profile.js";
import { eachAnswer } from "../testing/each-answer.js";
import { type TestClient, type TestEmulator, createTestEmulator } from "../testing/test-client.js";
import { listMountedOperations } from "./mounted-operation.js";

let running: TestEmulator;
let owner: TestClient;

/** Resets the emulator to the demo data, and adds an empty table. */
async function resetToDemoData() {
  running.emulator.reset();
  owner = await running.login("owner@demo.test", "org_demo_pro");
  await owner.post("/databases/db_demo/sql/execute", { sql: "CREATE TABLE nulls (id INT PRIMARY KEY)" });
}

async function start(profile: Partial<Profile> = {}) {
  running = await createTestEmulator({ profile });
  owner = await running.login("owner@demo.test", "org_demo_pro");
}

afterEach(() => running.emulator.close());

const items = "/api/v1/databases/db_demo/items";
const repositories = "/api/v1/management/databases/db_demo/repositories";

/** A valid request to an operation, and the optional fields of its body. */
interface Sample {
  readonly method?: "PUT";
  readonly path: string;
  readonly body: object;
  readonly optional: readonly string[];
  /** Optional fields of the first entry in a list. */
  readonly ofEntries?: readonly [list: string, names: readonly string[]];
}

/** Requests to all operations whose bodies have optional fields. */
const samples: Readonly<Record<string, Sample>> = {
  putItem: {
    method: "PUT",
    path: items,
    body: { pk: "null", data: { a: null } },
    optional: ["conditionExpression", "filterValues"],
  },
  queryItems: {
    path: `${items}/query`,
    body: { partitionKey: "settings" },
    optional: ["sortKeyCondition", "scanForward", "filterExpression", "limit", "cursor"],
  },
  scanItems: { path: `${items}/scan`, body: {}, optional: ["filterExpression", "limit", "cursor"] },
  batchWriteItems: {
    path: `${items}/batch/write`,
    body: { items: [{ operation: "Delete", pk: "none" }] },
    optional: [],
    ofEntries: ["items", ["data", "conditionExpression", "filterValues"]],
  },
  batchGetItems: { path: `${items}/batch/get`, body: { keys: [{ pk: "none" }] }, optional: [] },
  transactGetItems: {
    path: `${items}/transact/get`,
    body: { items: [{ pk: "settings", sk: "currency" }] },
    optional: ["clientRequestToken"],
    ofEntries: ["items", ["projectionExpression"]],
  },
  transactWriteItems: {
    path: `${items}/transact/write`,
    body: { items: [{ action: "Delete", pk: "none" }] },
    optional: ["clientRequestToken"],
    ofEntries: ["items", ["data", "conditionExpression", "filterValues"]],
  },
  queryEntities: {
    path: "/api/v1/repositories/repo_demo_products/query",
    body: {},
    optional: ["filter", "filterValues", "limit", "sortBy", "sortOrder"],
  },
  createRepository: {
    path: repositories,
    body: { name: "nulls", entityName: "Null" },
    optional: ["schema"],
  },
  createDatabase: {
    path: "/api/v1/management/databases",
    body: { name: "nulls", region: "eu" },
    optional: ["settings"],
  },
  createOrganization: {
    path: "/api/v1/organizations",
    body: { name: "Nulls" },
    optional: ["slug", "billingEmail"],
  },
  updateOrganization: {
    method: "PUT",
    path: "/api/v1/organizations/org_demo_pro",
    body: {},
    optional: ["name", "billingEmail", "settings"],
  },
  inviteMember: {
    path: "/api/v1/organizations/org_demo_pro/members",
    body: { email: "nulls@demo.test" },
    optional: ["role"],
  },
  runSqlQuery: {
    path: "/databases/db_demo/sql/query",
    body: { sql: "SELECT * FROM nulls" },
    optional: ["parameters", "limit", "pageToken"],
  },
};

const withNulls = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));

/** Lists bodies in which all optional fields are null, or only one of them. */
function listNullVariants({ body, optional, ofEntries }: Sample): readonly object[] {
  const top = [optional, ...optional.map((name) => [name])].map((names) => ({
    ...body,
    ...withNulls(names),
  }));
  if (ofEntries === undefined) return optional.length > 0 ? top : [];
  const [list, names] = ofEntries;
  const [first] = (body as Record<string, object[]>)[list] ?? [];
  return [
    ...(optional.length > 0 ? top : []),
    ...[names, ...names.map((name) => [name])].map((some) => ({
      ...body,
      [list]: [{ ...first, ...withNulls(some) }],
    })),
  ];
}

describe("null for an optional field of a request", () => {
  it("is checked for every operation with such fields", async () => {
    await start();
    const having = listMountedOperations(buildDocument(defaultProfile)).filter(
      ({ optionalFields }) => optionalFields !== undefined,
    );
    expect(having.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(samples).sort());
  });

  eachAnswer("null-optional-fields", "is the member left out, or a mistake", async (answer, profile) => {
    await start(profile);
    for (const [name, sample] of Object.entries(samples)) {
      const { method = "POST", path, body } = sample;
      await resetToDemoData();
      const plain = await owner.request(method, path, { body });
      expect(plain.status, name).toBeLessThan(300);
      for (const given of listNullVariants(sample)) {
        await resetToDemoData();
        const seen = await owner.request(method, path, { body: given });
        const shown = `${name} ${JSON.stringify(given)}: ${seen.text}`;
        expect(seen.status, shown).toBe(answer === "as-if-absent" ? plain.status : 400);
        if (answer === "as-if-absent" && !plain.text.includes("executionTimeMs"))
          expect(seen.text, shown).toBe(plain.text);
      }
    }
  });

  eachAnswer(
    "null-optional-fields",
    "is the same in the definition of a field, and the schema is shown without",
    async (answer, profile) => {
      await start(profile);
      const schema = {
        a: {
          type: "string",
          required: null,
          default: null,
          minLength: null,
          pattern: null,
          items: null,
          properties: null,
        },
        b: { type: "object", properties: { c: { type: "array", items: { type: "number", min: null } } } },
        d: { type: "object", default: { a: null } },
      };
      const created = await owner.post(repositories, { name: "defined", entityName: "Defined", schema });
      expect(created.status).toBe(answer === "as-if-absent" ? 201 : 400);
      if (answer === "reject") return;
      const { repositoryId } = created.body as { repositoryId: string };
      expect((await owner.get(`${repositories}/${repositoryId}`)).body).toMatchObject({
        schema: {
          a: { type: "string" },
          b: { type: "object", properties: { c: { type: "array", items: { type: "number" } } } },
          d: { type: "object", default: { a: null } },
        },
      });
    },
  );

  eachAnswer("null-optional-fields", "is no matter of members that hold anything", async (_, profile) => {
    await start(profile);
    const data = { a: null, limit: null, b: [null, { sk: null }] };
    const put = { pk: "free", data, conditionExpression: "attribute_not_exists(pk)" };
    expect((await owner.put(items, put)).status).toBe(200);
    expect((await owner.get(`${items}/free`)).body).toMatchObject({ data });
    const found = await owner.post(`${items}/scan`, { filterExpression: { a: null } });
    expect((found.body as { items: unknown[] }).items).toHaveLength(1);
  });

  eachAnswer("null-optional-fields", "is taken where the specification names it", async (_, profile) => {
    await start(profile);
    expect((await owner.put(items, { pk: "free", sk: null, data: {} })).status).toBe(200);
    const query = "/api/v1/repositories/repo_demo_products/query";
    expect((await owner.post(query, { cursor: null })).status).toBe(200);
  });

  it("is a mistake for a required field", async () => {
    await start();
    for (const body of [
      { pk: null, data: {} },
      { pk: "a", data: null },
    ])
      expect((await owner.put(items, body)).status).toBe(400);
    const entry = { operation: "Put", pk: "a", data: null };
    expect((await owner.post(`${items}/batch/write`, { items: [entry] })).status).toBe(400);
  });

  it("keeps numbers and the order of fields of a body", async () => {
    await start();
    const data = '{"10":1.0,"2":12345678901234567890,"__proto__":null}';
    const rawBody = `{"pk":"whole","conditionExpression":null,"data":${data},"sk":null}`;
    expect((await owner.request("PUT", items, { rawBody })).status).toBe(200);
    expect((await owner.get(`${items}/whole`)).text).toContain(data);
  });
});
