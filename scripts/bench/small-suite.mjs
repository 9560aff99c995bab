/**
 * A small test suite: 50 tests, each with a namespace (or table) of its own, which send ten puts, a get, a query, a put
 * whose condition fails, a batch write and a delete. Measured from the start of the server, or of the process, to the
 * end of the last test. Prints JSON.
 *
 *   node scripts/bench/small-suite.mjs in-process    runs the tests once, in this process
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { cpuMs, cpuMsOf, spreadEach, takeTurns } from "./compare.mjs";
import { dynamo, dynamoItem, dynamoTable, itemRequest, itemsPath, keyOf, sendTo } from "./operations.mjs";
import { startServer } from "./server.mjs";

export const amountOfTests = 50;
const range = (count, make) => Array.from({ length: count }, (_, index) => make(index));

/** The requests of a test to the emulator, and the status of each answer. */
function requestsOfTest() {
  const put = (n, more) => itemRequest("PUT", itemsPath, { ...keyOf(0, n), data: { n }, ...more });
  const { pk, sk } = keyOf(0, 0);
  const puts = range(10, (n) => [put(n), 200]);
  return [
    ...puts,
    [itemRequest("GET", `${itemsPath}/${pk}/${sk}`), 200],
    [itemRequest("POST", `${itemsPath}/query`, { partitionKey: pk }), 200],
    [put(0, { conditionExpression: "attribute_not_exists(pk)" }), 409],
    [itemRequest("POST", `${itemsPath}/batch/write`, { items: range(5, batchPut) }), 200],
    [itemRequest("DELETE", `${itemsPath}/${pk}/${sk}`), 204],
  ];
}

const batchPut = (n) => ({ operation: "Put", ...keyOf(1, n), data: { n } });

/** Sends the requests of a test; throws if an answer is not the expected one. */
async function runTest(fetchPath) {
  for (const [{ path, ...init }, status] of requestsOfTest()) {
    const answer = await fetchPath(path, init);
    await answer.text();
    if (answer.status !== status) throw new Error(`${init.method} ${path} answered ${answer.status}`);
  }
}

async function runEmulatorTest(url, n) {
  const name = `test-${n}`;
  await runTest((path, init) => fetch(`${url}/ns/${name}${path}`, init));
  await sendTo(url)({ method: "DELETE", path: `/_emulator/namespaces/${name}` });
}

async function runDynamoTest(url, n) {
  const TableName = `test-${n}`;
  const send = (action, body) => dynamo(url, action, { TableName, ...body });
  await dynamoTable(url, TableName);
  const { pk, sk } = dynamoItem(0, 0);
  for (let k = 0; k < 10; k += 1) await send("PutItem", { Item: dynamoItem(0, k) });
  await send("GetItem", { Key: { pk, sk } });
  await send("Query", { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": pk } });
  const put = { Item: dynamoItem(0, 0), ConditionExpression: "attribute_not_exists(pk)" };
  const refused = await send("PutItem", put).then(
    () => false,
    () => true,
  );
  if (!refused) throw new Error("a put whose condition is false was accepted");
  const puts = range(5, (k) => ({ PutRequest: { Item: dynamoItem(1, k) } }));
  await dynamo(url, "BatchWriteItem", { RequestItems: { [TableName]: puts } });
  await send("DeleteItem", { Key: { pk, sk } });
  await send("DeleteTable", {});
}

/** Measures over HTTP, with a server started for the suite. */
export async function measureOverHttp(kinds, peers, times) {
  return takeTurns(kinds, times, async (kind) => {
    const server = await startServer(kind);
    const [cpuBefore, idleMb] = [cpuMsOf(server.pid), server.memoryMb()];
    const run = peers.includes(kind) ? runDynamoTest : runEmulatorTest;
    for (let n = 0; n < amountOfTests; n += 1) await run(server.url, n);
    const totalMs = performance.now() - server.spawnedAt;
    const serverMs = cpuBefore === undefined ? undefined : cpuMsOf(server.pid) - cpuBefore;
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

/** In a process of its own, from the import of the library. */
export function measureInProcess(times) {
  const self = fileURLToPath(import.meta.url);
  const samples = range(times, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [self, "in-process"], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`the small suite ended with ${status}:\n${stdout}${stderr}`);
    return JSON.parse(stdout);
  });
  return spreadEach(samples);
}

/** Wall time and CPU time from the import of the library. */
async function runInProcess() {
  const [begin, cpuBefore] = [performance.now(), cpuMs()];
  const { createEmulator } = await import("../../dist/index.js");
  const emulator = await createEmulator();
  for (let n = 0; n < amountOfTests; n += 1) {
    const namespace = emulator.namespace(`test-${n}`);
    await runTest((path, init) => namespace.fetch(path, init));
    emulator.namespaces.delete(`test-${n}`);
  }
  await emulator.close();
  return nameTimes(performance.now() - begin, cpuMs() - cpuBefore);
}

if (process.argv[2] === "in-process") process.stdout.write(JSON.stringify(await runInProcess()));
