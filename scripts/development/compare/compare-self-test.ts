import { Option } from "commander";
import { type Check, getArea } from "../../../conformance/check/check.js";
import {
  compareEmulators,
  type EmulatorComparison,
  type EmulatorEndpoint,
  recordEmulatorHistories,
} from "./compare-emulators.js";
import type { RecordedHistories } from "../../../conformance/compare/record-histories.js";
import { comparedChecks, selectRecordedChecks } from "../../../conformance/subjects/subjects.js";
import { toObserverChecks } from "../../../conformance/observe/observation.js";
import { mutants } from "../../../conformance/mutants/register.js";
import { createEmulator, type Emulator } from "../../../emulator/api/emulator.js";
import type { GapAnswer } from "../../../openapi/gaps/gap.js";
import { getSampleAnswers, type GapId, gapIds } from "../../../openapi/gaps/register.js";
import { defaultProfile, type Profile } from "../../../openapi/gaps/profile.js";
import { parsePositiveCount } from "../../commands/parse-values.js";
import {
  type TaskOutcome,
  runTasks,
  sampleTasks,
  createSelfTestCommand,
  type SelfTestOptions,
} from "../self-test/run-tasks.js";
import { sampleProfiles } from "../inputs/sample-profiles.js";

/** The minimum share of mutants that comparisons must find. */
const minFoundShare = 0.95;

const laws = ["same", "gaps", "mutants"] as const;

/** A comparison with a known result. */
type Task =
  /** Two emulators with the same profile: no difference. */
  | { readonly kind: "same"; readonly seed: number; readonly profile: Profile }
  /** An emulator with a different answer to one gap: a difference. */
  | { readonly kind: "gap"; readonly gap: GapId; readonly answer: GapAnswer }
  /** A mutant: a difference. */
  | { readonly kind: "mutant"; readonly id: string };

interface Given extends SelfTestOptions {
  readonly law?: (typeof laws)[number];
  readonly seeds: number;
  readonly profiles: number;
  readonly runs: number;
  readonly only: string;
}

const { law, seeds, profiles, sample, seed, runs, only, jobs } = createSelfTestCommand(
  "compare:self-test",
  "Compares emulators with known differences. Law same: an emulator compared with itself, with several seeds and profiles, shows " +
    "no difference. Law gaps: each answer that is not the default is found. Law mutants: at least 95 of 100 mutants are found.",
)
  .addOption(new Option("--law <name>", "law to test (default: all)").choices(laws))
  .option(
    "--seeds <number>",
    "number of seeds in comparisons that should show no difference",
    parsePositiveCount,
    20,
  )
  .option(
    "--profiles <number>",
    "number of profiles in comparisons that should show no difference",
    parsePositiveCount,
    10,
  )
  .option(
    "--runs <number>",
    "number of inputs to try per property while histories are recorded",
    parsePositiveCount,
    1,
  )
  .option("--only <text>", "only gaps and mutants whose name contains this text", "")
  .parse()
  .opts<Given>();

/** Whether a comparison cannot detect an answer, because it ignores the order of lists without a defined order. */
const isUndetectable = (gap: GapId, answer: GapAnswer) => gap === "scan-order" && answer === "scattered";

const tasksOfLaws: Readonly<Record<(typeof laws)[number], () => readonly Task[]>> = {
  // Every seed with the default profile, and every profile with one seed.
  same: () => [
    ...Array.from({ length: seeds }, (_, index): Task => ({
      kind: "same",
      seed: seed + index,
      profile: defaultProfile,
    })),
    ...sampleProfiles(seed, profiles).map((profile): Task => ({ kind: "same", seed, profile })),
  ],
  gaps: () =>
    gapIds
      .filter((gap) => gap.includes(only))
      .flatMap((gap) =>
        getSampleAnswers(gap)
          .filter((answer) => JSON.stringify(answer) !== JSON.stringify(defaultProfile[gap]))
          .filter((answer) => !isUndetectable(gap, answer))
          .map((answer) => ({ kind: "gap", gap, answer })),
      ),
  mutants: () => mutants.filter(({ id }) => id.includes(only)).map(({ id }) => ({ kind: "mutant", id })),
};

const url = "http://localhost";
/** Histories that this process has recorded, by name. */
const recordings = new Map<string, Promise<RecordedHistories>>();
const tasks = (law === undefined ? laws : [law]).flatMap((name) =>
  sampleTasks(tasksOfLaws[name](), seed, sample),
);
const outcomes = await runTasks(tasks, jobs, async (task) => [await compareOne(task)]);
const mutantOutcomes = outcomes.filter(({ outcome }) => outcome === "missed" || outcome === "found");
const foundCount = mutantOutcomes.filter(({ outcome }) => outcome === "found").length;
if (foundCount < minFoundShare * mutantOutcomes.length) process.exitCode = 1;

