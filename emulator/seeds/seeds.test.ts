import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Seed } from "../../fixtures/seed.js";
import { connectEmulator } from "../api/connect.js";
import { fieldTypes } from "../../openapi/schemas/repositories.js";
import { createEmulator } from "../api/emulator.js";

const folder = mkdtempSync(join(tmpdir(), "seeds-"));
afterAll(() => rmSync(folder, { recursive: true }));

function writeSeedFile(text: string, name = "seed.yaml"): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** Returns the lines of the message for a seed that is rejected, without the folder. */
async function getRefusal(fixture: string | Seed): Promise<string[]> {
  const emulator = await createEmulator({ fixture }).catch((error: unknown) => error as Error);
  if (!(emulator instanceof Error)) {
    await emulator.close();
    throw new Error("the seed was taken");
  }
  return emulator.message
    .replaceAll(`${folder}/`, "")
    .split("\n")
    .map((line) => line.trim());
}

describe("a seed", () => {
  it("may be as short as a user, an organization and a database by name", async () => {
    const emulator = await createEmulator({
      fixture: writeSeedFile(
        "users: [ada@acme.test]\norganizations: [Acme]\ndatabases: [shop]\n",
        "short.yaml",
      ),
    });
    const { fixture, credentials, counts } = emulator.state();
    expect([fixture, counts.users, counts.databases]).toEqual(["short", 1, 1]);
    expect(credentials.users).toMatchObject([
      {
        userId: "user_ada",
        password: "password",
        memberships: [
          { organizationId: "org_personal_ada", role: "owner" },
          { organizationId: "org_acme", role: "owner" },
        ],
      },
    ]);
    expect(emulator.databases.list()).toMatchObject([{ databaseId: "db_shop", organizationId: "org_acme" }]);
    const token = emulator.token({ email: "ada@acme.test", organizationId: "org_acme" });
    const item = "/api/v1/databases/db_shop/items";
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const put = await emulator.fetch(item, { method: "PUT", headers, body: '{"pk":"a","data":{}}' });
    expect(put.status).toBe(200);
    await emulator.close();
  });

  it("has no known credentials for a user with the hash of a password", async () => {
    const users = [
      { email: "zoe@acme.test", passwordHash: "abcdef" },
      { email: "ada@acme.test", password: "lovelace" },
    ];
    const emulator = await createEmulator({ fixture: { users } });
    const { credentials, counts } = emulator.state();
    expect(credentials.users.map(({ email }) => email)).toEqual(["ada@acme.test"]);
    expect(counts.users).toBe(2);
    await emulator.close();
  });

  it("may have an API key whose id is the key itself", async () => {
    const apiKeys = [{ id: "abc", key: "abc" }];
    const emulator = await createEmulator({ fixture: { users: ["ada@acme.test"], apiKeys } });
    expect(emulator.state().credentials.apiKeys).toMatchObject([{ apiKeyId: "abc", key: "abc" }]);
    await emulator.close();
  });

  it.each([undefined, 7])("may have ids that an emulator with the seed %s generates", async (seed) => {
    const options = seed === undefined ? {} : { seed };
    const users = ["ada@acme.test"];
    const create = async (fixture: Seed) => {
      const emulator = await createEmulator({ fixture, ...options });
      const organizationId = emulator.organizations.list()[0]?.organizationId ?? "";
      const { key } = emulator.apiKeys.create({ organizationId, name: "k", scopes: ["*"] });
      const token = emulator.token({ email: "ada@acme.test", organizationId });
      const created = await emulator.fetch("/api/v1/management/databases", {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        body: JSON.stringify({ name: "created", region: "eu-west-1" }),
      });
      await emulator.close();
      return [created.status, ((await created.json()) as { databaseId: string }).databaseId, key] as const;
    };
    const [, id] = await create({ users, organizations: [{ name: "Acme", plan: "pro" }] });
    const [status, next] = await create({
      users,
      organizations: [{ name: "Acme", plan: "pro" }],
      databases: [{ name: "orders", id }],
    });
    expect(status).toBe(201);
    expect(next).not.toBe(id);
  });

  it("may have data as deep as that of a request", async () => {
    const nest = (levels: number): Record<string, unknown> => {
      let data = {};
      for (let level = 1; level < levels; level += 1) data = { a: data };
      return data;
    };
    const build = (data: Record<string, unknown>): Seed => ({
      users: ["ada@acme.test"],
      databases: [
        { name: "shop", items: [{ pk: "a", data }], repositories: [{ name: "r", entities: [{ data }] }] },
      ],
    });
    // The body of the request is a level, too.
    await (await createEmulator({ fixture: build(nest(99)) })).close();
    expect(await getRefusal(build(nest(100)))).toEqual([
      "the seed has 2 mistakes:",
      "databases[0].items[0]: arrays and objects are nested more than 100 levels deep",
      "databases[0].repositories[0].entities[0]: arrays and objects are nested more than 100 levels deep",
    ]);
    expect((await getRefusal(build(nest(5000)))).join()).toContain("is nested more than 1000 levels deep");
  });

  it("gives every organization a slug of its own", async () => {
    for (const users of [
      ["a_b@x.test", "a-b@x.test"],
      [
        { email: "a@x.test", personalOrganization: "org_a_b" },
        { email: "b@x.test", personalOrganization: "org_a-b" },
      ],
      [{ email: "a@x.test", personalOrganization: { slug: "org-personal-b" } }, "b@x.test"],
    ] satisfies Seed["users"][]) {
      const emulator = await createEmulator({ fixture: { users } });
      const slugs = emulator.organizations.list().map(({ slug }) => slug);
      expect(new Set(slugs).size).toBe(2);
      await emulator.close();
    }
    for (const fixture of [
      { users: ["a@x.test"], organizations: [{ name: "Acme", slug: "org-personal-a" }] },
      {
        users: [
          { email: "a@x.test", personalOrganization: { slug: "zz" } },
          { email: "b@x.test", personalOrganization: { slug: "zz" } },
        ],
      },
    ])
      expect((await getRefusal(fixture as Seed)).join()).toMatch(/slug/);
  });

  it("is the starting state of namespaces and resets, also over HTTP, in addition to the built-in fixtures", async () => {
    const emulator = await createEmulator({ fixture: { name: "mine", users: ["ada@acme.test"] } });
    const post = (path: string, body: object) =>
      emulator.fetch(path, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
    expect(emulator.namespace("one").state()).toMatchObject({ fixture: "mine", counts: { users: 1 } });
    emulator.users.create({ email: "b@acme.test", password: "p" });
    emulator.reset();
    expect(emulator.state().counts.users).toBe(1);
    expect((await post("/ns/two/_emulator/reset", { fixture: "demo" })).status).toBe(204);
    expect(emulator.namespace("two").state()).toMatchObject({ fixture: "demo", counts: { users: 7 } });
    expect((await post("/ns/two/_emulator/reset", { fixture: "mine" })).status).toBe(204);
    expect(emulator.namespace("two").state()).toMatchObject({ fixture: "mine", counts: { users: 1 } });
    const refused = await post("/_emulator/reset", { fixture: "mime" });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining("did you mean mine?"),
    ]);
    // a request over HTTP cannot read files
    expect((await post("/_emulator/reset", { fixture: writeSeedFile("users: []") })).status).toBe(400);
    await emulator.close();
  });

  it("keeps every digit and the order of names", async () => {
    const text = `{"n":12345678901234567890.50,"2":1,"1":2}`;
    const emulator = await createEmulator({
      fixture: writeSeedFile(
        `users: [a@b.test]\napiKeys: [dsk_x]\ndatabases: [{name: shop, items: [{pk: a, data: ${text}}]}]\n`,
      ),
    });
    const response = await emulator.fetch("/api/v1/databases/db_shop/items/a", {
      headers: { Authorization: "Bearer dsk_x" },
    });
    expect(await response.text()).toContain(`"data":${text}`);
    await emulator.close();
  });

  it("may contain ids that the emulator would generate, which then generates other ids", async () => {
    const first = await createEmulator();
    const { userId } = first.users.create({ email: "new@b.test", password: "p" });
    await first.close();
    const emulator = await createEmulator({ fixture: { users: [{ id: userId, email: "a@b.test" }] } });
    expect(emulator.users.create({ email: "new@b.test", password: "p" }).userId).not.toBe(userId);
    await emulator.close();
  });

  it("may be given to a reset, in-process and over HTTP, and becomes the starting state", async () => {
    const emulator = await createEmulator({ seed: 7 });
    const url = await emulator.listen({ port: 0 });
    const names = (world: { users: { list: () => { email: string }[] } }) =>
      world.users.list().map(({ email }) => email);
    emulator.reset({ users: ["ada@b.test"] });
    expect(names(emulator)).toEqual(["ada@b.test"]);
    expect(emulator.state()).toMatchObject({ fixture: "seed", seed: 7 });
    emulator.users.create({ email: "new@b.test", password: "p" });
    emulator.reset();
    expect(names(emulator)).toEqual(["ada@b.test"]);
    expect(() => emulator.reset({ users: [{ email: "ada@b.test", pasword: "x" } as never] })).toThrow(
      /users\[0\].*pasword/s,
    );
    expect(names(emulator)).toEqual(["ada@b.test"]);
    const data = '{"n":12345678901234567890.50}';
    const sent = await fetch(`${url}/ns/other/_emulator/reset`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: `{"fixture":{"name":"mine","users":["a@b.test"],"apiKeys":["dsk_x"],"databases":[{"name":"shop","items":[{"pk":"a","data":${data}}]}]}}`,
    });
    expect(sent.status).toBe(204);
    expect(emulator.namespace("other").state().fixture).toBe("mine");
    const item = await fetch(`${url}/ns/other/api/v1/databases/db_shop/items/a`, {
      headers: { Authorization: "Bearer dsk_x" },
    });
    expect(await item.text()).toContain(data);
    const remote = await connectEmulator(`${url}/ns/remote`);
    await remote.reset({ users: ["remote@b.test"] });
    expect(names(emulator.namespace("remote"))).toEqual(["remote@b.test"]);
    await emulator.close();
  });

  it("makes the owner the only member of an organization without members", async () => {
    const users = ["ada@b.test", "mia@b.test"];
    const emulator = await createEmulator({
      fixture: { users, organizations: [{ name: "Acme", owner: "mia" }, "Other"] },
    });
    const members = emulator.organizations.list().filter(({ isPersonal }) => !isPersonal);
    expect(members.map(({ ownerUserId }) => ownerUserId)).toEqual(["user_mia", "user_ada"]);
    await emulator.close();
  });

  it("of extreme values leads to states that can be saved and restored", async () => {
    const number = 1e9;
    const emulator = await createEmulator({
      fixture: {
        ids: { count: 2 ** 51 },
        // the name of the personal organization is truncated at the emoji
        users: [{ email: "ada@b.test", name: `${"x".repeat(74)}😀` }],
        organizations: [
          {
            name: "Acme",
            plan: "pro",
            orders: [{ number, amount: 1e12, status: "paid", createdAt: "2030-01-01T00:00:00Z" }],
          },
        ],
        apiKeys: ["dsk_x"],
        databases: [
          { name: "shop", repositories: [{ name: "things", entities: [{ data: {}, version: 2 ** 51 }] }] },
        ],
      },
    });
    const change = await emulator.fetch("/api/v1/repositories/repo_things/ent_things_1", {
      method: "PUT",
      headers: { Authorization: "Bearer dsk_x", "Content-Type": "application/json" },
      body: '{"data":{"n":1}}',
    });
    expect(change.status).toBe(200);
    emulator.users.create({ email: "new@b.test", password: "p" });
    emulator.subscriptions.change("org_acme", { plan: "enterprise" });
    emulator.snapshots.save("a");
    emulator.snapshots.upload("b", emulator.snapshots.download("a"));
    expect(emulator.snapshots.compare("a", "b")).toEqual({ added: [], changed: [], removed: [] });
    await emulator.close();
  });

  it("is refused with file, line and every mistake", async () => {
    const text = [
      "users:",
      "  - email: ada@acme.test",
      "    pasword: x",
      "databases:",
      "  - name: shop",
      "    items: [{ pk: 1, data: {} }]",
      "apiKeys:",
      "  - expiresAt: 5",
      "  - [ci]",
    ].join("\n");
    expect(await getRefusal(writeSeedFile(text))).toEqual([
      "seed.yaml has 4 mistakes:",
      "seed.yaml:3:5 users[0].pasword: is not a known field; did you mean password?",
      "seed.yaml:8:5 apiKeys[0].expiresAt: must be a string or null, not the number 5",
      "seed.yaml:9:5 apiKeys[1]: must be a string or an object, not an array",
      "seed.yaml:6:15 databases[0].items[0].pk: must be a string, not the number 1",
    ]);
  });

  it.each<readonly [string, string, RegExp]>([
    ["is no YAML", "users: [", /seed\.yaml:1:9: this is neither YAML nor JSON/],
    [
      "has a name twice",
      "users: []\nusers: []",
      /seed\.yaml:2:1: this key occurs more than once in its object/,
    ],
    [
      "names an organization that is not there",
      "users: [a@b.test]\norganizations: [Acme]\ndatabases: [{name: shop, organization: Amce}]",
      /seed\.yaml:3:26 databases\[0\]\.organization: there is no organization "Amce"; did you mean "Acme"\?/,
    ],
    [
      "names a user that is not there",
      "users: [ada@b.test]\norganizations: [{name: Acme, members: [adda]}]",
      /organizations\[0\]\.members\[0\]\.user: there is no user "adda"; did you mean "ada"\?/,
    ],
    [
      "names a user as two are called",
      "users: [a@b.test, a@c.test]\norganizations: [{name: Acme, members: [a]}]",
      /2 users are named "a"; use the id or email address instead/,
    ],
    ["has an organization without users", "organizations: [Acme]", /has no owner: add a user to the seed/],
    [
      "shows a member as the owner beside an owner",
      "users: [a@b.test, c@b.test]\norganizations: [{name: Acme, owner: c, members: [a, c]}]",
      /organizations\[0\]\.owner: must also be in members, with the role owner/,
    ],
    [
      "has an address twice",
      "users: [{email: a@b.test}, {id: other, email: A@b.test}]",
      /users\[1\].*There is already a user with the email address a@b\.test/,
    ],
    [
      "has an id twice",
      "users: [{id: x, email: a@b.test}, {id: x, email: b@b.test}]",
      /users\[1\]\.id: another user already uses x/,
    ],
    [
      "has two entities with one id",
      "users: [a@b.test]\ndatabases: [{name: shop, repositories: [{name: r, entities: [{id: e, data: {}}, {id: e, data: {}}]}]}]",
      /entities\[1\]\.id: another entity of the repository already uses e/,
    ],
    [
      "has an empty list of orders",
      "users: [a@b.test]\norganizations: [{name: Acme, orders: []}]",
      /seed\.yaml:2:30 organizations\[0\]\.orders: must have at least 1 entry/,
    ],
    [
      "has two orders with one number",
      [
        "users: [a@b.test]",
        "organizations:",
        "  - name: Acme",
        "    orders:",
        ...[1, 2].map(
          (amount) => `      - {number: 7, amount: ${amount}, status: paid, createdAt: 2029-01-01T00:00:00Z}`,
        ),
      ].join("\n"),
      /seed\.yaml:6:10 organizations\[0\]\.orders\[1\]\.number: another order already has the number 7/,
    ],
    [
      "has more databases than the plan allows",
      "users: [a@b.test]\norganizations: [Acme]\ndatabases: [one, two, three, four]",
      /databases\[\d\]: The organization can have at most \d databases \(plan free\)/,
    ],
    [
      "has a key that the service refuses",
      "users: [a@b.test]\ndatabases: [{name: shop, items: [{pk: '', data: {}}]}]",
      /databases\[0\]\.items\[0\]\.pk: must not be empty/,
    ],
    [
      "has an item twice",
      "users: [a@b.test]\ndatabases: [{name: shop, items: [{pk: a, data: {}}, {pk: a, data: {}}]}]",
      /items\[1\]: another item has the same keys/,
    ],
    [
      "has an entity that the schema refuses",
      "users: [a@b.test]\ndatabases: [{name: shop, repositories: [{name: things, schema: {n: {type: number}}, entities: [{data: {n: x}}]}]}]",
      /repositories\[0\]\.entities\[0\]\.data\.n: /,
    ],
    [
      "has a row that does not fit",
      "users: [a@b.test]\ndatabases: [{name: shop, tables: [{create: 'CREATE TABLE t (k INT PRIMARY KEY)', rows: [{k: x}]}]}]",
      /tables\[0\]\.rows\[0\]: .*does not fit column "k"/,
    ],
    [
      "has a statement that makes no table",
      "users: [a@b.test]\ndatabases: [{name: shop, tables: [{create: 'DROP TABLE t'}]}]",
      /tables\[0\]\.create: must be a CREATE TABLE statement/,
    ],
    ["has a time that is none", "createdAt: yesterday", /createdAt: must be an ISO 8601/],
    [
      "has a number that JSON has not",
      "users: [a@b.test]\ndatabases: [{name: shop, items: [{pk: a, data: {n: .inf}}]}]",
      /seed\.yaml:2:52: must be a valid JSON number/,
    ],
    [
      "has a number out of range",
      "users: [a@b.test]\ndatabases: [{name: shop, items: [{pk: a, data: {n: 1e400}}]}]",
      /seed\.yaml:2:52: a number must be between [^(]*$/m,
    ],
    [
      "has a hexadecimal number",
      "users: [a@b.test]\ndatabases: [{name: shop, items: [{pk: a, data: {n: 0x20000000000001}}]}]",
      /seed\.yaml:2:52: must be a valid JSON number, not 0x20000000000001; put text in quotes/,
    ],
    ["has a set", "users: !!set {a@b.test}", /seed\.yaml:1:8: Unresolved tag: tag:yaml\.org,2002:set/],
    ["contains itself", "users: &a [*a]", /seed\.yaml:1:12: contains itself/],
    ["has an alias of nothing", "users: [*a]", /seed\.yaml:1:9: \*a is undefined/],
    [
      "has aliases within aliases",
      [
        "databases:",
        "  - name: shop",
        "    items:",
        "      - { pk: a0, data: &l0 { a: [1, 2] } }",
        ...Array.from(
          { length: 40 },
          (_, level) =>
            `      - { pk: a${level + 1}, data: &l${level + 1} { a: *l${level}, b: *l${level} } }`,
        ),
      ].join("\n"),
      /seed\.yaml:\d+:\d+: the aliases expand to more than 100000 values/,
    ],
  ])("that %s is refused", async (_what, text, expected) => {
    expect((await getRefusal(writeSeedFile(text))).join("\n")).toMatch(expected);
  });

  it("may have null for the optional keys of a field definition, as requests may", async () => {
    const keys = ["items", "properties", "pattern", "default", "min", "max", "minLength", "maxItems"];
    const definitions = fieldTypes.flatMap((type) =>
      keys.map((key) => [`${type}${key}`, { type, [key]: null }] as const),
    );
    const schema = Object.fromEntries(definitions) as never;
    const emulator = await createEmulator({
      fixture: { users: ["a@b.test"], databases: [{ name: "shop", repositories: [{ name: "r", schema }] }] },
    });
    const token = emulator.token({ email: "a@b.test" });
    const path = "/api/v1/management/databases/db_shop/repositories/repo_r";
    const shown = await emulator.fetch(path, { headers: { Authorization: `Bearer ${token}` } });
    expect(await shown.json()).toHaveProperty(
      "schema",
      Object.fromEntries(definitions.map(([name, { type }]) => [name, { type }])),
    );
    await emulator.close();
  });

  it("that is an object is refused by its members, and one that is no JSON as well", async () => {
    expect(await getRefusal({ users: [{ email: "ada" }] })).toEqual([
      "the seed has a mistake:",
      expect.stringMatching(/^users\[0\]\.email: must match/),
    ]);
    expect(await getRefusal({ users: [(() => 1) as never] })).toEqual([
      "the seed has a mistake:",
      "users[0]: must be JSON, not a function",
    ]);
    const data = {
      no: () => 1,
      large: 1n,
      none: undefined,
      share: 0 / 0,
      half: "\udfff",
      list: [undefined],
      map: new Map([["a", 1]]),
      set: new Set([1]),
      date: new Date(NaN),
    };
    const databases = [{ name: "shop", items: [{ pk: "a", data }] }];
    expect(await getRefusal({ users: ["a@b.test"], databases: databases })).toEqual([
      "the seed has 8 mistakes:",
      "databases[0].items[0].data.no: must be JSON, not a function",
      "databases[0].items[0].data.large: must be JSON, not a bigint",
      "databases[0].items[0].data.share: must be a valid JSON number, not NaN",
      "databases[0].items[0].data.half: contains half of a surrogate pair",
      "databases[0].items[0].data.list[0]: must be JSON, not undefined",
      "databases[0].items[0].data.map: must be JSON, not a Map",
      "databases[0].items[0].data.set: must be JSON, not a Set",
      "databases[0].items[0].data.date: must be JSON, not a value such as an invalid date",
    ]);
    await expect(createEmulator({ fixture: "./nowhere.yaml" })).rejects.toThrow(
      `the seed file ${resolve("nowhere.yaml")} does not exist`,
    );
    await expect(createEmulator({ fixture: new URL("http://127.0.0.1/seed.yaml") })).rejects.toThrow(
      'there is no fixture named "http://127.0.0.1/seed.yaml"',
    );
    const latin1 = join(folder, "latin1.yaml");
    writeFileSync(latin1, Buffer.from("users: [{ email: ada@acme.test, name: Jörg }]", "latin1"));
    await expect(createEmulator({ fixture: latin1 })).rejects.toThrow(
      `the seed file ${latin1} is not encoded as UTF-8`,
    );
  });
});
