import { createJsonInit } from "../../../emulator/testing/create-json-init.js";
import { type DemoRequest, isDisruptive, listExampleRequests, getPath } from "./example-requests.js";
import { createList } from "./request-scaling-cases.js";
import type { AllowedGrowth } from "./measure-growth.js";

type Fetch = (path: string, init?: RequestInit) => Promise<Response>;
type Call = readonly [method: string, path: string, body?: unknown];

/** A request of fixed size, in a state whose size can be chosen. */
export interface GrowthState {
  /** The part of the state that grows. */
  readonly grows: string;
  readonly name: string;
  readonly allowed: AllowedGrowth;
  readonly prepare: (fetch: Fetch, size: number, token: string) => Promise<void>;
  /** @param time number of earlier requests, for requests that cannot be repeated */
  readonly request: (fetch: Fetch, time: number, token: string) => Promise<void>;
}

/** A kind of state. */
interface StateDefinition {
  /** Returns the requests that create a state of a size. */
  readonly prepare: (size: number) => readonly Call[];
  /** Names of requests whose cost may grow with the size; `*` for all requests. */
  readonly linear?: readonly string[];
  /** Requests in addition to those for all states. */
  readonly more?: Readonly<Record<string, (time: number) => Call>>;
}

const items = "/api/v1/databases/db_demo/items";
const entities = "/api/v1/repositories/repo_demo_products";
const databases = "/api/v1/management/databases";
const organizations = "/api/v1/organizations";
const sql = "/databases/db_demo/sql";
const post = (path: string, body?: unknown): Call => ["POST", path, body];
const upgradeToEnterprise: Call = ["PATCH", "/_emulator/organizations/org_demo_pro", { plan: "enterprise" }];
const fields = (size: number) =>
  Object.fromEntries(createList(size, (index) => [`m${index}`, index] as const));
const query = (text: string, more: object = {}): Call => post(`${sql}/query`, { sql: text, ...more });
const define = (text: string): Call => post(`${sql}/execute`, { sql: text });
const transact = (item: object): Call => post(`${items}/transact/write`, { items: [item] });
/** Creates an entry of a transaction or batch with a condition that is false for the stored item. */
const conditionCheck = (conditionExpression: string) => ({
  action: "ConditionCheck",
  pk: "tested",
  conditionExpression,
  filterValues: { ":n": "no" },
});

/** Creates requests that put items in batches. */
function putItems(size: number, key: (index: number) => object): readonly Call[] {
  return createList(size / 25, (batch) => {
    const puts = createList(25, (at) => ({
      operation: "Put",
      ...key(batch * 25 + at),
      data: { status: "open" },
    }));
    return post(`${items}/batch/write`, { items: puts });
  });
}

