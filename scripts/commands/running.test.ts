import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEmulator, type Emulator } from "../../emulator/api/emulator.js";
import { escapeInvisible } from "../../openapi/text/escape-invisible.js";
import { builtCommand, Launcher } from "./testing/built-command.js";
import { runInProcess } from "./testing/run-in-process.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "running-"));
/** The working directory of the commands, which contains the configuration file. */
let cwd: string;
let count = 0;
const launcher = new Launcher();

beforeEach(() => {
  cwd = join(folder, `work-${(count += 1)}`);
  mkdirSync(cwd);
});
afterEach(() => launcher.killAll());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Launch {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: "ignore" | "pipe";
}
const launch = (args: readonly string[], options: Launch = {}) => launcher.launch(args, { cwd, ...options });
const here = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runInProcess(args, { cwd, env });

/** Returns the command that runs a script with Node. */
const script = (text: string) => [process.execPath, "--input-type=module", "--eval", text];
const ready = async ({ firstLine }: { readonly firstLine: Promise<string> }) =>
  JSON.parse(await firstLine) as { url: string; seed: number; pid: number };

describe("data-service start --persist", () => {
  const headers = { authorization: "Bearer dsk_demo_all", "content-type": "application/json" };
  const items = "/api/v1/databases/db_demo/items";
  const put = (url: string, pk: string) =>
    fetch(url + items, { method: "PUT", headers, body: JSON.stringify({ pk, data: {} }) });
  const has = async (url: string, pk: string) => (await fetch(`${url}${items}/${pk}`, { headers })).ok;
  const args = ["start", "--json", "--port", "0", "--persist", "data"];

  it("keeps all namespaces except deleted ones", async () => {
    const first = launch(args);
    const { url } = await ready(first);
    for (const at of [url, `${url}/ns/shop`, `${url}/ns/Shop`, `${url}/ns/gone`])
      await put(at, at.slice(url.length + 4));
    await fetch(`${url}/_emulator/clock`, { method: "PATCH", headers, body: '{"advance":"P1D"}' });
    await expect.poll(() => readdirSync(join(cwd, "data"))).toContain("gone.sqlite");
    await fetch(`${url}/_emulator/namespaces/gone`, { method: "DELETE" });
    first.child.kill("SIGTERM");
    expect((await first.ended).code).toBe(0);
    expect(readdirSync(join(cwd, "data")).sort()).toEqual(["=shop.sqlite", "default.sqlite", "shop.sqlite"]);
    const second = launch(["start", "--port", "0", "--persist", "data", "--clock", "system"]);
    expect(await second.firstLine).toContain(", state from data, ");
    second.child.kill("SIGTERM");
    const { stdout, stderr } = await second.ended;
    expect(stdout).toContain("loaded from data and saved there; a reset restores the fixture demo");
    expect(stderr).toContain("--seed and --clock apply only to new namespaces");
    const { url: again } = await ready(launch(args));
    expect(await has(`${again}/ns/shop`, "shop")).toBe(true);
    expect(await has(`${again}/ns/Shop`, "Shop")).toBe(true);
    expect(await has(`${again}/ns/Shop`, "shop")).toBe(false);
    const { clock } = (await (await fetch(`${again}/_emulator`)).json()) as { clock: { now: string } };
    expect(clock.now).toMatch(/^2030-01-02/);
    await fetch(`${again}/ns/shop/_emulator/reset`, { method: "POST", headers, body: "{}" });
    expect(await has(`${again}/ns/shop`, "shop")).toBe(false);
  });

  it("opens after a kill with everything up to some moment", async () => {
    for (const enough of [1, 30]) {
      const { child, ended, firstLine } = launch(args);
      const { url } = JSON.parse(await firstLine) as { url: string };
      const before = (await has(url, "n0")) ? 100 : 0;
      let sent = 0;
      let firstSentAt = Infinity;
      const isSaved = () =>
        (statSync(join(cwd, "data/default.sqlite"), { throwIfNoEntry: false })?.mtimeMs ?? 0) > firstSentAt;
      while (sent < enough || !isSaved()) {
        await put(url, `n${before + sent++}`);
        firstSentAt = Math.min(firstSentAt, Date.now());
      }
      child.kill("SIGKILL");
      await ended;
      const { url: again } = await ready(launch(args));
      const there = [];
      for (let number = 0; number < sent; number += 1) there.push(await has(again, `n${before + number}`));
      const kept = there.filter((is) => is).length;
      expect(there.slice(0, kept)).not.toContain(false);
      expect(there[0]).toBe(true);
      launcher.killAll();
    }
  });

  it("refuses a folder in use, and a file in place of a folder", async () => {
    const running = launch(args);
    const { pid } = await ready(running);
    const refused = await here(["start", "--persist", "data"]);
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`another emulator (process ${pid}) is using it`) as unknown,
    });
    running.child.kill("SIGKILL");
    await running.ended;
    writeFileSync(join(cwd, "data/shop.sqlite"), "no state");
    const damaged = await launch(args).ended;
    expect([damaged.code, damaged.stderr]).toEqual([2, expect.stringContaining("data/shop.sqlite: ")]);
    expect(await here(["start", "--persist", "data", "--data", "x"])).toMatchObject({ code: 2 });
  });
});

