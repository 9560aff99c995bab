import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildDocument } from "../../openapi/document/document.js";
import { type Role, roles, type Scope, scopes } from "../../openapi/schemas/roles.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import type { OperationId } from "../../openapi/operations/register.js";
import type { EmulatorOptions } from "../api/emulator.js";
import {
  everyone,
  type ExpectedAccess,
  expectedBillingAccess,
  expectedEntityAccess,
  expectedOrganizationAccess,
  expectedRepositoryAccess,
  writers,
} from "./testing/expected-access.js";
import { listMountedOperations } from "../request/mounted-operation.js";
import { eachAnswer } from "../testing/each-answer.js";
import { getProblemKind } from "../testing/read-problem.js";
import {
  type TestResponse,
  type TestClient,
  type TestEmulator,
  createTestEmulator,
} from "../testing/test-client.js";

const itemReaders: readonly Scope[] = ["database:read", "database:*", "*"];
const itemWriters: readonly Scope[] = ["database:write", "database:*", "*"];
const sqlReaders: readonly Scope[] = ["database:read", "database:write", "database:*", "*"];
const items = "/api/v1/databases/db_demo/items";
const sql = "/databases/db_demo/sql";
const management = "/api/v1/management/databases";

const table: Readonly<Record<OperationId, ExpectedAccess>> = {
  // 4.1: login and refresh need no credential; 4.1 and 5: organization switching requires a JWT
  login: {
    success: 200,
    roles: "public",
    scopes: [],
    path: "/auth/password",
    body: { email: "owner@demo.test", password: "demo-password" },
  },
  refreshSession: {
    // an unknown refresh token is refused for every caller
    success: 401,
    roles: "public",
    scopes: [],
    path: "/auth/refresh",
    body: { refreshToken: "rt_unknown" },
  },
  switchOrganization: {
    success: 200,
    roles: everyone,
    scopes: [],
    path: "/auth/switch-organization",
    body: { organizationId: "org_demo_pro" },
  },
  // 4.2 and 5: item operations require database:read or database:write according to the operation;
  // 4.6: readonly has view-only access
  putItem: {
    success: 200,
    roles: writers,
    scopes: itemWriters,
    path: items,
    body: { pk: "access", sk: "a", data: {} },
  },
  getItem: {
    success: 200,
    roles: everyone,
    scopes: itemReaders,
    isRead: true,
    path: `${items}/customer%23ada`,
  },
  getItemWithSortKey: {
    success: 200,
    roles: everyone,
    scopes: itemReaders,
    isRead: true,
    path: `${items}/settings/currency`,
  },
  deleteItem: { success: 204, roles: writers, scopes: itemWriters, path: `${items}/customer%23ada` },
  deleteItemWithSortKey: {
    success: 204,
    roles: writers,
    scopes: itemWriters,
    path: `${items}/settings/currency`,
  },
  queryItems: {
    success: 200,
    roles: everyone,
    scopes: itemReaders,
    isRead: true,
    path: `${items}/query`,
    body: { partitionKey: "settings" },
  },
  scanItems: {
    success: 200,
    roles: everyone,
    scopes: itemReaders,
    isRead: true,
    path: `${items}/scan`,
    body: {},
  },
  batchWriteItems: {
    success: 200,
    roles: writers,
    scopes: itemWriters,
    path: `${items}/batch/write`,
    body: { items: [{ operation: "Put", pk: "access", sk: "batch", data: {} }] },
  },
  batchGetItems: {
    success: 200,
    roles: everyone,
    scopes: itemReaders,
    isRead: true,
    path: `${items}/batch/get`,
    body: { keys: [{ pk: "settings", sk: "currency" }] },
  },
  transactGetItems: {
    success: 200,
    roles: everyone,
    scopes: itemReaders,
    isRead: true,
    path: `${items}/transact/get`,
    body: { items: [{ pk: "settings", sk: "currency" }] },
  },
  transactWriteItems: {
    success: 200,
    roles: writers,
    scopes: itemWriters,
    path: `${items}/transact/write`,
    body: { items: [{ action: "Put", pk: "access", sk: "transaction", data: {} }] },
  },
  // 4.5 and 5: JWT; 4.6: owner, admin and member manage databases, readonly can only view them
  createDatabase: {
    success: 201,
    roles: writers,
    scopes: [],
    path: management,
    body: { name: "access", region: "eu-west-1" },
  },
  listDatabases: { success: 200, roles: everyone, scopes: [], isRead: true, path: management },
  getDatabase: { success: 200, roles: everyone, scopes: [], isRead: true, path: `${management}/db_demo` },
  deleteDatabase: { success: 204, roles: writers, scopes: [], path: `${management}/db_demo` },
  ...expectedRepositoryAccess,
  ...expectedEntityAccess,
  ...expectedOrganizationAccess,
  ...expectedBillingAccess,
  // 4.8 rule 5: SELECT for a JWT and any API key level; CREATE for a JWT and admin keys only
  runSqlQuery: {
    success: 200,
    roles: everyone,
    scopes: sqlReaders,
    sql: true,
    isRead: true,
    path: `${sql}/query`,
    body: { sql: "SELECT * FROM products LIMIT 1" },
  },
  executeSql: {
    success: 200,
    roles: writers,
    scopes: ["database:*", "*"],
    sql: true,
    path: `${sql}/execute`,
    body: { sql: "CREATE TABLE IF NOT EXISTS access (id INT PRIMARY KEY)" },
  },
  listSqlTables: {
    success: 200,
    roles: everyone,
    scopes: sqlReaders,
    sql: true,
    isRead: true,
    path: `${sql}/tables`,
  },
  getSqlTableSchema: {
    success: 200,
    roles: everyone,
    scopes: sqlReaders,
    sql: true,
    isRead: true,
    path: `${sql}/tables/products/schema`,
  },
  // 4.9: no authentication
  getHealth: { success: 200, roles: "public", scopes: [], path: "/health" },
  getReadiness: { success: 200, roles: "public", scopes: [], path: "/health/ready" },
  getLiveness: { success: 200, roles: "public", scopes: [], path: "/health/live" },
};

