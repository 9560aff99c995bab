import { causeOf, type Example } from "./causes.js";
import type { Comparison } from "./comparison.js";
import type { Step } from "./history.js";

/** How often a history is run at most while it is made shorter. */
const maxTries = 24;

/** How long a comparison waits before each request to tell instants apart that may be the same by chance. */
const tellingApartMs = 1100;

/**
 * Finds a short history that shows the cause of an example again.
 *
 * @param isLate whether there is no time to make it shorter, only to see it again
 * @returns nothing where the difference does not come back
 */
export async function shrinkHistory(
  { difference }: Example,
  comparison: Comparison,
  isLate: () => boolean,
): Promise<Example | undefined> {
  const { history, step, isAboutTime } = difference;
  const cause = causeOf(difference);
  // the clocks of emulators tell all requests apart
  const isSlow = isAboutTime === true && !comparison.areEmulators;
  const attempt = async (steps: readonly Step[]): Promise<Example | undefined> => {
    const ending = await comparison.run(
      { ...history, steps },
      { until: (other) => causeOf(other) === cause, ...(isSlow ? { pauseMs: tellingApartMs } : {}) },
    );
    if (ending.kind !== "run") return undefined;
    const again = ending.result.differences.find((other) => causeOf(other) === cause);
    return again === undefined ? undefined : { difference: again, exchanges: ending.result.exchanges };
  };
  const upTo = history.steps.slice(0, history.steps.indexOf(step) + 1);
  let steps: readonly Step[] = [];
  let best: Example | undefined;
  let tries = 0;
  for (const candidate of candidatesFor(step, upTo)) {
    if (candidate.length === steps.length) continue;
    steps = candidate;
    best = await attempt(steps);
    tries++;
    if (best !== undefined) break;
  }
  if (best === undefined || isSlow) return best;
  for (let size = steps.length >> 1; size >= 1; size >>= 1)
    for (let start = steps.length - 1 - size; start >= 0; start -= size) {
      if (tries >= maxTries || isLate()) return best;
      const rest = steps.filter((one, index) => index < start || index >= start + size || one === step);
      if (rest.length === steps.length) continue;
      tries++;
      const shown = await attempt(rest);
      if (shown !== undefined) [best, steps] = [shown, rest];
    }
  return best;
}

/** Parts of a history, the most likely to be enough first. */
function candidatesFor(step: Step, upTo: readonly Step[]): readonly (readonly Step[])[] {
  const segments = [upTo[0]?.segment, step.segment];
  const ofSegments = upTo.filter(({ segment }) => segments.includes(segment));
  return [closure(step, upTo, false), closure(step, upTo, true), ofSegments, upTo];
}

/** A step with those that show what it sends; also those that are about the same, where names count. */
function closure(step: Step, upTo: readonly Step[], withNames: boolean): readonly Step[] {
  const known = new Set<string>();
  return upTo
    .toReversed()
    .filter((other) => {
      const uses = other.holes.map(({ recorded }) => recorded);
      const isUsed = other.shows.some(({ value }) => known.has(value));
      const isNamed = withNames && other.names.some((name) => known.has(name));
      // a database that was created has to be ready
      const isAwaited = other.kind === "await" && uses.some((value) => known.has(value));
      if (other !== step && !isUsed && !isNamed && !isAwaited) return false;
      for (const value of [...uses, ...(withNames ? other.names : [])]) known.add(value);
      return true;
    })
    .toReversed();
}
