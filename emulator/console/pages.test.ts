import { Hono } from "hono";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { createEmulator } from "../api/emulator.js";
import type { EmulatorNamespace } from "../api/emulator-namespace.js";
import { eachAnswer } from "../testing/each-answer.js";

const emulator = await createEmulator();
afterAll(() => emulator.close());

const headers = { Authorization: "Bearer dsk_demo_all", "Content-Type": "application/json" };

async function read({ fetch, clock }: EmulatorNamespace, path: string): Promise<string> {
  // a page does not create its namespace
  clock.get();
  return (await fetch(`/_emulator/console${path}`)).text();
}

it("shows on the page of a request which fields were ignored", async () => {
  const namespace = emulator.namespace("ignored-fields");
  const body = JSON.stringify({ pk: "a", data: {}, extra: 1 });
  await namespace.fetch("/api/v1/databases/db_demo/items", { method: "PUT", headers, body });
  expect(await read(namespace, "/traffic/1")).toMatch(/Ignored fields<\/dt><dd[^>]*>\/extra /);
});

it.each([1000, 9000])("shows a body of %i levels as it was sent", async (levels) => {
  const namespace = emulator.namespace(`levels-${levels}`);
  const body = "[".repeat(levels) + "]".repeat(levels);
  await namespace.fetch("/api/v1/databases/db_demo/items", { method: "PUT", headers, body });
  expect(await read(namespace, "/traffic/1")).toContain(`>${body}</pre>`);
});

/** Runs the commands of a page in a shell, and returns the status of the last response of each. */
async function runCommands(page: string, pattern: RegExp): Promise<string[]> {
  const commands = [...page.matchAll(pattern)].map(([, text = ""]) =>
    text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&"),
  );
  const run = (command: string) =>
    promisify(execFile)("sh", ["-c", `${command} -s -o /dev/null -w '%{http_code}'`]);
  return Promise.all(commands.map(async (command) => (await run(command)).stdout));
}

it("shows curl commands that work when pasted", async () => {
  const namespace = emulator.namespace("commands");
  const url = `${await emulator.listen()}/ns/commands`;
  const organizationId = "org_demo_pro";
  const { accessToken } = namespace.sessions.create({ userId: "user_demo_owner", organizationId });
  for (const token of ["dsk_demo_all", accessToken])
    await namespace.fetch("/api/v1/databases/db_demo/items", {
      method: "PUT",
      headers: { ...headers, Authorization: `Bearer ${token}` },
      body: `{"pk":"it's","data":{}}`,
    });
  const open = async (path: string) => (await fetch(`${url}/_emulator/console${path}`)).text();
  const asked = /<pre tabindex="0">([^<]+)<\/pre>/g;
  expect(await runCommands(await open("/data"), asked)).toEqual(["200", "201", "200"]);
  for (const number of [1, 2])
    expect(await runCommands(await open(`/traffic/${number}`), /<pre id="curl"[^>]*>([^<]+)</g)).toEqual([
      "200",
    ]);
  expect(await runCommands(await open(""), /<code id="example">([^<]+)</g)).toEqual(["200"]);
});

it("shows curl commands that repeat the method and the content type of a request", async () => {
  const namespace = emulator.namespace("repeated");
  const url = `${await emulator.listen()}/ns/repeated`;
  const put = (contentType: Record<string, string>) =>
    namespace.fetch("/api/v1/databases/db_demo/items", {
      method: "PUT",
      headers: { Authorization: headers.Authorization, ...contentType },
      body: Buffer.from('{"pk":"a","data":{}}'),
    });
  await namespace.fetch("/health", { method: "HEAD" });
  for (const type of ["text/plain", "application/json; charset=utf-8"]) await put({ "Content-Type": type });
  await put({});
  const entries = namespace.journal.entries();
  expect(entries.map(({ response }) => response.status)).toEqual([200, 415, 200, 415]);
  for (const { sequence, response } of entries) {
    const page = await (await fetch(`${url}/_emulator/console/traffic/${sequence}`)).text();
    expect(await runCommands(page, /<pre id="curl"[^>]*>([^<]+)</g)).toEqual([String(response.status)]);
  }
});

