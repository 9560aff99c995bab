import { causeOf, type Example } from "./causes.js";
import type { Comparison } from "./comparison.js";
import type { History, Step } from "./history.js";

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
  for (const candidate of candidatesFor(history, step, upTo)) {
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
function candidatesFor(history: History, step: Step, upTo: readonly Step[]): readonly (readonly Step[])[] {
  const { run } = history.recording;
  const names = new RegExp(`${run}[\\w-]*`, "g");
  const namesOf = ({ exchange: { request } }: Step) =>
    `${request.url} ${request.body ?? ""}`.match(names) ?? [];
  const closure = (withNames: boolean) => {
    const numbers = new Set([step.number]);
    const known = new Set(withNames ? namesOf(step) : []);
    for (const other of upTo.toReversed()) {
      const isUsed = numbers.has(other.number);
      const isNamed = withNames && namesOf(other).some((name) => known.has(name));
      // a database that was created has to be ready
      const isAwaited = other.kind === "await" && other.uses.some((number) => numbers.has(number));
      if (!isUsed && !isNamed && !isAwaited) continue;
      numbers.add(other.number);
      for (const number of other.uses) numbers.add(number);
      if (withNames) for (const name of namesOf(other)) known.add(name);
    }
    return upTo.filter(
      ({ number, kind, uses }) =>
        numbers.has(number) || (kind === "await" && uses.some((used) => numbers.has(used))),
    );
  };
  const segments = [upTo[0]?.segment, step.segment];
  return [closure(false), closure(true), upTo.filter(({ segment }) => segments.includes(segment)), upTo];
}
