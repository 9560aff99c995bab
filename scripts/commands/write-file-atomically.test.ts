import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEmulator } from "../../emulator/api/emulator.js";
import { getPropertyRuns } from "../../emulator/testing/property-runs.js";
import { retryWhileLocked, writeFileAtomically } from "./write-file-atomically.js";

const folder = mkdtempSync(join(tmpdir(), "atomically-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("writeFileAtomically", () => {
  it("replaces a file, keeps its mode, and leaves no temporary file", () => {
    const own = mkdtempSync(join(folder, "own-"));
    const file = join(own, "file");
    writeFileAtomically(file, Buffer.from("one"));
    chmodSync(file, 0o600);
    writeFileAtomically(file, Buffer.from("two"));
    expect(readFileSync(file, "utf8")).toBe("two");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(own)).toEqual(["file"]);
    symlinkSync(file, join(own, "link"));
    writeFileAtomically(join(own, "link"), Buffer.from("three"));
    expect(readFileSync(file, "utf8")).toBe("three");
    expect(lstatSync(join(own, "link")).isSymbolicLink()).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("supports file names of the maximum length", () => {
    const own = mkdtempSync(join(folder, "own-"));
    const file = join(own, "n".repeat(255));
    writeFileAtomically(file, Buffer.from("one"));
    writeFileAtomically(file, Buffer.from("two"));
    expect(readFileSync(file, "utf8")).toBe("two");
    expect(readdirSync(own)).toHaveLength(1);
  });

  it("does not follow a link in place of its temporary file", () => {
    const own = mkdtempSync(join(folder, "own-"));
    const other = join(own, "other");
    writeFileSync(other, "of somebody else");
    // a temporary file with a predictable name
    symlinkSync(other, join(own, `.file.${process.pid}.tmp`));
    writeFileAtomically(join(own, "file"), Buffer.from("mine"));
    expect(readFileSync(other, "utf8")).toBe("of somebody else");
    expect(readFileSync(join(own, "file"), "utf8")).toBe("mine");
  });

  it.skipIf(process.platform === "win32")(
    "replaces only files: no pipe, socket, folder or link to one",
    async () => {
      const own = mkdtempSync(join(folder, "own-"));
      const at = (name: string) => join(own, name);
      execFileSync("mkfifo", [at("pipe")]);
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(at("socket"), resolve));
      symlinkSync(at("pipe"), at("to-pipe"));
      symlinkSync(own, at("to-folder"));
      symlinkSync(at("gone"), at("to-nothing"));
      const before = readdirSync(own).sort();
      for (const [name, message] of [
        ["pipe", "a pipe"],
        ["socket", "a socket"],
        ["to-pipe", "a pipe"],
        ["to-folder", "a folder"],
        ["to-nothing", "broken link"],
      ] as const)
        expect(() => writeFileAtomically(at(name), Buffer.from("x")), name).toThrow(message);
      expect(readdirSync(own).sort()).toEqual(before);
      expect(lstatSync(at("pipe")).isFIFO()).toBe(true);
      expect(lstatSync(at("socket")).isSocket()).toBe(true);
      server.close();
    },
  );

  it("keeps the old file if writing fails", () => {
    const own = mkdtempSync(join(folder, "own-"));
    expect(() => writeFileAtomically(join(own, "no", "file"), Buffer.from("x"))).toThrow("ENOENT");
    expect(() => writeFileAtomically(own, Buffer.from("x"))).toThrow("it is a folder");
    expect(readdirSync(own)).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});

it.skipIf(process.platform === "win32")("a folder may be writable but not readable", () => {
  const own = mkdtempSync(join(folder, "own-"));
  chmodSync(own, 0o333);
  chmodSync(folder, 0o711);
  const isRoot = process.getuid?.() === 0;
  // root can read any folder
  if (isRoot) {
    chownSync(own, 65_534, 65_534);
    process.seteuid?.(65_534);
  }
  try {
    expect(() => readdirSync(own)).toThrow("EACCES");
    writeFileAtomically(join(own, "file"), Buffer.from("one"));
    expect(readFileSync(join(own, "file"), "utf8")).toBe("one");
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(own, 0o700);
  }
});

it.runIf(process.getuid?.() === 0)("a device stays one, even for root", () => {
  const device = join(folder, "device");
  // where devices cannot be created, they cannot be replaced either
  if (spawnSync("mknod", [device, "c", "1", "3"]).status !== 0) return;
  expect(() => writeFileAtomically(device, Buffer.from("x"))).toThrow("a device");
  expect(lstatSync(device).isCharacterDevice()).toBe(true);
});

describe("a file that another program holds", () => {
  const failing = (code: string, failures: number) => {
    let tries = 0;
    return () => {
      tries += 1;
      if (tries <= failures) throw Object.assign(new Error(code), { code, tries });
    };
  };

  it.each(["EPERM", "EACCES", "EBUSY"])("is tried again on Windows after %s", (code) => {
    expect(() => retryWhileLocked(failing(code, 3), "win32")).not.toThrow();
    expect(() => retryWhileLocked(failing(code, 100), "win32")).toThrow(
      expect.objectContaining({ code, tries: 7 }),
    );
  });

  it("is not tried again on other systems, nor after other errors", () => {
    for (const [code, platform] of [
      ["EPERM", "linux"],
      ["EACCES", "darwin"],
      ["ENOENT", "win32"],
    ] as const)
      expect(() => retryWhileLocked(failing(code, 1), platform)).toThrow(
        expect.objectContaining({ tries: 1 }),
      );
  });
});

describe("temporary files of killed processes", () => {
  it("are removed by the next write of the same file, unless the process still runs", async () => {
    const own = mkdtempSync(join(folder, "own-"));
    const ended = spawn(process.execPath, ["--version"], { stdio: "ignore" });
    await once(ended, "close");
    const stale = [`.file.${ended.pid}.tmp`, `.file.${ended.pid}.0123456789abcdef.tmp`];
    const others = [
      `.file.${process.ppid}.tmp`,
      `.other.${ended.pid}.tmp`,
      ".file.x.tmp",
      `.file.${ended.pid}.x.tmp`,
      `file.${ended.pid}.tmp`,
    ];
    for (const name of [...stale, ...others]) writeFileSync(join(own, name), "half");
    writeFileAtomically(join(own, "file"), Buffer.from("whole"));
    expect(readdirSync(own).sort()).toEqual(["file", ...others].sort());
  });
});

describe("a process killed during an export", () => {
  const moments = getPropertyRuns(20);
  const script = join(folder, "export-for-ever.cjs");
  let states: readonly Buffer[];
  beforeAll(async () => {
    const emulator = await createEmulator();
    const before = Buffer.from(emulator.export());
    for (let count = 0; count < 20; count += 1)
      emulator.users.create({ email: `user-${count}@demo.test`, password: "p" });
    states = [before, Buffer.from(emulator.export())];
    await emulator.close();
    states.forEach((state, index) => writeFileSync(join(folder, `state-${index}`), state));
    const writer = fileURLToPath(new URL("write-file-atomically.ts", import.meta.url));
    await build({
      stdin: {
        contents: `
          import { readFileSync, writeSync } from "node:fs";
          import { writeFileAtomically } from ${JSON.stringify(writer)};
          const [file, ...names] = process.argv.slice(2);
          const states = names.map((name) => readFileSync(name));
          writeSync(1, "ready");
          for (let turn = 1; ; turn += 1) writeFileAtomically(file, states[turn % states.length]);
        `,
        resolveDir: folder,
      },
      outfile: script,
      bundle: true,
      format: "cjs",
      platform: "node",
      logLevel: "error",
    });
  });

  it(`leaves the old or the new state, at any of ${moments} moments`, async () => {
    const own = mkdtempSync(join(folder, "own-"));
    const file = join(own, "data.sqlite");
    writeFileSync(file, states[0] ?? "");
    const names = states.map((_state, index) => join(folder, `state-${index}`));
    const found = new Set<number>();
    let interrupted = 0;
    // continue until some exports were interrupted and both states were found, even on a slow machine
    for (let kills = 0; kills < moments || interrupted === 0 || found.size < 2; kills += 1) {
      const child = spawn(process.execPath, [script, file, ...names], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(child.stdout, "data");
      // the times vary by a large part of the duration of an export
      await new Promise((resolve) => setTimeout(resolve, Math.random() * (12 + kills)));
      child.kill("SIGKILL");
      await once(child, "close");
      const content = readFileSync(file);
      found.add(states.findIndex((state) => state.equals(content)));
      if (readdirSync(own).length > 1) interrupted += 1;
    }
    expect([...found].sort()).toEqual([0, 1]);
    writeFileAtomically(file, Buffer.from("the last"));
    expect(readdirSync(own)).toEqual(["data.sqlite"]);
  });
});
