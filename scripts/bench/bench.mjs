/**
 * Compares the emulator with a bare server that returns the same bytes, and with other emulators. Measures them
 * alternately in one run on one machine, because only the ratios are meaningful. Prints tables.
 *
 * npm run bench -- [--seconds 4] [--rounds 3] [--only get] [--parts starts,throughput,soak,worlds,suites]
 * [--before FOLDER]     also measures the build in this clone
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readProcessCpuMs, measureAlternately } from "./compare.mjs";
import { bareKinds, emulatorKinds, addEarlierBuild, getUnavailableReason, peerKinds } from "./kinds.mjs";
import { fillDynamo, fillEmulator, operations, createSender } from "./operations.mjs";
import { spawnNode, startServer } from "./server.mjs";
import { testCount, measureInProcess, measureOverHttp } from "./small-suite.mjs";

const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "4" },
    rounds: { type: "string", default: "3" },
    only: { type: "string", default: "" },
    parts: { type: "string", default: "starts,throughput,soak,worlds,suites" },
    before: { type: "string" },
  },
});
const seconds = Number(options.seconds);
const rounds = Number(options.rounds);
const connections = 32;
if (options.before !== undefined) addEarlierBuild(options.before);
const peers = peerKinds.filter((kind) => getUnavailableReason(kind) === undefined);
const kinds = [...bareKinds, ...emulatorKinds, ...peers];
const folder = mkdtempSync(join(tmpdir(), "bench-"));
const loadScript = fileURLToPath(new URL("load.mjs", import.meta.url));
const worldsScript = fileURLToPath(new URL("worlds.mjs", import.meta.url));
let answersOfEmulator;

const parts = {
  starts: async () => printTable("server", await measureStarts(7)),
  throughput: async () => printThroughput(await measureThroughput()),
  soak: async () => printTable("soak", await measureSoak(200_000)),
  worlds: async () => printTable("operations of test suites: ratio of CPU times", await measureWorlds()),
  suites: async () => printTable(`${testCount} tests, each in a new namespace`, await measureSuites(5)),
};
try {
  for (const kind of peerKinds)
    if (!peers.includes(kind)) console.log(`${kind} is not measured: ${getUnavailableReason(kind)}\n`);
  for (const part of options.parts.split(",")) await parts[part]();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Measures the time from spawn to the first response, and the idle memory. */
function measureStarts(times) {
  return measureAlternately(kinds, times, async (kind) => {
    const server = await startServer(kind);
    const putMs = emulatorKinds.includes(kind) ? await firstPut(server) : undefined;
    await new Promise((resolve) => setTimeout(resolve, 200));
    const memoryMb = server.memoryMb();
    await server.stop();
    return {
      "spawn to first answer, ms": server.startMs,
      "spawn to first put, ms": putMs,
      "memory, MB": memoryMb,
    };
  });
}

/** Measures the milliseconds from spawn to the response to a request with a validated body. */
async function firstPut({ url, spawnedAt }) {
  const [put] = operations.find(({ name }) => name === "put").emulator;
  await createSender(url)(put);
  return performance.now() - spawnedAt;
}

/** Measures requests per second and CPU time for every operation. */
async function measureThroughput() {
  const chosen = operations.filter(({ name }) => name.startsWith(options.only));
  const results = [];
  for (const operation of chosen) {
    const able = kinds.filter((kind) => !peers.includes(kind) || operation.dynamo !== undefined);
    const measured = await measureAlternately(able, rounds, (kind, round) => {
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
    if (emulatorKinds.includes(kind)) await fillEmulator(createSender(server.url));
    if (peers.includes(kind)) await fillDynamo(server.url);
    const requests = bareKinds.includes(kind)
      ? await bareRequests(server, operation)
      : operation[peers.includes(kind) ? "dynamo" : "emulator"];
    const job = { url: server.url, requests, connections, distinct: operation.distinct };
    await load({ ...job, duration: 1 });
    const cpuBefore = readProcessCpuMs(server.pid);
    const result = await load({ ...job, duration: seconds });
    const cpuMs = cpuBefore === undefined ? undefined : readProcessCpuMs(server.pid) - cpuBefore;
    if (result.bad > 0) throw new Error(`${kind}: ${result.bad} requests of ${operation.name} failed`);
    return {
      requestsPerSecond: result.requestsPerSecond,
      cpuUs: cpuMs === undefined ? undefined : (cpuMs * 1000) / result.requests,
    };
  } finally {
    await server.stop();
  }
}

/** Returns requests to a bare route that returns the bytes of the emulator's first response. */
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
    const send = createSender(server.url);
    await fillEmulator(send);
    const answers = new Map();
    for (const { name, emulator } of operations) answers.set(name, await send(emulator[0]));
    return answers;
  } finally {
    await server.stop();
  }
}

