import { checks } from "../../../conformance/checks/register.js";
import type { Mutant, Variant } from "../../../conformance/mutants/mutant.js";
import { mutants, variants } from "../../../conformance/mutants/register.js";
import {
  type FalseAlarm,
  replayMutant,
  testMutant,
  certifyUnmodifiedEmulator,
  testVariant,
} from "../../../conformance/mutants/self-test.js";
import { createEmulator } from "../../../emulator/api/emulator.js";
import { parsePositiveCount, parseSeed } from "../../commands/parse-values.js";
import {
  type TaskOutcome,
  runTasks,
  sampleTasks,
  createSelfTestCommand,
  type SelfTestOptions,
} from "./run-tasks.js";

interface Given extends SelfTestOptions {
  readonly only: readonly string[];
  readonly replays?: number;
  readonly seeds?: number;
  readonly runs: number;
}

type Task =
  | { readonly kind: "mutant"; readonly id: string; readonly isReplayed: boolean }
  | { readonly kind: "variant"; readonly id: string }
  | { readonly kind: "seed"; readonly seed: number };

const program = createSelfTestCommand(
  "conformance:self-test",
  "Runs the checks against every mutant and variant. A sample has a quarter as many variants as mutants.",
)
  .option(
    "--only <id>",
    "area, id or clause; can be repeated",
    (text, before: readonly string[]) => [...before, ...text.split(",")],
    [],
  )
  .option(
    "--replays <number>",
    "number of mutants, chosen by the seed, whose failures are replayed by token; 0 for none (default: all)",
    parseSeed,
  )
  .option(
    "--seeds <number>",
    "instead of mutants and variants, certify the emulator with this many seeds, starting at --seed",
    parsePositiveCount,
  )
  .option("--runs <number>", "number of inputs to try per property", parsePositiveCount, 10);
const { only, sample, replays, seeds, seed, runs, jobs } = program.parse().opts<Given>();

const tasks =
  seeds === undefined
    ? listSuiteTasks()
    : Array.from({ length: seeds }, (_, index): Task => ({ kind: "seed", seed: seed + index }));
if (tasks.length === 0) program.error("no mutant or variant has this name, area or clause");
await runTasks(tasks, jobs, runTask);

function listSuiteTasks(): readonly Task[] {
  const nameOf = ({ id }: { readonly id: string }) => id;
  const chosen = sampleTasks(mutants.filter(isChosen), seed, sample, nameOf);
  const replayed = new Set(sampleTasks(chosen, seed, replays, nameOf));
  const quarter = sample === undefined ? undefined : Math.ceil(sample / 4);
  return [
    // The slowest tasks come first.
    ...sampleTasks(variants.filter(isChosen), seed, quarter, nameOf)
      .toSorted((a, b) => Number(isEverywhere(b)) - Number(isEverywhere(a)))
      .map(({ id }): Task => ({ kind: "variant", id })),
    ...chosen.map((mutant): Task => ({ kind: "mutant", id: mutant.id, isReplayed: replayed.has(mutant) })),
  ];
}

function isChosen(candidate: Mutant | Variant): boolean {
  const names: readonly string[] = "clause" in candidate ? [candidate.clause] : (candidate.alsoIn ?? []);
  return (
    only.length === 0 ||
    only.some((name) => candidate.id === name || candidate.id.startsWith(`${name}/`) || names.includes(name))
  );
}

function isEverywhere({ id }: Variant): boolean {
  return id.startsWith("everywhere/");
}

async function runTask(task: Task): Promise<readonly TaskOutcome[]> {
  const options = {
    checks,
    seed,
    runs,
    subject: async (profile?: Variant["profile"]) => {
      const emulator = await createEmulator(profile === undefined ? {} : { profile });
      return { url: "http://localhost", fetch: emulator.fetch, close: emulator.close };
    },
  };
  switch (task.kind) {
    case "mutant": {
      const mutant = findById(mutants, task.id);
      const found = await testMutant(mutant, options);
      const { id, clause, outcome, blamed, check = "", reason = "", token } = found;
      const isWrong = outcome !== "killed";
      const details = isWrong && blamed !== undefined ? [`blamed ${blamed} in ${check}: ${reason}`] : [];
      const tried: TaskOutcome = { outcome, isWrong, name: `${clause.padEnd(9)} ${id}`, details };
      if (token === undefined || !task.isReplayed) return [tried];
      const { difference, byWholeCheck } = await replayMutant(mutant, found, options);
      if (difference !== undefined)
        return [tried, { outcome: "not replayed", isWrong: true, name: id, details: [token, difference] }];
      return [tried, { outcome: byWholeCheck === undefined ? "replayed" : "by whole check", name: id }];
    }
    case "variant": {
      const alarms = await testVariant(findById(variants, task.id), options);
      const outcome = alarms.length > 0 ? "wrongly failed" : "passed";
      return [describeAlarms(alarms, `variant   ${task.id}`, outcome)];
    }
    case "seed": {
      const alarms = await certifyUnmodifiedEmulator({ ...options, seed: task.seed });
      return [describeAlarms(alarms, `seed ${task.seed}`, alarms.length > 0 ? "alarm" : "no alarm")];
    }
  }
}

function describeAlarms(alarms: readonly FalseAlarm[], name: string, outcome: string): TaskOutcome {
  const details = alarms.flatMap(({ check, clause = "no clause", token = "no token", reason }) => [
    `${check} (${clause}) ${token}`,
    reason,
  ]);
  return { outcome, isWrong: alarms.length > 0, name, details };
}

function findById<Known extends { readonly id: string }>(all: readonly Known[], id: string): Known {
  const found = all.find((known) => known.id === id);
  if (found === undefined) throw new Error(`there is no ${id}`);
  return found;
}
