/** Loads one server with autocannon, in a process of its own; reads a job from its arguments and prints JSON. */
import autocannon from "autocannon";
import { readFileSync } from "node:fs";

const { url, requests, connections, duration, amount } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const result = await autocannon({
  url,
  connections,
  requests,
  ...(amount === undefined ? { duration } : { amount }),
});
const bad = result.non2xx + result.errors + result.timeouts;
process.stdout.write(
  JSON.stringify({
    requestsPerSecond: result["2xx"] / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    bad,
  }),
);
