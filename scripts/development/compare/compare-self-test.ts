import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Command, InvalidArgumentError } from "commander";
import { hash } from "../../../conformance/check/hash.js";
import { mutants } from "../../../conformance/mutants/register.js";
import { profilesToObserve } from "../../../conformance/observe/profiles-to-observe.js";
import { answersToTry, gapIds, gapOf } from "../../../openapi/gaps/register.js";
import { defaultProfile } from "../../../openapi/gaps/profile.js";
import { inProcesses } from "../self-test/in-processes.js";
import type { CompareOrder, CompareResult, CompareTask } from "./compare-worker.js";

/** The least share of the mutants that a comparison has to find. */
const leastFound = 0.95;

const laws = ["same", "disguised", "gaps", "mutants"] as const;
type Law = (typeof laws)[number];

interface Given {
  readonly law: readonly Law[];
  readonly seeds: number;
  readonly profiles: number;
  readonly sample?: number;
  readonly seed: number;
  readonly runs: number;
  readonly jobs: number;
  readonly only?: string;
  readonly json?: true;
}

const program = new Command("compare:self-test")
  .description(
    "Compares emulators of which it is known whether they differ. The same: one with itself, for seeds and profiles, " +
      "finds nothing. Disguised: one behind a relay that changes ids, times and the order of members finds nothing. " +
      "Gaps: each answer that is not the default one is found. Mutants: at least 95 of 100 are found.",
  )
  .option("--law <names>", `of ${laws.join(", ")}; all without it`, readLaws, laws)
  .option("--seeds <number>", "seeds of the comparison with itself", readNumber, 50)
  .option("--profiles <number>", "profiles of the comparison with itself", readNumber, 20)
  .option("--sample <number>", "so many of each law, chosen by the seed", readNumber)
  .option("--seed <number>", "what the profiles and the sample follow from", readNumber, 1)
  .option("--runs <number>", "how often a property is tried while histories are recorded", readNumber, 1)
  .option("--only <text>", "gaps and mutants whose name has the text")
  .option("--jobs <number>", "processes at the same time", readNumber, availableParallelism())
  .option("--json", "print one JSON document and nothing else");

const given = program.parse().opts<Given>();
const started = performance.now();
const results = await inProcesses<CompareTask, CompareOrder, CompareResult>(given.law.flatMap(tasksOf), {
  worker: fileURLToPath(new URL("compare-worker.ts", import.meta.url)),
  jobs: given.jobs,
  orderOf: (task) => ({ task, runs: given.runs }),
  onResult: (result) => {
    if (given.json !== true) print(result);
  },
});
summarize();

function tasksOf(law: Law): readonly CompareTask[] {
  switch (law) {
    case "same": {
      const seeds = Array.from({ length: given.seeds }, (_, index): CompareTask => ({
        kind: "same",
        seed: given.seed + index,
        profile: defaultProfile,
      }));
      const profiles = sampled(profilesToObserve(given.seed), (_, index) => String(index), given.profiles);
      return sampled(
        [...seeds, ...profiles.map((profile): CompareTask => ({ kind: "same", seed: given.seed, profile }))],
        (_, index) => String(index),
      );
    }
    case "disguised":
      return [{ kind: "disguised", seed: given.seed }];
    case "gaps":
      return sampled(
        gapIds
          .filter((gap) => isChosen(gap) && gapOf(gap).observable === "yes")
          .flatMap((gap) =>
            answersToTry(gap)
              .filter((answer) => JSON.stringify(answer) !== JSON.stringify(defaultProfile[gap]))
              .map((answer): CompareTask => ({ kind: "gap", gap, answer })),
          ),
        (task) => JSON.stringify(task),
      );
    case "mutants":
      return sampled(
        mutants.filter(({ id }) => isChosen(id)).map(({ id }): CompareTask => ({ kind: "mutant", id })),
        (task) => JSON.stringify(task),
      );
  }
}

function isChosen(name: string): boolean {
  return given.only === undefined || name.includes(given.only);
}

/** The same sample for the same seed: every one has a number, and the smallest are taken, in their order. */
function sampled<Task>(
  whole: readonly Task[],
  nameOf: (task: Task, index: number) => string,
  most = given.sample,
): readonly Task[] {
  if (most === undefined) return whole;
  const numbered = whole.map((task, index) => ({
    task,
    number: hash(`${given.seed}/${nameOf(task, index)}`),
  }));
  const chosen = new Set(numbered.toSorted((a, b) => a.number - b.number).slice(0, most));
  return numbered.filter((each) => chosen.has(each)).map(({ task }) => task);
}

function print({ name, isRight, differences, troubles, answers, left, durationMs }: CompareResult): void {
  const [first] = differences;
  const found =
    first === undefined
      ? "nothing found"
      : `${differences.length} found, ${first.cause} in ${first.history}: ${first.detail.slice(0, 160)}`;
  console.log(
    `${isRight ? "right" : "WRONG"}  ${name}: ${found}; ${answers} answers, ${(durationMs / 1000).toFixed(1)} s` +
      (left === 0 ? "" : `; ${left} left behind`),
  );
  if (!isRight) for (const trouble of troubles.slice(0, 3)) console.log(`    ${trouble.slice(0, 300)}`);
}

function summarize(): void {
  const wrong = results.filter(({ isRight }) => !isRight).map(({ name }) => name);
  const isMutant = (name: string) => mutants.some(({ id }) => id === name);
  const ofMutants = results.filter(({ name }) => isMutant(name));
  const missed = wrong.filter(isMutant);
  const summary = {
    compared: results.length,
    wrong: wrong.filter((name) => !isMutant(name)),
    mutants: ofMutants.length,
    missed,
    answers: results.reduce((sum, { answers }) => sum + answers, 0),
    seconds: Math.round((performance.now() - started) / 1000),
  };
  if (given.json === true) console.log(JSON.stringify({ summary, results }, null, 2));
  else {
    console.log(
      `\n${summary.compared} comparisons, ${summary.wrong.length} wrong; ${missed.length} of ${ofMutants.length} ` +
        `mutants not found. ${summary.answers} answers, ${summary.seconds} s.`,
    );
    for (const name of [...summary.wrong, ...missed]) console.log(`  ${name}`);
  }
  if (summary.wrong.length > 0 || missed.length > (1 - leastFound) * ofMutants.length) process.exitCode = 1;
}

function readLaws(text: string, before: readonly Law[]): readonly Law[] {
  const unknown = text.split(",").find((name) => !(laws as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`There is no law ${unknown}; the laws are ${laws.join(", ")}.`);
  const named = text.split(",") as Law[];
  return before === laws ? named : [...before, ...named];
}

function readNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) < 1)
    throw new InvalidArgumentError("It is a whole number from 1 on.");
  return Number(text);
}