/** The operations come from the document; an operation without a row above makes a test fail. */
const operations = listMountedOperations(buildDocument(defaultProfile)).map(({ operationId, method }) => {
  const expected = (table as Readonly<Record<string, ExpectedAccess | undefined>>)[operationId];
  if (expected === undefined)
    throw new Error(`operation ${operationId} has no row in the table of access.test.ts`);
  return { id: operationId, method: method.toUpperCase(), ...expected };
});
type Operation = (typeof operations)[number];

const isProtected = (operation: Operation) => operation.roles !== "public";
const open = operations.filter((operation) => !isProtected(operation));
const guarded = operations.filter(isProtected);
/** Operations on resources that belong to an organization and have an id. */
const onHeld = guarded.filter(({ path }) => /db_demo|repo_demo/.test(path));
/** Operations on the organization in the path. */
const onOrganization = guarded.filter(({ path }) => path.includes("org_demo"));

/** Returns the same operation for resources that do not exist. */
function targetMissingResource(operation: Operation): Operation {
  const path = operation.path
    .replace(/(db|org)_demo(_pro)?/, "$1_nowhere")
    .replace(/repo_demo_\w+/, "repo_nowhere");
  return { ...operation, path };
}

let running: TestEmulator;
const tokenOf: Partial<Record<Role, string>> = {};

async function start(options: EmulatorOptions = {}): Promise<void> {
  await (running as TestEmulator | undefined)?.emulator.close();
  running = await createTestEmulator(options);
  for (const role of roles)
    tokenOf[role] = (await running.tokens(`${role}@demo.test`, "org_demo_pro")).accessToken;
}

beforeAll(() => start());
afterAll(() => running.emulator.close());

/** Whether a test may have changed the emulator's state. */
let isTouched = false;

async function call(client: TestClient, { method, path, body }: Operation, more = {}): Promise<TestResponse> {
  const answer = await client.request(method, path, { ...(body === undefined ? {} : { body }), ...more });
  // most requests in these tests are rejected, and change nothing
  isTouched ||= answer.status < 400 && method.toUpperCase() !== "GET";
  return answer;
}

/** Returns the emulator to a test that changes its state without a request. */
function getEmulatorToChange(): TestEmulator {
  isTouched = true;
  return running;
}

/** Restores the starting state if a test has changed it. Creating a new emulator would take longer. */
function restoreStartingState(): void {
  if (isTouched) running.emulator.reset();
  isTouched = false;
}

const keyOf = (scope: Scope) => {
  const key = running.emulator.apiKeys.list().find((known) => known.scopes.includes(scope));
  if (key === undefined) throw new Error(`the fixture has no key of ${scope}`);
  return key.key;
};
/** Returns the status and kind of the refusal for a caller without the necessary role or scope. */
const getDenial = ({ sql: isSql }: ExpectedAccess, status = 403) =>
  isSql === true ? [400, "ACCESS_DENIED"] : [status, "forbidden"];
