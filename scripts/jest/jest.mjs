/**
 * Tests `data-service-emulator/jest` in a project that has the built package: Jest's example of the guide "In your test
 * suite", the environment jsdom, and the types. `npm run jest` installs Jest first.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const root = here("../..");
const guide = readFileSync(join(root, "emulator/guides/test-suites.md"), "utf8");
const example = /<!-- example: orders\.test\.js -->\s+```js\n(.*?)```/s.exec(guide)?.[1];
if (example === undefined) throw new Error("the guide has no example named orders.test.js");

const jsdom = `/** @jest-environment jsdom */
const { connectEmulator } = require("data-service-emulator/connect");
const { useDataService } = require("data-service-emulator/jest");
// jsdom 20, which belongs to Jest 29, does not have it
delete URL.canParse;
const dataService = useDataService();

test("an environment without fetch", async () => {
  expect([typeof document, typeof fetch, typeof TextDecoder]).toEqual(["object", "undefined", "undefined"]);
  const body = JSON.stringify({ pk: "a", data: { text: "ä" } });
  const headers = new Headers({ Authorization: "Bearer dsk_demo_all", "Content-Type": "application/json" });
  const url = new URL("/api/v1/databases/db_demo/items", dataService().url);
  expect((await dataService().fetch(url, { method: "PUT", headers, body })).status).toBe(200);
  await expect(dataService()).toHaveReceived("putItem", { body: { data: { text: "ä" } } });
  expect((await dataService().journal.har()).log.entries).toHaveLength(1);
  const bytes = await dataService().export();
  await dataService().reset();
  expect(await dataService().snapshots.upload("mine", bytes)).toMatchObject({ name: "mine" });
  await expect(dataService().clock.advance("soon")).rejects.toThrow("must be a duration such as 90s");
  expect((await connectEmulator(dataService().url)).name).toBe(dataService().name);
  await expect(connectEmulator("http://127.0.0.1:1")).rejects.toThrow("no emulator responds");
});
`;

const concurrent = `const { useDataService } = require("data-service-emulator/jest");
const dataService = useDataService();

test("a test of its own", () => expect(dataService().name).toContain("jest-"));
test.concurrent("a concurrent test", async () => {
  expect(() => dataService()).toThrow("test.concurrent");
});
`;

const types = `import { expect, test } from "@jest/globals";
import { useDataService } from "data-service-emulator/jest";
const dataService = useDataService();
test("a matcher", async () => {
  const result: Promise<void> = expect(dataService()).toHaveReceivedTimes("putItem", 0);
  await result;
  // @ts-expect-error there is no such operation
  await expect(dataService()).not.toHaveReceived("putItems");
});
`;

const compilerOptions = {
  module: "nodenext",
  target: "es2022",
  strict: true,
  noEmit: true,
  types: ["node"],
  typeRoots: [join(root, "node_modules/@types")],
  // so that the package finds Jest in this project
  preserveSymlinks: true,
};

const project = mkdtempSync(here("project-"));
try {
  mkdirSync(join(project, "node_modules"));
  symlinkSync(root, join(project, "node_modules/data-service-emulator"));
  const write = (file, text) => writeFileSync(join(project, file), text);
  write("orders.test.js", example);
  write("jsdom.test.js", jsdom);
  write("concurrent.test.js", concurrent);
  write("types.ts", types);
  write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  write("package.json", '{ "private": true }');
  run(here("../../dist/cli.js"), "exec", "--", process.execPath, here("node_modules/jest/bin/jest.js"));
  run(here("../../node_modules/typescript/bin/tsc"), "--project", project);
} finally {
  rmSync(project, { recursive: true, force: true });
}

/** Runs a Node script in the project. @param {string[]} words */
function run(...words) {
  const { status } = spawnSync(process.execPath, words, { cwd: project, stdio: "inherit" });
  if (status !== 0) process.exitCode = status ?? 1;
}
