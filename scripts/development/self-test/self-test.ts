import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Command, InvalidArgumentError } from "commander";
import { visible } from "../../../openapi/text/visible.js";
import type { Mutant, Variant } from "../../../conformance/mutants/mutant.js";
import { hash } from "../../../conformance/check/hash.js";
import { mutants, variants } from "../../../conformance/mutants/register.js";
import type { MutantResult } from "../../../conformance/mutants/self-test.js";
import { inProcesses } from "./in-processes.js";
import type { Order, Result, Task } from "./self-test-worker.js";

interface Given {
  readonly only: readonly string[];
  readonly sample?: number;
  readonly replays?: number;
  readonly seeds?: number;
  readonly seed: number;
  readonly runs: number;
  readonly jobs: number;
  readonly json?: boolean;
}

const program = new Command("conformance:self-test")
  .description("Tries every mutant and every variant against the checks.")
  .option("--only <id>", "area, id or clause; may be given again", collect, [])
  .option(
    "--sample <number>",
    "this many mutants and a quarter as many variants, chosen by the seed",
    readNumber,
  )
  .option(
    "--replays <number>",
    "goes back to the failures of this many mutants alone, chosen by the seed, with their tokens; 0 for none",
    readCount,
  )
  .option(
    "--seeds <number>",
    "in place of mutants and variants: certifies the emulator as it is, with this many seeds from --seed on",
    readNumber,
  )
  .option("--seed <number>", "seed of the checks, of the sample and of the replays", readNumber, 1)
  .option("--runs <number>", "how often a property is tried", readNumber, 10)
  .option("--jobs <number>", "processes side by side", readNumber, availableParallelism())
  .option("--json", "print the results as JSON")
  .action(selfTest);

await program.parseAsync();

async function selfTest(given: Given): Promise<void> {
  const { only, sample, replays, seeds, seed, json = false } = given;
  const started = performance.now();
  const show = json ? () => undefined : print;
  if (seeds !== undefined) {
    const tasks = Array.from({ length: seeds }, (_, n): Task => ({ kind: "seed", seed: seed + n }));
    const results = await perform(tasks, given, show);
    summarizeSeeds(results, performance.now() - started, json);
    return;
  }
  const chosenMutants = choose(mutants.filter(isChosen), sample, seed);
  const chosenVariants = choose(
    variants.filter(isChosen),
    sample === undefined ? undefined : Math.ceil(sample / 4),
    seed,
  );
  const tasks = [
    // those that take longest first
    ...chosenVariants
      .toSorted((a, b) => Number(isEverywhere(b)) - Number(isEverywhere(a)))
      .map(taskOf("variant")),
    ...chosenMutants.map(taskOf("mutant")),
  ];
  if (tasks.length === 0) program.error("there is no mutant or variant of this name, area or clause");
  const results = [...(await perform(tasks, given, show))];
  const found = results.flatMap((entry) =>
    entry.kind === "mutant" && entry.result.token !== undefined ? [entry.result] : [],
  );
  const again = choose(found, replays, seed).map((entry): Task => ({ kind: "replay", found: entry }));
  results.push(...(await perform(again, given, show)));
  summarize(results, performance.now() - started, json);

  function isChosen(candidate: Mutant | Variant): boolean {
    const clause = "clause" in candidate ? candidate.clause : undefined;
    return (
      only.length === 0 ||
      only.some((name) => candidate.id === name || candidate.id.startsWith(`${name}/`) || clause === name)
    );
  }
}

function isEverywhere({ id }: Variant): boolean {
  return id.startsWith("everywhere/");
}

function taskOf(kind: "mutant" | "variant"): (candidate: { readonly id: string }) => Task {
  return ({ id }) => ({ kind, id });
}

/** Has processes do the tasks. */
async function perform(
  tasks: readonly Task[],
  { jobs, seed, runs }: Pick<Given, "jobs" | "seed" | "runs">,
  onResult: (result: Result) => void,
): Promise<readonly Result[]> {
  return inProcesses<Task, Order, Result>(tasks, {
    worker: fileURLToPath(new URL("self-test-worker.ts", import.meta.url)),
    jobs,
    orderOf: (task) => ({ task, seed, runs }),
    onResult,
  });
}

