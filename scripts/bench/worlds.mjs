/**
 * Measures what test suites wait for: resets, snapshots, new namespaces and pages of large data, and the cost of
 * journal and coverage. Compares CPU times, measured alternately. Prints JSON.
 *
 * node scripts/bench/worlds.mjs [rounds] [name]
 */
import initSqlJs from "sql.js";
import { createEmulator } from "../../dist/index.js";
import { compare, getCpuMs, readProcessCpuMs, summarizePairs } from "./compare.mjs";
import { fillEmulator, operations, createSender } from "./operations.mjs";
import { startServer } from "./server.mjs";

const rounds = Number(process.argv[2] ?? 7);
const only = process.argv[3] ?? "";
const item = "/api/v1/databases/db_demo/items/settings/currency";
const withKey = { Authorization: "Bearer dsk_demo_all" };

const rows = [
  { name: "1,000 resets: last hundred / first hundred", target: 1.2, measure: compareResets },
  { name: "reset / opening the same bytes in sql.js", target: 5, measure: compareResetWithOpening },
  { name: "snapshot of 10,000 items / export in sql.js", target: 3, measure: () => compareSnapshots("save") },
  {
    name: "restoring 10,000 items / opening in sql.js",
    target: 3,
    measure: () => compareSnapshots("restore"),
  },
  { name: "first response of a new namespace / opening in sql.js", measure: compareNewNamespace },
  { name: "filtered, sorted page of 100,000 entities / SQLite", target: 1.5, measure: compareScans },
  {
    name: "requests with journal / without",
    target: 1.05,
    measure: () => compareWithoutFeature("journal", ["get", "put"]),
  },
  {
    name: "gets with coverage / without",
    target: 1.02,
    measure: () => compareWithoutFeature("coverage", ["get"]),
  },
  { name: "puts with coverage / without", measure: () => compareWithoutFeature("coverage", ["put"]) },
];
const sqlite = await initSqlJs();

const results = {};
for (const { name, target, measure } of rows.filter((row) => row.name.startsWith(only)))
  results[name] = { ...(await measure()), "at most": target };
process.stdout.write(JSON.stringify(results));

/** Resets the emulator, then sends a read, which opens the starting state. */
function resetAndRead(emulator) {
  emulator.reset();
  emulator.clock.get();
}

/** Opens a database in sql.js, and runs a query. */
function openAndQuery(bytes) {
  const database = new sqlite.Database(bytes);
  database.exec("SELECT count(*) FROM sqlite_schema");
  database.close();
}

function compareResets() {
  return withEmulator(async (emulator) => {
    // without a warm-up, slower code in the first round would hide growth
    for (let n = 0; n < 300; n += 1) resetAndRead(emulator);
    const pairs = [];
    for (let round = 0; round < rounds; round += 1) {
      const hundreds = [];
      for (let hundred = 0; hundred < 10; hundred += 1)
        hundreds.push(await measureCpuMs(() => resetAndRead(emulator), 100));
      pairs.push([hundreds[9], hundreds[0]]);
    }
    return summarizePairs(pairs);
  });
}

function compareResetWithOpening() {
  return withEmulator((emulator) => {
    const bytes = emulator.export();
    return compareTimes(
      () => resetAndRead(emulator),
      () => openAndQuery(bytes),
      50,
    );
  });
}

function compareSnapshots(what) {
  return withEmulator(async (emulator) => {
    await fillEmulator(createSender(await emulator.listen()));
    emulator.snapshots.save("filled");
    if (what === "restore") {
      const bytes = emulator.snapshots.download("filled");
      return compareTimes(
        () => {
          emulator.snapshots.restore("filled");
          emulator.clock.get();
        },
        () => openAndQuery(bytes),
        5,
      );
    }
    const database = new sqlite.Database(emulator.snapshots.download("filled"));
    const result = await compareTimes(
      () => emulator.snapshots.save("again"),
      () => database.export(),
      5,
    );
    database.close();
    return result;
  });
}

function compareNewNamespace() {
  return withEmulator((emulator) => {
    const bytes = emulator.export();
    let number = 0;
    return compareTimes(
      async () => {
        number += 1;
        const name = `world-${number}`;
        await fetchItem(emulator.namespace(name));
        emulator.namespaces.delete(name);
      },
      () => openAndQuery(bytes),
      20,
    );
  });
}

/**
 * Compares a filtered and sorted page with the same query in SQLite: one SELECT on a table of the same form, with
 * `json_extract` for filter and order. Neither side has an index on the data, because entities have no columns and a
 * query may name any field. SQLite returns only the twenty rows; the emulator also counts all matches.
 */
