import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { fileURLToPath } from "node:url";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const canPin = spawnSync("taskset", ["-c", "0", "true"]).status === 0;

/** How each server is started on a port. */
const commands = {
  emulator: (port) => [here("../../dist/cli.js"), "start", "--port", String(port), "--json"],
  "emulator without journal": (port) => [...commands.emulator(port), "--no-journal"],
  "bare Hono": (port) => [here("bare-hono.mjs"), String(port)],
  dynalite: (port) => [here("dynalite-server.mjs"), String(port)],
};

export function commandOf(kind, port) {
  return commands[kind](port);
}

/** Runs Node on one core, where the machine can pin processes. */
export function spawnNode(core, args, options = {}) {
  const stdio = ["ignore", "pipe", "inherit"];
  const pinned = ["taskset", "-c", String(core), process.execPath, ...args];
  const [command, ...rest] = canPin ? pinned : pinned.slice(3);
  return spawn(command, rest, { stdio, ...options });
}

/**
 * Starts a server on core 0 and waits for its first answer.
 *
 * @returns its base URL, milliseconds from spawn to first answer, memory in MB, and how to stop it
 */
export async function startServer(kind) {
  const port = await freePort();
  const begin = performance.now();
  const child = spawnNode(0, commands[kind](port));
  child.stdout.resume();
  const ended = new Promise((resolve) => child.once("exit", resolve));
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`${kind} ended with ${child.exitCode} before it answered`);
    if (performance.now() - begin > 30_000) throw new Error(`${kind} did not answer within 30 seconds`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return {
    kind,
    port,
    pid: child.pid,
    url: `http://127.0.0.1:${port}`,
    startMs: performance.now() - begin,
    memoryMb: () => residentMb(child.pid),
    stop: () => {
      child.kill("SIGKILL");
      return ended;
    },
  };
}

/** Whether anything answers HTTP on the port. */
function answers(port) {
  return new Promise((resolve) => {
    const probe = request({ port, host: "127.0.0.1", path: "/health", agent: false }, (response) => {
      response.resume();
      response.once("end", () => resolve(true));
    });
    probe.once("error", () => resolve(false));
    probe.end();
  });
}

export function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function residentMb(pid) {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1024;
}
