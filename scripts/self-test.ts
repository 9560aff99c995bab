import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Command, InvalidArgumentError } from "commander";
import { checks } from "../conformance/checks/register.js";
import type { Mutant, Variant } from "../conformance/mutants/mutant.js";
import { mutants, variants } from "../conformance/mutants/register.js";
import {
  type MutantResult,
  type SelfTestOptions,
  tryMutant,
  tryVariant,
  type VariantResult,
} from "../conformance/mutants/self-test.js";
import { createEmulator } from "../emulator/emulator.js";

interface Given {
  readonly only: readonly string[];
  readonly sample?: number;
  readonly seed: number;
  readonly runs: number;
  readonly jobs: number;
  readonly json?: boolean;
}

type Result =
  | { readonly kind: "mutant"; readonly result: MutantResult }
  | { readonly kind: "variant"; readonly result: VariantResult };

const program = new Command("conformance:self-test")
  .description("Tries every mutant and every variant against the checks.")
  .option("--only <id>", "area, id or clause; may be given again", collect, [])
  .option(
    "--sample <number>",
    "this many mutants and a quarter as many variants, chosen by the seed",
    readNumber,
  )
  .option("--seed <number>", "seed of the checks and of the sample", readNumber, 1)
  .option("--runs <number>", "how often a property is tried", readNumber, 10)
  .option("--jobs <number>", "processes side by side", readNumber, availableParallelism())
  .option("--json", "print the results as JSON")
  .action(selfTest);

if (process.send === undefined) await program.parseAsync();
else
  process.on(
    "message",
    (given: { readonly ids: readonly string[]; readonly seed: number; readonly runs: number }) =>
      void work(given),
  );

/** In a child: tries what it is told to, and reports each result. */
async function work({
  ids,
  seed,
  runs,
}: {
  readonly ids: readonly string[];
  readonly seed: number;
  readonly runs: number;
}) {
  const options: SelfTestOptions = {
    checks,
    seed,
    runs,
    subject: async (profile) => {
      const emulator = await createEmulator(profile === undefined ? {} : { profile });
      return { url: "http://localhost", fetch: emulator.fetch, close: emulator.close };
    },
  };
  for (const id of ids) {
    const mutant = mutants.find((known) => known.id === id);
    const variant = variants.find((known) => known.id === id);
    if (mutant !== undefined) process.send?.({ kind: "mutant", result: await tryMutant(mutant, options) });
    if (variant !== undefined)
      process.send?.({ kind: "variant", result: await tryVariant(variant, options) });
  }
  process.disconnect();
}

async function selfTest({ only, sample, seed, runs, jobs, json }: Given): Promise<void> {
  const chosenMutants = choose(mutants.filter(isChosen), sample, seed);
  const chosenVariants = choose(
    variants.filter(isChosen),
    sample === undefined ? undefined : Math.ceil(sample / 4),
    seed,
  );
  const ids = [...chosenVariants, ...chosenMutants].map(({ id }) => id);
  if (ids.length === 0) program.error("there is no mutant or variant of this name, area or clause");
  const started = performance.now();
  const results: Result[] = [];
  const shards = Array.from({ length: Math.min(jobs, ids.length) }, (_, index) =>
    ids.filter((_, position) => position % jobs === index),
  );
  await Promise.all(
    shards.map(
      (shard) =>
        new Promise<void>((resolve, reject) => {
          const child = fork(fileURLToPath(import.meta.url), [], { execArgv: process.execArgv });
          child.on("message", (result: Result) => {
            results.push(result);
            if (json !== true) print(result);
          });
          child.on("exit", (code) =>
            code === 0 ? resolve() : reject(new Error(`a process of the self-test ended with ${code}`)),
          );
          child.send({ ids: shard, seed, runs });
        }),
    ),
  );
  summarize(results, performance.now() - started, json === true);

  function isChosen(candidate: Mutant | Variant): boolean {
    const clause = "clause" in candidate ? candidate.clause : undefined;
    return (
      only.length === 0 ||
      only.some((name) => candidate.id === name || candidate.id.startsWith(`${name}/`) || clause === name)
    );
  }
}

function print({ kind, result }: Result): void {
  const seconds = `${(result.durationMs / 1000).toFixed(1)} s`;
  if (kind === "mutant") {
    const { id, clause, outcome, blamed, check, reason } = result;
    console.log(`${outcome.padEnd(18)} ${clause.padEnd(9)} ${id} ${seconds}`);
    if (outcome !== "killed" && blamed !== undefined)
      console.log(`    blamed ${blamed} in ${check ?? "the login"}: ${reason ?? ""}`);
  } else {
    console.log(
      `${(result.wrong.length === 0 ? "passed" : "wrongly failed").padEnd(18)} variant   ${result.id} ${seconds}`,
    );
    for (const { check, reason } of result.wrong) console.log(`    ${check}: ${reason.slice(0, 500)}`);
  }
}

function summarize(results: readonly Result[], durationMs: number, json: boolean): void {
  const mutantResults = results.flatMap((entry) => (entry.kind === "mutant" ? [entry.result] : []));
  const variantResults = results.flatMap((entry) => (entry.kind === "variant" ? [entry.result] : []));
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
    medianRequests: lengths[Math.floor(lengths.length / 2)] ?? 0,
    seconds: Math.round(durationMs / 1000),
  };
  if (json)
    console.log(JSON.stringify({ summary, mutants: mutantResults, variants: variantResults }, null, 2));
  else
    console.log(
      `\n${summary.mutants} mutants: ${summary.killed} killed by the clause they break, ${summary.killedByAnother} by another, ` +
        `${summary.survived} survived. ${summary.variants} variants: ${summary.wronglyFailed} wrongly failed. ` +
        `Counterexamples: ${summary.medianRequests} requests in the median. ${summary.seconds} s.`,
    );
  if (summary.killed < summary.mutants || summary.wronglyFailed > 0) process.exitCode = 1;
}

/** The same sample for the same seed: every one has a number, and the smallest are taken. */
function choose<Candidate extends { readonly id: string }>(
  all: readonly Candidate[],
  size: number | undefined,
  seed: number,
): readonly Candidate[] {
  if (size === undefined) return all;
  const numberOf = ({ id }: Candidate) => {
    let hash = seed ^ 0x811c9dc5;
    for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
    return hash >>> 0;
  };
  return all.toSorted((a, b) => numberOf(a) - numberOf(b)).slice(0, size);
}

function collect(text: string, before: readonly string[]): readonly string[] {
  return [...before, ...text.split(",")];
}

function readNumber(text: string): number {
  const number = Number(text);
  if (!/^\d{1,10}$/.test(text) || number < 1)
    throw new InvalidArgumentError("It is a whole number from 1 on.");
  return number;
}
