import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { databaseStatuses } from "../../openapi/schemas/databases.js";
import type { EmulatorOptions } from "../api/emulator.js";
import { eachAnswer } from "../testing/each-answer.js";
import { getProblemKind } from "../testing/read-problem.js";
import {
  type TestResponse,
  type TestClient,
  type TestEmulator,
  createTestEmulator,
} from "../testing/test-client.js";

interface Database {
  readonly databaseId: string;
  readonly name: string;
  readonly region: string;
  readonly status: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly settings: unknown;
}
interface Page {
  readonly databases: readonly Database[];
  readonly nextCursor: string | null;
}

const path = "/api/v1/management/databases";
const enterprise = "org_demo_enterprise";

let running: TestEmulator;
let client: TestClient;

/** Starts an emulator with a client for an organization without databases or limits. */
async function start(options: EmulatorOptions = {}): Promise<void> {
  await (running as TestEmulator | undefined)?.emulator.close();
  running = await createTestEmulator(options);
  client = await running.login("owner@demo.test", enterprise);
}

beforeEach(() => start());
afterEach(() => running.emulator.close());

const create = (name: string, more: object = {}, as = client) =>
  as.post(path, { name, region: "eu-west-1", ...more });
const created = async (name: string, more: object = {}, as = client) => {
  const answer = await create(name, more, as);
  expect(answer.status).toBe(201);
  return answer.body as Database;
};
const get = async (databaseId: string) => (await client.get(`${path}/${databaseId}`)).body as Database;
const list = async (query = "", as = client) => (await as.get(path + query)).body as Page;
const listErrors = ({ body }: TestResponse) =>
  (body as { errors: { in: string; pointer: string }[] }).errors.map((error) => [error.in, error.pointer]);

