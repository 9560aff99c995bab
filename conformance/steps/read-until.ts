import { sleep } from "../client/rate-limiter.js";
import type { CheckContext } from "../check/context.js";

/** How long a check waits after a wait has failed once, in milliseconds; its input is then shrunk in many tries. */
const shortWaitMs = 200;

const disappointed = new WeakSet<CheckContext>();

/**
 * Reads a value until it is as expected, for at most the time in the target file, because counts may lag behind writes.
 * Only the pauses count, not the duration of the reads, so that the number of reads does not depend on the speed of the
 * machine and a failure is reproduced with the same requests.
 *
 * @returns the value that was read last
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