it("says which parts of a request a curl command lacks", async () => {
  const namespace = emulator.namespace("incomplete-commands");
  const logIn = { email: "owner@demo.test", password: "demo-password" };
  await namespace.fetch("/auth/password", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(logIn),
  });
  const put = (query: string, data: object) =>
    namespace.fetch(`/api/v1/databases/db_demo/items${query}`, {
      method: "PUT",
      headers,
      body: JSON.stringify({ pk: "a", data }),
    });
  await put("?api_key=dsk_demo_all", {});
  await put("", { text: "x".repeat(70_000) });
  await put("", {});
  const commands = [];
  for (const number of [1, 2, 3, 4]) {
    const page = await read(namespace, `/traffic/${number}`);
    commands.push(/<pre id="curl"[^>]*>([^]*?)curl/.exec(page)?.[1]);
  }
  const redacted = "# Replace [redacted]: the journal does not keep credentials.\n";
  const cut = "# The body is not complete: the journal keeps only the beginning of its 70029 bytes.\n";
  expect(commands).toEqual([redacted, redacted, cut, ""]);
});

it("links from the overview to the documents and the journal", async () => {
  const page = await read(emulator.namespace("links"), "");
  for (const path of ["/openapi.json", "/_emulator/openapi.json", "/_emulator/journal"])
    expect(page).toContain(`href="/ns/links${path}"`);
});

it("links to namespaces below the path at which the emulator is mounted", async () => {
  const other = new Hono().route("/data", emulator.app);
  emulator.namespace("mounted").clock.get();
  const page = await (await other.request("/data/ns/mounted/_emulator/console/snapshots")).text();
  const addresses = ["/data/_emulator/console/snapshots", "/data/ns/mounted/_emulator/console/snapshots"];
  for (const address of addresses) {
    expect(page).toContain(`<a href="${address}"`);
    expect((await other.request(address)).status).toBe(200);
  }
  expect(page).toContain(">http://localhost/data/ns/mounted<");
  expect(page).toContain("&quot;next&quot;:&quot;/data/_emulator/console/snapshots&quot;");
});

it("lists the memberships of users in shared organizations, whatever their ids are", async () => {
  const emulator = await createEmulator({
    fixture: {
      users: ["ada@acme.test", { email: "bob@acme.test", personalOrganization: "org_own" }],
      organizations: [{ name: "Personal Finance", plan: "pro", members: ["ada", "bob"] }],
    },
  });
  const page = await (await emulator.fetch("/_emulator/console")).text();
  expect(page).toMatch(/>org_personal_finance \(member\)</);
  await emulator.close();
});

it("shows when a paid plan takes effect", async () => {
  const namespace = emulator.namespace("delayed");
  const organizationId = "org_demo_free";
  const { accessToken } = namespace.sessions.create({ userId: "user_demo_outsider", organizationId });
  const response = await namespace.fetch("/api/v1/payment/checkout", {
    method: "POST",
    headers: { ...headers, Authorization: `Bearer ${accessToken}` },
    body: '{"planType":"pro"}',
  });
  const { checkoutId } = (await response.json()) as { checkoutId: string };
  const { upcomingPlans } = namespace.checkouts.complete(checkoutId, { after: "PT10M" });
  expect(upcomingPlans).toEqual([{ plan: "pro", startsAt: expect.stringMatching(/T00:10:00/) as unknown }]);
  expect(await read(namespace, "/time")).toContain("pro plan takes effect");
  const billing = `/billing?organization=${organizationId}`;
  expect(await read(namespace, billing)).toContain("pro, from 2030-01-01 00:10:00");
  namespace.clock.advance("PT10M");
  expect(await read(namespace, "/time")).not.toContain("pro plan takes effect");
  expect(namespace.subscriptions.get(organizationId).upcomingPlans).toEqual([]);
});

it("announces the end of a period only if the next period is billed", async () => {
  const namespace = emulator.namespace("incomplete");
  expect(await read(namespace, "/time")).toContain("the next period is billed");
  for (const { organizationId } of namespace.organizations.list())
    namespace.subscriptions.change(organizationId, { status: "incomplete" });
  expect(await read(namespace, "/time")).not.toContain("the next period is billed");
});

it("shows which fault rule changed a response, and how", async () => {
  const namespace = emulator.namespace("faults");
  const { faultId } = namespace.faults.create({ effect: { kind: "truncate" } });
  await namespace.fetch("/health");
  expect(await read(namespace, "/traffic")).toContain("fault: truncate");
  expect(await read(namespace, "/traffic/1")).toContain(
    `<a href="/ns/faults/_emulator/console/faults#${faultId}">truncate (${faultId})</a>`,
  );
  expect(await read(namespace, "/faults")).toContain(`<tr id="${faultId}">`);
  namespace.faults.clear();
  expect(await read(namespace, "/traffic/1")).toContain(`deleted rule (${faultId})`);
});

