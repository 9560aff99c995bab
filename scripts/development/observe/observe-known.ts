import type { GapAnswer } from "../../../openapi/gaps/gap.js";
import type { GapId } from "../../../openapi/gaps/register.js";
import type { Profile } from "../../../openapi/gaps/profile.js";
import type { Run } from "../../../conformance/run/runner.js";
import { type Observation, observeGaps } from "../../../conformance/observe/observation.js";
import { observers } from "../../../conformance/observe/register.js";
import type { GapObserver } from "../../../conformance/observe/observer.js";

/** What came of observing a deployment whose answers are known. */
export interface KnownProfileObservation {
  /** Answers found, and those that cannot be seen under this profile and were said to be undecided. */
  readonly answers: number;
  readonly hidden: number;
  readonly undecided: number;
  readonly other: number;
  readonly mistakes: readonly { readonly gap: GapId; readonly expected: GapAnswer; readonly seen: string }[];
  readonly requests: number;
  readonly left: readonly string[];
  /** Names of what stays because the deployment has no way to remove it. */
  readonly staying: readonly string[];
}

/**
 * Observes a deployment with a known profile and compares.
 *
 * @param strict whether every answer that can be seen has to be found; otherwise it is enough that none is wrong
 */
export async function observeKnownProfile(
  run: Run,
  profile: Profile,
  { only, strict }: { readonly only?: readonly GapId[]; readonly strict: boolean },
): Promise<KnownProfileObservation> {
  const found = await observeGaps(run, only === undefined ? {} : { only });
  const left = await run.cleanUp();
  const isWrong = (observation: Observation) =>
    observation.kind === "answer"
      ? JSON.stringify(observation.answer) !== JSON.stringify(profile[observation.gap])
      : strict && !isHidden(observation.gap, profile);
  const count = (kind: Observation["kind"]) =>
    found.filter((observation) => observation.kind === kind).length;
  const hidden = found.filter(({ kind, gap }) => kind === "undecided" && isHidden(gap, profile)).length;
  return {
    answers: count("answer"),
    hidden,
    undecided: count("undecided") - hidden,
    other: count("other"),
    mistakes: found.filter(isWrong).map((observation) => ({
      gap: observation.gap,
      expected: profile[observation.gap],
      seen: inWords(observation),
    })),
    requests: run.recorder.total,
    left: left
      .filter(({ isFinal }) => isFinal !== true)
      .map(({ entry, reason }) => `${entry.kind} ${entry.name}: ${reason}`),
    staying: left.filter(({ isFinal }) => isFinal === true).map(({ entry }) => `${entry.kind} ${entry.name}`),
  };
}

/** Whether another answer of the profile keeps anybody from seeing this one. */
export function isHidden(gap: GapId, profile: Profile): boolean {
  const { hidden = [] }: GapObserver = observers[gap];
  return hidden.some(({ by, when }) => when(profile[by], profile));
}

function inWords(observation: Observation): string {
  switch (observation.kind) {
    case "answer":
      return JSON.stringify(observation.answer);
    case "other":
      return `other: ${observation.seen} (expected ${observation.expected})`;
    default:
      return `${observation.kind}: ${observation.reason}`;
  }
}