function print(entry: Result): void {
  switch (entry.kind) {
    case "mutant": {
      const { id, clause, outcome, blamed, check, reason } = entry.result;
      console.log(`${outcome.padEnd(18)} ${clause.padEnd(9)} ${id} ${seconds(entry.result)}`);
      if (outcome !== "killed" && blamed !== undefined)
        console.log(`    blamed ${blamed} in ${check ?? "the login"}: ${visible(reason ?? "")}`);
      break;
    }
    case "variant": {
      const { id, wrong } = entry.result;
      const outcome = wrong.length === 0 ? "passed" : "wrongly failed";
      console.log(`${outcome.padEnd(18)} variant   ${id} ${seconds(entry.result)}`);
      for (const { check, reason } of wrong) console.log(`    ${check}: ${visible(reason.slice(0, 500))}`);
      break;
    }
    case "replay": {
      const { id, token, difference, byWholeCheck } = entry.result;
      const how = byWholeCheck === undefined ? "" : " by its whole check";
      console.log(`${(difference === undefined ? "replayed" : "not replayed").padEnd(18)} ${id}${how}`);
      if (difference !== undefined) console.log(`    ${token}\n    ${visible(difference.slice(0, 500))}`);
      break;
    }
    case "seed": {
      const { seed, alarms } = entry.result;
      const outcome = alarms.length === 0 ? "no alarm" : "alarm";
      console.log(`${outcome.padEnd(18)} seed ${seed} ${seconds(entry.result)}`);
      for (const { check, clause = "no clause", token = "no token", reason } of alarms)
        console.log(`    ${check} (${clause}) ${token}\n    ${visible(reason.slice(0, 500))}`);
    }
  }
}

function seconds({ durationMs }: { readonly durationMs: number }): string {
  return `${(durationMs / 1000).toFixed(1)} s`;
}

function summarizeSeeds(results: readonly Result[], durationMs: number, json: boolean): void {
  const seedResults = results.flatMap((entry) => (entry.kind === "seed" ? [entry.result] : []));
  const alarmed = seedResults.filter(({ alarms }) => alarms.length > 0).length;
  const summary = { seeds: seedResults.length, alarmed, seconds: Math.round(durationMs / 1000) };
  if (json) console.log(JSON.stringify({ summary, seeds: seedResults }, null, 2));
  else
    console.log(
      `\n${summary.seeds} seeds on the emulator as it is: ${alarmed} raised an alarm. ${summary.seconds} s.`,
    );
  if (alarmed > 0) process.exitCode = 1;
}

function summarize(results: readonly Result[], durationMs: number, json: boolean): void {
  const mutantResults = results.flatMap((entry) => (entry.kind === "mutant" ? [entry.result] : []));
  const variantResults = results.flatMap((entry) => (entry.kind === "variant" ? [entry.result] : []));
  const replayResults = results.flatMap((entry) => (entry.kind === "replay" ? [entry.result] : []));
  const count = (outcome: MutantResult["outcome"]) =>
    mutantResults.filter((result) => result.outcome === outcome).length;
  const lengths = mutantResults
    .flatMap(({ requests }) => (requests === undefined ? [] : [requests]))
    .sort((a, b) => a - b);
  const summary = {
    mutants: mutantResults.length,
    killed: count("killed"),
    killedByAnother: count("killed by another"),
    survived: count("survived"),
    variants: variantResults.length,
    wronglyFailed: variantResults.filter(({ wrong }) => wrong.length > 0).length,
    replays: replayResults.length,
    replayed: replayResults.filter(({ difference }) => difference === undefined).length,
    byWholeCheck: replayResults.filter(
      ({ difference, byWholeCheck }) => difference === undefined && byWholeCheck === true,
    ).length,
    medianRequests: lengths[Math.floor(lengths.length / 2)] ?? 0,
    seconds: Math.round(durationMs / 1000),
  };
  if (json)
    console.log(
      JSON.stringify(
        { summary, mutants: mutantResults, variants: variantResults, replays: replayResults },
        null,
        2,
      ),
    );
  else
    console.log(
      `\n${summary.mutants} mutants: ${summary.killed} killed by the clause they break, ${summary.killedByAnother} by another, ` +
        `${summary.survived} survived. ${summary.variants} variants: ${summary.wronglyFailed} wrongly failed. ` +
        (summary.replays === 0
          ? ""
          : `${summary.replayed} of ${summary.replays} replayed, ${summary.byWholeCheck} of them by the whole check. `) +
        `Counterexamples: ${summary.medianRequests} requests in the median. ${summary.seconds} s.`,
    );
  if (summary.killed < summary.mutants || summary.wronglyFailed > 0 || summary.replayed < summary.replays)
    process.exitCode = 1;
}

/** The same sample for the same seed: every one has a number, and the smallest are taken. */
function choose<Candidate extends { readonly id: string }>(
  all: readonly Candidate[],
  size: number | undefined,
  seed: number,
): readonly Candidate[] {
  if (size === undefined) return all;
  const numberOf = ({ id }: Candidate) => hash(`${seed}/${id}`);
  return all.toSorted((a, b) => numberOf(a) - numberOf(b)).slice(0, size);
}

function collect(text: string, before: readonly string[]): readonly string[] {
  return [...before, ...text.split(",")];
}

function readNumber(text: string): number {
  const number = readCount(text);
  if (number < 1) throw new InvalidArgumentError("It is a whole number from 1 on.");
  return number;
}

function readCount(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError("It is a whole number.");
  return Number(text);
}