it("shows the code in a clause as code", async () => {
  const namespace = emulator.namespace("clauses");
  await namespace.fetch("/api/v1/payment/usage");
  expect(await read(namespace, "/traffic/1")).toMatch(/<code>Authorization: Bearer &lt;\w+&gt;<\/code>/);
});

it("shows the fields that differ from a snapshot, and long values in full", async () => {
  const namespace = emulator.namespace("changes");
  const put = (item: object) =>
    namespace.fetch("/api/v1/databases/db_demo/items", {
      method: "PUT",
      headers,
      body: JSON.stringify(item),
    });
  await put({ pk: "a", data: { same: true, nested: { total: 1 } } });
  namespace.snapshots.save("before");
  await put({ pk: "a", data: { same: true, nested: { total: 2 }, text: "x".repeat(500) } });
  const page = await read(namespace, "/snapshots/changes/before");
  expect(page).toContain("db_demo a none");
  expect(page).toContain("<div>data.nested.total: 1 → 2</div>");
  expect(page).not.toContain("data.same");
  expect(page).toContain("x".repeat(500));
  expect(await read(namespace, "/snapshots")).toContain("2030-01-01 00:00:00.001 UTC");
});

it("shows changed fields with names that every object inherits", async () => {
  const namespace = emulator.namespace("inherited");
  const put = (data: string) =>
    namespace.fetch("/api/v1/databases/db_demo/items", {
      method: "PUT",
      headers,
      body: `{"pk":"a","data":${data}}`,
    });
  await put("{}");
  namespace.snapshots.save("before");
  await put('{"constructor":"x","toString":"y","__proto__":{"z":1}}');
  const page = await read(namespace, "/snapshots/changes/before");
  for (const change of ["constructor: none → &quot;x&quot;", "__proto__: none → {&quot;z&quot;:1}"])
    expect(page).toContain(`<div>data.${change}</div>`);
});