describe("creating a database", () => {
  it("[DB-01] [DB-02] [DB-03] [GEN-01] [GEN-02] returns 201 with five fields and status Creating", async () => {
    const answer = await create("orders");
    const { databaseId, ...rest } = answer.body as Database;
    expect(answer.status).toBe(201);
    expect(databaseId).toMatch(/^db_/);
    expect(rest).toEqual({
      name: "orders",
      region: "eu-west-1",
      status: "Creating",
      createdAt: running.emulator.clock.get().now,
    });
  });

  const letters = "abcdefghijklmnopqrstuvwxyz";
  const allowed = `${letters}0123456789-`;
  const characterOf = (text: string) => fc.constantFrom(...text.split(""));

  it("[DB-04] [DB-05] accepts every name of 3 to 63 characters of a-z, 0-9 and hyphen after a letter", async () => {
    const name = fc
      .tuple(characterOf(letters), fc.string({ unit: characterOf(allowed), minLength: 2, maxLength: 62 }))
      .map(([first, rest]) => first + rest);
    const ends = ["abc", "a--", "a00", `z${"9".repeat(62)}`, `a${"-".repeat(62)}`].map((end): [string] => [
      end,
    ]);
    await fc.assert(
      fc.asyncProperty(name, async (given) => {
        const { databaseId } = await created(given);
        expect((await get(databaseId)).name).toBe(given);
        await client.delete(`${path}/${databaseId}`);
      }),
      { numRuns: 100, examples: ends },
    );
  });

  it("[DB-04] [DB-05] refuses every other name, and says where", async () => {
    const unit = fc.oneof(
      { weight: 4, arbitrary: characterOf(allowed) },
      fc.constantFrom("A", "Z", "_", ".", " ", "/", "é", "\n", "\u0000", "ａ", "٣", "😀", "%"),
    );
    await fc.assert(
      fc.asyncProperty(fc.string({ unit, maxLength: 70 }), async (given) => {
        fc.pre(!/^[a-z][a-z0-9-]{2,62}$/.test(given));
        const answer = await create(given);
        expect([answer.status, getProblemKind(answer)]).toEqual([400, "validation-failed"]);
        expect(new Set(listErrors(answer).map(String))).toEqual(new Set(["body,/name"]));
      }),
      {
        numRuns: 200,
        examples: ["", "a", "ab", "a".repeat(64), "1ab", "-ab", "abc\n", " abc", "abc ", "aBc", "a_b"].map(
          (given): [string] => [given],
        ),
      },
    );
    expect((await list()).databases).toEqual([]);
  });

  it.each([
    [{}, ["/name", "/region"]],
    [{ name: "orders" }, ["/region"]],
    [{ region: "eu-west-1" }, ["/name"]],
    [{ name: null, region: null }, ["/name", "/region"]],
    [{ name: ["orders"], region: 1 }, ["/name", "/region"]],
    [{ name: "orders", region: "" }, ["/region"]],
    [{ name: "orders", region: "x", settings: [] }, ["/settings"]],
    [{ name: "orders", region: "x", settings: "on" }, ["/settings"]],
    [[], [""]],
    ["orders", [""]],
    [null, [""]],
  ])("[DB-06] refuses the body %j, naming what is wrong", async (body, pointers) => {
    const answer = await client.request("POST", path, { rawBody: JSON.stringify(body) });
    expect([answer.status, getProblemKind(answer)]).toEqual([400, "validation-failed"]);
    expect(listErrors(answer)).toEqual(pointers.map((pointer) => ["body", pointer]));
  });

  it("[DB-15] returns settings as given, with every digit and the order of names", async () => {
    const settings =
      '{"z":1,"10":2,"9":3,"__proto__":{"a":null},"big":12345678901234567890,"exact":0.10000000000000000001,' +
      '"exponent":1e-400,"text":"\\u0000 é 😀 \\"","nested":[[],{},[{"":[true,false]}]]}';
    const answer = await client.request("POST", path, {
      rawBody: `{"name":"lossless","settings": ${settings} ,"region":"x"}`,
    });
    const { databaseId } = answer.body as Database;
    expect((await client.get(`${path}/${databaseId}`)).text).toContain(`"settings":${settings},"usage"`);
    expect((await client.get(path)).text).toContain(`"settings":${settings},"usage"`);
  });

  it("[DB-15] shows null for missing settings and an empty object for empty ones", async () => {
    expect((await get((await created("without")).databaseId)).settings).toBeNull();
    expect((await get((await created("empty", { settings: {} })).databaseId)).settings).toEqual({});
  });

  it("[DB-14] accepts three databases on the free plan, one more for each deleted, ten on the pro plan", async () => {
    const { emulator, login } = running;
    const free = await login("outsider@demo.test", "org_demo_free");
    const ids = [];
    for (const name of ["one", "two", "three"]) ids.push((await created(name, {}, free)).databaseId);
    const refused = await create("four", {}, free);
    expect([refused.status, getProblemKind(refused)]).toEqual([403, "ceiling-reached"]);
    expect((await list("", free)).databases.map(({ name }) => name)).toEqual(["one", "two", "three"]);
    await free.delete(`${path}/${ids[0] ?? ""}`);
    await created("four", {}, free);
    expect((await create("five", {}, free)).status).toBe(403);
    emulator.organizations.change("org_demo_free", { plan: "pro" });
    for (let count = 3; count < 10; count += 1) await created(`more-${count}`, {}, free);
    expect((await create("eleven", {}, free)).status).toBe(403);
    emulator.organizations.change("org_demo_free", { plan: "enterprise" });
    await created("eleven", {}, free);
  });

  it("[DB-14] is limited by the lower of plan and organization's settings", async () => {
    const { emulator, login } = running;
    emulator.organizations.change(enterprise, { settings: { maxDatabases: 1 } });
    await created("one");
    expect((await create("two")).status).toBe(403);
    emulator.organizations.change(enterprise, { settings: { maxDatabases: 0 } });
    expect((await create("two")).status).toBe(403);
    const free = await login("outsider@demo.test", "org_demo_free");
    emulator.organizations.change("org_demo_free", { settings: { maxDatabases: 100 } });
    for (const name of ["one", "two", "three"]) await created(name, {}, free);
    expect((await create("four", {}, free)).status).toBe(403);
  });

  it("[DB-14] keeps existing databases when the limit is lowered", async () => {
    for (const name of ["one", "two", "three", "four"]) await created(name);
    running.emulator.organizations.change(enterprise, { plan: "free" });
    expect((await list()).databases).toHaveLength(4);
    expect((await create("five")).status).toBe(403);
  });

  eachAnswer("ceiling-status", "answers a database too many", async (answer, profile) => {
    await start({ profile });
    running.emulator.organizations.change(enterprise, { settings: { maxDatabases: 0 } });
    const refused = await create("one");
    expect([refused.status, getProblemKind(refused)]).toEqual([answer, "ceiling-reached"]);
    const { control } = running;
    running.emulator.organizations.change(enterprise, { settings: { maxApiKeys: 0 } });
    const body = { organizationId: enterprise, name: "k", scopes: ["*"] };
    expect((await control.post("/_emulator/api-keys", body)).status).toBe(403);
  });

  eachAnswer("duplicate-name", "is what happens to a second one of a name", async (answer, profile) => {
    await start({ profile });
    const { databaseId } = await created("twin");
    const second = await create("twin", { region: "elsewhere" });
    expect(second.status).toBe(answer === "allow" ? 201 : 409);
    if (answer === "reject") expect(getProblemKind(second)).toBe("conflict");
    expect((await list()).databases).toHaveLength(answer === "allow" ? 2 : 1);
    // another organization may use the same name, and so may a new database after a deletion
    await created("twin", {}, await running.login("outsider@demo.test", "org_demo_free"));
    await client.delete(`${path}/${databaseId}`);
    if (answer === "reject") await created("twin");
  });

  eachAnswer("conflict-status", "answers a name that is taken", async (answer, profile) => {
    await start({ profile });
    await created("twin");
    const second = await create("twin");
    expect([second.status, getProblemKind(second)]).toEqual([answer, "conflict"]);
  });
});

