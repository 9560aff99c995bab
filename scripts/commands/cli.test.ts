import { execFileSync, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MiddlewareHandler } from "hono";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { encodeReplayToken } from "../../conformance/run/replay-token.js";
import { createEmulator, type Emulator } from "../../emulator/api/emulator.js";
import { builtCommand, type CommandResult, Launcher } from "./testing/built-command.js";
import { runInProcess } from "./testing/run-in-process.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "cli-"));
const env = { DEMO_PASSWORD: "demo-password" };
const launcher = new Launcher();
const launch = (...args: string[]) => launcher.launch(args, { cwd: folder, env });
const here = (...args: string[]) => runInProcess(args, { cwd: folder, env });

/** Asserts that a command has printed only a message on standard error, without a stack trace, and exited with 2. */
function expectRefusal({ code, stdout, stderr }: CommandResult, message: string): void {
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
  expect(stderr).not.toMatch(/\n\s+at /);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe("data-service", () => {
  afterEach(() => launcher.killAll());
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(["SIGINT", "SIGTERM"] as const)(
    "starts with one JSON line and ends cleanly on %s",
    async (signal) => {
      const { child, ended, firstLine } = launch("start", "--port", "0", "--json");
      const ready = JSON.parse(await firstLine) as {
        url: string;
        pid: number;
        credentials: { apiKeys: unknown[] };
      };
      expect(ready.pid).toBe(child.pid);
      expect(ready.credentials.apiKeys).toHaveLength(7);
      const health = await fetch(`${ready.url}/health`);
      expect(await health.json()).toEqual({ status: "Healthy" });
      child.kill(signal);
      const { code, stdout, stderr } = await ended;
      expect([code, stdout.trim().split("\n").length, stderr]).toEqual([0, 1, ""]);
    },
  );

  describe("after start", () => {
    const lasting = new Launcher();
    let url: string;
    beforeAll(async () => {
      const { firstLine } = lasting.launch(["start", "--port", "0", "--json"], { cwd: folder });
      ({ url } = JSON.parse(await firstLine) as { url: string });
    });
    afterAll(() => lasting.killAll());

    it("records requests, unless disabled", async () => {
      const journalOf = async (base: string) => {
        await fetch(`${base}/health`);
        return (await fetch(`${base}/_emulator/journal`)).json();
      };
      const recorded = await journalOf(url);
      expect(recorded).toMatchObject({ entries: [{ operationId: "getHealth" }], recording: true });
      const { firstLine } = launch("start", "--port", "0", "--json", "--no-journal");
      const ready = JSON.parse(await firstLine) as { url: string };
      expect(await journalOf(ready.url)).toMatchObject({ entries: [], recording: false });
    });

    it("opens the built starting states for every reset and namespace", async () => {
      const headers = { Authorization: "Bearer dsk_demo_all", "Content-Type": "application/json" };
      const items = "/api/v1/databases/db_demo/items";
      const put = { method: "PUT", headers, body: '{"pk":"leak","data":{}}' };
      expect((await fetch(url + items, put)).status).toBe(200);
      expect((await fetch(`${url}/ns/other${items}/leak`, { headers })).status).toBe(404);
      expect((await fetch(`${url}/_emulator/reset`, { method: "POST" })).status).toBe(204);
      expect((await fetch(`${url}${items}/leak`, { headers })).status).toBe(404);
    });
  });

  it("prints the base URL, the credentials and a working command", async () => {
    const { child, ended, firstLine } = launch("start", "--port", "0");
    await firstLine;
    child.kill("SIGINT");
    const { stdout } = await ended;
    expect(stdout).toMatch(/service +http:\/\/127\.0\.0\.1:\d+/);
    expect(stdout).toContain("owner@demo.test");
    expect(stdout).toContain("dsk_demo_database_read");
    expect(stdout).toMatch(/curl http:\/\/127\.0\.0\.1:\d+\/api\/v1\/databases\/db_demo\/items\/query/);
  });

  describe("with a data file", () => {
    const headers = { Authorization: "Bearer dsk_demo_all", "Content-Type": "application/json" };
    const items = "/api/v1/databases/db_demo/items";
    const startWith = async (...args: string[]) => {
      const launched = launch("start", "--port", "0", "--json", ...args);
      const { url } = JSON.parse(await launched.firstLine) as { url: string };
      const put = (pk: string, body: string | ReadableStream = JSON.stringify({ pk, data: {} })) =>
        fetch(url + items, { method: "PUT", headers, body, duplex: "half" });
      const has = async (pk: string) => (await fetch(`${url}${items}/${pk}`, { headers })).status === 200;
      return { ...launched, url, put, has };
    };

    /** Whether a file contains an item. */
    const containsItem = async (file: string, pk: string) => {
      const emulator = await createEmulator({ data: file });
      const { status } = await emulator.fetch(`${items}/${pk}`, { headers });
      await emulator.close();
      return status === 200;
    };

    it("keeps the data between starts, and the clock continues", async () => {
      const file = join(folder, "dev.sqlite");
      const first = await startWith("--data", file, "--export-on-exit");
      await first.put("kept");
      first.child.kill("SIGINT");
      expect(await first.ended).toMatchObject({ code: 0, stderr: "" });
      const second = await startWith("--data", file, "--export-on-exit");
      expect(await second.has("kept")).toBe(true);
      const clock = (await (await fetch(`${second.url}/_emulator/clock`)).json()) as { now: string };
      expect(clock.now).toBe("2030-01-01T00:00:00.002Z");
      await second.put("more");
      second.child.kill("SIGTERM");
      expect((await second.ended).code).toBe(0);
      // without the option, the file does not change; the option can also name another file
      const other = join(folder, "other.sqlite");
      const third = await startWith("--data", file, "--export-on-exit", other);
      await third.put("elsewhere");
      expect(await third.has("more")).toBe(true);
      const before = readFileSync(file);
      third.child.kill("SIGINT");
      expect((await third.ended).code).toBe(0);
      expect(readFileSync(file).equals(before)).toBe(true);
      expect(await containsItem(other, "elsewhere")).toBe(true);
    });

    it("exports on the first signal, and exits on the second without waiting for open requests", async () => {
      const file = join(folder, "second.sqlite");
      const settings = join(folder, "data-service.config.mjs");
      // a request that never gets a response
      writeFileSync(
        settings,
        `const hang = (c, next) => c.req.path.endsWith("/never") ? new Promise(() => console.error("asked")) : next();
         export default { start: { middleware: [hang] } };`,
      );
      const { child, ended, put, url, shownErrors } = await startWith("--export-on-exit", file);
      rmSync(settings);
      await put("kept");
      fetch(`${url}${items}/never`, { headers }).catch(() => undefined);
      await until(() => Promise.resolve(shownErrors().includes("asked")));
      child.kill("SIGINT");
      await until(() =>
        fetch(`${url}/health`).then(
          () => false,
          () => true,
        ),
      );
      expect(await containsItem(file, "kept")).toBe(true);
      child.kill("SIGINT");
      expect((await ended).code).toBe(130);
      expect(await containsItem(file, "kept")).toBe(true);
    });

    it("refuses to write a file on exit that another emulator writes", async () => {
      const file = join(folder, "shared.sqlite");
      const { child, ended } = await startWith("--data", file, "--export-on-exit");
      for (const args of [
        ["--data", file, "--export-on-exit"],
        ["--export-on-exit", file],
      ])
        expectRefusal(
          await here("start", "--port", "0", ...args),
          `cannot write ${file} on exit: another emulator (process ${child.pid}) is using it; choose another file`,
        );
      child.kill("SIGINT");
      await ended;
      expect(readdirSync(folder).filter((name) => name.includes("shared"))).toEqual(["shared.sqlite"]);
      const next = await startWith("--data", file, "--export-on-exit");
      expect(next.url).toContain("http");
    });

    it("refuses missing, foreign or damaged files, and missing folders", async () => {
      const path = (name: string) => join(folder, name);
      const emulator = await createEmulator();
      const bytes = emulator.export();
      await emulator.close();
      bytes[30_000] = (bytes[30_000] ?? 0) ^ 1;
      writeFileSync(path("flipped"), bytes);
      writeFileSync(path("text"), "hello");
      if (process.platform !== "win32") {
        execFileSync("mkfifo", [path("pipe")]);
        symlinkSync(path("gone"), path("to-nothing"));
      }
      const refusals = [
        [
          ["--data", path("missing")],
          "missing does not exist. Name an existing file, or add --export-on-exit",
        ],
        [["--data", path("missing"), "--export-on-exit", path("another")], "missing does not exist"],
        [
          ["--data", path("flipped")],
          "flipped cannot be used: it is damaged, or another program has changed it",
        ],
        [["--data", path("text"), "--export-on-exit"], "text on exit: it exists and is not a state file"],
        [["--export-on-exit", path("text")], "text on exit: it exists and is not a state file"],
        [["--export-on-exit"], "--export-on-exit needs a file"],
        [["--export-on-exit", path("no/where")], `folder ${path("no")} does not exist`],
        [["--export-on-exit", folder], "it is a folder"],
        [["--export-on-exit", ""], "it is a folder"],
        [["--data", folder], "it is a folder"],
        ...(process.platform === "win32"
          ? []
          : ([
              [["--export-on-exit", path("pipe")], "it is a pipe, a socket or a device, not a file"],
              [["--data", path("pipe")], "pipe cannot be used: it is a pipe, a socket or a device"],
              [["--data", path("to-nothing"), "--export-on-exit"], "it is a broken link"],
            ] as const)),
      ] as const;
      for (const [args, message] of refusals)
        expectRefusal(await here("start", "--port", "0", ...args), message);
      const [[args, message]] = refusals;
      expectRefusal(await launch("start", "--port", "0", ...args).ended, message);
      expect(readFileSync(path("text"), "utf8")).toBe("hello");
    });
  });

  it("says what to do about a port in use", async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) =>
      server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port)),
    );
    const { code, stdout, stderr } = await here("start", "--port", String(port));
    server.close();
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toBe(
      `data-service: port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or choose another port (--port 0 chooses a free port)\n`,
    );
  });

  it("warns when it is open to the network", async () => {
    const { child, ended, firstLine } = launch("start", "--port", "0", "--host", "0.0.0.0", "--json");
    expect(JSON.parse(await firstLine)).toMatchObject({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/) as unknown,
    });
    child.kill("SIGINT");
    expect((await ended).stderr).toMatch(/^warning: listening on 0\.0\.0\.0/);
  });

  it.each([
    [["start", "--fixture", "nope"], "there is no fixture named nope; choose demo or empty"],
    [["start", "--clock", "sundial"], "Allowed choices are manual, system."],
    [["start", "--port", "99999"], "Expected a whole number from 0 to 65535."],
    [["start", "--seed", "-1"], "Expected 0 or a positive whole number."],
    [["start", "--profile", "nowhere.json"], `cannot read the profile ${join(folder, "nowhere.json")}: `],
    [["start", "--data", "nowhere.sqlite"], `the data file ${join(folder, "nowhere.sqlite")} does not exist`],
    [["contract", "--format", "xml"], "Allowed choices are json, yaml, html."],
    [["contrakt"], "unknown command 'contrakt'"],
  ])("refuses %j", async (args, message) => {
    expectRefusal(await here(...args), message);
  });

  it("fails with the same message as in-process", async () => {
    expectRefusal(await launch("contrakt").ended, "unknown command 'contrakt'");
    expectRefusal(await launch("start", "--fixture", "nope").ended, "there is no fixture named nope");
  });

  it("names every mistake in a profile", async () => {
    const path = join(folder, "profile.json");
    writeFileSync(path, '{"validation-status": 500, "validation": 1}');
    const { code, stderr } = await here("contract", "--profile", path);
    expect(code).toBe(2);
    expect(stderr).toContain("validation-status: 500 is not a valid answer; the valid answers are 400, 422");
    expect(stderr).toContain("validation: there is no gap with this name; did you mean validation-status?");
    writeFileSync(path, "{");
    expect((await here("contract", "--profile", path)).stderr).toContain("is not valid JSON");
  });

  it("prints the contract of a profile, as JSON and as YAML", async () => {
    const path = join(folder, "profile.json");
    writeFileSync(path, '{"validation-status": 422}');
    const json = JSON.parse((await launch("contract", "--profile", path).ended).stdout) as {
      openapi: string;
    };
    expect(json.openapi).toBe("3.1.0");
    expect(JSON.stringify(json)).toContain('"422"');
    const yaml = await here("contract", "--format", "yaml");
    expect(yaml.stdout).toMatch(/^openapi: 3\.1\.0/);
  });

  it.runIf(existsSync("/dev/full"))("exits with 2 and one message when the disk is full", () => {
    const full = openSync("/dev/full", "w");
    const { status, stderr } = spawnSync(process.execPath, [builtCommand, "contract"], {
      stdio: ["ignore", full, "pipe"],
      encoding: "utf8",
    });
    closeSync(full);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: "data-service: cannot write the output: ENOSPC: no space left on device, write\n",
    });
  });

  it("prints the contract as a self-contained page", async () => {
    const { stdout } = await here("contract", "--format", "html");
    expect(stdout).toContain('"operationId":"putItem"');
    expect(stdout).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)=/);
    expect(stdout.match(/<\/script/g)).toHaveLength(2);
  });

  it("shows examples in its help", async () => {
    const { code, stdout } = await here("start", "--help");
    expect(code).toBe(0);
    expect(stdout).toContain("data-service start --port 0 --json --fixture empty");
  });

  it.each(["--help", "-h"])("prints the same help for help and help %s", async (option) => {
    const shown = await here("help");
    expect([shown.code, shown.stderr]).toEqual([0, ""]);
    expect(await here("help", option)).toEqual(shown);
    expect(await here(option)).toEqual(shown);
    expect(await here("help", "start", option)).toEqual(await here("start", "--help"));
  });

  describe("certify", () => {
    const target = join(root, "fixtures/samples/demo-target.yaml");
    const ledgers = () => readdirSync(folder).filter((name) => name.endsWith(".ledger.jsonl"));

    let emulator: Emulator | undefined;
    const startEmulator = async () => (emulator = await createEmulator()).listen();
    afterEach(async () => {
      await emulator?.close();
      emulator = undefined;
    });

    /** Lists the organizations of the demo data's owner. */
    async function listOrganizations(url: string): Promise<unknown> {
      const login = await fetch(`${url}/auth/password`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: '{"email":"owner@demo.test","password":"demo-password"}',
      });
      const { authResponse } = (await login.json()) as { authResponse: { accessToken: string } };
      const headers = { Authorization: `Bearer ${authResponse.accessToken}` };
      return (await fetch(`${url}/api/v1/organizations`, { headers })).json();
    }

    /** Waits until a run has created its first resource. */
    async function waitForFirstResource(): Promise<string> {
      for (;;) {
        const [name] = ledgers();
        if (name !== undefined && readFileSync(join(folder, name), "utf8").includes('"made"')) return name;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }

    it("exits with 2 and one message when a report cannot be written", async () => {
      const url = await startEmulator();
      mkdirSync(join(folder, "taken/report.json"), { recursive: true });
      for (const args of [
        ["certify", url, "--emulator", "--only", "HEALTH-06", "--report-dir", "taken"],
        ["observe", url, "--emulator", "--only", "trailing-slash", "--write-profile", "taken"],
        ["coverage", url, "--html", "taken"],
        ["export", "--url", url, "--output", "taken"],
      ]) {
        const { code, stderr } = await launch(...args).ended;
        expect({ args, code }).toEqual({ args, code: 2 });
        expect(stderr.split("\n").filter((line) => line.startsWith("data-service: "))).toHaveLength(1);
        expect(stderr).toMatch(/^data-service: cannot write .*taken/m);
        expect(stderr).not.toContain("    at ");
      }
    });

    it("writes the observed profile, which an emulator accepts, and reports the answers", async () => {
      const profile = { "page-limit-max": 50, "duplicate-slug": "suffix" } as const;
      const url = await (emulator = await createEmulator({ profile })).listen();
      const files = ["--write-profile", "observed.json", "--report-dir", "observed"];
      const { code, stdout } = await launch("certify", url, "--emulator", "--only", "HEALTH-06", ...files)
        .ended;
      expect([code, stdout]).toEqual([0, expect.stringContaining("wrote observed.json\n")]);
      const written = JSON.parse(readFileSync(join(folder, "observed.json"), "utf8")) as typeof profile;
      expect(written).toMatchObject(profile);
      const again = await createEmulator({ profile: written });
      expect(again.profile.get()).toMatchObject(profile);
      await again.close();
      const report = readFileSync(join(folder, "observed/report.json"), "utf8");
      const { observations } = JSON.parse(report) as { readonly observations: readonly unknown[] };
      expect(observations).toContainEqual(expect.objectContaining({ gap: "page-limit-max", answer: 50 }));
    }, 60_000);

    it("certifies an emulator with reports, and never calls a partial run conformant", async () => {
      const url = await startEmulator();
      const reports = join(folder, "reports");
      const args = ["--emulator", "--only", "HEALTH-06", "--seed", "7", "--report-dir", reports];
      const { code, stdout } = await launch("certify", url, ...args).ended;
      expect(stdout).toMatch(
        /partial: the selected checks passed \(\d\); \d+ checks were not selected, so this run cannot show that the deployment conforms/,
      );
      expect(code).toBe(0);
      const complete = await launch("certify", url, "--emulator", "--only", "HEALTH-06", "--require-complete")
        .ended;
      expect([complete.code, complete.stdout]).toEqual([2, expect.stringContaining("partial: ")]);
      expect(readdirSync(reports).sort()).toEqual([
        "exchanges.har",
        "junit.xml",
        "report.html",
        "report.json",
      ]);
      const report = JSON.parse(readFileSync(join(reports, "report.json"), "utf8")) as Record<
        string,
        unknown
      >;
      expect(report).toMatchObject({
        format: "data-service-certify/report/3",
        run: { seed: 7, only: ["HEALTH-06"] },
        counts: { "not-run": 0 },
      });
    });

    it("says that a failure was not reproduced, with the seed and number of tries of its token", async () => {
      const url = await startEmulator();
      const property = { index: 0, seed: 9, path: "0", inputs: [] };
      const token = encodeReplayToken("plans/single", { seed: 8, runs: 3 }, { property });
      const args = ["--emulator", "--runs", "5", "--replay", token];
      const { code, stdout } = await launch("certify", url, ...args).ended;
      expect(stdout).toContain("seed 8, 3 runs per property");
      expect(stdout).toContain(
        "the failure could not be reproduced, either with its input alone or by running the whole check\n",
      );
      expect(code).toBe(0);
    });

    it("lists checks with their clauses and needs, without a target", async () => {
      const { code, stdout } = await here("certify", "--list", "--only", "items/data,plans");
      expect(code).toBe(0);
      expect(stdout).toMatch(/^plans \(2 checks\)$/m);
      expect(stdout).toMatch(/^ {2}items\/data\n {6}.+\n {6}ITEM-09\n {6}needs database$/m);
      expect(stdout).toMatch(/^5 checks, \d+ clauses$/m);
    });

    it("says which user cannot log in", async () => {
      const args = ["certify", await startEmulator(), "--target", target, "--only", "HEALTH-01"];
      const wrong = { DEMO_PASSWORD: "another-one" };
      const { code, stdout } = await launcher.launch(args, { cwd: folder, env: wrong }).ended;
      expect([code, stdout]).toEqual([2, expect.stringMatching(/\(\S+@demo.test\) cannot log in/)]);
    });

    it("cleans up after a killed run", async () => {
      const url = await startEmulator();
      const before = await listOrganizations(url);
      const run = launch("certify", url, "--target", target, "--only", "organizations", "--runs", "1000");
      const ledger = await waitForFirstResource();
      run.child.kill("SIGKILL");
      await run.ended;
      const { code, stdout } = await launch("certify", url, "--target", target, "--cleanup", ledger).ended;
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(/^removed (\d+) of \1 resources created by run cf/),
      ]);
      expect(await listOrganizations(url)).toEqual(before);
      expect(existsSync(join(folder, ledger))).toBe(false);
    });

    it("stops on SIGINT, cleans up, and is inconclusive", async () => {
      const url = await startEmulator();
      const before = await listOrganizations(url);
      const run = launch("certify", url, "--target", target, "--only", "organizations", "--runs", "30");
      await waitForFirstResource();
      run.child.kill("SIGINT");
      const { code, stdout, stderr } = await run.ended;
      expect([code, stdout]).toEqual([2, expect.stringMatching(/inconclusive: interrupted by SIGINT/)]);
      expect(stderr).toContain("stopping and cleaning up");
      expect(await listOrganizations(url)).toEqual(before);
      expect(ledgers()).toEqual([]);
    });

    it("ends the observation of gaps on SIGINT, and writes no profile", async () => {
      let puts = 0;
      const countPuts: MiddlewareHandler = (c, next) => {
        if (c.req.method === "PUT") puts += 1;
        return next();
      };
      emulator = await createEmulator({ middleware: [countPuts] });
      const args = ["--emulator", "--only", "HEALTH-06", "--write-profile", "stopped.json"];
      const run = launch("certify", await emulator.listen(), ...args);
      // the preconditions put fewer items
      await until(() => Promise.resolve(puts >= 5));
      run.child.kill("SIGINT");
      const { code, stdout } = await run.ended;
      expect([code, stdout]).toEqual([2, expect.stringMatching(/inconclusive: interrupted by SIGINT/)]);
      expect(existsSync(join(folder, "stopped.json"))).toBe(false);
    });

    it.each([
      [
        ["http://127.0.0.1:9"],
        "add --emulator if the URL belongs to an emulator; for any other deployment, add --target FILE",
      ],
      [["http://127.0.0.1:9", "--emulator"], "no emulator responds at http://127.0.0.1:9"],
      [["--target", "/no/such/file"], "cannot read the target file /no/such/file"],
      [
        ["http://x", "--emulator", "--only", "itms"],
        "no area, check or clause is named itms; did you mean items?",
      ],
      [["http://x", "--emulator", "--cleanup", "/no/such"], "ledger /no/such does not exist"],
      [["http://x", "--emulator", "--cleanup", tmpdir()], "cannot read the ledger"],
      [["http://x", "--emulator", "--shard", "2/4", "--max-time", "PT10M"], "--shard needs --seed"],
      [["http://x", "--emulator", "--shard", "2/4", "--max-time", "1d"], "--shard needs --seed"],
      [
        ["http://x", "--emulator", "--shard", "2/4"],
        "--shard needs --seed, with the same value for all shards",
      ],
      [["http://x", "--emulator", "--seed", "1", "--shard", "5/4"], '"5/4" is not a shard'],
      [["merge", "/no/such"], "cannot read /no/such"],
      [["merge", join(root, "package.json")], "is not a report by this version of the suite"],
      // timers of Node have a limit of 24 days
      [["http://x", "--max-time", "30d"], "Expected at most one week."],
      [
        ["http://x", "--max-time", "soon"],
        "Expected a number of seconds, or a duration such as 90s, 10m or 1h.",
      ],
    ])("refuses %j", async (args, message) => {
      expectRefusal(await here("certify", ...args), message);
      expect(ledgers()).toEqual([]);
    });
  });
});
