import { sleep } from "../client/rate-limiter.js";
import type { CheckContext } from "../check/context.js";

/** How long a check waits after a wait has failed once, in milliseconds; its input is then shrunk in many tries. */
const shortWaitMs = 200;

const disappointed = new WeakSet<CheckContext>();

/**
 * Reads something until it is as it should be, for as long as the target file says. How soon figures follow what they
 * count is not said, so checks of counts read through this. Pauses are counted and not what the reads take: a slow
 * machine reads as often as a fast one, and a failure comes back with the same requests.
 *
 * @returns what was read last
 */
export async function readUntil<Seen>(
  context: CheckContext,
  read: () => Promise<Seen>,
  isExpected: (seen: Seen) => boolean,
): Promise<Seen> {
  let left = disappointed.has(context) ? Math.min(shortWaitMs, context.countLagMs) : context.countLagMs;
  for (let pause = 25; ; pause = Math.min(2 * pause, 1000)) {
    const seen = await read();
    if (isExpected(seen)) return seen;
    if (left <= 0) {
      disappointed.add(context);
      return seen;
    }
    await sleep(Math.min(pause, left));
    left -= pause;
  }
}
