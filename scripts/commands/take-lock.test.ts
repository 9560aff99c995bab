import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { assertLocksHeld, readPidNamespace, removeLock, takeLock } from "./take-lock.js";

const folder = mkdtempSync(join(tmpdir(), "lock-"));
const file = join(folder, "emulator.lock");
const here = { host: hostname(), pidNamespace: readPidNamespace() };
const stale = JSON.stringify({ pid: 2 ** 30, ...here });
const own = JSON.stringify({ pid: process.pid, ...here });
const other = JSON.stringify({ pid: process.ppid, ...here });
/** The lock of a process in another container with the same host name. */
const elsewhere = JSON.stringify({ pid: 2 ** 30, ...here, pidNamespace: "pid:[1]" });

const readHolder = () => JSON.parse(readFileSync(file, "utf8")) as unknown;

beforeEach(() => rmSync(file, { force: true }));
afterAll(() => rmSync(folder, { recursive: true }));

it("takes a lock that does not exist, or whose holder has ended", () => {
  for (const left of [undefined, stale, own, elsewhere]) {
    if (left !== undefined) writeFileSync(file, left);
    // the lock may belong to another container, which would renew it
    if (left === own || left === elsewhere) utimesSync(file, Date.now() / 1000, Date.now() / 1000 - 2.9);
    takeLock(file);
    expect(readHolder()).toMatchObject({ pid: process.pid, host: hostname() });
  }
});

it("refuses a lock whose holder is running, or that was just created without a holder", () => {
  for (const [held, message] of [
    [other, `another emulator (process ${process.ppid}) is using it`],
    [JSON.stringify({ pid: 7, host: "elsewhere" }), "another emulator (process 7 on elsewhere) is using it"],
    ["", "another emulator is using it"],
  ] as const) {
    writeFileSync(file, held);
    expect(() => takeLock(file)).toThrow(message);
    expect(readFileSync(file, "utf8")).toBe(held);
  }
});

it.each([
  ["of its own process id", own, process.pid],
  ["of another process namespace", elsewhere, 2 ** 30],
])(
  "refuses a lock %s that is renewed, for example by another container with the same host name",
  (_name, held, pid) => {
    writeFileSync(file, held);
    // a separate process, because this process blocks while it waits
    const renewing = spawn(process.execPath, [
      "-e",
      `setInterval(() => fs.utimesSync(${JSON.stringify(file)}, new Date(), new Date()), 100)`,
    ]);
    try {
      expect(() => takeLock(file)).toThrow(`another emulator (process ${pid}) is using it`);
      expect(readFileSync(file, "utf8")).toBe(held);
    } finally {
      renewing.kill();
    }
  },
);

it("identifies a lock by its unique content", () => {
  takeLock(file);
  const text = readFileSync(file, "utf8");
  writeFileSync(file, own);
  expect(() => assertLocksHeld()).toThrow("another emulator has started to use it");
  writeFileSync(file, text);
  assertLocksHeld();
});

it("fails if the lock cannot be read or removed", () => {
  mkdirSync(file);
  expect(() => takeLock(file)).toThrow("EISDIR");
  rmSync(file, { recursive: true });
  writeFileSync(file, stale);
  // a file cannot be renamed to the name of a folder
  const aside = `${file}.${process.pid}`;
  mkdirSync(aside);
  expect(() => takeLock(file)).toThrow("EISDIR");
  rmSync(aside, { recursive: true });
});

it("takes a lock of another machine that is not renewed", () => {
  writeFileSync(file, JSON.stringify({ pid: 7, host: "elsewhere" }));
  utimesSync(file, 0, 0);
  takeLock(file);
  expect(readHolder()).toMatchObject({ pid: process.pid, host: hostname() });
});

it("takes a lock that was not renewed for minutes, even if a process has its holder's id", () => {
  const renewed = (minutesAgo: number) => {
    writeFileSync(file, other);
    const time = Date.now() / 1000 - 60 * minutesAgo;
    utimesSync(file, time, time);
  };
  // the holder may be busy with another call
  renewed(2);
  expect(() => takeLock(file)).toThrow("is using it");
  renewed(6);
  takeLock(file);
  expect(readHolder()).toMatchObject({ pid: process.pid, host: hostname() });
});

it("notices that another emulator has taken the lock, even if that emulator has ended", () => {
  takeLock(file);
  assertLocksHeld();
  writeFileSync(file, other);
  expect(() => assertLocksHeld()).toThrow("another emulator has started to use it");
  rmSync(file);
  expect(() => assertLocksHeld()).toThrow(
    "emulator.lock was removed, so another emulator may have changed the data",
  );
});

it("needs no lock in a removed folder", async () => {
  // load the module again, without the locks of other tests
  vi.resetModules();
  const locks = await import("./take-lock.js");
  const inner = join(folder, "inner");
  mkdirSync(inner);
  locks.takeLock(join(inner, "emulator.lock"));
  rmSync(inner, { recursive: true });
  locks.assertLocksHeld();
  mkdirSync(inner);
  expect(() => locks.assertLocksHeld()).toThrow("emulator.lock was removed");
  rmSync(inner, { recursive: true });
});

it("restores a lock that another emulator took after it was found stale", () => {
  writeFileSync(file, other);
  removeLock(file, stale);
  expect([readFileSync(file, "utf8"), readdirSync(folder)]).toEqual([other, ["emulator.lock"]]);
  removeLock(file, other);
  expect(existsSync(file)).toBe(false);
  removeLock(file, other);
});
