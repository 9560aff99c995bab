import { existsSync, readFileSync, rmSync } from "node:fs";
import { execFile, spawnSync } from "node:child_process";
import { join, posix } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import type { SchemaObject } from "openapi3-ts/oas31";
import type { SeedDatabase, SeedRepository } from "../../fixtures/seed.js";
import { buildSeedSchema } from "../../emulator/seeds/build-seed-schema.js";
import { createEmulator, type Emulator } from "../../emulator/api/emulator.js";
import { faultKinds } from "../../openapi/control-plane/requests.js";
import { operationIds } from "../../openapi/operations/register.js";
import { findChromium } from "../../emulator/console/testing/find-chromium.js";
import { listTypeErrors } from "./testing/list-type-errors.js";
import {
  findExample,
  examples,
  guides,
  readGuide,
  replaceOnce,
  repositoryRoot,
} from "../development/contract/guides.js";
import {
  createCloneInstallation,
  installPackage,
  type PackageInstallation,
} from "./testing/package-installation.js";

/*
 * Runs every code block in the guides, both in a clone and in a project that has installed the package. To save time,
 * an emulator in this process replaces the one that a reader would start, and the suite runs only some checks. Jest is
 * not installed here; scripts/jest runs its example.
 */

const base = "http://127.0.0.1:4100";

// most tests start processes
vi.setConfig({ testTimeout: 180_000 });

/** Code blocks that other tests run, or that cannot run here, with the reason. */
const elsewhere: Readonly<Record<string, string>> = {
  "README.md: clone": "what .ci/run begins with",
  "README.md: install": "what the place `installed` has done",
  "README.md: start": "started below, in each place",
  "emulator/guides/containers.md: image":
    "needs a container engine: .ci/run builds the image where there is one",
  "emulator/guides/containers.md: Dockerfile": "needs a container engine",
  "emulator/README.md: data-service.config.json": "tried in scripts/commands/running.test.ts",
  "emulator/guides/middleware.md: traces.mjs": "packages of others, which are not installed",
  "emulator/guides/containers.md: testcontainers.ts": "npm run testcontainers compiles it",
  "emulator/guides/containers.md: CurrencyTest.java": "npm run testcontainers compiles it, where Maven is",
  "emulator/guides/containers.md: workflow.yaml": "another company's build service",
  "emulator/guides/containers.md: action.yaml": "another company's build service",
  "emulator/console/README.md: shop.mjs": "emulator/console/guide.browser.test.ts, in a browser",
  "emulator/console/README.md: upgrade.mjs": "emulator/console/guide.browser.test.ts, in a browser",
  "emulator/guides/test-suites.md: orders.test.js": "scripts/jest, where Jest is installed",
  "emulator/guides/test-suites.md: playwright.config.ts": "needs an application of yours",
  "emulator/guides/containers.md: nginx.conf": "another program's configuration",
  "openapi/guides/clients.md: generate": "another program, which needs Java; npm run clients tries it",
};

/** Numbers of entities and rows as words, as in the guide. */
const numberWords = ["no", "one", "two", "three", "four", "five", "six"];

/** Lists the fields of a seed file that the guide must name. */
function listFieldNames(schema: SchemaObject): string[] {
  const inside = ["settings", "subscription", "orders", "health", "ids"];
  const within = [
    ...(schema.anyOf ?? []),
    ...(schema.items === undefined ? [] : [schema.items]),
  ] as SchemaObject[];
  const own = Object.entries((schema.properties ?? {}) as Record<string, SchemaObject>).flatMap(
    ([name, member]) => [
      ...(name === "$schema" || name === "id" ? [] : [name]),
      ...(inside.includes(name) ? [] : listFieldNames(member)),
    ],
  );
  return [...own, ...within.flatMap(listFieldNames)];
}

let emulator: Emulator;
let url: string;
/** All tests use the same two folders, because packing and installing the package takes longer than most tests. */
let clone: PackageInstallation;
let project: PackageInstallation;
const tried = new Set<string>();

beforeAll(async () => {
  clone = createCloneInstallation();
  project = installPackage();
  emulator = await createEmulator();
  url = await emulator.listen();
}, 400_000);
afterAll(async () => {
  clone.remove();
  project.remove();
  await emulator.close();
});
beforeEach(() => emulator.reset());

/** Returns the text of an example, and marks it as tested. */
function takeExample(guide: string, name: string): string {
  tried.add(`${guide}: ${name}`);
  return findExample(guide, name);
}

