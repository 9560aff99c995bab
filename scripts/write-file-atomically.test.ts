import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEmulator } from "../emulator/emulator.js";
import { writeFileAtomically } from "./write-file-atomically.js";

const folder = mkdtempSync(join(tmpdir(), "atomically-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a file that is written atomically", () => {
  it("replaces the one before, keeps its mode, and leaves nothing beside it", () => {
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
  });

  it("stays as it was when it cannot be written", () => {
    const own = mkdtempSync(join(folder, "own-"));
    expect(() => writeFileAtomically(join(own, "no", "file"), Buffer.from("x"))).toThrow("ENOENT");
    expect(() => writeFileAtomically(own, Buffer.from("x"))).toThrow();
    expect(readdirSync(own)).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});

describe("a process that is killed while it exports", () => {
  const script = join(folder, "export-for-ever.mjs");
  let states: readonly Buffer[];
  beforeAll(async () => {
    const emulator = await createEmulator();
    const before = Buffer.from(emulator.export());
    for (let count = 0; count < 100; count += 1)
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
      format: "esm",
      platform: "node",
      logLevel: "error",
    });
  });

  it("leaves the old state or the new one, whole, at any of 50 moments", { timeout: 60_000 }, async () => {
    const found = new Set<number>();
    let interrupted = 0;
    const killAtSomeMoment = async (number: number) => {
      const own = mkdtempSync(join(folder, "own-"));
      const file = join(own, "data.sqlite");
      writeFileSync(file, states[0] ?? "");
      const names = states.map((_state, index) => join(folder, `state-${index}`));
      const child = spawn(process.execPath, [script, file, ...names], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(child.stdout, "data");
      // moments of one run differ by a good part of an export
      await new Promise((resolve) => setTimeout(resolve, (number * 7) % 23));
      child.kill("SIGKILL");
      await once(child, "close");
      const content = readFileSync(file);
      found.add(states.findIndex((state) => state.equals(content)));
      if (readdirSync(own).length > 1) interrupted += 1;
    };
    const moments = Array.from({ length: 50 }, (_, number) => number);
    await Promise.all(
      [0, 1, 2, 3].map(async (lane) => {
        for (const number of moments.filter((each) => each % 4 === lane)) await killAtSomeMoment(number);
      }),
    );
    expect([...found].sort()).toEqual([0, 1]);
    // the moments were not all between two exports
    expect(interrupted).toBeGreaterThan(0);
  });
});
