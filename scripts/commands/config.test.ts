import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import {
  type CertifyConfig,
  type DataServiceConfig,
  defineConfig,
  type StartConfig,
} from "../../emulator/config.js";
import { runInProcess } from "./testing/run-in-process.js";

const cwd = mkdtempSync(join(tmpdir(), "config-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

type Names<Section> = Readonly<Record<keyof Section, true>>;
const start: Names<Required<StartConfig>> = {
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
const certify: Names<Required<CertifyConfig>> = {
  ...{
    emulator: true,
    target: true,
    only: true,
    requireComplete: true,
    seed: true,
    runs: true,
    maxTime: true,
  },
  ...{ maxFailures: true, reportDir: true, verbose: true, shard: true, lastFailed: true },
  ...{ replay: true, list: true, cleanup: true, profile: true, writeProfile: true },
};

it.each(Object.entries({ start, certify } satisfies Record<keyof DataServiceConfig, object>))(
  "the type of the section %s has the options of the command",
  async (section, names) => {
    writeFileSync(join(cwd, "data-service.config.json"), JSON.stringify({ [section]: { nothing: 1 } }));
    const { stderr } = await runInProcess([section], { cwd });
    const [, known = ""] = /expected one of (.*)/.exec(stderr) ?? [];
    expect(known.split(", ").sort()).toEqual(Object.keys(names).sort());
  },
);

it("returns the settings as they are", () => {
  const config: DataServiceConfig = { start: { port: 4200 } };
  expect(defineConfig(config)).toBe(config);
});
