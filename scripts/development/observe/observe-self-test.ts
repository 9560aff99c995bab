import { InvalidArgumentError } from "commander";
import { mutants } from "../../../conformance/mutants/register.js";
import { type Observation, observeGaps } from "../../../conformance/observe/observation.js";
import type { GapObserver } from "../../../conformance/observe/observer.js";
import { observers } from "../../../conformance/observe/register.js";
import type { GapId } from "../../../openapi/gaps/register.js";
import { defaultProfile, isGapId, type Profile } from "../../../openapi/gaps/profile.js";
import { sampleProfiles } from "../inputs/sample-profiles.js";
import {
  type TaskOutcome,
  runTasks,
  sampleTasks,
  createSelfTestCommand,
  type SelfTestOptions,
} from "../self-test/run-tasks.js";
import { ObservedEmulator } from "./observed-emulator.js";
import { toErrorMessage } from "../../../openapi/text/to-error-message.js";

/**
 * What is wrong with these mutants answers a gap otherwise than the emulator does by default: an observer that says so is
 * right.
 */
const answersOfMutants: Readonly<Record<string, Partial<Profile>>> = {
  // what is asked for is one more, or cut to a page
  "items/limit-plus-one": { "page-limit-max": 999 },
  "items/updated-at-stays": { "item-updated-at": "never" },
  "transactions/update-replaces": { "update-missing-item": "create" },
  "transactions/false-condition-is-validation-error": { "update-missing-item": "ValidationError" },
  "session/refresh-keeps-token": { "refresh-token-reuse": "still-valid" },
  "time/refresh-for-ever": { "refresh-token-reuse": "still-valid" },
  "entities/time-stands-still": {},
  "entities/order-within-page": {},
  "sql/insert-in-table-order": { "sql-parameter-order": "name" },
  // what it remembers, it remembers by the token alone
  "concurrency/token-known-after-transaction": { "token-reuse-other-body": "original-result" },
};

/** Mutants whose answers hide from a cleanup what it has to remove, and how. */
const hidingMutants: Readonly<Record<string, string>> = {
  "session/switch-does-nothing": "who logs in again to remove something works in another organization",
};

/** Mutants that go on showing what is gone, so that a cleanup has to say that it is still there, and how they do. */
const hauntedMutants: Readonly<Record<string, string>> = {
  "isolation/list-of-everybodys-databases": "the list of databases has every one that it has ever had",
  "repositories/list-shows-other-databases": "so has the list of repositories",
};

interface Given extends SelfTestOptions {
  readonly only: readonly GapId[];
  /** All, or those whose id has one of these texts, in the order of the texts. */
  readonly mutants?: true | string;
}

/** One deployment to be observed: the emulator with a profile, or with a fault. */
interface Task {
  readonly name: string;
  /** Nothing for a mutant. */
  readonly profile?: Profile;
}

const given = createSelfTestCommand(
  "observe:self-test",
  "Observes emulators with known answers, through a target file and without their control plane. By default, their " +
    "profiles have random answers, and every answer must be observed exactly. With --mutants, the emulators are the " +
    "mutants of the self-test, and no answer may be wrong.",
)
  .option(
    "--mutants [texts]",
    "observe mutants instead of profiles; only those whose id contains one of the texts",
  )
  .option("--only <gaps>", "gaps to observe, comma-separated", readGaps, [])
  .parse()
  .opts<Given>();

const all: readonly Task[] =
  given.mutants === undefined
    ? sampleProfiles(given.seed, 100).map((profile, number) => ({ name: `profile ${number}`, profile }))
    : chosenMutants(given.mutants).map(({ id }) => ({ name: id }));
let emulator: Promise<ObservedEmulator> | undefined;
await runTasks(
  sampleTasks(all, given.seed, given.sample, ({ name }) => name),
  given.jobs,
  async (task) => [await observeOne(task)],
);

async function observeOne({ name, profile = defaultProfile, ...task }: Task): Promise<TaskOutcome> {
  const isMutant = !("profile" in task);
  const prepared = await (emulator ??= ObservedEmulator.prepare());
  const only = given.only.length === 0 ? {} : { only: given.only };
  const expected: Profile = { ...profile, ...answersOfMutants[name] };
  /** Every answer that can be seen has to be found; of a mutant it is enough that none is wrong. */
  const isWrong = (seen: Observation) =>
    seen.kind === "answer"
      ? JSON.stringify(seen.answer) !== JSON.stringify(expected[seen.gap])
      : !isMutant && !isHidden(seen.gap, expected);
  try {
    return await prepared.withRun(
      profile,
      async (run, leftInWorld) => {
        const observations = await observeGaps(run, only);
        const kept = (await run.cleanUp()).map(({ entry, isFinal, reason }) => ({
          name: `${entry.kind} ${entry.name}`,
          isFinal: isFinal === true,
          reason,
        }));
        const there = await leftInWorld();
        const left = kept.filter(
          (thing) => !thing.isFinal && (!(name in hauntedMutants) || there.includes(thing.name)),
        );
        const unseen = there.filter(
          (thing) => !(name in hidingMutants || kept.some((said) => said.name === thing)),
        );
        const details = [
          ...observations
            .filter(isWrong)
            .map((seen) => `${seen.gap}: ${JSON.stringify(expected[seen.gap])}; seen ${describe(seen)}`),
          ...left.map((thing) => `left behind: ${thing.name}: ${thing.reason}`),
          ...unseen.map((thing) => `left behind unexpectedly: ${thing}`),
        ];
        const count = (kind: Observation["kind"]) => observations.filter((seen) => seen.kind === kind).length;
        const hidden = observations.filter(
          (seen) => seen.kind === "undecided" && isHidden(seen.gap, expected),
        ).length;
        return {
          outcome: details.length === 0 ? "right" : "WRONG",
          isWrong: details.length > 0,
          name:
            `${name}: ${count("answer")} answers, ${hidden} hidden, ${count("undecided") - hidden} undecided, ` +
            `${count("other")} other, ${run.recorder.total} requests`,
          details,
        };
      },
      isMutant ? mutants.find(({ id }) => id === name)?.wrap : undefined,
    );
  } catch (error) {
    // a deployment whose users cannot log in shows nothing; an emulator as it is has to be observed
    const trouble = toErrorMessage(error);
    return { outcome: "not observed", isWrong: !isMutant, name, details: [trouble] };
  }
}

/** Whether another answer of the profile keeps anybody from seeing this one. */
function isHidden(gap: GapId, profile: Profile): boolean {
  const { hidden = [] }: GapObserver = observers[gap];
  return hidden.some(({ by, when }) => when(profile[by], profile));
}

function describe(observation: Observation): string {
  switch (observation.kind) {
    case "answer":
      return JSON.stringify(observation.answer);
    case "other":
      return `other: ${observation.seen} (expected ${observation.expected})`;
    default:
      return `${observation.kind}: ${observation.reason}`;
  }
}

function chosenMutants(texts: true | string) {
  if (texts === true) return mutants;
  return [...new Set(texts.split(",").flatMap((text) => mutants.filter(({ id }) => id.includes(text))))];
}

function readGaps(text: string, before: readonly GapId[]): readonly GapId[] {
  const names = text.split(",");
  const unknown = names.find((name) => !isGapId(name));
  if (unknown !== undefined) throw new InvalidArgumentError(`There is no gap named ${unknown}.`);
  return [...before, ...(names as GapId[])];
}