describe("the status of a database", () => {
  eachAnswer("database-ready", "is when it leaves Creating", async (answer, profile) => {
    await start({ profile });
    const { emulator } = running;
    const { databaseId, createdAt } = await created("young");
    if (answer === "next-request") {
      expect((await get(databaseId)).status).toBe("Active");
      return;
    }
    const ready = Date.parse(createdAt) + answer;
    emulator.clock.set(new Date(ready - 2).toISOString());
    expect((await get(databaseId)).status).toBe("Creating");
    expect((await get(databaseId)).status).toBe("Active");
    expect(Date.parse(emulator.clock.get().now)).toBe(ready);
    expect((await list()).databases.map(({ status }) => status)).toEqual(["Active"]);
  });

  it("has no data until it is Active", async () => {
    await start({ profile: { "database-ready": 5000 } });
    const { databaseId } = await created("young");
    const put = () => client.put(`/api/v1/databases/${databaseId}/items`, { pk: "a", data: {} });
    expect((await put()).status).toBe(409);
    running.emulator.clock.advance("PT5S");
    expect((await put()).status).toBe(200);
  });

  eachAnswer("database-deletion", "is Deleting for a while, or gone at once", async (answer, profile) => {
    await start({ profile });
    const { databaseId } = await created("leaving");
    await client.put(`/api/v1/databases/${databaseId}/items`, { pk: "a", data: {} });
    expect((await client.delete(`${path}/${databaseId}`)).status).toBe(204);
    const scan = () => client.post(`/api/v1/databases/${databaseId}/items/scan`, {});
    if (answer === "at-once") {
      expect((await client.get(`${path}/${databaseId}`)).status).toBe(404);
      expect((await scan()).status).toBe(404);
      return;
    }
    const { status, usage } = (await get(databaseId)) as Database & { usage: { itemCount: number } };
    expect([status, usage.itemCount]).toEqual(["Deleting", 0]);
    expect((await list()).databases.map((each) => each.status)).toEqual(["Deleting"]);
    expect((await scan()).status).toBe(409);
    const repositories = `${path}/${databaseId}/repositories`;
    expect((await client.post(repositories, { name: "late", entityName: "Late" })).status).toBe(409);
    expect((await create("leaving")).status).toBe(409);
    // a second deletion succeeds, and does not restart the delay
    running.emulator.clock.advance(`PT${(answer - 100) / 1000}S`);
    expect((await client.delete(`${path}/${databaseId}`)).status).toBe(204);
    running.emulator.clock.advance("PT0.1S");
    expect((await client.get(`${path}/${databaseId}`)).status).toBe(404);
    expect((await list()).databases).toEqual([]);
    expect((await create("leaving")).status).toBe(201);
  });

  it("[DB-12] continues to be deleted in a restored snapshot", async () => {
    await start({ profile: { "database-deletion": 5000 } });
    const { databaseId } = await created("leaving");
    await client.delete(`${path}/${databaseId}`);
    running.emulator.snapshots.save("meanwhile");
    running.emulator.clock.advance("PT5S");
    expect((await list()).databases).toEqual([]);
    running.emulator.snapshots.restore("meanwhile");
    expect((await get(databaseId)).status).toBe("Deleting");
    running.emulator.clock.advance("PT5S");
    expect((await list()).databases).toEqual([]);
  });

  it.each(databaseStatuses)("[DB-13] becomes %s when the control plane sets it", async (status) => {
    const { databaseId, createdAt } = await created("moving");
    running.emulator.databases.change(databaseId, { status });
    const changed = await get(databaseId);
    expect([changed.status, changed.createdAt]).toEqual([status, createdAt]);
    expect((await list()).databases.map((database) => database.status)).toEqual([status]);
    expect(Date.parse(changed.updatedAt)).toBeGreaterThanOrEqual(Date.parse(createdAt));
  });

  it("[DB-13] keeps the status set by the control plane, even past the time to become Active", async () => {
    await start({ profile: { "database-ready": 5000 } });
    const { databaseId } = await created("held");
    running.emulator.databases.change(databaseId, { status: "Creating" });
    running.emulator.clock.advance("PT30M");
    expect((await get(databaseId)).status).toBe("Creating");
  });
});