/** Measures memory after many mixed requests, and after a tenth of them. */
async function measureSoak(amount) {
  const server = await startServer("emulator");
  try {
    await fillEmulator(createSender(server.url));
    // omit operations that add data with every request
    const lasting = operations.filter(({ name }) => !/create|insert/.test(name));
    const requests = lasting.flatMap(({ emulator }) => emulator.slice(0, 50));
    await load({ url: server.url, requests, connections, amount: amount / 10 });
    const atTenthMb = server.memoryMb();
    await load({ url: server.url, requests, connections, amount: (amount * 9) / 10 });
    const figures = { "after a tenth, MB": atTenthMb, "at the end, MB": server.memoryMb() };
    return { [`${amount} mixed requests`]: figures };
  } finally {
    await server.stop();
  }
}

/** Measures operations that test suites wait for; see worlds.mjs. */
function measureWorlds() {
  process.stderr.write("resets, snapshots, namespaces          ");
  return run("the measurement of worlds", 0, [worldsScript, "7", options.only]).finally(() =>
    process.stderr.write("\r\u001b[K"),
  );
}

async function measureSuites(times) {
  process.stderr.write("small test suites          ");
  const overHttp = await measureOverHttp([...emulatorKinds, ...peers], peers, times);
  const inProcess = measureInProcess(times);
  process.stderr.write("\r\u001b[K");
  return { ...overHttp, "in-process": inProcess };
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

/** Prints the figures of the emulator, and their ratios to those of each other server. */
function printThroughput(throughput) {
  const others = kinds.filter((kind) => kind !== "emulator");
  const printRatios = (title, figure, getRatio) =>
    printTable(
      title,
      Object.fromEntries(
        throughput.map(({ name, emulator, ...measured }) => {
          const ratios = others.map((kind) => {
            const [ours, theirs] = [emulator[figure], measured[kind]?.[figure]];
            return [`to ${kind}`, ours && theirs && getRatio(ours.median, theirs.median)];
          });
          return [name, { emulator: emulator[figure], ...Object.fromEntries(ratios) }];
        }),
      ),
    );
  printRatios("requests per second", "requestsPerSecond", (ours, theirs) => ours / theirs);
  printRatios("CPU time of the server, µs per request", "cpuUs", (ours, theirs) => theirs / ours);
}

/** Prints a row for each name, with a column for each of its figures. */
function printTable(title, rows) {
  const columns = [...new Set(Object.values(rows).flatMap((figures) => Object.keys(figures)))];
  if (columns.length === 0) return;
  const lines = [
    [title, ...columns],
    ["---", ...columns.map(() => "---")],
    ...Object.entries(rows).map(([name, figures]) => [
      name,
      ...columns.map((column) => formatFigure(figures[column])),
    ]),
  ];
  console.log(`${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`);
}

/** Formats a number, or a median with its range. */
function formatFigure(figure) {
  if (figure === undefined) return "–";
  if (typeof figure === "number") return figure.toLocaleString("en", { maximumSignificantDigits: 3 });
  const [median, least, most] = [figure.median, figure.least, figure.most].map(formatFigure);
  return `${median} (${least} to ${most})`;
}