const absent = (operation: Operation, status = 404) =>
  operation.sql === true
    ? [400, "DATABASE_NOT_FOUND"]
    : [status, status === 404 ? getNotFoundKind(operation) : "foreign-resource"];

/** Returns the kind of problem for a missing resource: the handler looks for the database first. */
const getNotFoundKind = ({ path }: Operation) =>
  path.includes("db_") ? "database-not-found" : "repository-not-found";

/** Returns everything in a response that the client can see, except the date. */
function getVisibleParts({ status, headers, text }: TestResponse) {
  return { status, text, headers: [...headers].filter(([name]) => name !== "date") };
}

describe("the table of this test", () => {
  it("has a row for every operation of the document and no others", () => {
    expect(new Set(operations.map(({ id }) => id))).toEqual(new Set(Object.keys(table)));
  });
});

describe.each(open)("$id, which is public,", (operation) => {
  beforeEach(restoreStartingState);

  it("[HEALTH-06] [BILL-24] responds without a credential, and with any or a wrong one", async () => {
    const { client } = running;
    for (const caller of [client, client.as("nonsense"), client.as("dsk_demo_repository_read")])
      expect((await call(caller, operation)).status).toBe(operation.success);
  });
});

describe.each(guarded)("$id", (operation) => {
  // access tokens are valid in every namespace with the same seed, so they remain valid after a reset
  beforeEach(restoreStartingState);
  const roleOf = operation.roles;

  it("[AUTH-16] refuses a request without credential and says how to authenticate", async () => {
    const answer = await call(running.client, operation);
    expect([answer.status, getProblemKind(answer)]).toEqual([401, "unauthenticated"]);
    expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="data-service"');
  });

  it("[AUTH-15] [AUTH-16] refuses headers of any other form", async () => {
    const token = tokenOf.owner ?? "";
    for (const Authorization of [
      "Bearer",
      "Bearer ",
      "Basic dXNlcjpwYXNz",
      `Basic ${token}`,
      token,
      `Token ${token}`,
      `Bearer${token}`,
      `Bearer: ${token}`,
      `Bearer ${token} garbage`,
      `Bearer ${token},`,
      `Bearer ${token}, Bearer ${token}`,
      `Bearer "${token}"`,
      `Bearer token=${token}`,
      "Bearer dsk_demo_all dsk_demo_all",
      "Bearer dsk_demo_all;",
      "Bearer DSK_DEMO_ALL",
      "Bearer dsk_demo_al",
      "Bearer dsk_unknown",
      "Bearer key_demo_all",
      "Bearer undefined",
    ]) {
      const answer = await call(running.client, operation, { headers: { Authorization } });
      expect([Authorization, answer.status, getProblemKind(answer)]).toEqual([
        Authorization,
        401,
        "unauthenticated",
      ]);
      if (Authorization !== "Bearer ")
        expect(answer.headers.get("www-authenticate")).toContain('error="invalid_token"');
    }
  });

  it("[AUTH-15] accepts the scheme in any case and with several spaces, as HTTP does", async () => {
    for (const form of ["bearer ", "BEARER ", "Bearer  "]) {
      running.emulator.reset();
      const answer = await call(running.client, operation, {
        headers: { Authorization: form + (tokenOf.owner ?? "") },
      });
      expect([form, answer.status]).toEqual([form, operation.success]);
    }
  });

  it.each(roles)("[AUTH-15] [AUTH-26] responds to a JWT of role %s as part 4.6 says", async (role) => {
    const answer = await call(running.client.as(tokenOf[role]), operation);
    if (roleOf.includes(role)) expect(answer.status).toBe(operation.success);
    else expect([answer.status, getProblemKind(answer)]).toEqual(getDenial(operation));
  });

  it.each(scopes)(
    "[AUTH-15] [AUTH-18] [AUTH-19] [AUTH-20] [AUTH-21] [AUTH-22] [AUTH-23] answers a key with %s as part 5 says",
    async (scope) => {
      const answer = await call(running.client.as(keyOf(scope)), operation);
      if (operation.scopes.includes(scope)) expect(answer.status).toBe(operation.success);
      else
        expect([answer.status, getProblemKind(answer)]).toEqual(
          operation.scopes.length === 0 ? [403, "wrong-credential-kind"] : getDenial(operation),
        );
    },
  );

  it("[AUTH-22] takes a key with several scopes for any of them", async () => {
    const { emulator, client } = getEmulatorToChange();
    const { key } = emulator.apiKeys.create({
      organizationId: "org_demo_pro",
      name: "two",
      scopes: ["database:read", "repository:write"],
    });
    const accepted = operation.scopes.some((scope) => ["database:read", "repository:write"].includes(scope));
    const refused = operation.scopes.length === 0 ? 403 : getDenial(operation)[0];
    expect((await call(client.as(key), operation)).status).toBe(accepted ? operation.success : refused);
  });

  it("[AUTH-24] refuses a key from its date of expiry on", async () => {
    if (operation.scopes.length === 0) return;
    const { emulator, client } = getEmulatorToChange();
    const { key } = emulator.apiKeys.create({
      organizationId: "org_demo_pro",
      name: "short",
      scopes: ["*"],
      expiresAt: "2030-02-01T00:00:00Z",
    });
    emulator.clock.set("2030-01-31T23:59:59.998Z");
    expect((await call(client.as(key), operation)).status).toBe(operation.success);
    const late = await call(client.as(key), operation);
    expect(emulator.clock.get().now).toBe("2030-02-01T00:00:00.000Z");
    expect([late.status, getProblemKind(late)]).toEqual([401, "unauthenticated"]);
  });

  it("[AUTH-16] refuses a key that was revoked", async () => {
    const { emulator, client } = getEmulatorToChange();
    const { apiKeyId, key } = emulator.apiKeys.create({
      organizationId: "org_demo_pro",
      name: "revoked",
      scopes: ["*"],
    });
    emulator.apiKeys.delete(apiKeyId);
    expect((await call(client.as(key), operation)).status).toBe(401);
  });

  it("[AUTH-08] [AUTH-17] refuses a token that has expired, was altered, or is unsigned", async () => {
    const { emulator, client } = getEmulatorToChange();
    const [head = "", payload = "", signature = ""] = (tokenOf.owner ?? "").split(".");
    const encode = (content: object) => Buffer.from(JSON.stringify(content)).toString("base64url");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as object;
    for (const token of [
      `${head}.${encode({ ...claims, sub: "user_demo_outsider" })}.${signature}`,
      `${head}.${payload}.${signature.replace(/^./, (first) => (first === "A" ? "B" : "A"))}`,
      `${encode({ alg: "none", typ: "JWT" })}.${payload}.`,
      `${encode({ alg: "none", typ: "JWT" })}.${payload}.${signature}`,
    ])
      expect((await call(client.as(token), operation)).status).toBe(401);
    emulator.clock.advance("PT1H");
    const late = await call(client.as(tokenOf.owner), operation);
    expect([late.status, getProblemKind(late)]).toEqual([401, "unauthenticated"]);
  });

  it("[AUTH-16] checks the credential before anything else in the request", async () => {
    const answer = await running.client.request(operation.method, `${operation.path}?limit=x`, {
      ...(operation.body === undefined ? {} : { rawBody: "{" }),
    });
    expect(answer.status).toBe(401);
  });
});

