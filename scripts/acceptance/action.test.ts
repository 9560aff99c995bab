import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ensureBuilt } from "./testing/ensure-built.js";
import { repositoryRoot } from "../development/contract/guides.js";

/** A folder with the runner's files for passing values between steps, and an `npx` that already has the package. */
let folder: string;
let env: Record<string, string>;

beforeEach(() => {
  ensureBuilt();
  folder = mkdtempSync(join(tmpdir(), "action-"));
  // npx --yes --package=… data-service WORDS
  writeFileSync(
    join(folder, "npx"),
    `#!/bin/sh\nshift 3\nexec "${process.execPath}" "${join(repositoryRoot, "dist/cli.js")}" "$@"\n`,
  );
  chmodSync(join(folder, "npx"), 0o755);
  env = {
    PATH: [folder, process.env.PATH].join(delimiter),
    RUNNER_TEMP: folder,
    GITHUB_ENV: leftBehind("env"),
    GITHUB_OUTPUT: leftBehind("output"),
    GITHUB_STATE: leftBehind("state"),
    GITHUB_STEP_SUMMARY: leftBehind("summary"),
  };
});
afterEach(() => {
  // stop the emulator even if the test has failed
  const { pid } = readVariables("state");
  try {
    if (pid !== undefined) process.kill(-Number(pid), "SIGKILL");
  } catch {
    // it has ended
  }
  rmSync(folder, { recursive: true });
});

function leftBehind(name: string): string {
  const file = join(folder, name);
  writeFileSync(file, "");
  return file;
}

/** Reads the variables in one of the runner's files. */
function readVariables(name: string): Record<string, string> {
  const lines = readFileSync(join(folder, name), "utf8").trim().split("\n");
  return Object.fromEntries(
    lines.map((line): [string, string] => [line.replace(/=.*/, ""), line.replace(/.*?=/, "")]),
  );
}

function step(script: string, inputs: Record<string, string>): Promise<{ code: number; text: string }> {
  return run(process.execPath, [join(repositoryRoot, "scripts/action", script)], inputs);
}

/** Runs the step of the action that certifies. */
function runCertifyStep(inputs: Record<string, string>): Promise<{ code: number; text: string }> {
  const action = parse(readFileSync(join(repositoryRoot, "scripts/action/certify/action.yml"), "utf8")) as {
    runs: { steps: readonly [{ run: string }] };
  };
  return run("bash", ["-c", action.runs.steps[0].run], inputs);
}

async function run(
  command: string,
  words: readonly string[],
  inputs: Record<string, string>,
): Promise<{ code: number; text: string }> {
  try {
    const { stdout } = await promisify(execFile)(command, words, { env: { ...env, ...inputs } });
    return { code: 0, text: stdout };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };
    return { code, text: stdout };
  }
}

it("starts an emulator for later steps, certifies it, and shows its log at the end", async () => {
  expect(
    await step("start.mjs", { INPUT_PORT: "0", INPUT_OPTIONS: "--fixture demo  --seed 3" }),
  ).toMatchObject({
    code: 0,
  });
  const { DATA_SERVICE_URL: url = "" } = readVariables("env");
  expect(readVariables("output")).toEqual({ url });
  expect(await (await fetch(`${url}/health/live`)).json()).toEqual({ status: "Alive" });
  await fetch(`${url}/nowhere`);

  const options = `${url} --emulator --only health --seed 1`;
  await runCertifyStep({ PACKAGE: "x", OPTIONS: options, REPORT_DIR: join(folder, "reports") });
  expect(readFileSync(join(folder, "summary"), "utf8")).toMatch(/health[^]*passed/);

  const state = Object.entries(readVariables("state")).map(([name, value]) => [`STATE_${name}`, value]);
  const { text } = await step("stop.mjs", Object.fromEntries(state) as Record<string, string>);
  expect(text).toMatch(/^::group::Log of the emulator\n[^]*404 +GET +\/nowhere[^]*::endgroup::\n$/);
  await expect
    .poll(() =>
      fetch(url).then(
        () => "there",
        () => "gone",
      ),
    )
    .toBe("gone");
});

it("fails the step with the emulator's message if it does not start", async () => {
  const { code, text } = await step("start.mjs", { INPUT_OPTIONS: "--port nonsense" });
  expect(code).toBe(1);
  expect(text).toMatch(/::error::the emulator did not start: it ended with exit code 2\n$/);
  expect(text).toContain("nonsense");
});
