import type { Check } from "../check/check.js";

/** Whether a check must run alone. */
function isAlone({ alone, isPrecondition, needs }: Check): boolean {
  return alone === true || isPrecondition === true || needs.includes("control-plane");
}

/**
 * Runs checks concurrently, in order where possible. Checks that would affect each other run one after the other, and each
 * check runs after the checks on which it depends.
 *
 * @param width number of concurrent checks
 * @param run runs one check; never throws
 * @param isStopped returns whether no further checks may start
 */
export async function runConcurrently(
  checks: readonly Check[],
  width: number,
  run: (check: Check) => Promise<void>,
  isStopped: () => boolean,
): Promise<void> {
  const waiting = [...checks];
  const running = new Map<Check, Promise<void>>();
  const isWaitedFor = ({ after = [] }: Check) =>
    [...waiting, ...running.keys()].some(({ id }) => after.includes(id));
  const next = (): Check | undefined => {
    if (running.size >= width || isStopped()) return undefined;
    for (const check of waiting) {
      const isFree = ![...running.keys()].some((other) => isAlone(check) || isAlone(other));
      if (isFree && !isWaitedFor(check)) return check;
      // later checks must not delay a check that must run alone forever
      if (isAlone(check)) return undefined;
    }
    return undefined;
  };
  for (;;) {
    for (let check = next(); check !== undefined; check = next()) {
      const begun = check;
      waiting.splice(waiting.indexOf(begun), 1);
      running.set(
        begun,
        run(begun).finally(() => running.delete(begun)),
      );
    }
    if (running.size === 0) return;
    await Promise.race(running.values());
  }
}
