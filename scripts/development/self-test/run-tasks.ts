import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { Command } from "commander";
import { hashText } from "../../../openapi/text/hash-text.js";
import { escapeInvisible } from "../../../openapi/text/escape-invisible.js";
import { parsePositiveCount, parseSeed } from "../../commands/parse-values.js";

/** The outcome of a task or of a part of it. */
export interface TaskOutcome {
  /** A word or two; equal outcomes are counted together. */
  readonly outcome: string;
  readonly isWrong?: boolean;
  readonly name: string;
  readonly details?: readonly string[];
}

export interface SelfTestOptions {
  readonly sample?: number;
  readonly seed: number;
  readonly jobs: number;
}

/** Creates a command with the options of all self-tests. */
export function createSelfTestCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option("--sample <number>", "number of tasks of each kind, chosen by the seed", parsePositiveCount)
    .option("--seed <number>", "random seed of the sample and of all inputs", parseSeed, 1)
    .option("--jobs <number>", "number of concurrent processes", parsePositiveCount, availableParallelism());
}

/** Selects tasks at random; the same seed gives the same sample. */
export function sampleTasks<Task>(
  all: readonly Task[],
  seed: number,
  size = all.length,
  nameOf: (task: Task) => string = (task) => JSON.stringify(task),
): readonly Task[] {
  if (size >= all.length) return all;
  const hashOf = (task: Task) => hashText(`${seed}/${nameOf(task)}`);
  return all.toSorted((a, b) => hashOf(a) - hashOf(b)).slice(0, size);
}

/** Environment variable that marks a worker process. */
const workerVariable = "SELF_TEST_WORKER";

interface TaskOptions {
  /** Seconds after which the process of a task is killed. */
  readonly timeoutSeconds?: number;
  /** Whether to print only wrong outcomes. */
  readonly isQuiet?: boolean;
}

/**
 * Runs tasks in worker processes and prints their outcomes. The workers run the same command line, so the script calls this
 * function in the workers too; there it never returns.
 */
export async function runTasks<Task extends object>(
  tasks: readonly Task[],
  jobs: number,
  work: (task: Task) => Promise<readonly TaskOutcome[]>,
  { timeoutSeconds, isQuiet = false }: TaskOptions = {},
): Promise<readonly TaskOutcome[]> {
  if (process.env[workerVariable] !== undefined) {
    process.on("disconnect", () => process.exit());
    process.on("message", (task: Task) => void work(task).then((outcomes) => process.send?.(outcomes)));
    process.send?.("ready");
    return new Promise(() => undefined);
  }
  const waiting = [...tasks];
  const outcomes: TaskOutcome[] = [];
  const started = performance.now();
  await Promise.all(Array.from({ length: Math.min(jobs, tasks.length) }, runWorker));
  const counts = new Map<string, number>();
  for (const { outcome } of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const wrong = outcomes.filter(({ isWrong }) => isWrong === true);
  console.log(
    `\n${[...counts].map(([outcome, count]) => `${count} ${outcome}`).join(", ")}; ${formatSecondsSince(started)}`,
  );
  for (const { outcome, name } of wrong) console.log(`  ${outcome}: ${name}`);
  if (wrong.length > 0) process.exitCode = 1;
  return outcomes;

  function addOutcomes(added: readonly TaskOutcome[], taskStarted: number): void {
    outcomes.push(...added);
    for (const { outcome, isWrong, name, details = [] } of added) {
      if (isQuiet && isWrong !== true) continue;
      console.log(`${outcome.padEnd(18)} ${name} ${formatSecondsSince(taskStarted)}`);
      for (const detail of details) console.log(`    ${escapeInvisible(detail.slice(0, 500))}`);
    }
  }

  function runWorker(): Promise<void> {
    return new Promise((resolve, reject) => {
      const [, script = "", ...words] = process.argv;
      const child = fork(script, words, {
        execArgv: process.execArgv,
        env: { ...process.env, [workerVariable]: "1" },
      });
      let task: Task | undefined;
      let taskStarted = performance.now();
      let timer: NodeJS.Timeout | undefined;
      child.on("message", (message: "ready" | readonly TaskOutcome[]) => {
        clearTimeout(timer);
        if (message !== "ready") addOutcomes(message, taskStarted);
        task = waiting.shift();
        taskStarted = performance.now();
        if (task === undefined) child.disconnect();
        else child.send(task);
        if (timeoutSeconds !== undefined)
          timer = setTimeout(() => child.kill("SIGKILL"), timeoutSeconds * 1000);
      });
      child.on("exit", (code, signal) => {
        clearTimeout(timer);
        if (signal === "SIGKILL" && timeoutSeconds !== undefined && task !== undefined) {
          addOutcomes([{ outcome: "timed out", isWrong: true, name: JSON.stringify(task) }], taskStarted);
          resolve(runWorker());
        } else if (code === 0 && task === undefined) resolve();
        else reject(new Error(`a worker exited with ${code} during ${JSON.stringify(task)}`));
      });
    });
  }
}

function formatSecondsSince(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}
