/**
 * Generates a client with each generator, compiles the client, and runs it against an emulator that adds a field to
 * every object in its responses, as a later version of the service may. `npm run clients -- orval hey-api` runs only
 * these two.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { createEmulator } from "../../dist/index.js";
import { addFields } from "./add-fields.mjs";
import { folder, generators } from "./generators.mjs";

/** The requests of each client; see `round-trips/`. */
const roundTrip = [
  "login",
  "listMembers",
  "putItem",
  "getItemWithSortKey",
  "queryItems",
  "getItem",
  "runSqlQuery",
];

const names = process.argv.slice(2);
const unknown = names.filter((name) => !generators.some((generator) => generator.name === name));
if (unknown.length > 0) throw new Error(`unknown generator: ${unknown.join(", ")}`);

const emulator = await createEmulator({ middleware: [addFields] });
const environment = { ...process.env, SERVICE_URL: await emulator.listen() };
const installed = new Set();
mkdirSync(folder, { recursive: true });

try {
  for (const generator of generators)
    if (names.length === 0 || names.includes(generator.name)) await tryGenerator(generator);
} finally {
  await emulator.close();
}

async function tryGenerator({ name, tools, generate, compile, run }) {
  const missing = tools.flatMap(({ programs }) => programs).filter((program) => !isThere(program));
  if (missing.length > 0) {
    console.log(`not tried: ${name}, which needs ${missing.join(" and ")}`);
    return;
  }
  const client = join(folder, name);
  rmSync(client, { recursive: true, force: true });
  cpSync(new URL(`round-trips/${name}`, import.meta.url), client, { recursive: true });
  copyFileSync(new URL("tsconfig.json", import.meta.url), join(client, "tsconfig.json"));
  try {
    for (const tool of tools) await install(tool);
    for (const command of [generate, compile]) await execute(command, client);
    emulator.reset();
    await execute(run, client);
    const asked = emulator.journal.entries().map(({ operationId }) => operationId);
    if (!isDeepStrictEqual(asked, roundTrip)) throw new Error(`requested only ${asked.join(", ")}`);
    console.log(`ok  ${name}`);
  } catch (error) {
    console.log(`FAILED  ${name}: ${error.message}`);
    process.exitCode = 1;
  }
}

function isThere(program) {
  return spawnSync(program, ["--help"], { stdio: "ignore" }).error === undefined;
}

async function install(tool) {
  if (!installed.has(tool)) for (const command of tool.install) await execute(command, folder);
  installed.add(tool);
}

/** Runs a command asynchronously, so that the emulator can respond in the meantime. */
async function execute([program, ...parameters], cwd) {
  const child = spawn(program, parameters, { cwd, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => (output += text));
  const [status] = await once(child, "close");
  if (status !== 0) throw new Error(`${[program, ...parameters].join(" ")}\n${output}`);
}