/** Like `takeExample`, with the URL of the emulator in this process. */
const takeLocalExample = (guide: string, name: string) => replaceOnce(takeExample(guide, name), base, url);

const read = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as unknown);

describe.each(["in a clone", "installed"] as const)("the guides, %s", (name) => {
  let place: PackageInstallation;
  beforeAll(() => {
    place = name === "installed" ? project : clone;
  });

  it("name an existing command", async () => {
    const cwd = name === "installed" ? place.folder : repositoryRoot;
    const { stdout } = await promisify(execFile)("npx", ["--offline", "data-service", "--version"], { cwd });
    expect(stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it("link to existing files and headings", () => {
    const home =
      name === "installed" ? join(place.folder, "node_modules/data-service-emulator") : repositoryRoot;
    for (const guide of guides) {
      const text = readFileSync(join(home, guide), "utf8");
      for (const [, to = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(to)) continue;
        const [file = "", heading] = to.split("#");
        const target = file === "" ? guide : posix.join(posix.dirname(guide), file);
        expect(existsSync(join(home, target)), `${guide} leads to ${to}`).toBe(true);
        if (heading === undefined) continue;
        const headings = [...readFileSync(join(home, target), "utf8").matchAll(/^#+ (.*)$/gm)].map(
          ([, title = ""]) =>
            title
              .toLowerCase()
              .replaceAll(/[^\w\s-]/g, "")
              .replaceAll(" ", "-"),
        );
        expect(headings, `${guide} leads to ${to}`).toContain(heading);
      }
    }
  });

  it("start the emulator and send a request", async () => {
    const server = await place.start(`${findExample("README.md", "start").trim()} --port 0`);
    const first = replaceOnce(takeExample("README.md", "first request"), base, server.url);
    expect(read(await place.run(first))).toMatchObject([
      { pk: "settings", sk: "currency", data: { code: "EUR", digits: 2 } },
    ]);
    expect(await server.stop()).toBe(0);
  });

  it("add middleware with a configuration file", async () => {
    const file = place.write(
      "data-service.config.mjs",
      takeExample("emulator/guides/middleware.md", "data-service.config.mjs"),
    );
    const server = await place.start("npx data-service start --port 0");
    expect((await fetch(`${server.url}/health`)).headers.get("server")).toBe("data-service/4.2");
    expect(await server.stop()).toBe(0);
    rmSync(file);
  });

  it("load items, query, page, and let time pass", async () => {
    const lines = await place.run(takeLocalExample("emulator/guides/tour.md", "items"));
    expect(lines.slice(0, 12)).toEqual(
      Array.from({ length: 12 }, () => '{"successCount":25,"failedCount":0,"errors":null}'),
    );
    const [put, query, ...rest] = lines.slice(12);
    expect(JSON.parse(put ?? "")).toMatchObject({ pk: "customer#01", sk: "order#2030-01-01" });
    const orders = (JSON.parse(query ?? "") as { items: { sk: string; data: { total: number } }[] }).items;
    expect(orders.length).toBeGreaterThan(1);
    const keys = orders.map(({ sk }) => sk);
    expect(keys).toEqual(keys.toSorted().reverse());
    expect(orders.every(({ data }) => data.total > 50)).toBe(true);
    const pages = rest.slice(0, 4);
    expect(pages.map((line) => /"count":(\d+)/.exec(line)?.[1])).toEqual(["100", "100", "100", "1"]);
    expect(pages.map((line) => line.startsWith('"nextCursor":null'))).toEqual([false, false, false, true]);
    expect(read(rest.slice(4))).toMatchObject([
      { name: "shop", status: "Active", usage: { itemCount: 301 } },
      { mode: "manual" },
      { status: 401 },
    ]);
    expect(emulator.state().counts.databases).toBe(1);
  });

  it("create a repository and invite a member", async () => {
    const lines = await place.run(takeLocalExample("emulator/guides/tour.md", "repository and invitation"));
    expect(read(lines)).toMatchObject([
      { data: { title: "A Short History", pages: 212, inPrint: true }, version: 1 },
      { data: { title: "A Long One", pages: 980, inPrint: true }, version: 1 },
      { status: 400, errors: [{ pointer: "/data/title" }, { pointer: "/data/pages" }] },
      { entities: [{ data: { pages: 980 } }, { data: { pages: 212 } }], totalCount: 2, nextCursor: null },
      { email: "ada@example.test", role: "readonly", status: "pending", userId: null },
      { organizationId: "org_demo_pro", role: "readonly" },
      {
        organizations: [
          { organizationName: "Demo Pro", role: "readonly" },
          { organizationName: "Personal organization of Ada", role: "owner" },
        ],
      },
    ]);
  });

  it("save, break, compare, restore, fork, download and upload", async () => {
    const lines = await place.run(takeLocalExample("emulator/guides/namespaces.md", "namespaces"));
    const item = { pk: "settings", sk: "currency", data: { code: "EUR", digits: 2 } };
    const tidy = { name: "tidy", fixture: "demo" };
    const changes = { added: [], removed: [{ kind: "item", id: { pk: "settings", sk: "currency" } }] };
    const [worker1, worker2] = [{ name: "worker-1" }, { name: "worker-2" }];
    expect(read(lines)).toMatchObject([tidy, changes, item, worker1, worker2, item, tidy]);
    expect(emulator.namespaces.list().map(({ name: namespace }) => namespace)).toEqual([
      "default",
      "worker-2",
    ]);
    const begun = await createEmulator({ data: join(place.folder, "tidy.sqlite") });
    expect(begun.state().counts).toEqual(emulator.state().counts);
    await begun.close();
    emulator.namespaces.delete("worker-2");
  });

  it("keep data between starts", async () => {
    const line = `${takeExample("emulator/guides/namespaces.md", "keep the data").split("#")[0]?.trim() ?? ""} --port 0`;
    for (const status of ["200", "404"]) {
      const server = await place.start(line);
      const item = `${server.url}/api/v1/databases/db_demo/items/settings/currency`;
      const asked = `curl -s -o /dev/null -w '%{http_code}' ${item} -H 'Authorization: Bearer dsk_demo_all'`;
      expect(await place.run(asked)).toEqual([status]);
      await place.run(`${asked} -X DELETE`);
      expect(await server.stop()).toBe(0);
    }
  });

  it("report coverage, as text and as a page", async () => {
    const lines = await place.run(
      takeLocalExample("emulator/guides/coverage.md", "coverage of a running emulator"),
    );
    expect(lines.join("\n")).toMatch(/not covered:\n[^]*\noperations +\d+ of 72 /);
    expect(readFileSync(join(place.folder, "coverage.html"), "utf8")).toContain("<h1>Contract coverage</h1>");
  });

  it("inject faults and show the journal", async () => {
    const lines = await place.run(
      takeLocalExample("emulator/guides/faults-and-journal.md", "faults and journal"),
    );
    expect(read(lines)).toMatchObject([
      { match: { operationId: "putItem" }, fired: 0 },
      { status: 429 },
      { status: 429 },
      { pk: "retry" },
      { effect: { kind: "truncate" } },
      { effect: { kind: "latency" } },
      { faults: [{ fired: 2 }, { fired: 0 }, { fired: 0 }] },
      { entries: [{ operationId: "putItem", response: { status: 429, headers: { "retry-after": "2" } } }] },
    ]);
    expect(emulator.faults.list()).toEqual([]);
    await place.run(takeLocalExample("emulator/guides/faults-and-journal.md", "session as HAR"));
    const har = JSON.parse(readFileSync(join(place.folder, "session.har"), "utf8")) as {
      log: { entries: unknown[] };
    };
    expect(har.log.entries).toHaveLength(3);
  });

  it("select rows", async () => {
    const lines = await place.run(takeLocalExample("emulator/guides/sql.md", "select"));
    expect(read(lines)).toMatchObject([{ columns: [{ name: "seen_at" }, { name: "visitor" }] }]);
    const named = await place.run(takeLocalExample("openapi/guides/clients.md", "parameters"));
    expect(read(named)).toMatchObject([{ rowCount: 2, rows: [{ name: "Teapot" }, { name: "Mug" }] }]);
  });

  it("run an emulator in-process", async () => {
    place.write("in-process.mjs", takeExample("emulator/README.md", "in-process"));
    const lines = await place.run("node in-process.mjs");
    expect(lines.join("")).toMatch(/^200 .*code: 'EUR'/);
    place.write("remote.mjs", takeLocalExample("emulator/README.md", "from another process"));
    await place.run("node remote.mjs");
    const remote = emulator.namespace("checkout");
    expect(remote.faults.list()).toMatchObject([{ match: { operationId: "putItem" } }]);
    expect(remote.clock.get().now).toMatch(/^2030-01-08/);
    emulator.namespaces.delete("checkout");
  });

  it("start with a seed file and export one", async () => {
    const guide = "fixtures/README.md";
    place.write("short.yaml", takeExample(guide, "short.yaml"));
    const short = await createEmulator({ fixture: join(place.folder, "short.yaml") });
    expect(short.databases.list()).toMatchObject([{ databaseId: "db_shop", organizationId: "org_acme" }]);
    await short.close();
    place.write("seed.yaml", takeExample(guide, "seed.yaml"));
    place.write("own-data.mjs", takeExample(guide, "own-data.mjs"));
    expect((await place.run("node own-data.mjs")).join("")).toMatch(/^200 .*databaseId: 'db_shop'/);
    const server = await place.start(`${takeExample(guide, "own data").trim()} --port 0`);
    await place.run(replaceOnce(takeExample(guide, "export"), base, server.url));
    expect(await server.stop()).toBe(0);
    const exported = await createEmulator({ fixture: join(place.folder, "exported.yaml") });
    expect(exported.state().counts).toMatchObject({ users: 2, items: 2, entities: 1, sqlRows: 1 });
    await exported.close();
  });

  it("print schemas and the document of a profile, and start with it", async () => {
    place.write("profile.json", takeExample("openapi/guides/profiles.md", "profile.json"));
    const [schema = "", contract = "", start = ""] = takeExample("openapi/guides/profiles.md", "profile")
      .trim()
      .split("\n")
      .map((line) => line.split("#")[0]?.trim() ?? "");
    await place.run(`${schema}\n${contract}`);
    const [profileSchema, document] = ["profile.schema.json", "openapi.json"].map(
      (file) => JSON.parse(readFileSync(join(place.folder, file), "utf8")) as Record<string, object>,
    );
    expect(profileSchema?.properties).toHaveProperty("put-item-route");
    expect(document?.paths).toHaveProperty("/api/v1/databases/{databaseId}/items.post");
    const server = await place.start(`${start} --port 0`);
    expect(await place.run(`curl -s ${server.url}/_emulator/profile`)).toEqual([
      expect.stringContaining('"put-item-route":"POST /items"'),
    ]);
    expect(await server.stop()).toBe(0);
  });

  it("certify the emulator, and a deployment with a target file", async () => {
    // the whole suite takes half a minute and is tested elsewhere; the verdict of a partial run is never conformant
    const part = "--only health";
    const certify = takeLocalExample("README.md", "certify the emulator").trim();
    expect(certify.startsWith(takeLocalExample("conformance/README.md", "certify the emulator").trim())).toBe(
      true,
    );
    expect((await place.run(`${certify} ${part}`)).join("\n")).toMatch(/partial: the selected/);
    expect(existsSync(join(place.folder, "reports/report.html"))).toBe(true);
    place.write("target.yaml", takeLocalExample("conformance/README.md", "target.yaml"));
    const lines = await place.run(
      `${takeExample("conformance/README.md", "certify a target").trim()} ${part}`,
    );
    expect(lines.join("\n")).toMatch(/partial: the selected/);
    // the command line is the same in both folders
    if (name === "in a clone") return;
    place.write("target.yaml", takeLocalExample("conformance/README.md", "first-target.yaml"));
    const first = await place.run(
      `${takeExample("conformance/README.md", "certify a target").trim()} ${part}`,
    );
    expect(first.join("\n")).toMatch(/partial: the selected/);
    const shards = takeLocalExample("conformance/README.md", "shards").trim().split("\n");
    // the verdict of a shard depends only on its own checks
    for (const line of shards.slice(0, 2)) await place.run(`${line} --only plans`);
    expect((await place.run(shards[2] ?? "")).join("\n")).toMatch(/partial: the selected/);
    // to save time, observe only one gap
    const [observe = "", start = ""] = takeExample("conformance/README.md", "observe").trim().split("\n");
    await place.run(`${observe} --only put-item-route`);
    expect(JSON.parse(readFileSync(join(place.folder, "staging.json"), "utf8"))).toMatchObject({
      "put-item-route": "PUT /items",
    });
    const server = await place.start(`${start} --port 0`);
    expect(await server.stop()).toBe(0);
    const compare = takeExample("conformance/README.md", "compare").trim();
    expect((await place.run(`${compare} --only health`)).join("\n")).toContain("same: ");
    expect(existsSync(join(place.folder, "reports/compared.html"))).toBe(true);
  });
});

describe("in a project with the package installed", () => {
  const suites = () =>
    [
      ["currency.test.ts", takeExample("README.md", "currency.test.ts")],
      ["orders.test.ts", takeExample("emulator/guides/test-suites.md", "orders.test.ts")],
      ["sent.test.ts", takeExample("emulator/guides/test-suites.md", "sent.test.ts")],
      ["hook.test.ts", takeExample("emulator/guides/test-suites.md", "hook.test.ts")],
      ["redirect.test.ts", takeExample("emulator/guides/test-suites.md", "redirect.test.ts")],
      ["middleware.test.ts", takeExample("emulator/guides/middleware.md", "middleware.test.ts")],
      ...(["checks", "compare"] as const).map(
        (name) =>
          [
            `${name}.test.ts`,
            // to save time, run only some checks
            replaceOnce(
              takeLocalExample("conformance/README.md", `${name} in vitest`),
              '["items", "sql"]',
              '["health"]',
            ),
          ] as const,
      ),
    ] as const;

  const browserSuites = () => [
    ["shop.spec.ts", takeExample("emulator/guides/test-suites.md", "shop.spec.ts")] as const,
    ["server.spec.ts", takeLocalExample("emulator/guides/test-suites.md", "server.spec.ts")] as const,
  ];

  it("the Vitest suites pass, each test in its own namespace", async () => {
    const files = suites().map(([name, text]) => project.write(name, text));
    // one process for all suites, because each process would load Vitest and the package again
    const vitest = "node node_modules/vitest/vitest.mjs run --no-color --no-isolate --maxWorkers=1";
    project.write(
      "vitest.config.ts",
      takeExample("emulator/guides/coverage.md", "coverage in vitest.config.ts"),
    );
    const lines = await project.run(vitest, { CI: "true" });
    expect(lines.join("\n")).toMatch(/Contract coverage\noperations +\d+ of /);
    expect(lines.join("\n")).toMatch(new RegExp(`Test Files +${files.length} passed`));
  });

  it("every failed attempt of a Vitest test shows the last requests to its namespace, unless disabled", async () => {
    const failing = (entry: string, options: string) => `
      import { ${entry} } from "data-service-emulator/vitest";
      import { expect, test } from "vitest";
      ${entry === "useDataService" ? `const world = useDataService(${options}); const own = test;` : `const own = dataServiceTest(${options});`}
      let attempt = 0;
      own("fails", { retry: 1 }, async (${entry === "useDataService" ? "" : "{ dataService }"}) => {
        const { fetch, faults } = ${entry === "useDataService" ? "world()" : "dataService"};
        attempt += 1;
        await fetch("/api/v1/nowhere?attempt=" + attempt);
        faults.create({ effect: { kind: "status", status: 503 } });
        await fetch("/health");
        expect(attempt).toBe(0);
      });`;
    project.write("failing/a.test.ts", failing("dataServiceTest", ""));
    project.write("failing/b.test.ts", failing("useDataService", ""));
    project.write("failing/c.test.ts", failing("dataServiceTest", "{ shownRequests: 0 }"));
    const vitest = "node node_modules/vitest/vitest.mjs run --no-color --dir failing --maxWorkers=1";
    const text = (await project.run(`${vitest} 2>&1 || true`, { CI: "true" })).join("\n");
    expect(text).toContain("Tests  3 failed");
    const shown =
      /expected (\d) to be .*\s+The last requests to the data service:\n +GET \/api\/v1\/nowhere\?attempt=\1 → 404 \S+\n +GET \/health → 503 \(fault rule \S+\)/g;
    expect([...text.matchAll(shown)].map(([, attempt]) => attempt).sort()).toEqual(["1", "1", "2", "2"]);
  });

  it("the node:test suite passes", async () => {
    project.write("node/orders.test.mjs", takeExample("emulator/guides/test-suites.md", "orders.test.mjs"));
    expect(await project.run("cd node && node --test --test-reporter=tap")).toContain("# pass 1");
  });

  it.skipIf(findChromium() === undefined && process.env.CI === undefined)(
    "the suite of Playwright passes",
    async () => {
      for (const [name, text] of browserSuites()) project.write(name, text);
      const launchOptions = { executablePath: findChromium(), args: ["--no-sandbox"] };
      const config = {
        testMatch: "*.spec.ts",
        reporter: "line",
        workers: 2,
        fullyParallel: true,
        use: { launchOptions },
      };
      project.write("playwright.config.mjs", `export default ${JSON.stringify(config)};`);
      const lines = await project.run("node node_modules/@playwright/test/cli.js test", { CI: "true" });
      expect(lines.join("\n")).toContain("3 passed");
    },
  );

  it("the suite of pytest passes", async ({ skip }) => {
    for (const name of ["conftest.py", "test_currency.py"])
      project.write(`python/${name}`, takeExample("emulator/guides/test-suites.md", name));
    skip(spawnSync("pytest", ["--version"]).status !== 0, "pytest is not installed");
    const lines = await project.run("pytest -p no:cacheprovider --color=no python");
    expect(lines.join("\n")).toMatch(/\b2 passed in /);
  });

  it("a test in another language starts the emulator with its command", async () => {
    const lines = await project.run(
      `${takeExample("emulator/guides/test-suites.md", "any-language.sh")}\nwait`,
    );
    expect(read(lines)).toMatchObject([{ pk: "settings", data: { code: "EUR" } }]);
    const { url: ended } = JSON.parse(readFileSync(join(project.folder, "ready.json"), "utf8")) as {
      url: string;
    };
    await expect(fetch(ended)).rejects.toThrow();
  });

  it("the TypeScript examples compile under strict rules, and fail to with a mistake", () => {
    const client = takeLocalExample("openapi/guides/typed-client.md", "typed client");
    const mistaken = [
      ["misspells-a-member.ts", 'password: "demo-password"', 'pasword: "demo-password"'],
      ["reads-what-no-answer-has.ts", "put.data?.updatedAt", "put.data?.version"],
      ["knows-no-such-path.ts", "/items/query", "/items/find"],
      ["leaves-a-parameter-out.ts", "{ databaseId, ...order }", "{ databaseId }"],
      ["names-no-such-action.ts", 'action: "Update"', 'action: "Upsert"'],
    ] as const;
    for (const [name, text] of [...suites(), ...browserSuites()]) project.write(name, text);
    project.write("typed-client.ts", client);
    const data = takeExample("openapi/guides/typed-client.md", "typed data");
    project.write("typed-data.ts", data);
    project.write("reads-what-no-setting-has.ts", replaceOnce(data, "data.digits", "data.price"));
    project.write("in-process.ts", findExample("emulator/README.md", "in-process"));
    for (const [name, right, wrong] of mistaken) project.write(name, replaceOnce(client, right, wrong));
    // one program for valid and invalid files, because loading the imported types takes the longest
    expect(listTypeErrors(project.folder)).toEqual(
      [...mistaken.map(([name]) => name), "reads-what-no-setting-has.ts"].sort(),
    );
  });

  it("a CommonJS module can import types as the guide says", async () => {
    const text = takeExample("emulator/guides/test-suites.md", "types.cts");
    project.write("types.cts", text);
    project.write("types-only.cts", replaceOnce(text, ' with { "resolution-mode": "import" }', ""));
    project.write("values.cts", 'import { test } from "data-service-emulator/vitest";\ntest.skip("none");\n');
    const tsc = `node ${join(repositoryRoot, "node_modules/typescript/bin/tsc")} --noEmit --strict --skipLibCheck`;
    const compile = (module: string) =>
      project.run(`${tsc} --target es2022 --module ${module} types.cts types-only.cts values.cts || true`);
    const errors = (await compile("node16")).join("\n").matchAll(/^(\S+)\(.*error (TS\d+)/gm);
    expect(Array.from(errors, ([, file, code]) => `${file} ${code}`)).toEqual([
      "types-only.cts TS1541",
      "values.cts TS1479",
    ]);
    expect(await compile("node20")).toEqual([]);
  });

  it("its types add no global types to a browser project", () => {
    const entries = ["", "/connect", "/conformance", "/jest"].map((entry) => `data-service-emulator${entry}`);
    const imports = entries.map((entry, index) => `export * as all${index} from "${entry}";`);
    // with Node's types, a timer is an object
    const timer = "export const timer: number = setTimeout(() => undefined, 1);";
    project.write("in-a-browser.ts", [...imports, timer].join("\n"));
    expect(listTypeErrors(project.folder, ["in-a-browser.ts"])).toEqual([]);
  });

  it("the typed client works", async () => {
    const client = takeLocalExample("openapi/guides/typed-client.md", "typed client");
    const { code } = await transform(client, { loader: "ts" });
    project.write("typed-client.mjs", code);
    expect(await project.run("node typed-client.mjs")).toEqual([
      expect.stringMatching(/^written at 2030-01-01T00:00:00\.\d{3}Z$/),
      "found order#2030-01-01 42.5",
      "applied 2 null",
      "deleted 204",
    ]);
  });
});

describe("all guides", () => {
  it("start containers with a valid command line", async () => {
    const compose = parse(takeExample("emulator/guides/containers.md", "compose.yaml")) as {
      services: { "data-service": { command: string[] } };
    };
    const { command } = compose.services["data-service"];
    const line = replaceOnce(command.join(" "), "0.0.0.0", "127.0.0.1");
    const server = await clone.start(`npx data-service ${line} --port 0`);
    expect(await server.stop()).toBe(0);
  });

  it("merge as many shards as the matrix runs", () => {
    const { certify, verdict } = (
      parse(takeExample("conformance/README.md", "shards in a matrix")) as {
        jobs: Record<
          "certify" | "verdict",
          { strategy?: { matrix: { shard: number[] } }; steps: { run?: string }[] }
        >;
      }
    ).jobs;
    const shards = certify.strategy?.matrix.shard ?? [];
    const lines = [...certify.steps, ...verdict.steps].map(({ run = "" }) => run).join("\n");
    expect(lines).toContain(`--shard \${{ matrix.shard }}/${shards.length} `);
    expect(lines).toContain(`certify merge ${shards.map((shard) => `shard-${shard}`).join(" ")} `);
  });

  it("have a row for every fault effect", () => {
    const text = readGuide("emulator/guides/faults-and-journal.md");
    for (const kind of faultKinds) expect(text).toMatch(new RegExp(`^\\| \`${kind}\``, "m"));
  });

  it("name every operation that is served", () => {
    const text = readGuide("emulator/README.md");
    const table = text.slice(text.indexOf("## What is served"));
    for (const id of operationIds) expect(table, id).toMatch(new RegExp(`\\b${id}\\b`));
  });

  it("list every user and key of the demo fixture", () => {
    const { users, apiKeys } = emulator.state().credentials;
    const text = readGuide("fixtures/README.md");
    for (const { email } of users) expect(text).toContain(`\`${email}\``);
    for (const { key } of apiKeys) expect(text).toContain(`\`${key}\``);
  });

  it("describe the demo fixture", () => {
    const text = readGuide("fixtures/README.md");
    const row = (kind: string, name: string) =>
      text.split("\n").find((line) => line.startsWith(`| ${kind} `) && line.includes(name)) ?? "none";
    const demo = parse(readGuide("fixtures/demo.yaml")) as { databases: SeedDatabase[] };
    const [database] = demo.databases;
    const [listed] = emulator.databases.list();
    expect(text).toContain(`the database \`${listed?.databaseId}\` of \`${listed?.organizationId}\``);
    for (const { pk } of database?.items ?? []) expect(row("items", `\`${pk}\``)).not.toBe("none");
    for (const repository of database?.repositories ?? []) {
      const { name, id, entities } = repository as SeedRepository;
      expect(row("repository", `\`${name}\` (\`${id}\`)`)).toContain(
        `${numberWords[entities?.length ?? 0]} `,
      );
    }
    for (const { create, rows } of database?.tables ?? [])
      expect(row("SQL table", `\`${create.split(" ")[2]}\``)).toContain(
        `${numberWords[rows?.length ?? 0]} rows`,
      );
  });

  it("name every field of a seed file", () => {
    const text = readGuide("fixtures/README.md");
    const table = text.slice(text.indexOf("| part "), text.indexOf("`npx data-service schema seed`"));
    for (const name of listFieldNames(buildSeedSchema()))
      expect(table, name).toMatch(new RegExp(`\`${name}\``));
  });

  it("keep the README short", () => {
    expect(readGuide("README.md").split("\n").length).toBeLessThan(250);
  });

  // this test must be the last one in the file
  it("have a test for every block of code", () => {
    const names = examples.map(({ guide, name }) => `${guide}: ${name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !tried.has(name) && !(name in elsewhere))).toEqual([]);
    expect(Object.keys(elsewhere).filter((name) => !names.includes(name))).toEqual([]);
  });
});
