/**
 * Measures the emulator beside a server that does nothing but answer the same bytes and beside other emulators, all in turns
 * in one run on one machine: what counts are the ratios. Prints tables and writes reports/bench.json.
 *
 *   npm run bench -- [--seconds 4] [--rounds 3] [--only get] [--compare REV] [--no-peers] [--no-soak] [--no-worlds] [--no-suites]
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { cpuMsOf, takeTurns } from "./compare.mjs";
import { buildCommit } from "./commit.mjs";
import { addEmulator, bareKinds, missing, peerKinds } from "./kinds.mjs";
import { fillDynamo, fillEmulator, operations, sendTo } from "./operations.mjs";
import { spawnNode, startServer } from "./server.mjs";
import { amountOfTests, measureInProcess, measureOverHttp } from "./small-suite.mjs";

const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "4" },
    rounds: { type: "string", default: "3" },
    only: { type: "string" },
    compare: { type: "string" },
    "no-peers": { type: "boolean", default: false },
    "no-soak": { type: "boolean", default: false },
    "no-worlds": { type: "boolean", default: false },
    "no-suites": { type: "boolean", default: false },
  },
});
const seconds = Number(options.seconds);
const rounds = Number(options.rounds);
const connections = 32;
/** The commit to compare with this tree, if any. */
const before = options.compare === undefined ? undefined : `emulator at ${options.compare}`;
const commit = before === undefined ? undefined : buildCommit(options.compare);
if (commit !== undefined) addEmulator(before, commit.folder);
const emulators = before === undefined ? ["emulator"] : ["emulator", before];
const wantedPeers = options["no-peers"] ? [] : peerKinds;
const peers = wantedPeers.filter((kind) => missing(kind) === undefined);
const kinds = [...bareKinds, ...emulators, ...peers];
const folder = mkdtempSync(join(tmpdir(), "bench-"));
const loadScript = fileURLToPath(new URL("load.mjs", import.meta.url));
const worldsScript = fileURLToPath(new URL("worlds.mjs", import.meta.url));
let answersOfEmulator;
const reports = fileURLToPath(new URL("../../reports/", import.meta.url));

try {
  const starts = await measureStarts(7);
  const throughput = await measureThroughput();
  const soak = options["no-soak"] ? undefined : await measureSoak(200_000);
  const worlds = options["no-worlds"] ? [] : await measureWorlds();
  const suites = options["no-suites"] ? [] : await measureSuites(5);
  print(throughput, starts, soak);
  printWorlds(worlds);
  printSuites(suites);
  mkdirSync(reports, { recursive: true });
  const machine = { node: process.version, cores: cpus().length, model: cpus()[0]?.model };
  writeFileSync(
    join(reports, "bench.json"),
    `${JSON.stringify({ machine, seconds, rounds, connections, throughput, starts, soak, worlds, suites }, null, 2)}\n`,
  );
  console.log("wrote reports/bench.json");
} finally {
  rmSync(folder, { recursive: true, force: true });
  commit?.remove();
}

/** Time from spawn to the first answer, and idle memory. */
function measureStarts(times) {
  return takeTurns(kinds, times, async (kind) => {
    const server = await startServer(kind);
    const putMs = emulators.includes(kind) ? await firstPut(server) : undefined;
    await new Promise((resolve) => setTimeout(resolve, 200));
    const memoryMb = server.memoryMb();
    await server.stop();
    return { startMs: server.startMs, putMs, memoryMb };
  });
}

/** Milliseconds from spawn to the answer to a request with a validated body. */
async function firstPut({ url, spawnedAt }) {
  const [put] = operations.find(({ name }) => name === "put").emulator;
  await sendTo(url)(put);
  return performance.now() - spawnedAt;
}