describe("getting a database", () => {
  eachAnswer("missing-resource-status", "that is not there is refused with it", async (answer, profile) => {
    await start({ profile });
    const { databaseId } = await created("gone");
    await client.delete(`${path}/${databaseId}`);
    const organization = `/api/v1/organizations/${enterprise}`;
    for (const each of [
      `${path}/${databaseId}`,
      `${path}/db_never/repositories`,
      `/api/v1/databases/${databaseId}/items/a`,
      "/api/v1/repositories/rep_never",
      "/api/v1/organizations/org_never",
      "/api/v1/plans/plan_never",
    ])
      expect([each, (await client.get(each)).status]).toEqual([each, answer]);
    expect((await client.delete(`${organization}/members/user_never`)).status).toBe(answer);
    const { databaseId: other } = await created("kept");
    // the status for a missing item is always 404
    expect((await client.get(`/api/v1/databases/${other}/items/a`)).status).toBe(404);
  });

  it("[DB-07] [DB-08] [DB-11] [GEN-01] returns the fields given at creation, and the usage", async () => {
    const { databaseId, createdAt } = await created("orders", { settings: { tier: 1 } });
    expect(await get(databaseId)).toEqual({
      databaseId,
      name: "orders",
      region: "eu-west-1",
      status: "Active",
      createdAt,
      updatedAt: createdAt,
      settings: { tier: 1 },
      usage: {
        itemCount: 0,
        storageBytes: 0,
        readUnitsConsumed: 0,
        writeUnitsConsumed: 0,
        lastUpdated: createdAt,
      },
    });
  });

  it("[DB-07] returns the same fields in the list", async () => {
    const one = await created("one");
    expect((await list()).databases).toEqual([await get(one.databaseId)]);
  });

  it("[DB-11] returns 404 for an unknown id", async () => {
    for (const id of ["db_nowhere", "x", "%00", "a%2Fb", "..%2F..", encodeURIComponent("😀"), "__proto__"]) {
      const answer = await client.get(`${path}/${id}`);
      expect([id, answer.status, getProblemKind(answer)]).toEqual([id, 404, "database-not-found"]);
    }
  });
});