async function compareOne(task: Task): Promise<TaskOutcome> {
  switch (task.kind) {
    case "same": {
      const { profile } = task;
      const options = { checks: selectRecordedChecks([]), seed: task.seed, runs };
      const { histories } = await recordHistories(options, profile);
      const comparison = await withEmulators([profile, profile], (targets) =>
        compareEmulators(targets, histories, false),
      );
      const { differences, troubles, left } = comparison;
      const isWrong = differences.length + troubles.length + left > 0;
      return toOutcome(`same, seed ${task.seed}, ${describeProfile(profile)}`, comparison, isWrong);
    }
    case "gap": {
      const { gap, answer } = task;
      const { histories } = await recordHistoriesOnce(`gap ${gap}`, toObserverChecks([gap]));
      const comparison = await withEmulators([{ [gap]: answer }, {}], (targets) =>
        compareEmulators(
          targets,
          histories.filter(({ id }) => id === `gaps/${gap}`),
          true,
        ),
      );
      return toOutcome(`${gap} ${JSON.stringify(answer)}`, comparison, comparison.differences.length === 0);
    }
    case "mutant": {
      const comparison = await compareMutant(task.id);
      const isMissed = comparison.differences.length === 0;
      // Some mutants may be missed, so no single one is wrong.
      const outcome = isMissed ? "missed" : "found";
      return { ...toOutcome(task.id, comparison, isMissed), outcome, isWrong: false };
    }
  }
}

function toOutcome(
  name: string,
  { differences, troubles, answers, left }: EmulatorComparison,
  isWrong: boolean,
): TaskOutcome {
  const [first] = differences;
  const found =
    first === undefined
      ? "nothing found"
      : `${differences.length} found, ${first.cause} in ${first.history}: ${first.detail.slice(0, 160)}`;
  return {
    outcome: isWrong ? "WRONG" : "right",
    isWrong,
    name: `${name}: ${found}; ${answers} answers${left === 0 ? "" : `; ${left} left behind`}`,
    details: isWrong ? troubles.slice(0, 3) : [],
  };
}

/** Compares a mutant with the emulator by the histories of its area, those of its clause first. */
async function compareMutant(id: string): Promise<EmulatorComparison> {
  const mutant = mutants.find((known) => known.id === id);
  if (mutant === undefined) throw new Error(`there is no mutant ${id}`);
  const area = getArea(mutant);
  const checks = comparedChecks.filter((check) => getArea(check) === area);
  const { histories } = await recordHistoriesOnce(`area ${area}`, checks);
  const isOfClause = ({ id }: { readonly id: string }) =>
    checks.find((check) => check.id === id)?.clauses.includes(mutant.clause) === true;
  const ordered = [...histories].sort((a, b) => Number(isOfClause(b)) - Number(isOfClause(a)));
  return withEmulators([{}, {}], ([first, second]) =>
    compareEmulators([{ url, fetch: mutant.wrap(first.fetch) }, second], ordered, true),
  );
}

async function withEmulators<Result>(
  profiles: readonly [Partial<Profile>, Partial<Profile>],
  work: (targets: readonly [EmulatorEndpoint, EmulatorEndpoint]) => Promise<Result>,
): Promise<Result> {
  const [first, second] = (await Promise.all(
    profiles.map((profile) => createEmulator({ fixture: "empty", journal: false, profile })),
  )) as [Emulator, Emulator];
  try {
    return await work([
      { url, fetch: first.fetch },
      { url, fetch: second.fetch },
    ]);
  } finally {
    await Promise.all([first.close(), second.close()]);
  }
}

function recordHistoriesOnce(name: string, checks: readonly Check[]) {
  const recording = recordings.get(name) ?? recordHistories({ checks, seed: 1, runs });
  recordings.set(name, recording);
  return recording;
}

async function recordHistories(
  options: Parameters<typeof recordEmulatorHistories>[1],
  profile: Profile = defaultProfile,
) {
  const emulator = await createEmulator({ fixture: "empty", journal: false, profile });
  const histories = await recordEmulatorHistories({ url, fetch: emulator.fetch }, options);
  await emulator.close();
  return histories;
}

function describeProfile(profile: Profile): string {
  const others = gapIds.filter((gap) => JSON.stringify(profile[gap]) !== JSON.stringify(defaultProfile[gap]));
  return others.length === 0 ? "default profile" : `${others.length} answers that are not the default`;
}