describe("data-service start --watch", () => {
  const seed = (name: string) => JSON.stringify({ users: ["ada@acme.test"], organizations: [{ name }] });
  const namesAt = async (url: string) => {
    const { organizations } = (await (await fetch(`${url}/_emulator/organizations`)).json()) as {
      organizations: { name: string }[];
    };
    return organizations.map(({ name }) => name);
  };

  it("resets to a changed seed file, and keeps the data while the file is invalid", async () => {
    const file = join(cwd, "seed.json");
    writeFileSync(file, seed("First"));
    const run = launch(["start", "--json", "--port", "0", "--fixture", "seed.json", "--watch"]);
    let said = "";
    run.child.stderr?.on("data", (text: Buffer) => (said += text.toString()));
    const { url } = await ready(run);
    expect(await namesAt(url)).toContain("First");
    writeFileSync(file, seed("Second"));
    await expect.poll(() => said).toContain("seed.json has changed");
    expect(await namesAt(url)).toContain("Second");
    // a new modification time without a change has no effect
    utimesSync(file, new Date(), new Date(Date.now() + 5000));
    await new Promise((resolve) => setTimeout(resolve, 1000));
    writeFileSync(file, '{\n  "organisations": ["Third"]\n}');
    await expect.poll(() => said).toContain("The data was not changed");
    expect(said).toMatch(/seed\.json.*2.*organisations/s);
    expect(said.split("has changed")).toHaveLength(2);
    expect(await namesAt(url)).toContain("Second");
    writeFileSync(file, seed("Second"));
    await expect.poll(() => said).toContain("seed.json has its previous content again");
    rmSync(file);
    await expect.poll(() => said).toContain("does not exist");
    expect(await namesAt(url)).toContain("Second");
  });

  it("saves reset namespaces in the folder of --persist", async () => {
    const file = join(cwd, "seed.json");
    const args = ["start", "--json", "--port", "0", "--fixture", "seed.json", "--persist", "kept"];
    writeFileSync(file, seed("First"));
    const run = launch([...args, "--watch"]);
    let said = "";
    run.child.stderr?.on("data", (text: Buffer) => (said += text.toString()));
    const { url } = await ready(run);
    // after a request, the folder contains a file
    await namesAt(url);
    await expect.poll(() => readdirSync(join(cwd, "kept"))).toContain("default.sqlite");
    writeFileSync(file, seed("Second"));
    await expect.poll(() => said).toContain("seed.json has changed");
    expect(said).not.toContain("loaded from kept");
    run.child.kill("SIGTERM");
    expect((await run.ended).code).toBe(0);
    const unchanged = launch([...args, "--watch"]);
    await ready(unchanged);
    expect(unchanged.shownErrors()).toBe("");
    unchanged.child.kill("SIGTERM");
    expect((await unchanged.ended).code).toBe(0);
    writeFileSync(file, seed("Third"));
    const again = launch([...args, "--watch"]);
    const { url: urlAgain } = await ready(again);
    expect(await namesAt(urlAgain)).toContain("Second");
    expect(again.shownErrors()).toContain(
      "seed.json has changed, but the emulator uses the older data in kept. To load",
    );
    expect((await here(["reset", "--url", urlAgain])).code).toBe(0);
    expect(await namesAt(urlAgain)).toContain("Third");
  });

  it("requires a valid file", async () => {
    writeFileSync(join(cwd, "seed.json"), '{"organisations":[]}');
    for (const [args, message] of [
      [[], "--watch needs a seed file"],
      [["--fixture", join(cwd, "seed.json")], "The emulator has not started, so --watch has no effect"],
    ] as const)
      expect(await here(["start", "--watch", ...args])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(message) as unknown,
      });
  });
});

