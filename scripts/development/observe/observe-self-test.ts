import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Command, InvalidArgumentError } from "commander";
import { hash } from "../../../conformance/check/hash.js";
import { mutants } from "../../../conformance/mutants/register.js";
import { profilesToObserve } from "../../../conformance/observe/profiles-to-observe.js";
import { gapIds, type GapId } from "../../../openapi/gaps/register.js";
import { isGapId } from "../../../openapi/gaps/profile.js";
import { inProcesses } from "../self-test/in-processes.js";
import type { ObserveOrder, ObserveResult, ObserveTask } from "./observe-worker.js";

interface Given {
  readonly only: readonly GapId[];
  /** All, or those whose id has one of these texts, in the order of the texts. */
  readonly mutants?: true | string;
  readonly sample?: number;
  readonly seed: number;
  readonly jobs: number;
  readonly json?: true;
}

const program = new Command("observe:self-test")
  .description(
    "Observes emulators whose answers are known, through a target file and without their control plane: a profile for " +
      "every pair of answers to any two gaps, each of which has to come back exactly; or the self-test's mutants, of " +
      "which no answer may be wrong.",
  )
  .option(
    "--mutants [texts]",
    "the mutants in place of the profiles; those whose id has one of the texts, in their order",
  )
  .option("--only <gaps>", "gaps to be observed, separated by commas", readGaps, [])
  .option("--sample <number>", "so many of them, chosen by the seed", readNumber)
  .option("--seed <number>", "what the profiles and the sample follow from", readNumber, 1)
  .option("--jobs <number>", "processes at the same time", readNumber, availableParallelism())
  .option("--json", "print one JSON document and nothing else");

const given = program.parse().opts<Given>();
const started = performance.now();
const all: readonly ObserveTask[] =
  given.mutants !== undefined
    ? chosenMutants(given.mutants).map(({ id }): ObserveTask => ({ kind: "mutant", id }))
    : profilesToObserve(given.seed).map((profile, number): ObserveTask => ({
        kind: "profile",
        number,
        profile,
      }));
const tasks = sampled(all);
const results = await inProcesses<ObserveTask, ObserveOrder, ObserveResult>(tasks, {
  worker: fileURLToPath(new URL("observe-worker.ts", import.meta.url)),
  jobs: given.jobs,
  orderOf: (task) => ({ task, only: given.only.length === 0 ? undefined : given.only }),
  onResult: (result) => {
    if (given.json !== true) print(result);
  },
});
summarize();

function print({ name, durationMs, trouble, mistakes = [], left = [], unseen = [], ...rest }: ObserveResult) {
  const { answers = 0, hidden = 0, undecided = 0, other = 0, requests = 0 } = rest;
  const seconds = (durationMs / 1000).toFixed(1);
  if (trouble !== undefined) console.log(`not observed       ${name}: ${trouble} ${seconds} s`);
  else
    console.log(
      `${(isRight({ mistakes, left, unseen }) ? "right" : "WRONG").padEnd(18)} ${name}: ${answers} answers, ` +
        `${hidden} hidden, ${undecided} undecided, ${other} other, ${requests} requests, ${seconds} s`,
    );
  for (const { gap, expected, seen } of mistakes)
    console.log(`    ${gap}: ${JSON.stringify(expected)}; seen ${seen.slice(0, 400)}`);
  for (const thing of left) console.log(`    left behind: ${thing}`);
  for (const thing of unseen) console.log(`    left behind, and not known to be: ${thing}`);
}

function isRight({ mistakes = [], left = [], unseen = [] }: Partial<ObserveResult>): boolean {
  return mistakes.length + left.length + unseen.length === 0;
}

function summarize(): void {
  const wrong = results.filter((result) => !isRight(result)).length;
  // a deployment whose users cannot log in shows nothing; an emulator as it is has to be observed
  const unobserved = results.filter(({ trouble }) => trouble !== undefined).length;
  const summary = {
    observed: results.length - unobserved,
    unobserved,
    wrong,
    requests: results.reduce((sum, { requests = 0 }) => sum + requests, 0),
    seconds: Math.round((performance.now() - started) / 1000),
  };
  if (given.json === true) console.log(JSON.stringify({ summary, results }, null, 2));
  else
    console.log(
      `\n${summary.observed} ${given.mutants === undefined ? "profiles" : "mutants"} observed, ${wrong} wrong, ` +
        `${unobserved} not observed. ${summary.requests} requests, ${summary.seconds} s.`,
    );
  if (wrong > 0 || (given.mutants === undefined && unobserved > 0)) process.exitCode = 1;
}

function chosenMutants(texts: true | string) {
  if (texts === true) return mutants;
  return [...new Set(texts.split(",").flatMap((text) => mutants.filter(({ id }) => id.includes(text))))];
}

/** The same sample for the same seed: every one has a number, and the smallest are taken. */
function sampled(whole: readonly ObserveTask[]): readonly ObserveTask[] {
  if (given.sample === undefined) return whole;
  const numberOf = (task: ObserveTask) =>
    hash(`${given.seed}/${task.kind === "mutant" ? task.id : task.number}`);
  return whole.toSorted((a, b) => numberOf(a) - numberOf(b)).slice(0, given.sample);
}

function readGaps(text: string, before: readonly GapId[]): readonly GapId[] {
  const names = text.split(",");
  const unknown = names.find((name) => !isGapId(name));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`There is no gap ${unknown}; there are ${gapIds.length} others.`);
  return [...before, ...(names as GapId[])];
}

function readNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) < 1)
    throw new InvalidArgumentError("It is a whole number from 1 on.");
  return Number(text);
}