it("quotes the names of SQL tables", async () => {
  const namespace = emulator.namespace("tables");
  const body = JSON.stringify({ sql: 'CREATE TABLE "T 3" (id TEXT PRIMARY KEY)' });
  await namespace.fetch("/databases/db_demo/sql/execute", { method: "POST", headers, body });
  const page = await read(namespace, "/data/org_demo_pro/db_demo/sql");
  const [, link = ""] = /<a href="[^"]*(\/data[^"]*)">T 3</.exec(page) ?? [];
  expect(await read(namespace, link.replaceAll("&amp;", "&"))).toContain("no rows match it");
});

it("lists only the first users", async () => {
  const namespace = emulator.namespace("many");
  for (let number = 0; number <= 500; number += 1)
    namespace.users.create({ email: `user${number}@acme.test`, password: "p" });
  const page = await read(namespace, "/people");
  expect(page.match(/Log in as</g)).toHaveLength(500);
  expect(page).toContain(`The first 500 of ${namespace.users.list().length} are shown.`);
});

eachAnswer("member-id", "changes and removes members", async (answer, profile) => {
  const namespace = emulator.namespace(`member-${answer}`);
  namespace.profile.set(profile);
  const path = "/people?organization=org_demo_pro";
  const send = async (operation: string) => {
    const calls = [...(await read(namespace, path)).matchAll(/name="_call" value="([^"]*)"/g)];
    const [, _call = ""] = calls.findLast(([, text = ""]) => text.includes(operation)) ?? [];
    return namespace.fetch(`/_emulator/console${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin" },
      body: new URLSearchParams({ _call: _call.replaceAll("&quot;", '"'), role: "member" }).toString(),
    });
  };
  for (const operation of ["updateMember", "removeMember"])
    expect([operation, (await send(operation)).status]).toEqual([operation, 303]);
});

eachAnswer("data-credential", "shows the data of a database", async (answer, profile) => {
  const namespace = emulator.namespace(`data-${answer}`);
  namespace.profile.set(profile);
  const database = "/data/org_demo_pro/db_demo";
  for (const [path, content] of [
    [database, "customer#ada"],
    [`${database}/repositories/repo_demo_products`, "product"],
    [`${database}/sql?sql=SELECT+1+FROM+products`, "row"],
  ] as const) {
    const page = await read(namespace, path);
    expect(page).toContain(content);
    expect(page).not.toContain("needs an API key");
  }
});

eachAnswer("page-limit-max", "shows and changes the data of a database", async (answer, profile) => {
  const namespace = emulator.namespace(`pages-${String(answer)}`);
  namespace.profile.set(profile);
  const database = "/data/org_demo_pro/db_demo";
  for (const [path, content] of [
    ["/data?organization=org_demo_pro", "db_demo"],
    [database, "customer#ada"],
    [`${database}/repositories`, "repo_demo_products"],
    [`${database}/repositories/repo_demo_products`, "KIT-1001"],
    [`${database}/sql?sql=SELECT+name+FROM+products`, "Notebook"],
  ] as const) {
    const page = await read(namespace, path);
    expect(page).toContain(content);
    expect(page).not.toContain("Rejected with status");
  }
  const sizes = ["20", "50", "100"].filter((size) => Number(size) <= answer);
  expect(
    [...(await read(namespace, database)).matchAll(/<option value="(\d+)"/g)].map(([, size]) => size),
  ).toEqual(sizes);
  const changed = await namespace.fetch(`/_emulator/console${database}/sql`, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin" },
    body: new URLSearchParams({ sql: "DELETE FROM products WHERE sku = 'none'" }).toString(),
  });
  expect(await changed.text()).toContain('<p class="notice good"');
});

it("shows every database and every repository, on several pages", async () => {
  const namespace = emulator.namespace("lists");
  namespace.profile.set({ "page-limit-max": 20, "page-limit-over": "clamp" });
  const organizationId = "org_demo_enterprise";
  const { accessToken } = namespace.sessions.create({ userId: "user_demo_owner", organizationId });
  const names = Array.from({ length: 30 }, (_, index) => `list-${index + 10}`);
  const create = async (path: string, body: object) => {
    const response = await namespace.fetch(path, {
      method: "POST",
      headers: { ...headers, Authorization: `Bearer ${accessToken}` },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(201);
    return (await response.json()) as { databaseId: string };
  };
  /** Returns the names on all pages, and the address of the last page. */
  const readAll = async (first: string) => {
    const found: string[] = [];
    for (let path = first; ;) {
      const page = await read(namespace, path);
      found.push(...[...page.matchAll(/>(list-\d+)<\/a>/g)].map(([, name = ""]) => name));
      const [, next] = /<a [^>]*href="[^"]*\/console([^"]*)"[^>]*>Next page</.exec(page) ?? [];
      if (next === undefined) return { names: found.sort(), last: path };
      path = next.replaceAll("&amp;", "&");
    }
  };
  const made = [];
  for (const name of names)
    made.push(await create("/api/v1/management/databases", { name, region: "eu-west-1" }));
  const databases = await readAll(`/data?organization=${organizationId}`);
  expect(databases.names).toEqual(names);
  const databaseId = made[0]?.databaseId ?? "";
  for (const name of names)
    await create(`/api/v1/management/databases/${databaseId}/repositories`, { name, entityName: "entry" });
  const repositories = await readAll(`/data/${organizationId}/${databaseId}/repositories`);
  expect(repositories.names).toEqual(names);
  for (const { databaseId } of made)
    await namespace.fetch(`/api/v1/management/databases/${databaseId}`, {
      method: "DELETE",
      headers: { Authorization: `Bearer ${accessToken}` },
    });
  // all databases on the last page may have been deleted on that page
  expect(await read(namespace, databases.last)).toContain("No more databases");
});

it("names the empty field of a form whose request needs it", async () => {
  const namespace = emulator.namespace("unnamed");
  namespace.clock.get();
  const response = await namespace.fetch("/_emulator/console/snapshots", {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin" },
    body: new URLSearchParams({
      _call: JSON.stringify({ operation: "saveSnapshot", done: "saved" }),
      name: "",
    }).toString(),
  });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('<p class="problem" id="name-problem">must not be empty</p>');
});

it("says why a page cannot be shown", async () => {
  const namespace = emulator.namespace("hidden");
  const database = "/data/org_demo_pro/db_demo";
  expect(await read(namespace, `${database}/repositories?cursor=x`)).toContain("/cursor: is not a cursor");
  const entity = `${database}/repositories/repo_demo_products/entity?id=`;
  expect(await read(namespace, entity)).toContain("/entityId: must not be empty");
});

eachAnswer(
  "entity-put",
  "says what happens to fields that are removed in the editor",
  async (answer, profile) => {
    const namespace = emulator.namespace(`editor-${answer}`);
    namespace.profile.set(profile);
    const entity = "/data/org_demo_pro/db_demo/repositories/repo_demo_products/entity";
    const hint = "that you remove here keep their values";
    expect((await read(namespace, `${entity}?id=ent_demo_teapot`)).includes(hint)).toBe(answer === "merge");
    expect(await read(namespace, entity)).not.toContain(hint);
  },
);