describe("data-service exec", () => {
  it("passes the URL, credentials and a database to the command, and exits with its code", async () => {
    const text = `
      const { DATA_SERVICE_URL: url, DATA_SERVICE_API_KEY: key, DATA_SERVICE_DATABASE_ID: database, DATA_SERVICE_EMAIL: email, DATA_SERVICE_PASSWORD: password } = process.env;
      const item = await fetch(url + "/api/v1/databases/" + database + "/items/settings/currency", { headers: { Authorization: "Bearer " + key } });
      const login = await fetch(url + "/auth/password", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ email, password }) });
      console.log(JSON.stringify({ url, item: item.status, login: (await login.json()).status, given: process.argv.slice(1) }));
      process.exit(7);`;
    const { code, stdout } = await launch(["exec", "--", ...script(text), "--", "--port", "x"]).ended;
    const said = JSON.parse(stdout) as { url: string };
    expect([code, said]).toMatchObject([7, { item: 200, login: "Success", given: ["--port", "x"] }]);
    await expect(fetch(said.url)).rejects.toThrow();
  });

  it("exports the data when the command ends, takes options, and logs to standard error", async () => {
    const text = `await fetch(process.env.DATA_SERVICE_URL + "/nowhere"); await fetch(process.env.DATA_SERVICE_URL + "/health");`;
    const options = ["--fixture", "empty", "--log", "problems", "--export-on-exit", "after.sqlite"];
    const { code, stdout, stderr } = await launch(["exec", ...options, "--", ...script(text)]).ended;
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toMatch(
      /^data-service: DATA_SERVICE_API_KEY is not set because the starting data has no valid API key\n404 {2}GET {5}\/nowhere .*\n {5}There is no operation at \/nowhere/,
    );
    expect(stderr).not.toContain("/health");
    const again = launch(["start", "--json", "--port", "0", "--data", "after.sqlite"]);
    expect(await ready(again)).toMatchObject({ fixture: "empty" });
  });

  it("passes the first seeded key if none has all scopes, and names it", async () => {
    const seed = {
      organizations: ["Acme"],
      users: [{ email: "ada@acme.test", password: "acme-password" }],
      apiKeys: [
        {
          name: "writer",
          organization: "Acme",
          key: "dsk_writer",
          scopes: ["database:read", "database:write"],
        },
        { name: "entities", organization: "Acme", key: "dsk_entities", scopes: ["repository:*"] },
        {
          name: "old",
          organization: "Acme",
          key: "dsk_old",
          scopes: ["*"],
          expiresAt: "2029-01-01T00:00:00Z",
        },
      ],
    };
    writeFileSync(join(cwd, "keys.json"), JSON.stringify(seed));
    const print = script("console.log(process.env.DATA_SERVICE_API_KEY)");
    const { stdout, stderr } = await launch(["exec", "--fixture", "keys.json", "--", ...print]).ended;
    expect(stdout).toBe("dsk_writer\n");
    expect(stderr).toBe(
      'data-service: DATA_SERVICE_API_KEY is the key "writer" of org_acme; it has only the scopes database:read, database:write\n',
    );
  });

  it("prefers a key of an organization with databases, and passes no credential from outside", async () => {
    const seed = {
      organizations: ["Bare", "Shop"],
      databases: [{ name: "orders", organization: "Shop" }],
      users: [{ email: "ada@acme.test", password: "acme-password" }],
      apiKeys: [
        { scopes: ["*"], name: "bare", organization: "Bare", key: "dsk_bare" },
        { scopes: ["database:read"], name: "shop", organization: "Shop", key: "dsk_shop" },
      ],
    };
    writeFileSync(join(cwd, "shops.json"), JSON.stringify(seed));
    const print = script("console.log(process.env.DATA_SERVICE_API_KEY)");
    const run = async (fixture: string) =>
      (
        await launch(["exec", "--fixture", fixture, "--", ...print], {
          env: { DATA_SERVICE_API_KEY: "dsk_real" },
        }).ended
      ).stdout;
    expect([await run("shops.json"), await run("empty")]).toEqual(["dsk_shop\n", "undefined\n"]);
  });

  it("does not pass credentials that are invalid in an environment", async () => {
    const users = [{ email: "a\0@acme.test" }, { email: "ada@acme.test" }];
    writeFileSync(join(cwd, "odd.json"), JSON.stringify({ users }));
    const print = script("console.log(process.env.DATA_SERVICE_EMAIL)");
    const { code, stdout } = await launch(["exec", "--fixture", "odd.json", "--", ...print]).ended;
    expect([code, stdout]).toEqual([0, "ada@acme.test\n"]);
  });

  it("forwards signals, and names a command that does not exist", async () => {
    const text = `process.on("SIGTERM", () => process.exit(9)); console.log("up"); setInterval(() => {}, 1000);`;
    const { child, ended, firstLine } = launch(["exec", "--", ...script(text)]);
    await firstLine;
    child.kill("SIGTERM");
    expect((await ended).code).toBe(9);
    const killed = launch(["exec", "--", ...script(`process.kill(process.pid, "SIGKILL")`)]);
    expect((await killed.ended).code).toBe(137);
    const { code, stderr } = await launch(["exec", "--", "no-such-command"]).ended;
    expect([code, stderr]).toEqual([127, 'data-service: cannot run "no-such-command": command not found\n']);
    for (const command of ["", join(process.execPath, "node")]) {
      const refused = await launch(["exec", "--export-on-exit", "after.sqlite", "--", command]).ended;
      expect([refused.code, existsSync(join(cwd, "after.sqlite"))]).toEqual([126, true]);
      expect(refused.stderr).toMatch(/^data-service: cannot run ".*": .*\n$/);
      rmSync(join(cwd, "after.sqlite"));
    }
    expect((await here(["exec"])).code).toBe(2);
  });
});