/** Requests per second and latency of every operation. */
async function measureThroughput() {
  const chosen = operations.filter(({ name }) => options.only === undefined || name.startsWith(options.only));
  const results = [];
  for (const operation of chosen) {
    const able = kinds.filter((kind) => !peers.includes(kind) || operation.dynamo !== undefined);
    const measured = await takeTurns(able, rounds, (kind, round) => {
      process.stderr.write(`\r${operation.name}, round ${round + 1} of ${rounds}, ${kind}          `);
      return measure(kind, operation);
    });
    process.stderr.write("\r\u001b[K");
    results.push({ name: operation.name, ...measured });
  }
  return results;
}

async function measure(kind, operation) {
  const server = await startServer(kind);
  try {
    if (emulators.includes(kind)) await fillEmulator(sendTo(server.url));
    if (peers.includes(kind)) await fillDynamo(server.url);
    const requests = bareKinds.includes(kind)
      ? await bareRequests(server, operation)
      : operation[peers.includes(kind) ? "dynamo" : "emulator"];
    const job = { url: server.url, requests, connections, distinct: operation.distinct };
    await load({ ...job, duration: 1 });
    const cpuBefore = cpuMsOf(server.pid);
    const result = await load({ ...job, duration: seconds });
    const cpuMs = cpuBefore === undefined ? undefined : cpuMsOf(server.pid) - cpuBefore;
    if (result.bad > 0) throw new Error(`${kind}: ${result.bad} requests of ${operation.name} failed`);
    const { requestsPerSecond, p50Ms, p99Ms } = result;
    return {
      requestsPerSecond,
      p50Ms,
      p99Ms,
      cpuUs: cpuMs === undefined ? undefined : (cpuMs * 1000) / result.requests,
    };
  } finally {
    await server.stop();
  }
}

/** Serves the bytes of the emulator's first answer from a route that does nothing else. */
async function bareRequests(server, operation) {
  answersOfEmulator ??= await collectAnswers();
  const name = encodeURIComponent(operation.name);
  await fetch(`${server.url}/answers/${name}`, {
    method: "PUT",
    body: answersOfEmulator.get(operation.name),
  });
  return operation.emulator.map(({ headers, body }) =>
    operation.method === "GET"
      ? { method: "GET", path: `/read/${name}`, headers }
      : { method: "POST", path: `/write/${name}`, headers, body },
  );
}

async function collectAnswers() {
  const server = await startServer("emulator");
  try {
    const send = sendTo(server.url);
    await fillEmulator(send);
    const answers = new Map();
    for (const { name, emulator } of operations) answers.set(name, await send(emulator[0]));
    return answers;
  } finally {
    await server.stop();
  }
}

/** Memory after many mixed requests, compared with memory after a tenth of them. */
async function measureSoak(amount) {
  const server = await startServer("emulator");
  try {
    await fillEmulator(sendTo(server.url));
    // without operations whose data only grows
    const lasting = operations.filter(({ name }) => !/create|insert/.test(name));
    const requests = lasting.flatMap(({ emulator }) => emulator.slice(0, 50));
    await load({ url: server.url, requests, connections, amount: amount / 10 });
    const atTenth = server.memoryMb();
    await load({ url: server.url, requests, connections, amount: (amount * 9) / 10 });
    const atEnd = server.memoryMb();
    return { amount, atTenthMb: atTenth, atEndMb: atEnd, ratio: atEnd / atTenth };
  } finally {
    await server.stop();
  }
}

/** Operations that test suites wait for; see worlds.mjs. */
function measureWorlds() {
  process.stderr.write("resets, snapshots, namespaces          ");
  return run("the measurement of worlds", 0, [worldsScript, "7", options.only ?? ""]).finally(() =>
    process.stderr.write("\r\u001b[K"),
  );
}

async function measureSuites(times) {
  process.stderr.write("small test suites          ");
  const overHttp = await measureOverHttp([...emulators, ...peers], peers, times);
  const rows = [...overHttp, ...measureInProcess(times)];
  process.stderr.write("\r\u001b[K");
  return rows;
}

