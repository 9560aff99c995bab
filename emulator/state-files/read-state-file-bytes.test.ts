import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { emulatorLimits } from "../memory/limits.js";
import { readStateFileBytes } from "./read-state-file-bytes.js";

const folder = mkdtempSync(join(tmpdir(), "data-file-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);

it("reads a file, through a link as well", async () => {
  writeFileSync(at("file"), "content");
  symlinkSync(at("file"), at("link"));
  for (const name of ["file", "link"])
    expect(Buffer.from(await readStateFileBytes(at(name))).toString()).toBe("content");
});

it("refuses a file larger than any state without reading it", async () => {
  writeFileSync(at("huge"), "");
  // a sparse file uses no disk space
  truncateSync(at("huge"), emulatorLimits.stateBytes + 1);
  await expect(readStateFileBytes(at("huge"))).rejects.toThrow(
    "it is 1073741825 bytes, but a state can have at most 1073741824 bytes",
  );
});

it.skipIf(process.platform === "win32")(
  "refuses what is not a file, without waiting for a writer",
  async () => {
    execFileSync("mkfifo", [at("pipe")]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(at("socket"), resolve));
    for (const name of [at("pipe"), at("socket"), "/dev/null"])
      await expect(readStateFileBytes(name), name).rejects.toThrow("it is a pipe, a socket or a device");
    await expect(readStateFileBytes(folder)).rejects.toThrow("it is a folder");
    await expect(readStateFileBytes(at("gone"))).rejects.toThrow("ENOENT");
    server.close();
  },
);