describe("output whose reader has closed it", () => {
  it("does not end an emulator, which exports its data at its end", async () => {
    const args = ["start", "--json", "--log", "requests", "--port", "0", "--export-on-exit", "after.sqlite"];
    const { child, ended, firstLine } = launch(args);
    const { url } = await ready({ firstLine });
    child.stdout?.destroy();
    child.stderr?.destroy();
    for (let time = 0; time < 5; time += 1) expect((await fetch(`${url}/health`)).status).toBe(200);
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
    expect(existsSync(join(cwd, "after.sqlite"))).toBe(true);
  });

  it("ends other commands with the exit code of SIGPIPE", async () => {
    const { child, ended } = launch(["contract"]);
    child.stdout?.destroy();
    expect((await ended).code).toBe(141);
  });
});

describe("the folder that DATA_SERVICE_COVERAGE_DIR names", () => {
  const env = { DATA_SERVICE_COVERAGE_DIR: "met" };
  const written = () =>
    readdirSync(join(cwd, "met")).map(
      (name) => JSON.parse(readFileSync(join(cwd, "met", name), "utf8")) as unknown,
    );
  const met = { met: ["getHealth@anyone", "getHealth:success"] };

  it("receives the coverage of exec when its command ends", async () => {
    const text = "await fetch(process.env.DATA_SERVICE_URL + '/health')";
    expect((await launch(["exec", "--", ...script(text)], { env }).ended).code).toBe(0);
    expect(written()).toEqual([met]);
    const uncounted = launch(["exec", "--no-coverage", "--", ...script(text)], { env });
    expect((await uncounted.ended).code).toBe(0);
    expect(written()).toEqual([met]);
  });

  it("receives the coverage of start when it is stopped", async () => {
    const started = launch(["start", "--json", "--port", "0"], { env });
    const { url } = await ready(started);
    await fetch(`${url}/health`);
    started.child.kill("SIGTERM");
    expect((await started.ended).code).toBe(0);
    expect(written()).toEqual([met]);
  });

  it("is named when it cannot be written", async () => {
    writeFileSync(join(cwd, "met"), "");
    const { code, stderr } = await launch(["exec", "--", ...script("")], { env }).ended;
    expect(code).not.toBe(0);
    expect(stderr).toContain("cannot write the coverage: ");
  });
});

