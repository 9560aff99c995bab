/**
 * What test suites wait for: resets, snapshots, namespaces, starts, and what the journal costs. Counts processor time,
 * both sides by turns. Prints JSON.
 *
 *   node scripts/bench/worlds.mjs [rounds] [name]
 */
import { Agent, request } from "node:http";
import initSqlJs from "sql.js";
import { createEmulator } from "../../dist/index.js";
import { compare, cpuMs, ofPairs } from "./compare.mjs";
import { cpuMsOf } from "./cpu-time.mjs";
import { fillEmulator, operations } from "./operations.mjs";
import { commandOf } from "./kinds.mjs";
import { freePort, spawnPinned, startServer } from "./server.mjs";

const rounds = Number(process.argv[2] ?? 7);
const only = process.argv[3] ?? "";
const item = "/api/v1/databases/db_demo/items/settings/currency";
const withKey = { headers: { Authorization: "Bearer dsk_demo_all" } };

const rows = [
  { name: "resets, last hundred of 1,000: to the first", target: 1.2, measure: resetsInARow },
  { name: "reset, to opening the same bytes in sql.js", target: 5, measure: resetToOpening },
  { name: "snapshot of 10,000 items: to export of sql.js", target: 3, measure: () => snapshots("save") },
  { name: "restore of 10,000 items: to opening in sql.js", target: 3, measure: () => snapshots("restore") },
  { name: "new namespace to first answer: to opening in sql.js", measure: newNamespace },
  { name: "createEmulator to first answer, warm: to opening in sql.js", measure: newEmulator },
  { name: "start to ready line: to a bare Hono server", measure: starts },
  { name: "journal on, per request: to off", target: 1.05, measure: journal },
];
const sqlite = await initSqlJs();

const results = [];
for (const { name, target, measure } of rows.filter((row) => row.name.startsWith(only))) {
  const { ratio, ms, besideMs } = await measure();
  results.push({ name, target, unit: "ms", ratio, amount: ms, beside: besideMs });
}
if ("memory".startsWith(only)) results.push(await memoryOfNamespaces());
process.stdout.write(JSON.stringify(results));

/** A reset, and a first look at what it gave: the world is opened then. */
function resetAndLook(emulator) {
  emulator.reset();
  emulator.clock.get();
}

/** What sql.js needs until it can answer from bytes. */
function openAndLook(bytes) {
  const database = new sqlite.Database(bytes);
  database.exec("SELECT count(*) FROM sqlite_schema");
  database.close();
}

function resetsInARow() {
  return withEmulator(async (emulator) => {
    // code that is not warm yet would hide a slope
    for (let n = 0; n < 300; n += 1) resetAndLook(emulator);
    const pairs = [];
    for (let round = 0; round < rounds; round += 1) {
      const hundreds = [];
      for (let hundred = 0; hundred < 10; hundred += 1)
        hundreds.push(timed(() => resetAndLook(emulator), 100));
      pairs.push([hundreds[9], hundreds[0]]);
    }
    return ofPairs(pairs);
  });
}

function resetToOpening() {
  return withEmulator((emulator) => {
    const bytes = emulator.export();
    return compareTimes(
      () => resetAndLook(emulator),
      () => openAndLook(bytes),
      50,
    );
  });
}

function snapshots(what) {
  return withEmulator(async (emulator) => {
    await fillWithItems(emulator);
    emulator.snapshot("filled");
    if (what === "restore") {
      const bytes = emulator.snapshots.download("filled");
      return compareTimes(
        () => {
          emulator.restore("filled");
          emulator.clock.get();
        },
        () => openAndLook(bytes),
        5,
      );
    }
    const database = new sqlite.Database(emulator.snapshots.download("filled"));
    const result = await compareTimes(
      () => emulator.snapshot("again"),
      () => database.export(),
      5,
    );
    database.close();
    return result;
  });
}

function newNamespace() {
  return withEmulator((emulator) => {
    const bytes = emulator.export();
    let number = 0;
    return compareTimes(
      async () => {
        number += 1;
        const name = `world-${number}`;
        await answered(emulator.namespace(name));
        emulator.namespaces.delete(name);
      },
      () => openAndLook(bytes),
      20,
    );
  });
}

