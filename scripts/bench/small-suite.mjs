/**
 * Measures a small test suite: 50 tests, each with its own namespace (or table), which send ten puts, a get, a query, a
 * put with a false condition, a batch write and a delete. The time is measured from the start of the server, or of the
 * process, to the end of the last test. Prints JSON.
 *
 * node scripts/bench/small-suite.mjs in-process    runs the tests once, in this process
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { getCpuMs, readProcessCpuMs, summarizeSamples, measureAlternately } from "./compare.mjs";
import {
  callDynamo,
  createDynamoItem,
  createDynamoTable,
  createItemRequest,
  itemsPath,
  getKey,
  createSender,
} from "./operations.mjs";
import { startServer } from "./server.mjs";

export const testCount = 50;
const range = (count, make) => Array.from({ length: count }, (_, index) => make(index));

/** Lists the requests of a test to the emulator, with the expected statuses. */
function listTestRequests() {
  const put = (n, more) => createItemRequest("PUT", itemsPath, { ...getKey(0, n), data: { n }, ...more });
  const { pk, sk } = getKey(0, 0);
  const puts = range(10, (n) => [put(n), 200]);
  return [
    ...puts,
    [createItemRequest("GET", `${itemsPath}/${pk}/${sk}`), 200],
    [createItemRequest("POST", `${itemsPath}/query`, { partitionKey: pk }), 200],
    [put(0, { conditionExpression: "attribute_not_exists(pk)" }), 409],
    [createItemRequest("POST", `${itemsPath}/batch/write`, { items: range(5, batchPut) }), 200],
    [createItemRequest("DELETE", `${itemsPath}/${pk}/${sk}`), 204],
  ];
}

const batchPut = (n) => ({ operation: "Put", ...getKey(1, n), data: { n } });

/** Sends the requests of a test; throws if a status is not as expected. */
async function runTest(fetchPath) {
  for (const [{ path, ...init }, status] of listTestRequests()) {
    const answer = await fetchPath(path, init);
    await answer.text();
    if (answer.status !== status) throw new Error(`${init.method} ${path} returned ${answer.status}`);
  }
}

async function runEmulatorTest(url, n) {
  const name = `test-${n}`;
  await runTest((path, init) => fetch(`${url}/ns/${name}${path}`, init));
  await createSender(url)({ method: "DELETE", path: `/_emulator/namespaces/${name}` });
}

async function runDynamoTest(url, n) {
  const TableName = `test-${n}`;
  const send = (action, body) => callDynamo(url, action, { TableName, ...body });
  await createDynamoTable(url, TableName);
  const { pk, sk } = createDynamoItem(0, 0);
  for (let k = 0; k < 10; k += 1) await send("PutItem", { Item: createDynamoItem(0, k) });
  await send("GetItem", { Key: { pk, sk } });
  await send("Query", { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": pk } });
  const put = { Item: createDynamoItem(0, 0), ConditionExpression: "attribute_not_exists(pk)" };
  const refused = await send("PutItem", put).then(
    () => false,
    () => true,
  );
  if (!refused) throw new Error("a put whose condition is false was accepted");
  const puts = range(5, (k) => ({ PutRequest: { Item: createDynamoItem(1, k) } }));
  await callDynamo(url, "BatchWriteItem", { RequestItems: { [TableName]: puts } });
  await send("DeleteItem", { Key: { pk, sk } });
  await send("DeleteTable", {});
}

/** Measures the suite over HTTP, with a new server for each run. */
export async function measureOverHttp(kinds, peers, times) {
  return measureAlternately(kinds, times, async (kind) => {
    const server = await startServer(kind);
    const [cpuBefore, idleMb] = [readProcessCpuMs(server.pid), server.memoryMb()];
    const run = peers.includes(kind) ? runDynamoTest : runEmulatorTest;
    for (let n = 0; n < testCount; n += 1) await run(server.url, n);
    const totalMs = performance.now() - server.spawnedAt;
    const serverMs = cpuBefore === undefined ? undefined : readProcessCpuMs(server.pid) - cpuBefore;
    const afterMb = server.memoryMb();
    await server.stop();
    return {
      "ready, ms": server.startMs,
      ...nameTimes(totalMs, serverMs),
      "memory idle, MB": idleMb,
      "after, MB": afterMb,
    };
  });
}

const nameTimes = (totalMs, serverMs) => ({
  "all tests including the start, ms": totalMs,
  "CPU time of the emulator, ms": serverMs,
});

/** Measures the suite in-process, in a new process for each run. */
export function measureInProcess(times) {
  const self = fileURLToPath(import.meta.url);
  const samples = range(times, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [self, "in-process"], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`the small suite ended with ${status}:\n${stdout}${stderr}`);
    return JSON.parse(stdout);
  });
  return summarizeSamples(samples);
}

/** Measures the wall time and CPU time from the import of the library. */
async function runInProcess() {
  const [begin, cpuBefore] = [performance.now(), getCpuMs()];
  const { createEmulator } = await import("../../dist/index.js");
  const emulator = await createEmulator();
  for (let n = 0; n < testCount; n += 1) {
    const namespace = emulator.namespace(`test-${n}`);
    await runTest((path, init) => namespace.fetch(path, init));
    emulator.namespaces.delete(`test-${n}`);
  }
  await emulator.close();
  return nameTimes(performance.now() - begin, getCpuMs() - cpuBefore);
}

if (process.argv[2] === "in-process") process.stdout.write(JSON.stringify(await runInProcess()));
