import fc from "fast-check";
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
import { expect, it, onTestFinished, vi } from "vitest";
import { createEmulator } from "../../emulator/index.js";
import { createJsonInit } from "../../emulator/testing/create-json-init.js";
import { Persistence, toFileName, toNamespaceName } from "./persistence.js";
import { CommandError } from "./terminal.js";

const device = fc.constantFrom(
  "con",
  "CON",
  "Con",
  "nul",
  "nul.x",
  "aux.",
  "com1",
  "lpt9.a.b",
  "console",
  "com",
);
const name = fc.oneof(device, fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/));

it("saves each namespace in its own file, even if file names are case-insensitive", () => {
  fc.assert(
    fc.property(name, name, (one, other) => {
      expect(toNamespaceName(toFileName(one))).toBe(one);
      expect(toFileName(one)).toMatch(/^[a-z0-9=._-]+\.sqlite$/);
      expect(toFileName(one) === toFileName(other)).toBe(one === other);
    }),
  );
});

it("avoids file names that are reserved on Windows", () => {
  fc.assert(
    fc.property(name, (given) => {
      const [stem] = toFileName(given).split(".");
      expect(stem).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)$/i);
    }),
  );
});

/** Creates an emulator whose namespaces can be saved in a new folder, until the test ends. */
async function createPersistence() {
  const folder = mkdtempSync(join(tmpdir(), "persistence-"));
  const persistence = new Persistence(folder);
  const emulator = await createEmulator({ onRequest: persistence.note });
  onTestFinished(async () => {
    vi.restoreAllMocks();
    vi.useRealTimers();
    await emulator.close();
    rmSync(folder, { recursive: true });
  });
  return { folder, persistence, emulator };
}

it.each(["-a", "a=", "a".repeat(100)])(
  "refuses the file %s.sqlite, which names no namespace",
  async (stem) => {
    const { folder, persistence, emulator } = await createPersistence();
    writeFileSync(join(folder, `${stem}.sqlite`), "");
    const open = () => persistence.open(emulator);
    expect(open).toThrow(CommandError);
    expect(open).toThrow(`${stem}.sqlite: `);
  },
);

it("saves forks and changes by the console, but no unchanged namespaces", async () => {
  const { folder, persistence, emulator } = await createPersistence();
  const save = () => {
    persistence.save();
    return readdirSync(folder).filter((file) => file.endsWith(".sqlite"));
  };
  persistence.open(emulator);
  const page = await (await emulator.fetch("/_emulator/console/time")).text();
  expect(save()).toEqual([]);
  const post = (path: string, body: object) => emulator.fetch(path, createJsonInit("POST", body));
  await post("/ns/first/_emulator/users", { email: "ada@acme.test", password: "p" });
  const fork = () => post("/_emulator/namespaces/first/fork", { to: "second" });
  await fork();
  expect(save()).toEqual(["default.sqlite", "first.sqlite", "second.sqlite"]);
  const saved = (file: string) => readFileSync(join(folder, file));
  const before = saved("second.sqlite");
  await post("/ns/first/_emulator/users", { email: "bob@acme.test", password: "p" });
  await emulator.fetch("/_emulator/namespaces/second", { method: "DELETE" });
  await fork();
  save();
  expect(saved("second.sqlite")).not.toEqual(before);
  const unchanged = saved("default.sqlite");
  const [form = ""] = /<form.*?<\/form>/s.exec(page) ?? [];
  const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(
    ([, name = "", value = ""]) => [name, value.replaceAll("&quot;", '"')] as [string, string],
  );
  const response = await emulator.fetch("/_emulator/console/time", {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin" },
    body: new URLSearchParams(fields),
  });
  expect(response.status).toBe(303);
  save();
  expect(saved("default.sqlite")).not.toEqual(unchanged);
  await emulator.fetch("/_emulator/namespaces/first", { method: "DELETE" });
  expect(save()).toEqual(["default.sqlite", "second.sqlite"]);
});

