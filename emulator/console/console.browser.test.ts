import { readFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEmulator, type Emulator } from "../api/emulator.js";
import { findChromium } from "./testing/find-chromium.js";
import { keyboardDriver, mouseDriver, type PageDriver, type Step } from "./testing/page-driver.js";

const executablePath = findChromium();
// the browser may be missing on a developer's machine, but not in CI
const isSkipped = executablePath === undefined && process.env.CI !== "true";
if (isSkipped) console.warn("The console is not tested: there is no chromium on PATH."); // eslint-disable-line no-console -- tells why nothing is tested

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** A host name that the browser resolves to this machine, as in a DNS rebinding attack. */
const reboundName = "rebound.test";
const hostile = `"'><script>document.title="run"</script><b class="made">&amp; שלום`;

describe.skipIf(isSkipped)("the console in a browser", { timeout: 120_000 }, () => {
  let browser: Browser;
  let emulator: Emulator;
  let url: string;
  beforeAll(async () => {
    if (executablePath === undefined) throw new Error("there is no chromium on PATH");
    emulator = await createEmulator();
    url = await emulator.listen();
    const rule = `--host-resolver-rules=MAP ${reboundName} 127.0.0.1`;
    // the browser's sandbox rarely works in containers; the test opens only the emulator's own pages
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", rule] });
  });
  afterAll(async () => {
    await browser.close();
    await emulator.close();
  });

  /** Opens an address in a new window, and collects the page's errors and its requests to other hosts. */
  async function open(address: string, scheme: "light" | "dark" = "light") {
    const context = await browser.newContext({ colorScheme: scheme });
    const page = await context.newPage();
    // a slow machine must not make the test fail
    page.setDefaultTimeout(60_000);
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
        complaints.push(message.text());
    });
    page.on("request", (asked) => {
      if (!asked.url().startsWith(`${url}/`) && !asked.url().startsWith("data:"))
        complaints.push(asked.url());
    });
    page.on("dialog", (dialog) => void dialog.accept());
    await page.goto(address);
    return { page, complaints, close: () => context.close() };
  }

  /** Returns the address of a console page in a namespace. */
  const at = (namespace: string, path: string) => {
    // a console page does not create its namespace
    emulator.namespace(namespace).clock.get();
    return `${url}/ns/${namespace}/_emulator/console${path}`;
  };
  const database = "/data/org_demo_pro/db_demo";
  const products = `${database}/repositories/repo_demo_products`;

  const checkoutIn = async (namespace: string): Promise<string> => {
    const world = emulator.namespace(namespace);
    const { accessToken } = world.sessions.create({
      userId: "user_demo_outsider",
      organizationId: "org_demo_free",
    });
    const response = await world.fetch("/api/v1/payment/checkout", {
      method: "POST",
      headers: { Authorization: `Bearer ${accessToken}`, "Content-Type": "application/json" },
      body: '{"planType":"pro"}',
    });
    return ((await response.json()) as { checkoutId: string }).checkoutId;
  };

  /** What users do on each page. */
  const tasks: readonly {
    readonly title: string;
    readonly path: string | ((namespace: string) => Promise<string>);
    readonly steps: readonly Step[];
    readonly seen: string;
    readonly check?: (namespace: string) => unknown;
  }[] = [
    {
      title: "resets the namespace",
      path: "",
      steps: [{ press: "Reset the namespace" }],
      seen: "The namespace was reset to its starting state.",
    },
    {
      title: "creates a database, after a refusal at its name",
      path: "/data",
      steps: [
        { unfold: "Create a database" },
        { fill: "Name", text: "Shop" },
        { press: "Create" },
        { fill: "Name", text: "shop-2" },
        { press: "Create" },
      ],
      seen: "shop-2",
      check: (namespace) => expect(emulator.namespace(namespace).state().counts.databases).toBe(2),
    },
    {
      title: "finds the newest order of a customer",
      path: database,
      steps: [
        { fill: "Partition key", text: "customer#ada" },
        { fill: "Sort-key condition", text: "begins_with:order#" },
        { choose: "Order", option: "descending" },
        { press: "Find" },
      ],
      seen: "Items found on this page: 3 of 3 scanned",
    },
    {
      title: "writes an item",
      path: `${database}/item`,
      steps: [
        { fill: "Partition key (pk)", text: "made" },
        { fill: "Data", text: '{"total":12345678901234567890}' },
        { press: "Save" },
      ],
      seen: "Saved.",
    },
    {
      title: "adds an entity",
      path: `${products}/entity`,
      steps: [{ fill: "Data", text: '{"sku":"ABC-1234","title":"Made","price":1}' }, { press: "Save" }],
      seen: "Saved.",
      check: (namespace) => expect(emulator.namespace(namespace).state().counts.entities).toBe(10),
    },
    {
      title: "runs a query",
      path: `${database}/sql`,
      steps: [
        { fill: "Statement", text: "SELECT name FROM products WHERE category = 'office'" },
        { press: "Run" },
      ],
      seen: "Notebook",
    },
    {
      title: "invites a person and accepts in their place",
      path: "/people",
      steps: [
        { unfold: "Invite a user" },
        { fill: "Email", text: "ada@example.test" },
        { press: "Invite" },
        { press: "Accept the invitation of ada@example.test" },
      ],
      seen: "Invitation accepted.",
    },
    {
      title: "logs in as somebody",
      path: "/people",
      steps: [{ press: "Log in as member@demo.test" }],
      seen: "Logged in",
    },
    {
      title: "goes to a checkout",
      path: "/billing",
      steps: [{ press: "Buy enterprise" }],
      seen: "Buy Enterprise",
    },
    {
      title: "jumps ahead",
      path: "/time",
      steps: [{ press: "A day" }],
      seen: "The clock was changed.",
      check: (namespace) => {
        const { clock, journal } = emulator.namespace(namespace);
        expect(clock.get().now.slice(0, 10)).toBe("2030-01-02");
        expect(journal.entries()).toEqual([]);
      },
    },
    {
      title: "creates a fault rule with a chosen effect",
      path: "/faults",
      steps: [
        { choose: "Effect", option: "latency" },
        { press: "Show its fields" },
        { fill: "Milliseconds", text: "40" },
        { press: "Create the rule" },
      ],
      seen: "delayMs 40",
      check: (namespace) =>
        expect(emulator.namespace(namespace).faults.list()).toMatchObject([
          { effect: { kind: "latency", delayMs: 40 } },
        ]),
    },
    {
      title: "switches a preset of faults on",
      path: "/faults",
      steps: [{ press: "Turn on Throttled" }],
      seen: "Created.",
      check: (namespace) => expect(emulator.namespace(namespace).faults.list()).toHaveLength(1),
    },
    {
      title: "takes a snapshot and goes back to it",
      path: "/snapshots",
      steps: [
        { fill: "Name of the new snapshot", text: "mine" },
        { press: "Take a snapshot" },
        { press: "Restore mine" },
      ],
      seen: "The snapshot's data, clock and id generator were restored.",
    },
    {
      title: "sees what has changed since a snapshot",
      path: (namespace) => {
        const world = emulator.namespace(namespace);
        world.snapshots.save("before");
        world.users.create({ email: "ada@demo.test", password: "p" });
        return Promise.resolve("/snapshots");
      },
      steps: [{ follow: "Compare before with the namespace" }],
      seen: "ada@demo.test",
    },
    {
      title: "pays, later",
      path: async (namespace) => `/checkout/${await checkoutIn(namespace)}`,
      steps: [{ choose: "Plan takes effect", option: "After 10 minutes" }, { press: "Pay" }],
      seen: "The Pro plan will take effect at",
      check: (namespace) => {
        const world = emulator.namespace(namespace);
        expect(world.subscriptions.get("org_demo_free").plan).toBe("free");
        world.clock.advance("PT10M");
        expect(world.subscriptions.get("org_demo_free")).toMatchObject({ plan: "pro", status: "trialing" });
      },
    },
    {
      title: "is refused a card",
      path: async (namespace) => `/checkout/${await checkoutIn(namespace)}`,
      steps: [{ check: "Declined card" }, { press: "Pay" }],
      seen: "The card was declined.",
      check: (namespace) =>
        expect(emulator.namespace(namespace).subscriptions.get("org_demo_free").plan).toBe("free"),
    },
    {
      title: "ends the plan with its period, in the portal",
      path: "/portal/org_demo_pro",
      steps: [{ press: "Cancel at the end of the period" }],
      seen: "Keep the plan",
      check: (namespace) =>
        expect(emulator.namespace(namespace).subscriptions.get("org_demo_pro").cancelAtPeriodEnd).toBe(true),
    },
    {
      title: "cancels the plan and takes it again, in the portal",
      path: "/portal/org_demo_pro",
      steps: [{ press: "Cancel now" }, { press: "Change to Pro" }],
      seen: "Cancel at the end of the period",
      check: (namespace) =>
        expect(emulator.namespace(namespace).subscriptions.get("org_demo_pro").status).toBe("active"),
    },
  ];

  /** The window for all tasks. Opening a window takes longer than most tasks. */
  let shared: Awaited<ReturnType<typeof open>> | undefined;
  afterAll(() => shared?.close());

  async function perform(task: (typeof tasks)[number], driver: PageDriver): Promise<void> {
    const namespace = `${driver.name}-${tasks.indexOf(task)}`;
    const path = typeof task.path === "string" ? task.path : await task.path(namespace);
    shared ??= await open(at(namespace, path));
    const { page, complaints } = shared;
    await page.goto(at(namespace, path));
    for (const step of task.steps) await driver.perform(page, step);
    await page.getByText(task.seen).first().waitFor();
    task.check?.(namespace);
    expect(complaints.splice(0)).toEqual([]);
    emulator.namespaces.delete(namespace);
  }

  it.each(tasks.map((task) => [task.title, task] as const))("by mouse: %s", (_title, task) =>
    perform(task, mouseDriver),
  );
  it.each(tasks.map((task) => [task.title, task] as const))("by keyboard: %s", (_title, task) =>
    perform(task, keyboardDriver),
  );

  it("shows a problem next to the field that it is about", async () => {
    const { page, close } = await open(at("refusals", `${products}/entity`));
    await page.getByLabel("Data").fill('{"sku":"lower","title":"","price":1}');
    await page.getByRole("button", { name: "Save" }).click();
    const problem = page.locator("#data-problem");
    await problem.waitFor();
    expect(await problem.innerText()).toContain("/data/sku");
    expect(await problem.innerText()).toContain("/data/title");
    expect(await page.getByLabel("Data").inputValue()).toContain("lower");
    await close();
  });

  it("shows new requests and the current time without a reload", async () => {
    const { page, close } = await open(at("live", "/traffic"));
    const world = emulator.namespace("live");
    world.clock.advance("PT1H");
    await world.fetch("/health");
    await page.getByText("2030-01-01 01:00:00 UTC", { exact: true }).waitFor();
    await world.fetch("/api/v1/nowhere");
    await page.getByRole("link", { name: "GET /api/v1/nowhere" }).click();
    await page.getByText("2030-01-01 01:00:00.002 UTC", { exact: true }).waitFor();
    await close();
  });

  it("shows only the fields of the chosen effect of a fault rule", async () => {
    const { page, close } = await open(at("effect", "/faults"));
    await page.getByLabel("Effect", { exact: true }).selectOption("latency");
    await page.getByRole("button", { name: "Show its fields" }).click();
    await page.getByLabel("Milliseconds").waitFor();
    expect(await page.getByLabel("Status").count()).toBe(0);
    await close();
  });

  it("shows the whole placeholders of the form that finds items", async () => {
    const { page, close } = await open(at("placeholders", database));
    await page.setViewportSize({ width: 1280, height: 800 });
    const cut = await page.evaluate<string[]>(
      `[...document.querySelectorAll("form.row input")].map((input) => { input.value = input.placeholder; return input; })
        .filter((input) => input.scrollWidth > input.clientWidth).map((input) => input.placeholder)`,
    );
    expect(cut).toEqual([]);
    await close();
  });

  it("sends a request from the reference", async () => {
    const { page, complaints, close } = await open(at("reference", "/reference"));
    await page.locator("[data-tag=Health] button").first().click();
    await page.locator("#operations-Health-getHealth .opblock-summary-control").click();
    await page.getByRole("button", { name: "Execute" }).click();
    await page.locator(".live-responses-table .response-col_status", { hasText: "200" }).first().waitFor();
    expect(await page.locator("#operations-Health-getHealth").innerText()).toContain("HEALTH-01");
    const lefts = await page.evaluate<number[]>(
      `[...document.querySelectorAll(".swagger-ui > .renderedMarkdown > *")].map((one) =>
        Math.round(one.getBoundingClientRect().left))`,
    );
    expect(new Set(lefts).size, lefts.join()).toBe(1);
    expect(complaints).toEqual([]);
    await close();
  });

  describe("for everybody", () => {
    const world = "everybody";
    const paths = async () => [
      "",
      "/data",
      database,
      `${database}/item?pk=customer%23ada`,
      `${database}/repositories`,
      products,
      `${products}/entity?id=ent_demo_cup`,
      `${database}/sql?sql=SELECT+*+FROM+products`,
      "/people",
      "/billing",
      "/traffic?own=true",
      "/traffic/1",
      "/time",
      "/faults",
      "/snapshots",
      "/snapshots/changes/one?to=two",
      "/reference",
      `/checkout/${await checkoutIn(world)}`,
      `/checkout/${await checkoutIn(world)}?card=refused`,
      "/portal/org_demo_pro",
      "/errors",
      "/errors/forbidden",
      "/nowhere",
    ];
    // include the descriptions of violations in the message of a failure
    const onlyWrongs = { resultTypes: ["violations"], selectors: false };
    const wrongs = (page: Page, rules?: readonly string[]) =>
      page.evaluate<string[]>(
        `axe.run(document, ${JSON.stringify({ ...onlyWrongs, ...(rules === undefined ? {} : { runOnly: rules }) })}).then(({ violations }) =>
          violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))`,
      );

    it("has no axe violations in light or dark, wide or narrow, and sends no request to other hosts", async () => {
      const { fetch, snapshots, faults } = emulator.namespace(world);
      snapshots.save("one");
      await fetch("/api/v1/databases/db_demo/items", {
        method: "PUT",
        headers: { Authorization: "Bearer dsk_demo_all", "Content-Type": "application/json" },
        body: JSON.stringify({
          pk: "long",
          data: { words: "a long text ".repeat(20), word: "long".repeat(50) },
        }),
      });
      snapshots.save("two");
      faults.create({ match: { operationId: "getReadiness" }, effect: { kind: "drop" } });
      const { page, complaints, close } = await open(at(world, ""));
      for (const path of await paths()) {
        await page.emulateMedia({ colorScheme: "light" });
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.goto(at(world, path));
        expect(await page.getByTitle("The clock").innerText(), path).toMatch(/2030-01-01 00:00:00 UTC$/);
        if (path === "/reference") await page.locator("[data-tag=Health] button").first().click();
        await page.evaluate(axe);
        expect(await wrongs(page), `light ${path}`).toEqual([]);
        await page.emulateMedia({ colorScheme: "dark" });
        // the API reference sets its theme with a script
        if (path === "/reference") {
          await page.locator("html.dark-mode").waitFor({ state: "attached" });
          // colors change gradually; contrast is checked only at the end of the transition
          await page.evaluate("document.getAnimations().forEach((one) => one.finish())");
        }
        // only the rule about contrast depends on the theme
        expect(await wrongs(page, ["color-contrast"]), `dark ${path}`).toEqual([]);
        await page.setViewportSize({ width: 390, height: 800 });
        const needed = await page.evaluate<number>("document.documentElement.scrollWidth");
        expect(needed, `narrow ${path}`).toBeLessThanOrEqual(390);
        const boxes = await page.evaluate<string[]>(
          "[...document.querySelectorAll('.scroll, main pre')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText)",
        );
        expect(boxes, `narrow tables and code of ${path}`).toEqual([]);
      }
      expect(complaints).toEqual([]);
      await close();
    });
  });

  it("shows every text as text", async () => {
    const world = emulator.namespace("texts");
    const key = { headers: { Authorization: "Bearer dsk_demo_all", "Content-Type": "application/json" } };
    const send = async (method: string, path: string, body: object) => {
      const response = await world.fetch(path, { ...key, method, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
      return (await response.json()) as Record<string, string>;
    };
    await send("PUT", "/api/v1/databases/db_demo/items", {
      pk: hostile,
      sk: hostile,
      data: { [hostile]: hostile },
    });
    const { id } = await send("POST", "/api/v1/repositories/repo_demo_events", {
      data: { [hostile]: hostile },
    });
    await send("POST", "/databases/db_demo/sql/query", {
      sql: `INSERT INTO products (sku, name, price) VALUES ('x', '${hostile.replaceAll("'", "''")}', 1)`,
    });
    world.users.create({ email: "made@example.test", password: "p", name: hostile });
    world.apiKeys.create({ organizationId: "org_demo_pro", name: hostile, scopes: ["*"] });
    world.faults.create({ match: { caller: hostile }, effect: { kind: "drop" } });
    const owner = world.sessions.create({ userId: "user_demo_owner", organizationId: "org_demo_pro" });
    const renamed = await world.fetch("/api/v1/organizations/org_demo_pro", {
      method: "PUT",
      headers: { Authorization: `Bearer ${owner.accessToken}`, "Content-Type": "application/json" },
      body: JSON.stringify({ name: hostile }),
    });
    expect(renamed.status).toBe(200);
    const { page, complaints, close } = await open(at("texts", ""));
    const key1 = encodeURIComponent(hostile);
    const places = [
      "/data",
      `${database}?partitionKey=${key1}&sortKeyCondition=${key1}&filterExpression=${key1}`,
      `${database}/item?pk=${key1}&sk=${key1}`,
      `${database}/repositories/repo_demo_events`,
      `${database}/repositories/repo_demo_events/entity?id=${id ?? ""}`,
      `${database}/repositories/repo_demo_events?filter=${key1}&filterValues=${key1}&sortBy=${key1}`,
      `${database}/sql?sql=SELECT+*+FROM+products&parameters=`,
      `${database}/sql?sql=${key1}&parameters=${key1}`,
      "/people",
      "/billing",
      `/traffic?own=true&caller=${key1}&status=${key1}`,
      "/traffic/1",
      "/time",
      "/faults",
      "/portal/org_demo_pro",
      `/checkout/${key1}`,
      `/portal/${key1}`,
      `/data?done=${key1}&organization=${key1}`,
    ];
    const shown = new Set<string>();
    for (const place of places) {
      await page.goto(at("texts", place));
      const found = await page.evaluate<{ title: string; made: number; inline: number; texts: string }>(
        `({ title: document.title, made: document.querySelectorAll(".made").length,
            inline: document.querySelectorAll("script:not([src])").length,
            texts: document.body.textContent + [...document.querySelectorAll("input,textarea")].map((one) => one.value) })`,
      );
      expect([found.title === "run", found.made, found.inline], place).toEqual([false, 0, 0]);
      if (found.texts.includes("<script>document.title=")) shown.add(place);
    }
    for (const place of places.slice(0, 9)) expect(shown, place).toContain(place);
    for (const place of ["/faults", "/billing", "/portal/org_demo_pro", "/time"])
      expect(shown, place).toContain(place);
    expect(complaints).toEqual([]);
    await close();
  });

  describe("against a page of another origin", () => {
    let foreign: Server;
    let foreignUrl: string;
    let body = "";
    beforeAll(async () => {
      foreign = createServer((_request, response) =>
        response.setHeader("Content-Type", "text/html").end(body),
      );
      await new Promise<void>((resolve) => foreign.listen(0, "127.0.0.1", resolve));
      foreignUrl = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`;
    });
    afterAll(() => foreign.close());

    /** The time without seconds, because the browser's request for an icon also advances the clock. */
    const now = () => emulator.clock.get().now.slice(0, 16);

    it("its forms change nothing", async () => {
      const before = now();
      for (const type of ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"]) {
        body = `<form method="post" enctype="${type}" action="${url}/_emulator/console/time">
          <input name="advance" value="P1D">
          <input name="_call" value='{"operation":"changeClock","done":"moved"}'><button>Go</button></form>`;
        const { page, close } = await open(foreignUrl);
        const answered = page.waitForResponse(/console\/time/);
        await page.getByRole("button").click();
        expect([type, (await answered).status()]).toEqual([type, 403]);
        await close();
      }
      expect(now()).toBe(before);
    });

    it("it can neither read, nor frame, nor embed a page", async () => {
      const before = emulator.journal.entries().length;
      body = `<iframe src="${url}/_emulator/console/data"></iframe><img src="${url}/_emulator/console/data">`;
      const { page, close } = await open(foreignUrl);
      const address = JSON.stringify(`${url}/_emulator/console/data`);
      for (const mode of ["cors", "no-cors"]) {
        const read = await page.evaluate<string>(
          `fetch(${address}, { mode: "${mode}" }).then(async (answer) => "read " + (await answer.text()), () => "nothing")`,
        );
        expect(["nothing", "read "]).toContain(read);
      }
      const framed = await Promise.all(
        page
          .frames()
          .slice(1)
          .map((frame) => frame.content()),
      );
      expect(framed.join("")).not.toContain("Data service");
      // the page did not even send the requests that read its data
      expect(emulator.journal.entries()).toHaveLength(before);
      await close();
    });

    it("a rebound host name gives no access", async () => {
      const { page, close } = await open(url.replace("127.0.0.1", reboundName) + "/_emulator/console");
      expect(await page.content()).not.toContain("Overview");
      expect(await page.content()).toContain(reboundName);
      await close();
    });

    it("visiting a page creates no namespace", async () => {
      body = `<img src="${url}/ns/made-by-a-visit/_emulator/console">`;
      const { close } = await open(foreignUrl);
      expect(emulator.namespaces.list().map(({ name }) => name)).not.toContain("made-by-a-visit");
      await close();
    });
  });

  it("does not exist when it is switched off", async () => {
    const without = await createEmulator({ console: false });
    expect((await without.fetch("/_emulator/console")).status).toBe(404);
    await without.close();
  });

  it("lets the emulator stop while the Traffic page is open", async () => {
    const other = await createEmulator();
    const address = new URL(`${await other.listen()}/_emulator/console/traffic/live`);
    const began = new Promise<void>((resolve) => request(address, () => resolve()).end());
    await began;
    await other.close();
  });
});
