/** First step of the action: starts the emulator, waits until it is ready, and passes its URL to later steps. */
import { spawn } from "node:child_process";
import { appendFileSync, openSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

const { INPUT_PACKAGE, INPUT_PORT, INPUT_OPTIONS, GITHUB_ENV, GITHUB_OUTPUT, GITHUB_STATE, RUNNER_TEMP } =
  process.env;
const { name, version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const folder = RUNNER_TEMP || tmpdir();
const files = { ready: join(folder, "data-service-ready.json"), log: join(folder, "data-service.log") };
const maxSeconds = 120;

const words = ["start", "--json", "--log", "problems", "--port", INPUT_PORT || "4100"];
const options = (INPUT_OPTIONS ?? "").split(/\s+/).filter((word) => word !== "");
const emulator = spawn(
  "npx",
  ["--yes", `--package=${INPUT_PACKAGE || `${name}@${version}`}`, "data-service", ...words, ...options],
  {
    detached: true,
    stdio: ["ignore", openSync(files.ready, "w"), openSync(files.log, "w")],
    // on Windows, npx is a script
    shell: process.platform === "win32",
  },
);
let ended;
emulator.on("error", ({ message }) => (ended = message));
emulator.on("exit", (code) => (ended = `it ended with exit code ${code}`));

const url = await readyUrl();
if (url === undefined) {
  process.stdout.write(readFileSync(files.log, "utf8"));
  process.stdout.write(
    `::error::the emulator did not start: ${ended ?? `not ready after ${maxSeconds} s`}\n`,
  );
  process.exit(1);
}
appendFileSync(GITHUB_ENV, `DATA_SERVICE_URL=${url}\n`);
appendFileSync(GITHUB_OUTPUT, `url=${url}\n`);
appendFileSync(GITHUB_STATE, `pid=${emulator.pid}\nlog=${files.log}\n`);
process.stdout.write(`the emulator is ready at ${url}\n`);
// the emulator keeps running after this step
process.exit(0);

async function readyUrl() {
  for (let tries = 0; tries < maxSeconds * 10 && ended === undefined; tries++) {
    const line = readFileSync(files.ready, "utf8");
    if (line.endsWith("\n")) return JSON.parse(line).url;
    await setTimeout(100);
  }
}