/** Every kind of state that can become large. Requests to all operations are measured in each of them. */
const states: Readonly<Record<string, StateDefinition>> = {
  "items of a partition": {
    prepare: (size) => [
      ...putItems(size, (index) => ({ pk: "customer#ada", sk: `k${String(index).padStart(5, "0")}` })),
      post("/_emulator/snapshots/kept"),
    ],
    more: {
      "query a page": () => post(`${items}/query`, { partitionKey: "customer#ada" }),
      "query backwards": () => post(`${items}/query`, { partitionKey: "customer#ada", scanForward: false }),
      "query a range": () =>
        post(`${items}/query`, { partitionKey: "customer#ada", sortKeyCondition: "between:k00100:k00120" }),
      "scan a page": () => post(`${items}/scan`, {}),
      "get items of a batch": () =>
        post(`${items}/batch/get`, {
          keys: createList(100, (index) => ({ pk: "customer#ada", sk: `k00${100 + index}` })),
        }),
      export: () => post("/_emulator/snapshots/same"),
      restore: () => post("/_emulator/snapshots/kept/restore"),
    },
    linear: ["export", "restore"],
  },
  partitions: { prepare: (size) => putItems(size, (index) => ({ pk: `p${index}` })) },
  "entities of a repository": {
    prepare: (size) =>
      createList(size, (index) =>
        post(entities, {
          data: { sku: `KIT-${1000 + index}`, title: `t${index}`, price: index, inStock: true },
        }),
      ),
    more: {
      "query sorted": () => post(`${entities}/query`, { sortBy: "title", sortOrder: "desc" }),
      "query a large page": () => post(`${entities}/query`, { limit: 1000, sortBy: "price" }),
    },
    linear: ["queryEntities", "query sorted", "query a large page"],
  },
  "rows of a table": {
    prepare: (size) => [
      define("CREATE TABLE many (p INT, c INT, t TEXT, PRIMARY KEY (p, c))"),
      define("CREATE INDEX many_t ON many (t)"),
      ...createList(size / 25, (batch) => {
        const rows = createList(25, (at) => `(1, ${batch * 25 + at}, 't${batch * 25 + at}')`);
        return query(`INSERT INTO many (p, c, t) VALUES ${rows.join()}`);
      }),
    ],
    more: {
      "select a row": () => query("SELECT * FROM many WHERE p = 1 AND c = 100"),
      "select by index": () => query("SELECT * FROM many WHERE t = 't100'"),
      "select a page": () => query("SELECT * FROM many WHERE p = 1 ORDER BY c DESC", { limit: 20 }),
      "select a page of the table": () => query("SELECT * FROM many", { limit: 20 }),
      "insert a row": (time) => query(`INSERT INTO many (p, c, t) VALUES (2, ${time}, 'x')`),
      "update a row": () => query("UPDATE many SET t = 't100' WHERE p = 1 AND c = 100"),
      "delete a row": () => query("DELETE FROM many WHERE p = 1 AND c = 3"),
      count: () => query("SELECT COUNT(*) FROM many"),
      "select with filtering": () => query("SELECT * FROM many WHERE c > 7 ALLOW FILTERING", { limit: 1000 }),
      "update with filtering": () => query("UPDATE many SET t = 'a' WHERE p = 1 AND c > 0 ALLOW FILTERING"),
    },
    linear: ["count", "listSqlTables", "select with filtering", "update with filtering"],
  },
  tables: {
    prepare: (size) => createList(size / 8, (index) => define(`CREATE TABLE t${index} (a INT PRIMARY KEY)`)),
    more: {
      "create and drop a table": (time) =>
        define(time % 2 === 0 ? "CREATE TABLE another (a INT PRIMARY KEY)" : "DROP TABLE another"),
    },
    linear: ["listSqlTables"],
  },
  databases: {
    prepare: (size) => [
      upgradeToEnterprise,
      ...createList(size, (index) => post(databases, { name: `db-${index}`, region: "eu-west-1" })),
    ],
    linear: ["createDatabase", "getUsage", "listAllDatabases"],
  },
  repositories: {
    prepare: (size) =>
      createList(size, (index) =>
        post(`${databases}/db_demo/repositories`, { name: `r${index}`, entityName: "E" }),
      ),
    linear: ["listRepositories"],
  },
  "API keys": {
    prepare: (size) => [
      upgradeToEnterprise,
      ...createList(size, (index) =>
        post("/_emulator/api-keys", { organizationId: "org_demo_pro", name: `k${index}`, scopes: ["*"] }),
      ),
    ],
    linear: ["listApiKeys", "getEmulator"],
  },
  members: {
    prepare: (size) => [
      upgradeToEnterprise,
      ...createList(size, (index) =>
        post(`${organizations}/org_demo_pro/members`, { email: `m${index}@demo.test` }),
      ),
    ],
    linear: ["listMembers", "removeMember"],
  },
  organizations: {
    prepare: (size) => createList(size, (index) => post(organizations, { name: `Tea ${index}` })),
    linear: ["listOrganizations", "getEmulator"],
  },
  "organizations with the same name": {
    prepare: (size) => createList(size, () => post(organizations, { name: "Tea" })),
    more: { "create another": () => post(organizations, { name: "Tea" }) },
    linear: ["listOrganizations", "getEmulator"],
  },
  users: {
    prepare: (size) =>
      createList(size, (index) =>
        post("/_emulator/users", { email: `u${index}@demo.test`, password: "correct horse" }),
      ),
    linear: ["getEmulator", "listUsers", "listOrganizations"],
  },
  sessions: {
    prepare: (size) =>
      createList(size, () => post("/auth/switch-organization", { organizationId: "org_demo_pro" })),
  },
  checkouts: {
    prepare: (size) => createList(size, () => post("/api/v1/payment/checkout", { planType: "enterprise" })),
  },
  "transaction tokens": {
    prepare: (size) =>
      createList(size, (index) =>
        post(`${items}/transact/get`, { items: [{ pk: "customer#ada" }], clientRequestToken: `t${index}` }),
      ),
    more: {
      "use a token again": () =>
        post(`${items}/transact/get`, { items: [{ pk: "customer#ada" }], clientRequestToken: "t7" }),
    },
  },
  namespaces: {
    prepare: (size) =>
      createList(size / 8, (index) => ["PUT", `/_emulator/namespaces/n${index}`, { idleSeconds: null }]),
    more: { "create a namespace": (time) => ["PUT", `/_emulator/namespaces/m${time}`, { idleSeconds: 600 }] },
    linear: ["listNamespaces"],
  },
  snapshots: {
    prepare: (size) => createList(size / 8, () => post("/_emulator/snapshots")),
    more: { "take a snapshot": () => post("/_emulator/snapshots") },
    linear: ["listSnapshots", "listNamespaces"],
  },
  "fault rules": {
    prepare: (size) =>
      createList(size / 4, (index) =>
        post("/_emulator/faults", { match: { path: `/**/x${index}/*` }, effect: { kind: "drop" } }),
      ),
    linear: ["*"],
  },
  "entries of the journal": {
    prepare: (size) => createList(size, () => ["GET", "/health"]),
    more: {
      "the journal": () => ["GET", "/_emulator/journal"],
      "one entry": () => ["GET", "/_emulator/journal?limit=1"],
    },
    linear: ["the journal", "one entry"],
  },
  "a long text in the journal": {
    prepare: (size) => [
      ["PUT", items, { pk: "dsk_".repeat(size * 8), data: { token: "Bearer eyJ".repeat(size * 8) } }],
    ],
    more: { "the journal": () => ["GET", "/_emulator/journal"] },
    linear: ["the journal"],
  },
  "fields of an item": {
    prepare: (size) => [["PUT", items, { pk: "wide", data: fields(size * 2) }]],
    more: {
      "get the item": () => ["GET", `${items}/wide`],
      "a projection of many attributes": () =>
        post(`${items}/transact/get`, {
          items: [{ pk: "wide", projectionExpression: Object.keys(fields(4000)) }],
        }),
      "projections of one attribute": () =>
        post(`${items}/transact/get`, {
          items: createList(100, () => ({ pk: "wide", projectionExpression: ["m1"] })),
        }),
      "a filter on many attributes": () =>
        post(`${items}/query`, { partitionKey: "wide", filterExpression: fields(1000) }),
      "an update of one field": () => transact({ action: "Update", pk: "wide", data: { m1: 2 } }),
      "an update of many fields": () => transact({ action: "Update", pk: "wide", data: fields(4000) }),
    },
    linear: ["*"],
  },
  "values that conditions and filters compare": {
    prepare: (size) => {
      const array = createList(size, (index) => index % 10);
      const text = "\u00e4x".repeat(size * 2);
      const deep = createList(Math.min(size / 40, 90), () => 0).reduce<unknown>((inner) => [inner], 1);
      return [
        ["PUT", items, { pk: "tested", data: { a: array, b: array, t: text, s: text, deep, same: deep } }],
        ["PUT", items, { pk: "objects", data: { o: createList(size, () => ({})) } }],
      ];
    },
    more: {
      "a condition on arrays": () => transact(conditionCheck("a <> b OR contains(a, :n) OR a = :n")),
      "a condition on texts": () =>
        transact(conditionCheck("t <> s OR contains(t, :n) OR begins_with(t, :n)")),
      "a condition on objects": () =>
        transact({
          ...conditionCheck("contains(o, :o)"),
          pk: "objects",
          filterValues: { ":o": fields(1000) },
        }),
      "a condition on nested values": () => transact(conditionCheck("deep <> same OR deep = a")),
      "conditions of a batch": () =>
        post(`${items}/batch/write`, {
          items: createList(25, () => ({
            operation: "Put",
            data: {},
            ...conditionCheck("a <> b OR t <> s OR deep <> same OR contains(a, :n)"),
          })),
        }),
      "conditions of a transaction": () =>
        post(`${items}/transact/write`, {
          items: createList(25, (index) => ({
            ...conditionCheck("a <> b OR t <> s"),
            ...(index === 0 ? {} : { pk: `x${index}` }),
          })),
        }),
      "a filter on arrays and texts": () =>
        post(`${items}/query`, {
          partitionKey: "tested",
          filterExpression: {
            $or: [{ a: { $contains: "no" } }, { t: { $contains: "no" } }, { a: { $in: [1, [2]] } }],
          },
        }),
    },
    linear: ["*"],
  },
  "columns of a table": {
    prepare: (size) => [
      define(
        `CREATE TABLE wide (a INT PRIMARY KEY${createList(size / 8, (index) => `, c${index} INT`).join("")})`,
      ),
    ],
    more: {
      "insert a row": (time) => query(`INSERT INTO wide (a, c1) VALUES (${time}, 2)`),
      "select everything": () => query("SELECT * FROM wide"),
      "describe the table": () => ["GET", `${sql}/tables/wide/schema`],
      "add a column": (time) => define(`ALTER TABLE wide ADD more${time} INT`),
    },
    linear: ["*"],
  },
};

