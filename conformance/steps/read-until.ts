import { sleep } from "../client/time-source.js";
import type { CheckContext } from "../check/context.js";

/** Maximum waiting time of a check that has already waited in vain, in milliseconds; shrinking repeats its tries. */
const shortWaitMs = 200;

const timedOut = new WeakSet<CheckContext>();

/**
 * Reads a value until it is as expected, for at most the time in the target file, because counts may lag behind writes.
 * Only the pauses count, not the duration of the reads, so that the number of reads does not depend on the speed of the
 * machine and a failure is reproduced with the same requests.
 *
 * @returns the value that was read last
 */
export async function readUntil<Value>(
  context: CheckContext,
  read: () => Promise<Value>,
  isExpected: (value: Value) => boolean,
): Promise<Value> {
  let left = timedOut.has(context) ? Math.min(shortWaitMs, context.countLagMs) : context.countLagMs;
  for (let pause = 25; ; pause = Math.min(2 * pause, 1000)) {
    const value = await read();
    if (isExpected(value)) return value;
    if (left <= 0) {
      timedOut.add(context);
      return value;
    }
    await sleep(Math.min(pause, left));
    left -= pause;
  }
}
