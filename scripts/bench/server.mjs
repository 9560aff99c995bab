import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { getCommand } from "./kinds.mjs";

const canPin = spawnSync("taskset", ["-c", "0", "true"]).status === 0;

/** Runs a command on one core, if the system supports this. */
export function spawnPinned(core, words) {
  const [command, ...rest] = canPin ? ["taskset", "-c", String(core), ...words] : words;
  // some servers write files to the working directory
  return spawn(command, rest, { stdio: ["ignore", "pipe", "inherit"], cwd: tmpdir() });
}

/** Runs a Node script on one core. */
export function spawnNode(core, args) {
  return spawnPinned(core, [process.execPath, ...args]);
}

/**
 * Starts a server on core 0, and waits for its first response.
 *
 * @returns the base URL, the milliseconds from spawn to the first response, the memory in MB, and a function that stops
 * the server
 */
export async function startServer(kind) {
  const port = await findFreePort();
  const begin = performance.now();
  const child = spawnPinned(0, getCommand(kind, port));
  child.stdout.resume();
  const ended = new Promise((resolve) => child.once("exit", resolve));
  while (!(await isResponding(port))) {
    if (child.exitCode !== null) throw new Error(`${kind} ended with ${child.exitCode} before it responded`);
    if (performance.now() - begin > 30_000) throw new Error(`${kind} did not respond within 30 seconds`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return {
    kind,
    port,
    pid: child.pid,
    url: `http://127.0.0.1:${port}`,
    spawnedAt: begin,
    startMs: performance.now() - begin,
    memoryMb: () => residentMb(child.pid),
    stop: () => {
      child.kill("SIGKILL");
      return ended;
    },
  };
}

/** Whether a server responds to HTTP requests on the port. */
function isResponding(port) {
  return new Promise((resolve) => {
    const probe = request({ port, host: "127.0.0.1", path: "/health", agent: false }, (response) => {
      response.resume();
      response.once("end", () => resolve(true));
    });
    probe.once("error", () => resolve(false));
    probe.end();
  });
}

export function findFreePort() {
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