describe("listing databases", () => {
  /** Reads all pages; calls a function after each page. */
  async function readAllPages(
    limit: number,
    between: (page: Page) => Promise<void> = () => Promise.resolve(),
  ) {
    const seen: string[] = [];
    let cursor = "";
    for (;;) {
      const page = await list(`?limit=${limit}${cursor}`);
      expect(page.databases.length).toBeLessThanOrEqual(limit);
      seen.push(...page.databases.map(({ databaseId }) => databaseId));
      if (page.nextCursor === null) return seen;
      expect(page.databases).toHaveLength(limit);
      cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
      await between(page);
    }
  }

  async function restart(): Promise<void> {
    running.emulator.reset();
    client = await running.login("owner@demo.test", enterprise);
  }

  it("[DB-10] [GEN-03] [GEN-04] shows every database once, in order of creation, for any number and limit", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 25 }), fc.integer({ min: 1, max: 30 }), async (count, limit) => {
        await restart();
        const ids = [];
        for (let index = 0; index < count; index += 1)
          ids.push((await created(`db-${(index * 7) % 25}`)).databaseId);
        expect(await readAllPages(limit)).toEqual(ids);
      }),
      {
        numRuns: 40,
        examples: [
          [0, 1],
          [20, 20],
          [21, 20],
          [25, 5],
        ],
      },
    );
  });

  it("ends a page after 16 MiB of settings, whatever its limit", async () => {
    for (let index = 0; index < 6; index += 1)
      await created(`db-${index}`, { settings: { text: "x".repeat(4_000_000) } });
    const first = await list("?limit=100");
    expect(first.databases).toHaveLength(5);
    const second = await list(`?limit=100&cursor=${first.nextCursor}`);
    expect(second.databases.map(({ name }) => name)).toEqual(["db-5"]);
  });

  it("[GEN-04] lists the others once if databases are deleted between pages", async () => {
    const choice = fc.array(fc.nat({ max: 100 }), { minLength: 15, maxLength: 15 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 6 }), choice, async (limit, choices) => {
        await restart();
        const left = new Set<string>();
        for (let index = 0; index < 12; index += 1) left.add((await created(`db-${index}`)).databaseId);
        const seen = await readAllPages(limit, async ({ databases }) => {
          // candidates include the last database on the page, whose cursor must still work
          const victim = [databases.at(-1)?.databaseId, ...left][(choices.pop() ?? 0) % (left.size + 1)];
          if (victim === undefined || !left.delete(victim)) return;
          expect((await client.delete(`${path}/${victim}`)).status).toBe(204);
        });
        expect(new Set(seen).size).toBe(seen.length);
        expect([...left].filter((id) => !seen.includes(id))).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  it("[DB-10] [GEN-07] returns 20 databases a page without a limit", async () => {
    for (let index = 0; index < 21; index += 1) await created(`db-${index}`);
    const page = await list();
    expect(page.databases).toHaveLength(20);
    expect(page.nextCursor).not.toBeNull();
  });

  it("[DB-10] refuses an invalid cursor and one of another organization", async () => {
    for (const name of ["one", "two"]) await created(name);
    const { nextCursor } = await list("?limit=1");
    const other = await running.login("owner@demo.test", "org_demo_pro");
    expect((await other.get(`${path}?cursor=${nextCursor ?? ""}`)).status).toBe(400);
    for (const cursor of [
      "",
      "x",
      "null",
      `${nextCursor ?? ""}A`,
      (nextCursor ?? "").slice(0, -1),
      "%00",
      "%20",
    ]) {
      const answer = await client.get(`${path}?cursor=${cursor}`);
      expect([cursor, answer.status, listErrors(answer)]).toEqual([cursor, 400, [["query", "/cursor"]]]);
    }
  });

  eachAnswer("page-limit-max", "is the largest limit", async (answer, profile) => {
    await start({ profile });
    for (let index = 0; index < 3; index += 1) await created(`db-${index}`);
    expect((await client.get(`${path}?limit=${answer}`)).status).toBe(200);
    const over = await client.get(`${path}?limit=${answer + 1}`);
    expect([over.status, listErrors(over)]).toEqual([400, [["query", "/limit"]]]);
  });

  eachAnswer("page-limit-over", "is what happens to a larger limit", async (answer, profile) => {
    await start({ profile: { ...profile, "page-limit-max": 20 } });
    for (let index = 0; index < 21; index += 1) await created(`db-${index}`);
    const over = await client.get(`${path}?limit=21`);
    expect(over.status).toBe(answer === "reject" ? 400 : 200);
    if (answer === "clamp") expect((over.body as Page).databases).toHaveLength(20);
    expect((await list()).databases).toHaveLength(20);
  });
});

describe("deleting a database", () => {
  it("[DB-12] returns 204 with an empty body, and the database is gone", async () => {
    const { databaseId } = await created("orders");
    const other = await created("other");
    const answer = await client.delete(`${path}/${databaseId}`);
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect((await client.get(`${path}/${databaseId}`)).status).toBe(404);
    expect((await client.delete(`${path}/${databaseId}`)).status).toBe(404);
    expect((await client.post(`/api/v1/databases/${databaseId}/items/scan`, {})).status).toBe(404);
    expect((await list()).databases.map((database) => database.databaseId)).toEqual([other.databaseId]);
  });

  it("[DB-12] deletes the items: a new database of the same name is empty", async () => {
    const first = await created("orders");
    const item = { pk: "a", sk: "b", data: { n: 1 } };
    await client.put(`/api/v1/databases/${first.databaseId}/items`, item);
    await client.delete(`${path}/${first.databaseId}`);
    const second = await created("orders");
    expect(second.databaseId).not.toBe(first.databaseId);
    const items = `/api/v1/databases/${second.databaseId}/items`;
    expect((await client.get(`${items}/a/b`)).status).toBe(404);
    expect((await client.post(`${items}/scan`, {})).body).toMatchObject({ items: [], count: 0 });
    expect(running.emulator.state().counts.items).toBe(11);
  });
});
