/** Loads one server with autocannon, in a separate process; reads a job from its arguments and prints JSON. */
import autocannon from "autocannon";
import { readFileSync } from "node:fs";

const start = Date.now();
let lastId = 0;
const { url, requests, connections, duration, amount, distinct } = JSON.parse(
  readFileSync(process.argv[2], "utf8"),
);
const result = await autocannon({
  url,
  connections,
  requests: distinct === true ? requests.map(withOwnId) : requests,
  ...(amount === undefined ? { duration } : { amount }),
});
const bad = result.non2xx + result.errors + result.timeouts;
process.stdout.write(
  JSON.stringify({
    requests: result["2xx"],
    requestsPerSecond: result["2xx"] / result.duration,
    bad,
  }),
);

/** Replaces `[<id>]` with a unique text each time the request is sent. */
function withOwnId(request) {
  return {
    ...request,
    setupRequest: (again) => ({ ...again, body: request.body.replace("[<id>]", nextId()) }),
  };
}

function nextId() {
  lastId += 1;
  return `${start}-${String(lastId).padStart(8, "0")}`;
}