it("saves a namespace that is created again after it has expired", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { folder, persistence, emulator } = await createPersistence();
  persistence.open(emulator);
  const call = (method: string, path: string, body: object) =>
    emulator.fetch(path, createJsonInit(method, body));
  await call("PUT", "/_emulator/namespaces/worker", { idleSeconds: 1 });
  persistence.save();
  const before = readFileSync(join(folder, "worker.sqlite"));
  vi.advanceTimersByTime(1000);
  expect(emulator.namespaces.list()).toHaveLength(1);
  emulator.users.create({ email: "ada@acme.test", password: "p" });
  await call("POST", "/_emulator/namespaces/default/fork", { to: "worker" });
  persistence.save();
  expect(readFileSync(join(folder, "worker.sqlite"))).not.toEqual(before);
});

it("removes no file that another program puts in the folder", async () => {
  const { folder, persistence, emulator } = await createPersistence();
  persistence.open(emulator);
  writeFileSync(join(folder, "backup.sqlite"), "");
  persistence.markAllChanged();
  persistence.save();
  expect(readdirSync(folder)).toEqual(["backup.sqlite", "default.sqlite", "emulator.lock"]);
});

it("saves nothing in a folder that another emulator has locked", async () => {
  const printed = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const { folder, persistence, emulator } = await createPersistence();
  persistence.open(emulator);
  writeFileSync(join(folder, "emulator.lock"), "of another");
  persistence.markAllChanged();
  expect(persistence.save()).toBe(false);
  expect(printed).toHaveBeenCalledWith(expect.stringContaining("another emulator has started to use it"));
  expect(readdirSync(folder)).toEqual(["emulator.lock"]);
});

it("renews its lock while it loads or saves namespaces", async () => {
  const { folder, persistence, emulator } = await createPersistence();
  const lock = join(folder, "emulator.lock");
  persistence.open(emulator);
  const expectRenewal = (work: () => void) => {
    persistence.markAllChanged();
    utimesSync(lock, 0, 0);
    work();
    expect(statSync(lock).mtimeMs).toBeGreaterThan(0);
  };
  expectRenewal(() => persistence.save());
  expectRenewal(() => persistence.open(emulator));
  persistence.save();
});

it("tries again to save what could not be written, and says so at the end", async () => {
  const printed = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const { folder, persistence, emulator } = await createPersistence();
  persistence.open(emulator);
  const file = join(folder, toFileName("default"));
  // a folder, which a file cannot replace
  mkdirSync(join(file, "a"), { recursive: true });
  persistence.markAllChanged();
  expect(persistence.save()).toBe(false);
  expect(printed).toHaveBeenCalledWith(expect.stringContaining(`cannot save data in ${folder}: `));
  rmSync(file, { recursive: true });
  await expect.poll(() => existsSync(file)).toBe(true);
  expect(persistence.save()).toBe(true);
});

it("responds to requests while many namespaces are saved", async () => {
  const { folder, persistence, emulator } = await createPersistence();
  persistence.open(emulator);
  const names = Array.from({ length: 20 }, (_none, at) => `n${at}`);
  for (const each of names) await emulator.namespace(each).fetch("/health");
  const count = () => readdirSync(folder).filter((file) => file.endsWith(".sqlite")).length;
  // without any time, nothing is saved
  expect(persistence.save(-1)).toBe(false);
  expect(count()).toBe(0);
  const clock = vi.spyOn(performance, "now");
  let now = 0;
  // each time the clock is read, a millisecond passes
  clock.mockImplementation(() => (now += 1));
  expect(persistence.save(8)).toBe(false);
  expect(count()).toBeGreaterThan(0);
  expect(count()).toBeLessThan(names.length);
  clock.mockRestore();
  // the rest is saved soon, even without another request
  await expect.poll(count).toBe(names.length);
});
