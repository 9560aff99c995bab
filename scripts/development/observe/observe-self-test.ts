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

/** Mutants whose faults change answers to gaps; an observer must find the changed answers or none. */
const answersOfMutants: Readonly<Record<string, Partial<Profile>>> = {
  // The deployment receives a limit that is greater by one.
  "items/limit-plus-one": { "page-limit-max": 999 },
  "items/updated-at-stays": { "item-updated-at": "never" },
  "transactions/update-replaces": { "update-missing-item": "create" },
  "transactions/false-condition-is-validation-error": { "update-missing-item": "ValidationError" },
  "session/refresh-keeps-token": { "refresh-token-reuse": "still-valid" },
  "time/refresh-for-ever": { "refresh-token-reuse": "still-valid" },
  "sql/insert-in-table-order": { "sql-parameter-order": "name" },
};

/** Mutants that hide existing data from the cleanup: after a new login, the cleanup works in another organization. */
const mutantsHidingData = ["session/switch-does-nothing"];

/** Mutants whose lists show deleted data, which the cleanup then reports as left behind. */
const mutantsShowingDeletedData = [
  "isolation/list-of-everybodys-databases",
  "repositories/list-shows-other-databases",
];

interface Given extends SelfTestOptions {
  readonly only: readonly GapId[];
  /** `true` for all mutants, or comma-separated texts. */
  readonly mutants?: true | string;
}

/** An emulator to observe: with a profile or with a fault. */
interface Task {
  readonly name: string;
  /** Undefined for a mutant. */
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

const texts = given.mutants === true ? [""] : (given.mutants?.split(",") ?? []);
const tasks: readonly Task[] =
  given.mutants === undefined
    ? sampleProfiles(given.seed, 100).map((profile, number) => ({ name: `profile ${number}`, profile }))
    : mutants.filter(({ id }) => texts.some((text) => id.includes(text))).map(({ id }) => ({ name: id }));
let emulator: Promise<ObservedEmulator> | undefined;
await runTasks(
  sampleTasks(tasks, given.seed, given.sample, ({ name }) => name),
  given.jobs,
  async (task) => [await observeOne(task)],
);

async function observeOne({ name, profile = defaultProfile, ...task }: Task): Promise<TaskOutcome> {
  const isMutant = !("profile" in task);
  const prepared = await (emulator ??= ObservedEmulator.prepare());
  const only = given.only.length === 0 ? {} : { only: given.only };
  const expected: Profile = { ...profile, ...answersOfMutants[name] };
  /** A profile's visible answers must all be found; for a mutant, it is enough that no answer is wrong. */
  const isWrong = (observation: Observation) =>
    observation.kind === "answer"
      ? JSON.stringify(observation.answer) !== JSON.stringify(expected[observation.gap])
      : !isMutant && !isHidden(observation.gap, expected);
  try {
    return await prepared.withRun(
      profile,
      async (run, findLeftovers) => {
        const observations = await observeGaps(run, only);
        const reported = (await run.cleanUp()).map(({ entry, isFinal, reason }) => ({
          name: `${entry.kind} ${entry.name}`,
          isFinal: isFinal === true,
          reason,
        }));
        const leftovers = await findLeftovers();
        const showsDeletedData = mutantsShowingDeletedData.includes(name);
        const left = reported.filter(
          (resource) => !resource.isFinal && (!showsDeletedData || leftovers.includes(resource.name)),
        );
        const unreported = mutantsHidingData.includes(name)
          ? []
          : leftovers.filter((leftover) => !reported.some((resource) => resource.name === leftover));
        const details = [
          ...observations
            .filter(isWrong)
            .map((wrong) => `${wrong.gap}: ${JSON.stringify(expected[wrong.gap])}; seen ${describe(wrong)}`),
          ...left.map((resource) => `left behind: ${resource.name}: ${resource.reason}`),
          ...unreported.map((leftover) => `left behind unexpectedly: ${leftover}`),
        ];
        const count = (kind: Observation["kind"]) =>
          observations.filter((observation) => observation.kind === kind).length;
        const hidden = observations.filter(
          ({ kind, gap }) => kind === "undecided" && isHidden(gap, expected),
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
    // A mutant may prevent logins.
    return { outcome: "not observed", isWrong: !isMutant, name, details: [toErrorMessage(error)] };
  }
}

/** Whether another answer of the profile makes it impossible to observe a gap. */
function isHidden(gap: GapId, profile: Profile): boolean {
  const { hidden = [] }: GapObserver = observers[gap];
  return hidden.some(({ by, when }) => when(profile[by], profile));
}

function describe(observation: Observation): string {
  switch (observation.kind) {
    case "answer":
      return JSON.stringify(observation.answer);
    case "other":
      return `other: ${observation.actual} (expected ${observation.expected})`;
    default:
      return `${observation.kind}: ${observation.reason}`;
  }
}

function readGaps(text: string, before: readonly GapId[]): readonly GapId[] {
  const names = text.split(",");
  const unknown = names.find((name) => !isGapId(name));
  if (unknown !== undefined) throw new InvalidArgumentError(`There is no gap named ${unknown}.`);
  return [...before, ...(names as GapId[])];
}
