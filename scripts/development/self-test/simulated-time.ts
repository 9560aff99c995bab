import { mock } from "node:test";
import type { Fetch } from "../../../conformance/client/exchange.js";

/** Turns of the event loop in which nothing is under way, before all there is can be waiting. */
const quietTurns = 3;

/** How far the clock moves at a time. */
const stepMs = 5;

/**
 * Does something with a deployment of this process, on a clock that moves when everybody waits and no request is under
 * way: waits cost no time, and how fast the machine is decides nothing.
 *
 * @param fetch leads to the deployment
 * @param work is given the way to the deployment to use
 */
export async function withSimulatedTime<Result>(
  fetch: Fetch,
  work: (fetch: Fetch) => Promise<Result>,
): Promise<Result> {
  let underWay = 0;
  const counted: Fetch = async (url, init) => {
    underWay += 1;
    try {
      return await fetch(url, init);
    } finally {
      underWay -= 1;
    }
  };
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: Date.now() });
  try {
    let isDone = false as boolean;
    const result = work(counted).finally(() => (isDone = true));
    result.catch(() => undefined);
    for (let quiet = 0; !isDone;) {
      await new Promise((resolve) => setImmediate(resolve));
      quiet = underWay > 0 ? 0 : quiet + 1;
      if (quiet < quietTurns) continue;
      quiet = 0;
      mock.timers.tick(stepMs);
    }
    return await result;
  } finally {
    mock.timers.reset();
  }
}