describe("start --exit-with-parent", () => {
  it("exits when its standard input closes, with the data exported, but not without one", async () => {
    const options = [
      "start",
      "--json",
      "--port",
      "0",
      "--exit-with-parent",
      "--export-on-exit",
      "left.sqlite",
    ];
    const piped = launch(options, { stdin: "pipe" });
    const { url } = await ready(piped);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    piped.child.stdin?.end();
    expect(await piped.ended).toMatchObject({ code: 0, stderr: "" });
    expect(await ready(launch(["start", "--json", "--port", "0", "--data", "left.sqlite"]))).toBeDefined();
    const without = launch(options);
    const { url: other } = await ready(without);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect((await fetch(`${other}/health`)).status).toBe(200);
  });

  it.skipIf(process.platform === "win32")("exits when its parent is killed", async () => {
    const text = `
      import { spawn } from "node:child_process";
      spawn(process.execPath, ${JSON.stringify([builtCommand, "start", "--json", "--port", "0", "--exit-with-parent"])}, { stdio: ["ignore", "inherit", "inherit"] });
      setInterval(() => {}, 1000);`;
    const parent = launcher.add(
      spawn(process.execPath, ["--input-type=module", "--eval", text], {
        stdio: ["ignore", "pipe", "inherit"],
      }),
    );
    const line = await new Promise<string>((resolve) =>
      parent.stdout.on("data", (chunk: Buffer) => resolve(chunk.toString())),
    );
    const { url } = JSON.parse(line) as { url: string };
    expect((await fetch(`${url}/health`)).status).toBe(200);
    parent.kill("SIGKILL");
    for (;;) {
      const answered = await fetch(`${url}/health`).catch(() => undefined);
      if (answered === undefined) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
});

describe("settings", () => {
  const start = (options: readonly string[] = [], env = {}) =>
    launch(["start", "--json", "--port", "0", ...options], { env });
  const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);

  it("come from the command line, then from the environment, then from the file", async () => {
    write(
      "data-service.config.json",
      '{"start": {"seed": 5, "fixture": "empty", "journal": false, "log": "none"}}',
    );
    expect(await ready(start())).toMatchObject({ seed: 5, fixture: "empty" });
    const env = { DATA_SERVICE_SEED: "6", DATA_SERVICE_JOURNAL: "10", DATA_SERVICE_STRICT: "1" };
    const { url, ...rest } = await ready(start([], env));
    expect(rest).toMatchObject({ seed: 6, fixture: "empty" });
    expect(await (await fetch(`${url}/_emulator/journal`)).json()).toMatchObject({ recording: true });
    expect(await (await fetch(`${url}/_emulator/profile`)).json()).toMatchObject({
      "unknown-request-fields": "reject",
    });
    expect(await ready(start(["--seed", "7"], env))).toMatchObject({ seed: 7, fixture: "empty" });
    // `exec` uses the settings of `start`, except for the port, which may be in use
    write("data-service.config.json", `{"start": {"seed": 5, "port": ${new URL(url).port}}}`);
    const { stdout } = await launch([
      "exec",
      "--",
      ...script(
        `console.log((await (await fetch(process.env.DATA_SERVICE_URL + "/_emulator")).json()).seed)`,
      ),
    ]).ended;
    expect(stdout).toBe("5\n");
  });

  it("may be JavaScript, with lists, switches and paths", async () => {
    write("profile.json", '{"validation-status": 422}');
    write(
      "data-service.config.mjs",
      `export default { start: { profile: "profile.json", allowHost: ["one.test", "two.test"], strict: true, exportOnExit: false } };`,
    );
    const { url } = await ready(start());
    expect(await (await fetch(`${url}/_emulator/profile`)).json()).toMatchObject({
      "validation-status": 422,
      "unknown-request-fields": "reject",
    });
  });

  it("come from a file that the greeting names", async () => {
    const greet = async () => {
      const launched = launch(["start", "--port", "0"]);
      await launched.firstLine;
      launched.child.kill("SIGINT");
      return (await launched.ended).stdout;
    };
    expect(await greet()).not.toContain("  configuration  ");
    write("data-service.config.json", '{"start": {"seed": 5}}');
    expect(await greet()).toContain("\n  configuration  data-service.config.json\n");
  });

  it("ignore the address that Kubernetes gives to a service of this name", async () => {
    const kubernetes = {
      DATA_SERVICE_PORT: "tcp://10.0.0.1:80",
      DATA_SERVICE_PORT_80_TCP: "tcp://10.0.0.1:80",
    };
    const { stdout, stderr } = await launch(["exec", "--", ...script("console.log(1)")], { env: kubernetes })
      .ended;
    expect([stdout, stderr]).toEqual(["1\n", ""]);
  });

  it("cause a warning if a variable resembles an option", async () => {
    const others = { DATA_SERVICE_URL: "x", DATA_SERVICE_TARGET: "x", DATA_SERVICE_SHOP: "x" };
    const env = { ...others, DATA_SERVICE_NO_CONSOLE: "1", DATA_SERVICE_PROT: "1" };
    // these command lines are rejected, but only after the variables have been read
    for (const args of [
      ["start", "--data", "none"],
      ["exec", "--data", "none", "--", "x"],
    ])
      expect((await here(args, env)).stderr.split("\n").slice(0, -2)).toEqual([
        "warning: the environment variable DATA_SERVICE_NO_CONSOLE has no effect; did you mean DATA_SERVICE_CONSOLE=false?",
        "warning: the environment variable DATA_SERVICE_PROT has no effect; did you mean DATA_SERVICE_PORT?",
      ]);
  });

  it("may hold Hono middleware for start and exec", async () => {
    write(
      "data-service.config.mjs",
      `const stamp = async (c, next) => { await next(); c.header("X-Operation", c.get("operationId")); };
       export default { start: { middleware: [stamp] } };`,
    );
    const { url } = await ready(start());
    expect((await fetch(`${url}/health`)).headers.get("x-operation")).toBe("getHealth");
    const text = `console.log((await fetch(process.env.DATA_SERVICE_URL + "/health")).headers.get("x-operation"))`;
    const { stdout } = await launch(["exec", "--", ...script(text)]).ended;
    expect(stdout.trim()).toBe("getHealth");
  });

  it("explains invalid middleware", async () => {
    write("data-service.config.mjs", `export default { start: { middleware: "cors" } };`);
    const { code, stderr } = await start().ended;
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("middleware must be a list of Hono middleware functions"),
    ]);
  });

  it("says that the file awaits a promise that never settles", async () => {
    write("data-service.config.mjs", "export default await new Promise(() => {});");
    const { code, stderr } = await start().ended;
    const message = "data-service.config.mjs awaits a promise that never settles";
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).not.toContain("bug");
  });

  it("may be TypeScript if Node reads it, and say what to do otherwise", async () => {
    write("data-service.config.ts", `const seed: number = 11; export default { start: { seed } };`);
    const isRead = Boolean((process.features as { typescript?: unknown }).typescript);
    const launched = start();
    if (isRead) expect(await ready(launched)).toMatchObject({ seed: 11 });
    else expect((await launched.ended).stderr).toContain("Use data-service.config.js");
  });

  it.each<[string, Record<string, string>, string]>([
    [
      '{"start": {"prot": 1}}',
      {},
      "unknown option prot in the section start of data-service.config.json; expected one of port, host,",
    ],
    ['{"strat": {}}', {}, "data-service.config.json has an unknown section strat; the only section is start"],
    ['{"start": {"port": 99999}}', {}, "start.port in data-service.config.json: Expected a whole number"],
    [
      '{"start": {"log": "all"}}',
      {},
      "start.log in data-service.config.json: Allowed choices are requests, problems, none.",
    ],
    [
      '{"start": {"json": "yes"}}',
      {},
      'start.json in data-service.config.json must be true or false, not "yes"',
    ],
    ["[]", {}, "data-service.config.json must contain an object"],
    ["{", {}, "cannot read data-service.config.json"],
    ["{}", { DATA_SERVICE_SEED: "-1" }, "DATA_SERVICE_SEED: Expected 0 or a positive whole number."],
    ["{}", { DATA_SERVICE_ALLOW_HOST: "http://x" }, "DATA_SERVICE_ALLOW_HOST: Expected a host name"],
    ["{}", { DATA_SERVICE_NAMESPACE_TTL: "8y" }, "DATA_SERVICE_NAMESPACE_TTL: Expected a number of seconds"],
    ["{}", { DATA_SERVICE_NAMESPACE_TTL: "8d" }, "DATA_SERVICE_NAMESPACE_TTL: Expected at most one week."],
  ])("that make no sense are refused: %s %j", async (text, env, message) => {
    write("data-service.config.json", text);
    const { code, stdout, stderr } = await here(["start"], env);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it("can be those in the guide", async () => {
    const guide = readFileSync(join(root, "emulator/README.md"), "utf8");
    const [, text = ""] = /<!-- example: data-service.config.json -->\s+```json\n(.*?)```/s.exec(guide) ?? [];
    write("data-service.config.json", text.replace("4200", "0"));
    const { url } = await ready(launch(["start", "--json"]));
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });
});

describe("commands for a running emulator", () => {
  let emulator: Emulator;
  const listening = async () => (emulator = await createEmulator()).listen();
  afterEach(() => emulator.close());

  it("act on the namespace of the URL or option, and print the result", async () => {
    const url = await listening();
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await here(args, { DATA_SERVICE_URL: url });
      return [code, stdout === "" ? undefined : (JSON.parse(stdout) as unknown), stderr];
    };
    const time = (now: string) => [0, { mode: "manual", now }, ""];
    expect(await run("clock", "advance", "10m")).toEqual(time("2030-01-01T00:10:00.000Z"));
    expect(await run("clock", "advance", "PT23H50M")).toEqual(time("2030-01-02T00:00:00.000Z"));
    expect(await run("reset", "--namespace", "other")).toEqual([0, undefined, ""]);
    expect(await run("clock", "show", "--namespace", "other")).toEqual(time("2030-01-01T00:00:00.000Z"));
    expect(await run("snapshot", "save", "later")).toMatchObject([0, { name: "later" }, ""]);
    expect(await run("snapshot", "compare", "later")).toMatchObject([0, { added: [], removed: [] }, ""]);
    expect(await run("reset", "empty")).toEqual([0, undefined, ""]);
    expect(await run("snapshot", "restore", "later", "--url", url)).toEqual([0, undefined, ""]);
    expect(await run("clock", "show")).toEqual(time("2030-01-02T00:00:00.000Z"));
    expect(await run("fault", "create", '{"effect":{"kind":"status"}}')).toMatchObject([0, { fired: 0 }, ""]);
    expect((await fetch(`${url}/health`)).status).toBe(503);
    expect(await run("fault", "clear")).toEqual([0, undefined, ""]);
    const [, entries] = await run("journal", "list", "1");
    expect(entries).toMatchObject([{ operationId: "getHealth", response: { status: 503 } }]);
    const file = join(cwd, "journal.har");
    expect(await run("journal", "har", file)).toEqual([0, undefined, ""]);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      log: { entries: [{ response: { status: 503 } }] },
    });
    expect(await run("journal", "clear")).toEqual([0, undefined, ""]);
    expect(await run("journal", "list")).toEqual([0, [], ""]);
    expect(await run("namespace", "fork", "copy")).toMatchObject([0, { name: "copy" }, ""]);
    expect(await run("namespace", "delete", "copy")).toEqual([0, undefined, ""]);
  });

  it("create no namespace by a misspelled name, except as the target of reset and fork", async () => {
    const url = await listening();
    const run = (...args: string[]) => here([...args, "--url", url]);
    for (const args of [["fault", "list"], ["export"], ["namespace", "fork", "copy"]])
      expect(await run(...args, "--namespace", "nope")).toEqual({
        code: 2,
        stdout: "",
        stderr: `data-service: there is no namespace "nope"; existing namespaces: default (to create a namespace, use reset --namespace NAME)\n`,
      });
    expect(emulator.namespaces.list()).toHaveLength(1);
    expect(await run("reset", "empty", "--namespace", "shop")).toMatchObject({ code: 0 });
    expect(await run("namespace", "fork", "copy", "--namespace", "shop")).toMatchObject({ code: 0 });
    for (const name of ["default", "shop", "copy"])
      expect(await run("export", "--namespace", name)).toMatchObject({ code: 0 });
  });

  it("take options before the name of the subcommand", async () => {
    const url = await listening();
    const shown = await here(["clock", "--url", url, "show"]);
    expect([shown.code, JSON.parse(shown.stdout)]).toMatchObject([0, { mode: "manual" }]);
  });

  it("print the help without a subcommand", async () => {
    const url = await listening();
    const { code, stdout, stderr } = await here(["fault", "--url", url]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("create [options] <rule>");
    expect(stderr).not.toContain("unknown option");
  });

  it("say how to name the URL if the command line has none", async () => {
    for (const args of [["clock", "show"], ["coverage"], ["export"]])
      expect(await here(args, { DATA_SERVICE_URL: "http://127.0.0.1:9" })).toMatchObject({
        stderr: expect.stringMatching(
          /^data-service: no emulator .*; give the emulator's URL on the command line/,
        ) as unknown,
      });
  });

  it("print an error in one line", async () => {
    const url = await listening();
    const failures = [
      [
        ["clock", "advance", "soon", "--url", url],
        "body /advance: must be a duration such as 90s, 10m or 7d, or an ISO 8601 duration such as PT90M or P1M; in ISO 8601, only seconds can have decimals",
      ],
      [["fault", "create", "{", "--url", url], "the rule is not valid JSON"],
      [["journal", "list", "few", "--url", url], "Expected a positive whole number."],
      [
        ["snapshot", "restore", "none", "--url", url],
        `The namespace has no snapshot "none". It has no snapshots.`,
      ],
      [["clock", "show", "--url", "http://127.0.0.1:9"], "no emulator responds at http://127.0.0.1:9"],
    ] as const;
    for (const [args, message] of failures) {
      const { code, stdout, stderr } = await here(args);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain(`data-service: ${message}`);
      expect(stderr.trim().split("\n")).toHaveLength(1);
    }
  });
});

