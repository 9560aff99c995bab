import type { AllowedGrowth } from "./judge-growth.js";

type Fetch = (path: string, init?: RequestInit) => Promise<Response>;

/** A request that stays as it is, in a world that grows. */
export interface GrowthState {
  /** What there is more and more of. */
  readonly grows: string;
  readonly name: string;
  readonly allowed: AllowedGrowth;
  readonly prepare: (fetch: Fetch, size: number, token: string) => Promise<void>;
  /** @param time how often it was made before, for requests that cannot be made twice */
  readonly request: (fetch: Fetch, time: number, token: string) => Promise<void>;
}

type Call = readonly [method: string, path: string, body?: unknown];

/** The world that grows, by the calls that make it so. */
interface Grown {
  readonly prepare: (size: number) => Iterable<Call>;
  /** The requests: whatever the size, and those that tell of everything. */
  readonly constant: Readonly<Record<string, (time: number) => Call>>;
  readonly linear?: Readonly<Record<string, (time: number) => Call>>;
}

const items = "/api/v1/databases/db_demo/items";
const entities = "/api/v1/repositories/repo_demo_events";
const databases = "/api/v1/management/databases";
const organization = "/api/v1/organizations/org_demo_pro";
const sql = "/databases/db_demo/sql";
const enterprise: Call = ["PATCH", "/_emulator/organizations/org_demo_pro", { plan: "enterprise" }];
const manyMembers = (size: number) =>
  Object.fromEntries(Array.from({ length: size }, (_, index) => [`m${index}`, index]));
const query = (text: string, more: object = {}): Call => ["POST", `${sql}/query`, { sql: text, ...more }];

function* times(size: number, call: (index: number) => Call): Generator<Call> {
  for (let index = 0; index < size; index += 1) yield call(index);
}

/** So many items in batches, which costs less than one by one. */
function* manyItems(size: number, key: (index: number) => object): Generator<Call> {
  for (let index = 0; index < size; index += 25)
    yield [
      "POST",
      `${items}/batch/write`,
      {
        items: Array.from({ length: 25 }, (_, at) => ({
          operation: "Put",
          ...key(index + at),
          data: { n: index + at },
        })),
      },
    ];
}

const itemRequests: Grown["constant"] = {
  "get an item": () => ["GET", `${items}/customer%23ada`],
  "put an item": (time) => ["PUT", items, { pk: "new", sk: `s${time}`, data: { n: 1 } }],
  "put an item on a condition": () => [
    "PUT",
    items,
    { pk: "many", sk: "k00100", data: {}, conditionExpression: "attribute_exists(pk)" },
  ],
  "delete an item": (time) => ["DELETE", `${items}/many/k${String(time).padStart(5, "0")}`],
  "query a page": () => ["POST", `${items}/query`, { partitionKey: "many" }],
  "query a page backwards": () => ["POST", `${items}/query`, { partitionKey: "many", scanForward: false }],
  "query a range": () => [
    "POST",
    `${items}/query`,
    { partitionKey: "many", sortKeyCondition: "between:k00100:k00120" },
  ],
  "scan a page": () => ["POST", `${items}/scan`, {}],
  "get items of a batch": () => [
    "POST",
    `${items}/batch/get`,
    { keys: Array.from({ length: 100 }, (_, index) => ({ pk: "many", sk: `k00${100 + index}` })) },
  ],
  "write a transaction": () => [
    "POST",
    `${items}/transact/write`,
    {
      items: Array.from({ length: 25 }, (_, index) => ({
        action: "Put",
        pk: "many",
        sk: `k00${100 + index}`,
        data: { n: 2 },
      })),
    },
  ],
  "list databases": () => ["GET", databases],
  usage: () => ["GET", "/api/v1/payment/usage"],
};