/** For each kind of state, lists requests that build a state of a size, and requests that are valid in it. */
export const listCallsOfStates: readonly ((size: number) => readonly Call[])[] = Object.values(states).map(
  ({ prepare, more = {} }) =>
    (size) => [
      // the others differ only in their numbers
      ...prepare(size).slice(0, 3),
      ...Object.values(more).map((call) => call(size)),
    ],
);

export const stateScalingCases: readonly GrowthState[] = Object.entries(states).flatMap(
  ([grows, { prepare, linear = [], more = {} }]) => {
    const shared = listExampleRequests()
      .filter(({ operationId }) => !isDisruptive(operationId))
      .map((request) => [request.operationId, (time: number) => buildCall(request, time)] as const);
    // the additional requests come first, because the shared requests fill the journal of the largest state
    return [...Object.entries(more), ...shared].map(([name, call]) => ({
      grows,
      name,
      allowed: linear.includes(name) || linear.includes("*") ? "n log n" : "constant",
      prepare: async (fetch, size, token) => {
        for (const made of prepare(size)) await send(fetch, made, token);
      },
      request: (fetch, time, token) => send(fetch, call(time), token),
    }));
  },
);

/** Builds a request to an operation. If the request creates a resource, its name is different each time. */
function buildCall(request: DemoRequest, time: number): Call {
  const body = request.body as Readonly<Record<string, unknown>> | undefined;
  const names = Object.entries({
    name: `more-${time}`,
    email: `more${time}@demo.test`,
    slug: `more-${time}`,
  });
  const variableFields = names.filter(([name]) => body !== undefined && name in body);
  const isCreating = /^(?:create|invite)/.test(request.operationId);
  return [
    request.method,
    getPath(request),
    body === undefined || !isCreating ? body : { ...body, ...Object.fromEntries(variableFields) },
  ];
}

async function send(fetch: Fetch, [method, path, body]: Call, token: string): Promise<void> {
  const response = await fetch(path, createJsonInit(method, body, token));
  const text = await response.text();
  if (response.status >= 500) throw new Error(`${method} ${path}: ${text}`);
}
