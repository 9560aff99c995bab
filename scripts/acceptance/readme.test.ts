import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEmulator, type Emulator } from "../../emulator/api/emulator.js";
import { faultKinds } from "../../openapi/control-plane/fault-schemas.js";
import { serviceOperations } from "../../openapi/operations/service.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const readme = readFileSync(`${root}/README.md`, "utf8");

describe("the README", () => {
  let emulator: Emulator;
  let url: string;
  const folder = mkdtempSync(join(tmpdir(), "readme-"));
  beforeAll(async () => {
    emulator = await createEmulator();
    url = await emulator.listen();
  });
  afterAll(async () => {
    await emulator.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("has a quick start that does what it says", async () => {
    const script = /<!-- quick start -->\s+```sh\n(.*?)```/s.exec(readme)?.[1] ?? "";
    expect(script).toContain("BASE=http://127.0.0.1:4100");
    const lines = await run(script.replace("http://127.0.0.1:4100", url));
    const loaded: string[] = lines.filter(
      (line) => line === '{"successCount":25,"failedCount":0,"errors":null}',
    );
    expect(loaded).toHaveLength(12);
    const answers = lines.filter((line) => !line.startsWith('{"successCount"'));
    const [put, query, ...rest] = answers;
    expect(JSON.parse(put ?? "")).toMatchObject({ pk: "customer#0001", sk: "order#2030-01-01" });
    const orders = (JSON.parse(query ?? "") as { items: { sk: string; data: { total: number } }[] }).items;
    expect(orders.length).toBeGreaterThan(1);
    expect(orders.map(({ sk }) => sk)).toEqual(
      orders
        .map(({ sk }) => sk)
        .sort()
        .reverse(),
    );
    expect(orders.every(({ data }) => data.total > 50)).toBe(true);
    const pages = rest.slice(0, 4);
    expect(pages.map((line) => /"count":(\d+)/.exec(line)?.[1])).toEqual(["100", "100", "100", "1"]);
    expect(pages.map((line) => line.startsWith('"nextCursor":null'))).toEqual([false, false, false, true]);
    expect(JSON.parse(rest[4] ?? "")).toMatchObject({
      name: "shop",
      status: "Active",
      usage: { itemCount: 301 },
    });
    expect(JSON.parse(rest[5] ?? "")).toMatchObject({ mode: "manual" });
    expect(JSON.parse(rest[6] ?? "")).toMatchObject({ status: 401 });
    expect(rest).toHaveLength(7);
    expect(emulator.state().counts.databases).toBe(1);
  });

  it("leads a newcomer through a repository and an invitation", async () => {
    emulator.reset();
    const script = /<!-- repository and invitation -->\s+```sh\n(.*?)```/s.exec(readme)?.[1] ?? "";
    expect(script).toContain("BASE=http://127.0.0.1:4100");
    const answers = (await run(script.replace("http://127.0.0.1:4100", url))).map(
      (line) => JSON.parse(line) as unknown,
    );
    expect(answers).toMatchObject([
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

  it("saves, breaks, restores, forks, downloads and uploads", async () => {
    emulator.reset();
    const script = /<!-- worlds -->\s+```sh\n(.*?)```/s.exec(readme)?.[1] ?? "";
    expect(script).toContain("BASE=http://127.0.0.1:4100");
    const file = join(folder, "tidy.sqlite");
    const answers = (
      await run(script.replace("http://127.0.0.1:4100", url).replaceAll("tidy.sqlite", file))
    ).map((line) => JSON.parse(line) as unknown);
    const item = { pk: "settings", sk: "currency", data: { code: "EUR", digits: 2 } };
    const tidy = { name: "tidy", fixture: "demo" };
    expect(answers).toMatchObject([tidy, item, { name: "worker-1" }, { name: "worker-2" }, item, tidy]);
    expect(emulator.namespaces.list().map(({ name }) => name)).toEqual(["default", "worker-2"]);
    const begun = await createEmulator({ data: file });
    expect(begun.state().counts).toEqual(emulator.state().counts);
    await begun.close();
  });

  it("shows faults and the journal with commands that do what they say", async () => {
    emulator.reset();
    const script = /<!-- faults and journal -->\s+```sh\n(.*?)```/s.exec(readme)?.[1] ?? "";
    expect(script).toContain("BASE=http://127.0.0.1:4100");
    const answers = (await run(script.replace("http://127.0.0.1:4100", url))).map(
      (line) => JSON.parse(line) as unknown,
    );
    expect(answers).toMatchObject([
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
  });

  it("has a row for every effect of fault rules", () => {
    for (const kind of faultKinds) expect(readme).toMatch(new RegExp(`^\\| \`${kind}\``, "m"));
  });

  it("names every operation that is served", () => {
    const table = readme.slice(readme.indexOf("## What is served"));
    for (const id of Object.keys(serviceOperations)) expect(table, id).toMatch(new RegExp(`\\b${id}\\b`));
  });

  it("has an in-process example that works", async () => {
    const example = /```ts\n(.*?)```/s.exec(readme)?.[1] ?? "";
    expect(example).toContain("createEmulator");
    const inner = await createEmulator({ fixture: "demo" });
    const answer = await inner.fetch("/api/v1/databases/db_demo/items/settings/currency", {
      headers: { Authorization: "Bearer dsk_demo_database_read" },
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { data: { code: "EUR", digits: 2 } }]);
    await inner.close();
  });

  it("lists every user and key of the demo fixture", () => {
    const { users, apiKeys } = emulator.state().credentials;
    for (const { email } of users) expect(readme).toContain(`\`${email}\``);
    for (const { key } of apiKeys) expect(readme).toContain(`\`${key}\``);
  });
});

async function run(script: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)("bash", ["-eu", "-c", script], { cwd: root });
  return stdout.split("\n").filter((line) => line !== "");
}
