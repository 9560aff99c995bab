import type { Check } from "../check/check.js";

function mustRunAlone({ alone, isPrecondition, needs }: Check): boolean {
  return alone === true || isPrecondition === true || needs.includes("control-plane");
}

/**
 * Runs checks concurrently, in order where possible. Checks that would affect each other run one after the other, and each
 * check runs after the checks on which it depends.
 *
 * @param concurrency maximum number of concurrent checks
 * @param run runs one check; never throws
 * @param isStopped returns whether no further checks may start
 */
export async function runConcurrently(
  checks: readonly Check[],
  concurrency: number,
  run: (check: Check) => Promise<void>,
  isStopped: () => boolean,
): Promise<void> {
  const waiting = [...checks];
  const running = new Map<Check, Promise<void>>();
  const isBlocked = ({ after = [] }: Check) =>
    [...waiting, ...running.keys()].some(({ id }) => after.includes(id));
  const findNext = (): Check | undefined => {
    if (running.size >= concurrency || isStopped()) return undefined;
    for (const check of waiting) {
      const isCompatible = ![...running.keys()].some((other) => mustRunAlone(check) || mustRunAlone(other));
      if (isCompatible && !isBlocked(check)) return check;
      // Otherwise, later checks could delay this check until the end.
      if (mustRunAlone(check)) return undefined;
    }
    return undefined;
  };
  for (;;) {
    for (let next = findNext(); next !== undefined; next = findNext()) {
      const check = next;
      waiting.splice(waiting.indexOf(check), 1);
      running.set(
        check,
        run(check).finally(() => running.delete(check)),
      );
    }
    if (running.size === 0) return;
    await Promise.race(running.values());
  }
}