describe("commands against a server that is not an emulator", () => {
  const odd = "a\u001b[2J\u007f\u009b31m\u202eb\u2066\ufeff\nforged";
  const answers: Record<string, readonly [status: number, body: unknown]> = {
    "GET /_emulator": [200, { namespace: "default" }],
    "GET /_emulator/snapshots": [200, { snapshots: [{ name: odd, bytes: 1 }] }],
    "DELETE /_emulator/snapshots/s": [404, { type: "x/problems/not-found", detail: odd, errors: [] }],
  };

  it("escape terminal control characters in what they print", async () => {
    const server = createServer(({ method = "", url = "" }, answer) => {
      const [status, body] = answers[`${method} ${url}`] ?? [200, {}];
      const type = status === 200 ? "application/json" : "application/problem+json";
      answer.writeHead(status, { "Content-Type": type }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const listed = await here(["snapshot", "list", "--url", url]);
      expect([listed.code, JSON.parse(listed.stdout)]).toEqual([0, [{ name: odd, bytes: 1 }]]);
      expect(listed.stdout).toMatch(/^[\n -~]*$/);
      const refused = await here(["snapshot", "delete", "s", "--url", url]);
      expect([refused.code, refused.stdout, refused.stderr]).toEqual([
        2,
        "",
        `data-service: ${escapeInvisible(odd)}\n`,
      ]);
      for (const body of [{}, null, [], 5, { counting: true, met: ["a", 5] }]) {
        answers["GET /_emulator/coverage"] = [200, body];
        expect(await here(["coverage", url])).toEqual({
          code: 2,
          stdout: "",
          stderr: "data-service: the server's response is not an emulator's coverage; check the URL\n",
        });
      }
      answers["GET /_emulator/coverage"] = [500, { detail: odd }];
      const failed = await here(["coverage", url]);
      expect([failed.code, failed.stdout]).toEqual([2, ""]);
      expect(failed.stderr).toMatch(/^data-service: cannot read the coverage: [ -~]*\n$/);
      const unknown = await here([`--${odd}`]);
      expect(unknown.code).toBe(2);
      expect(unknown.stderr).toMatch(/^[\n -~]+$/);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});

describe("the terminal", () => {
  it("shows requests while it runs, and a summary at the end", async () => {
    const launched = launch(["start", "--port", "0", "--log", "requests", "--export-on-exit", "end.sqlite"]);
    await launched.firstLine;
    const url = /service +(http\S+)/.exec(launched.shown())?.[1] ?? "";
    await fetch(`${url}/health`);
    await fetch(`${url}/ns/a/_emulator/clock`);
    await fetch(`${url}/api/v1/databases/db_demo/items/settings/currency`, {
      headers: { Authorization: "Bearer dsk_demo_all" },
    });
    await fetch(`${url}/api/v1/databases/db_demo/items/settings/currency`);
    launched.child.kill("SIGINT");
    const { code, stdout } = await launched.ended;
    const log = stdout
      .slice(stdout.indexOf("Ctrl+C stops the emulator\n") + 26)
      .replace(/[\d.]+ ms/g, "N ms");
    expect([code, log.split("\n")]).toEqual([
      0,
      [
        "200  GET     /health  N ms  anonymous",
        "200  GET     /ns/a/_emulator/clock  N ms  control plane",
        "200  GET     /api/v1/databases/db_demo/items/settings/currency  N ms  key_demo_all",
        "401  GET     /api/v1/databases/db_demo/items/settings/currency  N ms  anonymous",
        expect.stringContaining("Authorization"),
        "stopped after 3 requests, 1 of them rejected or failed; wrote end.sqlite",
        "",
      ],
    ]);
    expect(stdout).toContain(`${url}/openapi.json`);
  });

  it("shows no control sequences if the output is not a terminal", async () => {
    const launched = launch(["start", "--port", "0"]);
    await launched.firstLine;
    const url = /service +(http\S+)/.exec(launched.shown())?.[1] ?? "";
    await fetch(`${url}/nowhere`);
    launched.child.kill("SIGINT");
    expect((await launched.ended).stdout).toMatch(
      /Ctrl\+C stops the emulator\nstopped after 1 request, 1 of them/,
    );
  });
});
