import { type Cause, getCauseKey, truncateDifference } from "./causes.js";
import type { Comparison } from "./comparison.js";
import type { HistoryStep } from "./history.js";
import type { ResponseDifference } from "./run-history.js";

/** Maximum number of times that a history is run while it is shortened. */
const maxTries = 24;

/** Pause before each write, in milliseconds, so that instants are not equal by chance. */
const writePauseMs = 1100;

/** Maximum number of writes with pauses; histories with more writes would take too long. */
const maxSlowWrites = 12;

/**
 * Finds a short history that reproduces a cause.
 *
 * @param isTimeShort returns whether there is only time to run the history again, but not to shorten it
 * @returns undefined if the difference does not recur
 */
export async function reproduceCause(
  { id, examples }: Cause,
  comparison: Comparison,
  isTimeShort: () => boolean,
): Promise<Cause["demonstration"]> {
  for (const { history, step, isAboutTime } of examples) {
    // On emulators, different requests have different instants anyway.
    const isSlow = isAboutTime === true && !comparison.areEmulators;
    const until = (other: ResponseDifference) => getCauseKey(other) === id;
    const attempt = async (steps: readonly HistoryStep[]): Promise<ResponseDifference | undefined> => {
      const options = { until, ...(isSlow ? { pauseMs: writePauseMs } : {}) };
      const ending = await comparison.compare({ ...history, steps }, options);
      const shown = ending.kind === "compared" ? ending.result.differences.find(until) : undefined;
      return shown && truncateDifference(shown);
    };
    const upTo = history.steps.slice(0, history.steps.indexOf(step) + 1);
    let tried = 0;
    for (const candidate of [
      selectNeededSteps(step, upTo, false),
      selectNeededSteps(step, upTo, true),
      upTo,
    ]) {
      const writes = candidate.filter(({ isRead }) => !isRead).length;
      if (candidate.length === tried || (isSlow && writes > maxSlowWrites)) continue;
      tried = candidate.length;
      const shown = await attempt(candidate);
      if (shown === undefined) continue;
      const example = isSlow ? shown : await shorten(candidate, step, shown, attempt, isTimeShort);
      return { example, isReproduced: true };
    }
  }
  return undefined;
}

/** Removes steps, many at once first, as long as the difference recurs. */
async function shorten(
  steps: readonly HistoryStep[],
  step: HistoryStep,
  example: ResponseDifference,
  attempt: (steps: readonly HistoryStep[]) => Promise<ResponseDifference | undefined>,
  isTimeShort: () => boolean,
): Promise<ResponseDifference> {
  let tries = 0;
  for (let size = steps.length >> 1; size >= 1; size >>= 1)
    for (let start = steps.length - 1 - size; start >= 0; start -= size) {
      if (tries++ >= maxTries || isTimeShort()) return example;
      const rest = steps.filter((one, index) => index < start || index >= start + size || one === step);
      const shown = await attempt(rest);
      if (shown !== undefined) [example, steps] = [shown, rest];
    }
  return example;
}

/** Returns a step with the steps that provide its values and, if names matter, with the steps for the same resources. */
function selectNeededSteps(
  step: HistoryStep,
  upTo: readonly HistoryStep[],
  withNames: boolean,
): readonly HistoryStep[] {
  const known = new Set<string>();
  return upTo
    .toReversed()
    .filter((other) => {
      const uses = other.placeholders.map(({ recorded }) => recorded);
      const names = withNames ? other.names : [];
      // A new database has to be ready before it is used.
      const awaited = other.kind === "await" ? uses : [];
      const provided = [...other.returnedValues.map(({ value }) => value), ...names, ...awaited];
      if (other !== step && !provided.some((value) => known.has(value))) return false;
      for (const value of [...uses, ...names]) known.add(value);
      return true;
    })
    .toReversed();
}