function load(job) {
  const file = join(folder, "job.json");
  writeFileSync(file, JSON.stringify(job));
  return run("the load generator", 1, [loadScript, file]);
}

/** Runs a script on one core and reads the JSON that it prints. */
async function run(what, core, args) {
  const child = spawnNode(core, args);
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`${what} ended with ${code}`);
  return JSON.parse(output);
}

function formatSpread(spread, digits = 0) {
  if (spread === undefined) return "–";
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const figures = [spread.median, spread.least, spread.most];
  const [median, least, most] = figures.map((figure) => figure.toLocaleString("en", options));
  return `${median} (${least} to ${most})`;
}

function print(throughput, starts, soak) {
  const others = kinds.filter((kind) => kind !== "emulator");
  /** The result of the emulator, and its ratio to each of the others. */
  const printRatios = (title, member, digits, better) =>
    printTable(
      [title, "emulator", ...others.map((kind) => `to ${kind}`)],
      throughput.map((row) => [
        row.name,
        formatSpread(row.emulator[member], digits),
        ...others.map((kind) => {
          const [ours, theirs] = [row.emulator[member], row[kind]?.[member]];
          return ours && theirs ? better(ours.median, theirs.median).toFixed(2) : "–";
        }),
      ]),
    );
  printRatios("requests a second", "requestsPerSecond", 0, (ours, theirs) => ours / theirs);
  printRatios("CPU time of the server, µs per request", "cpuUs", 1, (ours, theirs) => theirs / ours);
  printTable(
    ["latency, ms", "p50", "p99"],
    throughput.map(({ name, emulator }) => [
      name,
      formatSpread(emulator.p50Ms, 1),
      formatSpread(emulator.p99Ms, 1),
    ]),
  );
  const unit = starts.dynalite?.startMs.median;
  const ratio = (ms) => (ms === undefined || unit === undefined ? "–" : (ms.median / unit).toFixed(2));
  printTable(
    ["server", "spawn to first answer, ms", "to dynalite", "to first put, ms", "to dynalite", "memory, MB"],
    kinds.map((kind) => {
      const { startMs, putMs, memoryMb } = starts[kind];
      return [
        kind,
        formatSpread(startMs),
        ratio(startMs),
        formatSpread(putMs),
        ratio(putMs),
        formatSpread(memoryMb),
      ];
    }),
  );
  for (const kind of wantedPeers)
    if (!peers.includes(kind)) console.log(`${kind} was not measured: ${missing(kind)}\n`);
  if (soak !== undefined)
    console.log(
      `soak: ${soak.amount} mixed requests; ${soak.atTenthMb.toFixed(0)} MB after a tenth, ` +
        `${soak.atEndMb.toFixed(0)} MB at the end (${soak.ratio.toFixed(2)})\n`,
    );
}

function printWorlds(worlds) {
  printTable(
    ["for test suites", "CPU ms", "beside", "ratio", "at most"],
    worlds.map(({ name, ms, besideMs, ratio, target }) => [
      name,
      ms.toFixed(3),
      besideMs.toFixed(3),
      ratio.toFixed(2),
      target ?? "–",
    ]),
  );
}

function printSuites(suites) {
  printTable(
    [
      `${amountOfTests} tests, each in a new namespace`,
      "ready, ms",
      "all tests including the start, ms",
      "CPU time of the emulator, ms",
      "memory idle, MB",
      "after, MB",
    ],
    suites.map(({ name, readyMs, totalMs, serverMs, idleMb, afterMb }) => [
      name,
      ...[readyMs, totalMs, serverMs, idleMb, afterMb].map((figure) => formatSpread(figure)),
    ]),
  );
}

function printTable(head, rows) {
  if (rows.length === 0) return;
  const line = (cells) => `| ${cells.join(" | ")} |`;
  console.log(`${[line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n")}\n`);
}
