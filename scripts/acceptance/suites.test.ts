import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build, type Plugin } from "esbuild";
import * as vitest from "vitest";
import * as connect from "../../emulator/connect.js";
import { builtCommand } from "../commands/testing/built-command.js";
import { exampleOf, examples, replaced, root } from "./guides.js";

/*
 * Runs the guide "In your test suite" as it stands. Vitest's examples run here, node:test and the shell
 * in processes of their own. Jest and Playwright are not installed: their tests run here on Vitest's functions of the
 * same names, which take the same arguments, their setup and configuration are executed, and their runners' part
 * (environment of the workers, starting the servers) is done by this file.
 */

const { afterAll, beforeAll, describe, expect, it } = vitest;
// in the tree, where the packages are found
const folder = mkdtempSync(join(root, "dist-test-"));
const running: ChildProcess[] = [];
afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

const guide = "emulator/guides/test-suites.md";
const names = examples.filter((example) => example.guide === guide).map(({ name }) => name);

/** Sources in a bundle find what lies beside them, wherever the bundle is. */
const whereTheyWere: Plugin = {
  name: "where-they-were",
  setup: (bundling) => {
    bundling.onLoad({ filter: /\.tsx?$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll(
        "import.meta.url",
        JSON.stringify(pathToFileURL(path).href),
      ),
      loader: path.endsWith("x") ? "tsx" : "ts",
    }));
  },
};

/** The file of an example, with some texts in place of others. */
function fileOf(name: string, replacements: Readonly<Record<string, string>> = {}): string {
  let text = exampleOf(guide, name);
  for (const [from, to] of Object.entries(replacements)) text = replaced(text, from, to);
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const load = (file: string) => import(/* @vite-ignore */ file) as Promise<{ readonly default: unknown }>;

/** Loads a test file and tells the titles that it registered. */
async function titlesIn(file: string): Promise<string[]> {
  const titles: string[] = [];
  // the tests of a file that is loaded within a `describe` belong to it
  vitest.beforeEach(({ task }) => void titles.push(task.name));
  await load(file);
  return titles;
}

it("the guide shows these examples", () => {
  expect(names).toEqual([
    "orders.test.ts",
    "hook.test.ts",
    "orders.node.mjs",
    "jest.setup.mjs",
    "jest.teardown.mjs",
    "orders.jest.js",
    "playwright.config.ts",
    "orders.spec.ts",
    "any-language.sh",
  ]);
});

describe("Vitest", async () => {
  const titles = await titlesIn(fileOf("orders.test.ts"));
  afterAll(() => expect(titles).toHaveLength(3));
});

describe("Vitest with the hook", async () => {
  const titles = await titlesIn(fileOf("hook.test.ts"));
  afterAll(() => expect(titles).toHaveLength(1));
});

it("node:test", async () => {
  const file = join(folder, "bundled.node.mjs");
  await build({
    entryPoints: [fileOf("orders.node.mjs")],
    outfile: file,
    alias: { "data-service-emulator": join(root, "emulator/index.ts") },
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    plugins: [whereTheyWere],
    logLevel: "error",
  });
  const { stdout } = await promisify(execFile)(process.execPath, ["--test", "--test-reporter=tap", file]);
  expect(stdout).toMatch(/^# pass 1$/m);
  expect(stdout).toMatch(/^# fail 0$/m);
});

describe("Jest", async () => {
  const url = process.env.DATA_SERVICE_URL;
  const setUp = (await load(fileOf("jest.setup.mjs"))).default as () => Promise<void>;
  const tearDown = (await load(fileOf("jest.teardown.mjs"))).default as () => Promise<void>;
  await setUp();
  process.env.JEST_WORKER_ID = "1";
  afterAll(async () => {
    await tearDown();
    delete process.env.JEST_WORKER_ID;
    if (url === undefined) delete process.env.DATA_SERVICE_URL;
    else process.env.DATA_SERVICE_URL = url;
  });
  // Jest's tests are CommonJS
  const require = () => connect;
  Object.assign(globalThis, { beforeEach: vitest.beforeEach, expect, test: vitest.test, require });
  const titles = await titlesIn(fileOf("orders.jest.js"));
  afterAll(() => {
    for (const name of ["beforeEach", "expect", "test", "require"]) Reflect.deleteProperty(globalThis, name);
    expect(titles).toHaveLength(2);
  });
});

describe("over the command line", () => {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  // `npx data-service` is the command of the package in this tree
  writeFileSync(join(bin, "npx"), `#!/bin/sh\nshift\nexec "${process.execPath}" "${builtCommand}" "$@"\n`, {
    mode: 0o755,
  });
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH ?? ""}` };

  it("any other language", async () => {
    const script = exampleOf(guide, "any-language.sh");
    const { stdout } = await promisify(execFile)("bash", ["-eu", "-c", `${script}\nwait`], {
      cwd: folder,
      env,
    });
    expect(JSON.parse(stdout)).toMatchObject({ pk: "settings", data: { code: "EUR" } });
    const { url } = JSON.parse(readFileSync(join(folder, "ready.json"), "utf8")) as { url: string };
    await expect(fetch(url)).rejects.toThrow();
  });

  describe("Playwright", async () => {
    const port = await freePort();
    const playwright = { '"@playwright/test"': JSON.stringify("./playwright.mjs") };
    writeFileSync(
      join(folder, "playwright.mjs"),
      `import { expect, test as base } from "vitest";
       export { expect };
       export const defineConfig = (config) => config;
       export const test = {
         extend: (fixtures) => base.extend(Object.fromEntries(Object.entries(fixtures).map(
           ([name, fixture]) => [name, async ({}, use) => fixture({}, use)])))
       };`,
    );
    const config = (await load(fileOf("playwright.config.ts", { ...playwright, 4100: String(port) })))
      .default as { webServer: { command: string; url: string; env?: Record<string, string> }[] };
    const [emulator, application] = config.webServer;
    beforeAll(async () => {
      const { command = "", url = "" } = emulator ?? {};
      const child = spawn("sh", ["-c", `exec ${command}`], { env, stdio: "ignore" });
      running.push(child);
      while (
        !(await fetch(url).then(
          ({ ok }) => ok,
          () => false,
        ))
      )
        await new Promise((resolve) => setTimeout(resolve, 20));
    });
    const titles = await titlesIn(fileOf("orders.spec.ts", { ...playwright, 4100: String(port) }));
    afterAll(() => {
      expect(titles).toHaveLength(1);
      expect(application?.env?.DATA_SERVICE_URL).toBe(`http://127.0.0.1:${port}/ns/app`);
    });
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
