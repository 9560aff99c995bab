import type { Check } from "../check/check.js";

/** Whether nothing else may go on beside a check. */
function isAlone({ alone, isPrecondition, needs }: Check): boolean {
  return alone === true || isPrecondition === true || needs.includes("control-plane");
}

/** Whether two checks would see each other's doing. */
function areExclusive(one: Check, other: Check): boolean {
  return isAlone(one) || isAlone(other);
}

/**
 * Runs checks side by side, in their order as far as that goes: those that would disturb each other one after the
 * other, and each after those that it names.
 *
 * @param width how many at the same time
 * @param run runs one; never throws
 * @param isStopped whether no further one may begin
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
      const isFree = ![...running.keys()].some((other) => areExclusive(check, other));
      if (isFree && !isWaitedFor(check)) return check;
      // one that must be alone is not overtaken for ever
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