describe("isolation of organizations", () => {
  /** Returns callers of another organization, each with all rights in that organization. */
  const logInStrangers = async (): Promise<Record<string, TestClient>> => {
    const { emulator, login, client } = running;
    const key = (organizationId: string) =>
      client.as(emulator.apiKeys.create({ organizationId, name: "stranger", scopes: ["*"] }).key);
    return {
      "a JWT of an outsider": await login("outsider@demo.test", "org_demo_free"),
      "a JWT of a member for another organization": await login("owner@demo.test", "org_demo_enterprise"),
      "a key of another organization": key("org_demo_free"),
    };
  };

  it.each(onHeld)(
    "[GEN-05] $id treats another organization's resource like one that does not exist",
    async (operation) => {
      await start();
      for (const [who, client] of Object.entries(await logInStrangers())) {
        const foreign = await call(client, operation);
        const missing = await call(client, targetMissingResource(operation));
        expect([who, getVisibleParts(foreign)]).toEqual([who, getVisibleParts(missing)]);
        const refusedKind = who.startsWith("a key") && operation.scopes.length === 0;
        expect(foreign.status).toBe(refusedKind ? 403 : absent(operation)[0]);
        expect(foreign.text.replace(/for org_demo_(?:free|enterprise)\b/, "")).not.toContain("demo");
      }
    },
  );

  it.each(onOrganization)(
    "[GEN-05] [ORG-18] $id treats another organization like one that does not exist",
    async (operation) => {
      running.emulator.reset();
      const outsider = (await logInStrangers())["a JWT of an outsider"] ?? running.client;
      const foreign = await call(outsider, operation);
      expect([foreign.status, getProblemKind(foreign)]).toEqual([404, "organization-not-found"]);
      expect(foreign.text.replace(/for org_demo_(?:free|enterprise)\b/, "")).not.toContain("demo");
      expect(getVisibleParts(foreign)).toEqual(
        getVisibleParts(await call(outsider, targetMissingResource(operation))),
      );
    },
  );

  it("[GEN-05] finds no repository of other organizations through one's own database", async () => {
    running.emulator.reset();
    const outsider = await running.login("outsider@demo.test", "org_demo_free");
    const { databaseId } = (await outsider.post(management, { name: "mine", region: "x" })).body as {
      databaseId: string;
    };
    for (const method of ["GET", "DELETE"]) {
      const path = `${management}/${databaseId}/repositories/`;
      const foreign = await outsider.request(method, `${path}repo_demo_products`);
      expect([foreign.status, getProblemKind(foreign)]).toEqual([404, "repository-not-found"]);
      expect(getVisibleParts(foreign)).toEqual(
        getVisibleParts(await outsider.request(method, `${path}repo_nowhere`)),
      );
    }
  });

  it("[GEN-05] [BILL-06] shows only the organization of the credential in billing", async () => {
    running.emulator.reset();
    const outsider = await running.login("outsider@demo.test", "org_demo_free");
    for (const operation of guarded.filter(({ path }) => path.startsWith("/api/v1/payment"))) {
      const answer = await call(outsider, operation);
      expect(answer.status).toBe(operation.success);
      expect(answer.text).not.toMatch(/demo_pro|demo_enterprise/);
    }
    expect((await outsider.get("/api/v1/payment/usage")).body).toMatchObject({
      databaseCount: 0,
      totalStorageGb: 0,
    });
  });

  it("[GEN-05] [DB-12] [ORG-18] leaves other organizations unchanged, whatever is tried", async () => {
    await start();
    const owner = await running.login("owner@demo.test", "org_demo_pro");
    const look = async (client: TestClient) => [
      await client.get(`${management}/db_demo`),
      await client.post(`${items}/scan`, {}),
      await client.get(`${management}/db_demo/repositories`),
      await client.get("/api/v1/repositories/repo_demo_events"),
      await client.get("/api/v1/organizations/org_demo_pro"),
      await client.get("/api/v1/organizations/org_demo_pro/members"),
      await client.get("/api/v1/payment"),
    ];
    const before = await look(owner);
    running.emulator.reset();
    const again = await running.login("owner@demo.test", "org_demo_pro");
    for (const client of Object.values(await logInStrangers()))
      for (const operation of onHeld) await call(client, operation);
    const outsider = await running.login("outsider@demo.test", "org_demo_free");
    for (const operation of [...onOrganization, ...guarded.filter(({ path }) => path.includes("payment"))])
      await call(outsider, operation);
    const after = await look(again);
    expect(after.map(({ body }) => body as unknown)).toEqual(before.map(({ body }) => body as unknown));
  });

  it("[GEN-05] [DB-09] lists only the databases of the token's organization", async () => {
    await start();
    const outsider = await running.login("outsider@demo.test", "org_demo_free");
    await outsider.post(management, { name: "theirs", region: "x" });
    const namesOf = async (client: TestClient) =>
      ((await client.get(management)).body as { databases: { name: string }[] }).databases.map(
        ({ name }) => name,
      );
    expect(await namesOf(outsider)).toEqual(["theirs"]);
    expect(await namesOf(await running.login("owner@demo.test", "org_demo_pro"))).toEqual(["demo"]);
    expect(await namesOf(await running.login("owner@demo.test", "org_demo_enterprise"))).toEqual([]);
  });

  eachAnswer("foreign-resource-status", "is how what others have is refused", async (answer, profile) => {
    await start({ profile });
    for (const client of Object.values(await logInStrangers()))
      for (const operation of onHeld) {
        const foreign = await call(client, operation);
        if (getProblemKind(foreign) === "wrong-credential-kind") continue;
        expect([foreign.status, getProblemKind(foreign)]).toEqual(absent(operation, answer));
        const missing = await call(client, targetMissingResource(operation));
        expect([missing.status, getProblemKind(missing)]).toEqual(absent(operation));
      }
    const outsider = await running.login("outsider@demo.test");
    for (const operation of onOrganization) {
      const foreign = await call(outsider, operation);
      expect([foreign.status, getProblemKind(foreign)]).toEqual([
        answer,
        answer === 404 ? "organization-not-found" : "foreign-resource",
      ]);
    }
    const switched = await outsider.post("/auth/switch-organization", { organizationId: "org_demo_pro" });
    expect(switched.status).toBe(answer);
    const nowhere = await outsider.post("/auth/switch-organization", { organizationId: "org_nowhere" });
    expect(nowhere.status).toBe(404);
  });
});

