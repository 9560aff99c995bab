import { mock } from "node:test";
import type { Fetch } from "../../../conformance/client/exchange.js";

/** Turns of the event loop without a pending request after which all code is assumed to be waiting. */
const quietTurns = 3;

/** How far the clock advances at once, in milliseconds. */
const stepMs = 5;

/**
 * Calls a function with a simulated clock, which advances only while no request is pending. Waits then take no time, and
 * the result does not depend on the speed of the machine.
 *
 * @param fetch sends requests to a deployment in this process
 * @param work receives the `fetch` that it must use
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