const worlds: Readonly<Record<string, Grown>> = {
  "items of a partition": {
    prepare: function* (size) {
      yield* manyItems(size, (index) => ({ pk: "many", sk: `k${String(index).padStart(5, "0")}` }));
      yield ["POST", "/_emulator/snapshots/kept"];
    },
    constant: itemRequests,
    linear: {
      export: () => ["POST", "/_emulator/snapshots/same"],
      restore: () => ["POST", "/_emulator/snapshots/kept/restore"],
    },
  },
  partitions: {
    prepare: (size) => manyItems(size, (index) => ({ pk: `p${index}` })),
    constant: itemRequests,
  },
  "entities of a repository": {
    prepare: (size) => times(size, (index) => ["POST", entities, { data: { n: index, t: `t${index}` } }]),
    constant: {
      "create an entity": () => ["POST", entities, { data: { n: 1 } }],
      "get an entity": () => ["GET", `${entities}/ent_demo_note`],
      "update an entity": () => ["PUT", `${entities}/ent_demo_note`, { data: { n: 1 } }],
      "list a page": () => ["GET", entities],
      "list repositories": () => ["GET", `${databases}/db_demo/repositories`],
    },
    linear: {
      "query sorted": () => [
        "POST",
        `${entities}/query`,
        { filter: "n = :n OR t = :t", filterValues: { ":n": 7, ":t": "t9" }, sortBy: "t", sortOrder: "desc" },
      ],
      "query a large page": () => ["POST", `${entities}/query`, { limit: 1000, sortBy: "n" }],
    },
  },
  "rows of a table": {
    prepare: function* (size) {
      yield [
        "POST",
        `${sql}/execute`,
        { sql: "CREATE TABLE many (p INT, c INT, t TEXT, PRIMARY KEY (p, c))" },
      ];
      yield ["POST", `${sql}/execute`, { sql: "CREATE INDEX many_t ON many (t)" }];
      for (let index = 0; index < size; index += 25)
        yield query(
          `INSERT INTO many (p, c, t) VALUES ${Array.from({ length: 25 }, (_, at) => `(1, ${index + at}, 't${index + at}')`).join()}`,
        );
    },
    constant: {
      "select a row": () => query("SELECT * FROM many WHERE p = 1 AND c = 100"),
      "select by index": () => query("SELECT * FROM many WHERE t = 't100'"),
      "select a page": () => query("SELECT * FROM many WHERE p = 1 ORDER BY c DESC", { limit: 20 }),
      "select a page of the table": () => query("SELECT * FROM many", { limit: 20 }),
      "insert a row": (time) => query(`INSERT INTO many (p, c, t) VALUES (2, ${time}, 'x')`),
      "update a row": () => query("UPDATE many SET t = 't100' WHERE p = 1 AND c = 100"),
      "delete a row": () => query("DELETE FROM many WHERE p = 1 AND c = 3"),
    },
    linear: {
      count: () => query("SELECT COUNT(*) FROM many"),
      "list tables": () => ["GET", `${sql}/tables`],
      "select with filtering": () => query("SELECT * FROM many WHERE c > 7 ALLOW FILTERING", { limit: 1000 }),
      "update with filtering": () => query("UPDATE many SET t = 'a' WHERE p = 1 AND c > 0 ALLOW FILTERING"),
    },
  },
  tables: {
    prepare: (size) =>
      times(size / 8, (index) => [
        "POST",
        `${sql}/execute`,
        { sql: `CREATE TABLE t${index} (a INT PRIMARY KEY)` },
      ]),
    constant: {
      "select a row": () => query("SELECT * FROM products WHERE sku = 'sku-03'"),
      "create and drop a table": (time) => [
        "POST",
        `${sql}/execute`,
        { sql: time % 2 === 0 ? "CREATE TABLE another (a INT PRIMARY KEY)" : "DROP TABLE another" },
      ],
      "put an item": () => ["PUT", items, { pk: "new", data: { n: 1 } }],
      "describe a table": () => ["GET", `${sql}/tables/products/schema`],
    },
    linear: { "list tables": () => ["GET", `${sql}/tables`] },
  },
  databases: {
    prepare: function* (size) {
      yield enterprise;
      yield* times(size, (index) => ["POST", databases, { name: `db-${index}`, region: "eu-west-1" }]);
    },
    constant: {
      "list a page": () => ["GET", databases],
      "get an item": () => ["GET", `${items}/customer%23ada`],
      "put an item": () => ["PUT", items, { pk: "new", data: { n: 1 } }],
      "get a database": () => ["GET", `${databases}/db_demo`],
    },
    linear: {
      "create a database": (time) => ["POST", databases, { name: `another-${time}`, region: "eu-west-1" }],
      usage: () => ["GET", "/api/v1/payment/usage"],
    },
  },
  repositories: {
    prepare: (size) =>
      times(size, (index) => [
        "POST",
        `${databases}/db_demo/repositories`,
        { name: `r${index}`, entityName: "E" },
      ]),
    constant: {
      "create an entity": () => ["POST", entities, { data: { n: 1 } }],
      "get an entity": () => ["GET", `${entities}/ent_demo_note`],
    },
    linear: { "list repositories": () => ["GET", `${databases}/db_demo/repositories`] },
  },
  "API keys": {
    prepare: function* (size) {
      yield enterprise;
      yield* times(size, (index) => [
        "POST",
        "/_emulator/api-keys",
        { organizationId: "org_demo_pro", name: `k${index}`, scopes: ["*"] },
      ]);
    },
    constant: {
      "get an item": () => ["GET", `${items}/customer%23ada`],
      "create a key": () => [
        "POST",
        "/_emulator/api-keys",
        { organizationId: "org_demo_pro", name: "more", scopes: ["*"] },
      ],
    },
    linear: { "list keys": () => ["GET", "/_emulator/api-keys"] },
  },
  members: {
    prepare: function* (size) {
      yield enterprise;
      yield* times(size, (index) => ["POST", `${organization}/members`, { email: `m${index}@demo.test` }]);
    },
    constant: {
      "get an item": () => ["GET", `${items}/customer%23ada`],
      "get the organization": () => ["GET", organization],
      "list organizations": () => ["GET", "/api/v1/organizations"],
      "invite a member": (time) => ["POST", `${organization}/members`, { email: `more${time}@demo.test` }],
      "change a member": (time) => [
        "PUT",
        `${organization}/members/user_demo_member`,
        { role: time % 2 === 0 ? "readonly" : "member" },
      ],
    },
    linear: { "list members": () => ["GET", `${organization}/members`] },
  },
  organizations: {
    prepare: (size) => times(size, (index) => ["POST", "/api/v1/organizations", { name: `Tea ${index}` }]),
    constant: {
      "get an item": () => ["GET", `${items}/customer%23ada`],
      "create an organization": (time) => ["POST", "/api/v1/organizations", { name: `More ${time}` }],
      "switch organization": () => ["POST", "/auth/switch-organization", { organizationId: "org_demo_pro" }],
    },
    linear: { "list organizations": () => ["GET", "/api/v1/organizations"] },
  },
  "organizations of one name": {
    prepare: (size) => times(size, () => ["POST", "/api/v1/organizations", { name: "Tea" }]),
    constant: { "create an organization": () => ["POST", "/api/v1/organizations", { name: "Tea" }] },
  },
  users: {
    prepare: (size) =>
      times(size, (index) => [
        "POST",
        "/_emulator/users",
        { email: `u${index}@demo.test`, password: "correct horse" },
      ]),
    constant: {
      "sign in": () => ["POST", "/auth/password", { email: "member@demo.test", password: "demo-password" }],
      "create a user": (time) => [
        "POST",
        "/_emulator/users",
        { email: `more${time}@demo.test`, password: "correct horse" },
      ],
      "get an item": () => ["GET", `${items}/customer%23ada`],
    },
    linear: { "the emulator's state": () => ["GET", "/_emulator"] },
  },
  sessions: {
    prepare: (size) =>
      times(size, () => ["POST", "/auth/switch-organization", { organizationId: "org_demo_pro" }]),
    constant: {
      "switch organization": () => ["POST", "/auth/switch-organization", { organizationId: "org_demo_pro" }],
      "sign in": () => ["POST", "/auth/password", { email: "owner@demo.test", password: "demo-password" }],
    },
  },
  checkouts: {
    prepare: (size) => times(size, () => ["POST", "/api/v1/payment/checkout", { planType: "enterprise" }]),
    constant: {
      "create a checkout": () => ["POST", "/api/v1/payment/checkout", { planType: "enterprise" }],
      "payment info": () => ["GET", "/api/v1/payment"],
    },
  },
  "transaction tokens": {
    prepare: (size) =>
      times(size, (index) => [
        "POST",
        `${items}/transact/get`,
        { items: [{ pk: "customer#ada" }], clientRequestToken: `t${index}` },
      ]),
    constant: {
      "a transaction with a token": (time) => [
        "POST",
        `${items}/transact/get`,
        { items: [{ pk: "customer#ada" }], clientRequestToken: `more${time}` },
      ],
      "a token again": () => [
        "POST",
        `${items}/transact/get`,
        { items: [{ pk: "customer#ada" }], clientRequestToken: "t7" },
      ],
    },
  },
  namespaces: {
    prepare: (size) =>
      times(size / 8, (index) => ["PUT", `/_emulator/namespaces/n${index}`, { idleSeconds: null }]),
    constant: {
      "get health": () => ["GET", "/health"],
      "get an item": () => ["GET", `${items}/customer%23ada`],
      "make a namespace": (time) => ["PUT", `/_emulator/namespaces/more${time}`, { idleSeconds: 600 }],
    },
    linear: { "list namespaces": () => ["GET", "/_emulator/namespaces"] },
  },
  snapshots: {
    prepare: (size) => times(size / 8, () => ["POST", "/_emulator/snapshots"]),
    constant: {
      "take a snapshot": () => ["POST", "/_emulator/snapshots"],
      "put an item": () => ["PUT", items, { pk: "new", data: { n: 1 } }],
    },
    linear: {
      "list snapshots": () => ["GET", "/_emulator/snapshots"],
      "list namespaces": () => ["GET", "/_emulator/namespaces"],
    },
  },
  "fault rules": {
    prepare: (size) =>
      times(size / 4, (index) => [
        "POST",
        "/_emulator/faults",
        { match: { path: `/**/x${index}/*` }, effect: { kind: "drop" } },
      ]),
    constant: { "create and read a rule": () => ["GET", "/_emulator/faults/none"] },
    linear: {
      "get an item": () => ["GET", `${items}/customer%23ada`],
      "list rules": () => ["GET", "/_emulator/faults"],
    },
  },
  "entries of the journal": {
    prepare: (size) => times(size, () => ["GET", "/health"]),
    constant: { "get an item": () => ["GET", `${items}/customer%23ada`] },
    linear: {
      "the journal": () => ["GET", "/_emulator/journal"],
      "one entry of the journal": () => ["GET", "/_emulator/journal?limit=1"],
    },
  },
  "a long text in the journal": {
    prepare: (size) =>
      times(1, () => [
        "PUT",
        items,
        { pk: "dsk_".repeat(size * 8), data: { token: "Bearer eyJ".repeat(size * 8) } },
      ]),
    constant: {},
    linear: { "the journal": () => ["GET", "/_emulator/journal"] },
  },
  "members of an item": {
    prepare: (size) => times(1, () => ["PUT", items, { pk: "wide", data: manyMembers(size * 2) }]),
    constant: {},
    linear: {
      "get the item": () => ["GET", `${items}/wide`],
      "a projection of many names": () => [
        "POST",
        `${items}/transact/get`,
        { items: [{ pk: "wide", projectionExpression: Object.keys(manyMembers(4000)) }] },
      ],
      "a filter of many names": () => [
        "POST",
        `${items}/query`,
        { partitionKey: "wide", filterExpression: manyMembers(1000) },
      ],
      "an update of one member": () => [
        "POST",
        `${items}/transact/write`,
        { items: [{ action: "Update", pk: "wide", data: { m1: 2 } }] },
      ],
      "an update of many members": () => [
        "POST",
        `${items}/transact/write`,
        { items: [{ action: "Update", pk: "wide", data: manyMembers(4000) }] },
      ],
    },
  },
  "columns of a table": {
    prepare: (size) =>
      times(1, () => [
        "POST",
        `${sql}/execute`,
        {
          sql: `CREATE TABLE wide (a INT PRIMARY KEY${Array.from({ length: size / 8 }, (_, index) => `, c${index} INT`).join("")})`,
        },
      ]),
    constant: {},
    linear: {
      "insert a row": (time) => query(`INSERT INTO wide (a, c1) VALUES (${time}, 2)`),
      "select everything": () => query("SELECT * FROM wide"),
      "describe the table": () => ["GET", `${sql}/tables/wide/schema`],
      "add a column": (time) => ["POST", `${sql}/execute`, { sql: `ALTER TABLE wide ADD more${time} INT` }],
    },
  },
};

/** Worlds with more and more of everything that there can be much of. */
export const growthStates: readonly GrowthState[] = Object.entries(worlds).flatMap(
  ([grows, { prepare, constant, linear = {} }]) => {
    const states = (requests: Grown["constant"], allowed: AllowedGrowth) =>
      Object.entries(requests).map(([name, call]) => ({
        grows,
        name,
        allowed,
        prepare: async (fetch: Fetch, size: number, token: string) => {
          for (const made of prepare(size)) await send(fetch, made, token);
        },
        request: async (fetch: Fetch, time: number, token: string) => {
          await send(fetch, call(time), token);
        },
      }));
    return [...states(constant, "constant"), ...states(linear, "n log n")];
  },
);

async function send(fetch: Fetch, [method, path, body]: Call, token: string): Promise<void> {
  const answer = await fetch(path, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (answer.status >= 500) throw new Error(`${method} ${path}: ${text}`);
}