describe("statuses of refusals", () => {
  eachAnswer("unauthenticated-status", "answers a missing or bad credential", async (answer, profile) => {
    await start({ profile });
    const { client } = running;
    for (const caller of [client, client.as("nonsense"), client.as("a.b.c")])
      for (const operation of guarded) {
        const refused = await call(caller, operation);
        expect([refused.status, getProblemKind(refused)]).toEqual([answer, "unauthenticated"]);
      }
    expect((await client.post("/auth/refresh", { refreshToken: "rt_unknown" })).status).toBe(answer);
  });

  it("ignores an invalid credential where none is needed", async () => {
    await start();
    for (const operation of open)
      for (const credential of ["nonsense", "a.b.c", tokenOf.readonly, "dsk_demo_all"])
        expect((await call(running.client.as(credential), operation)).status).toBe(operation.success);
  });

  eachAnswer("forbidden-status", "answers a credential without the right", async (answer, profile) => {
    await start({ profile });
    const { client } = running;
    for (const operation of guarded) {
      const byRole = await call(client.as(tokenOf.readonly), operation);
      if (!operation.roles.includes("readonly"))
        expect([byRole.status, getProblemKind(byRole)]).toEqual(getDenial(operation, answer));
      if (operation.scopes.length === 0) continue;
      const other = operation.scopes.includes("repository:*") ? "database" : "repository";
      const byScope = await call(client.as(`dsk_demo_${other}_all`), operation);
      expect([byScope.status, getProblemKind(byScope)]).toEqual(getDenial(operation, answer));
    }
  });

  eachAnswer(
    "wrong-credential-kind-status",
    "answers an API key in place of a JWT",
    async (answer, profile) => {
      await start({ profile });
      for (const operation of guarded.filter((known) => known.scopes.length === 0)) {
        const refused = await call(running.client.as("dsk_demo_all"), operation);
        expect([refused.status, getProblemKind(refused)]).toEqual([answer, "wrong-credential-kind"]);
      }
    },
  );

  eachAnswer("data-credential", "says whether a JWT opens items and entities", async (answer, profile) => {
    await start({ profile });
    const isData = ({ id }: { readonly id: string }) => /Item|Entit/.test(id);
    for (const operation of guarded.filter(isData)) {
      const byToken = await call(running.client.as(tokenOf.owner), operation);
      if (answer === "api-key")
        expect([byToken.status, getProblemKind(byToken)]).toEqual([403, "wrong-credential-kind"]);
      else expect(byToken.status).toBe(operation.success);
      running.emulator.reset();
      expect((await call(running.client.as("dsk_demo_all"), operation)).status).toBe(operation.success);
    }
    for (const operation of guarded.filter((known) => !isData(known))) {
      running.emulator.reset();
      expect((await call(running.client.as(tokenOf.owner), operation)).status).toBe(operation.success);
    }
  });

  it("a suspended organization can only be read", async () => {
    await start();
    const { emulator, client } = running;
    // these operations do not depend on the organization that the token is for
    const elsewhere = ["switchOrganization", "createOrganization", "listOrganizations"];
    for (const operation of guarded.filter(({ id }) => !elsewhere.includes(id))) {
      for (const credential of [tokenOf.owner, ...(operation.scopes.length > 0 ? ["dsk_demo_all"] : [])]) {
        emulator.reset();
        emulator.organizations.change("org_demo_pro", { status: "suspended" });
        const got = await call(client.as(credential), operation);
        expect([operation.id, got.status]).toEqual([
          operation.id,
          operation.isRead ? operation.success : 403,
        ]);
      }
    }
    // other organizations are not affected, and the user can still switch to the suspended one
    expect(
      (await running.login("owner@demo.test", "org_demo_enterprise").then((c) => c.get(management))).status,
    ).toBe(200);
    expect(await running.tokens("owner@demo.test", "org_demo_pro")).toHaveProperty("accessToken");
  });
});
