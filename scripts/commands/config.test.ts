import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { type DataServiceConfig, defineConfig, type StartConfig } from "../../emulator/config.js";
import { runInProcess } from "./testing/run-in-process.js";

const cwd = mkdtempSync(join(tmpdir(), "config-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const start: Readonly<Record<keyof StartConfig, true>> = {
  ...{ port: true, host: true, allowHost: true, https: true, fixture: true, profile: true, strict: true },
  ...{
    seed: true,
    clock: true,
    data: true,
    exportOnExit: true,
    journal: true,
    coverage: true,
    console: true,
  },
  ...{ namespaceTtl: true, maxMemory: true, log: true, exitWithParent: true, persist: true },
  ...{ watch: true, json: true, middleware: true },
};

it("the type of the section start has the options of the command", async () => {
  writeFileSync(join(cwd, "data-service.config.json"), JSON.stringify({ start: { nothing: 1 } }));
  const { stderr } = await runInProcess(["start"], { cwd });
  const [, known = ""] = /expected one of (.*)/.exec(stderr) ?? [];
  expect(known.split(", ").sort()).toEqual(Object.keys(start).sort());
});

it("returns the settings as they are", () => {
  const config: DataServiceConfig = { start: { port: 4200 } };
  expect(defineConfig(config)).toBe(config);
});
