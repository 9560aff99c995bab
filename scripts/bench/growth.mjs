/**
 * What pages cost on much data, beside the same on little data or beside SQLite alone. It runs in one process without
 * sockets, which would cost the same on both sides and hide the difference, and counts processor time. Prints JSON.
 *
 *   node scripts/bench/growth.mjs [rounds] [name]
 */
import initSqlJs from "sql.js";
import { createEmulator } from "../../dist/index.js";
import { compare, cpuMs } from "./compare.mjs";

const rounds = Number(process.argv[2] ?? 5);
const only = process.argv[3] ?? "";
const pageRequests = 300;
const json = { "Content-Type": "application/json" };
const withKey = { ...json, Authorization: "Bearer dsk_demo_all" };

const rows = [
  {
    name: "entities, page of 20: 100,000 to 1,000",
    target: 1.5,
    measure: () => comparePages(entitiesOf, 1000, 100_000),
  },
  {
    name: "entities, filtered and sorted page of 100,000: to SQLite",
    target: 1.5,
    measure: compareScans,
  },
  {
    name: "sql, page of 20 by key: 200,000 to 2,000",
    target: 1.3,
    measure: () => comparePages(tableOf, 2000, 200_000),
  },
];

const results = [];
for (const { name, target, measure } of rows.filter((row) => row.name.startsWith(only)))
  results.push({ name, target, ...(await measure()) });
process.stdout.write(JSON.stringify(results));

/** The same page of few and of many, by turns. */
async function comparePages(fill, few, many) {
  const emulator = await createEmulator();
  const pages = { few: await fill(emulator, "few", few), many: await fill(emulator, "many", many) };
  const cost = async (page) => {
    const begin = cpuMs();
    for (let n = 0; n < pageRequests; n += 1) await call(emulator, page(n));
    return (cpuMs() - begin) / pageRequests;
  };
  for (const page of [pages.few, pages.many]) await cost(page);
  const result = await compare(
    () => cost(pages.many),
    () => cost(pages.few),
    rounds,
  );
  await emulator.close();
  return result;
}

/**
 * A filtered and sorted page, and SQLite's own way to the same rows: one SELECT over the same texts in a table of the
 * same form, with `json_extract` for the filter and for the order. The texts stand in no index on either side: an
 * entity has no columns, and a query may name any field. SQLite is asked for the twenty rows alone; the emulator's
 * page has the number of all matches as well.
 */
async function compareScans() {
  const emulator = await createEmulator();
  const amount = 100_000;
  const query = {
    filter: "status = :status AND total > :least",
    filterValues: { ":status": "open", ":least": 100 },
    sortBy: "placed",
    sortOrder: "desc",
    limit: 20,
  };
  const page = await entitiesOf(emulator, "many", amount);
  const request = { ...page(0), method: "POST", body: query };
  request.path = `${request.path.split("?", 1)[0]}/query`;
  const { Database } = await initSqlJs();
  const database = new Database();
  database.run(
    "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; PRAGMA temp_store=MEMORY;",
  );
  database.run(
    "CREATE TABLE entities (repository_ref INTEGER NOT NULL, sequence INTEGER NOT NULL, entity_id TEXT NOT NULL, " +
      "data TEXT NOT NULL, bytes INTEGER NOT NULL, version INTEGER NOT NULL, created_at INTEGER NOT NULL, " +
      "updated_at INTEGER NOT NULL, PRIMARY KEY (repository_ref, sequence)) WITHOUT ROWID; BEGIN",
  );
  const insert = database.prepare("INSERT INTO entities VALUES (1, ?, ?, ?, 300, 1, 0, 0)");
  for (let n = 0; n < amount; n += 1) insert.run([n + 1, `ent_${n}`, JSON.stringify(orderOf(n))]);
  database.run("COMMIT");
  const select = database.prepare(
    "SELECT sequence, entity_id, data, version, created_at, updated_at FROM entities WHERE repository_ref = 1 " +
      "AND json_extract(data, '$.status') = ? AND json_extract(data, '$.total') > ? " +
      "ORDER BY json_extract(data, '$.placed') DESC, sequence DESC LIMIT 20",
  );
  const ofSqlite = () => {
    select.bind(["open", 100]);
    const found = [];
    while (select.step()) found.push(select.get()[2]);
    select.reset();
    return found;
  };
  const ofEmulator = async () =>
    (await call(emulator, request)).entities.map(({ data }) => JSON.stringify(data));
  if (ofSqlite().join() !== (await ofEmulator()).join()) throw new Error("the two pages differ");
  const cost = async (work) => {
    const begin = cpuMs();
    await work();
    return cpuMs() - begin;
  };
  await cost(ofEmulator);
  const result = await compare(
    () => cost(ofEmulator),
    () => cost(ofSqlite),
    rounds,
  );
  await emulator.close();
  return result;
}

/** A repository of so many entities; gives the request for a page of 20. */
async function entitiesOf(emulator, name, amount) {
  const session = await call(emulator, {
    method: "POST",
    path: "/auth/password",
    body: { email: "owner@demo.test", password: "demo-password" },
  });
  const user = (token) => ({ ...json, Authorization: `Bearer ${token}` });
  const { accessToken } = await call(emulator, {
    method: "POST",
    path: "/auth/switch-organization",
    headers: user(session.authResponse.accessToken),
    body: { organizationId: "org_demo_pro" },
  });
  const { repositoryId } = await call(emulator, {
    method: "POST",
    path: "/api/v1/management/databases/db_demo/repositories",
    headers: user(accessToken),
    body: { name, entityName: "Order", schema: {} },
  });
  const path = `/api/v1/repositories/${repositoryId}`;
  for (let n = 0; n < amount; n += 1)
    await call(emulator, { method: "POST", path, body: { data: orderOf(n) } });
  return () => ({ method: "GET", path: `${path}?limit=20` });
}

/** About 270 bytes of JSON. */
function orderOf(n) {
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

/** A table of so many rows in partitions of 100; gives the request for a page of 20 of one of them. */
async function tableOf(emulator, name, amount) {
  const path = "/databases/db_demo/sql";
  await call(emulator, {
    method: "POST",
    path: `${path}/execute`,
    body: {
      sql: `CREATE TABLE ${name} (customer VARCHAR, number INT, note VARCHAR, PRIMARY KEY ((customer), number))`,
    },
  });
  const partitions = amount / 100;
  const sql = `INSERT INTO ${name} VALUES ${Array.from({ length: 100 }, () => "(?, ?, ?)").join(", ")}`;
  for (let partition = 0; partition < partitions; partition += 1) {
    const values = Array.from({ length: 100 }, (_, n) => [
      `customer-${partition}`,
      n,
      `a note for number ${n}`,
    ]);
    const parameters = Object.fromEntries(values.flat().map((value, index) => [`p${index}`, value]));
    await call(emulator, { method: "POST", path: `${path}/query`, body: { sql, parameters } });
  }
  return (n) => ({
    method: "POST",
    path: `${path}/query`,
    body: {
      sql: `SELECT * FROM ${name} WHERE customer = ?`,
      parameters: { customer: `customer-${(n * 7) % partitions}` },
      limit: 20,
    },
  });
}

async function call(emulator, { method, path, headers = withKey, body }) {
  const response = await emulator.fetch(path, { method, headers, body: body && JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}