function newEmulator() {
  return withEmulator((emulator) => {
    const bytes = emulator.export();
    return compareTimes(
      () => withEmulator(answered),
      () => openAndLook(bytes),
      5,
    );
  });
}

/** Processor time from spawn to the line that says that it listens. */
async function starts() {
  const start = async (kind) => {
    const child = spawnPinned(0, commandOf(kind, await freePort()));
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const begin = performance.now();
    await new Promise((resolve, reject) => {
      child.stdout.once("data", resolve);
      child.once("exit", () => reject(new Error(`${kind} ended before it was ready`)));
    });
    const cost = cpuMsOf(child.pid) ?? performance.now() - begin;
    child.kill("SIGKILL");
    await ended;
    return cost;
  };
  return compare(
    () => start("emulator"),
    () => start("bare Hono"),
    rounds,
  );
}

/** Two servers side by side, one that records requests and one that does not, loaded by turns. */
async function journal() {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const servers = [await startServer("emulator"), await startServer("emulator without journal")];
  const requests = operations
    .filter(({ name }) => name === "get" || name === "put")
    .flatMap(({ emulator }) => emulator.slice(0, 50));
  const load = async ({ port, pid }, amount) => {
    const before = cpuMsOf(pid);
    const begin = performance.now();
    let next = 0;
    const connection = async () => {
      while (next < amount) await send(agent, port, requests[next++ % requests.length]);
    };
    await Promise.all(Array.from({ length: 32 }, connection));
    const after = cpuMsOf(pid);
    return (after === undefined ? performance.now() - begin : after - before) / amount;
  };
  try {
    for (const server of servers) {
      await fillEmulator(server.url);
      await load(server, 30_000);
    }
    return await compare(
      () => load(servers[0], 2000),
      () => load(servers[1], 2000),
      // a few per cent show only in many short pairs
      rounds * 9,
    );
  } finally {
    agent.destroy();
    for (const server of servers) await server.stop();
  }
}

function send(agent, port, { method, path, headers, body }) {
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: "127.0.0.1", port, method, path, headers }, (response) => {
      response.resume();
      response.once("end", () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`answered ${response.statusCode}`)),
      );
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

/** What an open namespace takes, beside the bytes of its state. */
async function memoryOfNamespaces() {
  const amount = 200;
  return withEmulator(async (emulator) => {
    const open = async (prefix) => {
      for (let n = 0; n < amount; n += 1) await answered(emulator.namespace(`${prefix}-${n}`));
    };
    // what grows once, for all of them, is there before
    await open("first");
    const before = process.memoryUsage().rss;
    await open("second");
    const each = (process.memoryUsage().rss - before) / amount / 1024;
    const state = emulator.export().length / 1024;
    return {
      name: "memory of a namespace: to its state",
      unit: "KB",
      ratio: each / state,
      amount: each,
      beside: state,
    };
  });
}

async function fillWithItems(emulator) {
  const send = (body) =>
    emulator.fetch("/api/v1/databases/db_demo/items/batch/write", {
      method: "POST",
      headers: { ...withKey.headers, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  for (let batch = 0; batch < 400; batch += 1) {
    const items = Array.from({ length: 25 }, (_, n) => ({
      operation: "Put",
      pk: `customer-${batch}`,
      sk: `order-${n}`,
      data: {
        status: "open",
        total: n,
        note: "packed with care, do not bend, leave with the neighbour".repeat(2),
      },
    }));
    if (!(await send({ items })).ok) throw new Error("a batch was refused");
  }
}

async function answered(namespace) {
  const answer = await namespace.fetch(item, withKey);
  if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
  await answer.text();
}

async function withEmulator(work) {
  const emulator = await createEmulator();
  try {
    return await work(emulator);
  } finally {
    await emulator.close();
  }
}

/** Milliseconds of processor time of one piece of work. */
function timed(work, times) {
  const begin = cpuMs();
  for (let time = 0; time < times; time += 1) work();
  return (cpuMs() - begin) / times;
}

async function timedAsync(work, times) {
  const begin = cpuMs();
  for (let time = 0; time < times; time += 1) await work();
  return (cpuMs() - begin) / times;
}

async function compareTimes(first, second, times) {
  const run = (count) =>
    compare(
      () => timedAsync(first, times),
      () => timedAsync(second, times),
      count,
    );
  // these warm the code
  await run(3);
  return run(rounds);
}