function compareScans() {
  return withEmulator(async (emulator) => {
    const amount = 100_000;
    const path = "/api/v1/repositories/repo_demo_events";
    const post = async (path, body) => {
      const headers = { ...withKey, "Content-Type": "application/json" };
      const response = await emulator.fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
      return response.json();
    };
    const database = new sqlite.Database();
    database.run(
      "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; PRAGMA temp_store=MEMORY;" +
        "CREATE TABLE entities (repository_ref INTEGER NOT NULL, sequence INTEGER NOT NULL, entity_id TEXT NOT NULL, " +
        "data TEXT NOT NULL, bytes INTEGER NOT NULL, version INTEGER NOT NULL, created_at INTEGER NOT NULL, " +
        "updated_at INTEGER NOT NULL, PRIMARY KEY (repository_ref, sequence)) WITHOUT ROWID; BEGIN",
    );
    const insert = database.prepare("INSERT INTO entities VALUES (1, ?, ?, ?, 300, 1, 0, 0)");
    for (let n = 0; n < amount; n += 1) {
      await post(path, { data: createOrder(n) });
      insert.run([n + 1, `ent_${n}`, JSON.stringify(createOrder(n))]);
    }
    database.run("COMMIT");
    const select = database.prepare(
      "SELECT sequence, entity_id, data, version, created_at, updated_at FROM entities WHERE repository_ref = 1 " +
        "AND json_extract(data, '$.status') = ? AND json_extract(data, '$.total') > ? " +
        "ORDER BY json_extract(data, '$.placed') DESC, sequence DESC LIMIT 20",
    );
    const query = {
      filter: "status = :status AND total > :least",
      filterValues: { ":status": "open", ":least": 100 },
      sortBy: "placed",
      sortOrder: "desc",
      limit: 20,
    };
    const ofSqlite = () => {
      select.bind(["open", 100]);
      const found = [];
      while (select.step()) found.push(select.get()[2]);
      select.reset();
      return found;
    };
    const ofEmulator = async () =>
      (await post(`${path}/query`, query)).entities.map(({ data }) => JSON.stringify(data));
    if (ofSqlite().join() !== (await ofEmulator()).join()) throw new Error("the two pages differ");
    const result = await compareTimes(ofEmulator, ofSqlite, 1);
    database.close();
    return result;
  });
}

/** Creates an entity of about 270 bytes of JSON. */
function createOrder(n) {
  return {
    status: n % 3 === 0 ? "open" : "shipped",
    total: 10 + ((n * 7919) % 9000) / 4,
    currency: "EUR",
    note: "packed with care, do not bend, leave with the neighbour if nobody answers the door",
    placed: new Date(1.9e12 + ((n * 104_729) % 1_000_003) * 1000).toISOString(),
    customer: { name: `customer ${n % 977}`, city: `city ${n % 89}` },
    lines: [{ sku: `sku-${n % 50}`, quantity: 1 + (n % 4) }],
  };
}

/** Compares a default emulator with one without a feature, loaded alternately. */
async function compareWithoutFeature(feature, names) {
  const servers = [await startServer("emulator"), await startServer(`emulator without ${feature}`)];
  const requests = operations
    .filter(({ name }) => names.includes(name))
    .flatMap(({ emulator }) => emulator.slice(0, 50));
  const load = async ({ url, pid }, amount) => {
    const send = createSender(url);
    const before = readProcessCpuMs(pid);
    const begin = performance.now();
    let next = 0;
    const connection = async () => {
      while (next < amount) await send(requests[next++ % requests.length]);
    };
    await Promise.all(Array.from({ length: 32 }, connection));
    const after = readProcessCpuMs(pid);
    return (after === undefined ? performance.now() - begin : after - before) / amount;
  };
  try {
    for (const server of servers) {
      await fillEmulator(createSender(server.url));
      await load(server, 30_000);
    }
    return await compare(
      () => load(servers[0], 2000),
      () => load(servers[1], 2000),
      // small differences are visible only in many short measurements
      rounds * 9,
    );
  } finally {
    for (const server of servers) await server.stop();
  }
}

async function fetchItem(namespace) {
  const answer = await namespace.fetch(item, { headers: withKey });
  if (answer.status !== 200) throw new Error(`the request returned ${answer.status}`);
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

/** Measures the CPU time of a function, in milliseconds. */
async function measureCpuMs(work, times) {
  const begin = getCpuMs();
  for (let time = 0; time < times; time += 1) await work();
  return (getCpuMs() - begin) / times;
}

async function compareTimes(first, second, times) {
  const run = (count) =>
    compare(
      () => measureCpuMs(first, times),
      () => measureCpuMs(second, times),
      count,
    );
  // warm-up
  await run(3);
  return run(rounds);
}
