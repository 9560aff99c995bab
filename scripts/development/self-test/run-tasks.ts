import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { Command } from "commander";
import { hashText } from "../../../openapi/text/hash-text.js";
import { escapeInvisible } from "../../../openapi/text/escape-invisible.js";
import { parsePositiveCount, parseSeed } from "../../commands/parse-values.js";

/** What came of a task, or of a part of it. */
export interface TaskOutcome {
  /** In a word or two, by which outcomes are counted. */
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

/** A command with the options that all self-tests have. */
export function createSelfTestCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option("--sample <number>", "number of tasks of each kind, chosen by the seed", parsePositiveCount)
    .option("--seed <number>", "random seed of the sample and of all inputs", parseSeed, 1)
    .option("--jobs <number>", "number of concurrent processes", parsePositiveCount, availableParallelism());
}

/** The same sample for the same seed: every one has a number, and the smallest are taken. */
export function sampleTasks<Task>(
  all: readonly Task[],
  seed: number,
  size = all.length,
  nameOf: (task: Task) => string = (task) => JSON.stringify(task),
): readonly Task[] {
  if (size >= all.length) return all;
  const numbered = all.map((task) => ({ task, number: hashText(`${seed}/${nameOf(task)}`) }));
  return numbered
    .sort((a, b) => a.number - b.number)
    .slice(0, size)
    .map(({ task }) => task);
}

const worker = "SELF_TEST_WORKER";

interface TaskOptions {
  /** Seconds after which a process is ended, and its task given up. */
  readonly patience?: number;
  /** Whether only wrong outcomes are printed. */
  readonly isQuiet?: boolean;
}

/**
 * Has processes do tasks, each the next one as soon as it is free, and prints what comes of them. The processes run the
 * same command line, so a script calls this in them too, and it never returns there.
 */
export async function runTasks<Task extends object>(
  tasks: readonly Task[],
  jobs: number,
  work: (task: Task) => Promise<readonly TaskOutcome[]>,
  { patience, isQuiet = false }: TaskOptions = {},
): Promise<readonly TaskOutcome[]> {
  if (process.env[worker] !== undefined) {
    // the parent process is gone
    process.on("disconnect", () => process.exit());
    process.on("message", (task: Task) => void work(task).then((outcomes) => process.send?.(outcomes)));
    process.send?.("ready");
    return new Promise(() => undefined);
  }
  const waiting = [...tasks];
  const outcomes: TaskOutcome[] = [];
  const started = performance.now();
  await Promise.all(Array.from({ length: Math.min(jobs, tasks.length) }, takeTurns));
  const counts = new Map<string, number>();
  for (const { outcome } of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const wrong = outcomes.filter(({ isWrong }) => isWrong === true);
  console.log(
    `\n${[...counts].map(([outcome, count]) => `${count} ${outcome}`).join(", ")}; ${seconds(started)}`,
  );
  for (const { outcome, name } of wrong) console.log(`  ${outcome}: ${name}`);
  if (wrong.length > 0) process.exitCode = 1;
  return outcomes;

  function note(some: readonly TaskOutcome[], began: number): void {
    print(
      some.filter(({ isWrong }) => isWrong === true || !isQuiet),
      began,
    );
    outcomes.push(...some);
  }

  function takeTurns(): Promise<void> {
    return new Promise((resolve, reject) => {
      const [, script = "", ...words] = process.argv;
      const child = fork(script, words, {
        execArgv: process.execArgv,
        env: { ...process.env, [worker]: "1" },
      });
      let task: Task | undefined;
      let began = performance.now();
      let timer: NodeJS.Timeout | undefined;
      child.on("message", (message: "ready" | readonly TaskOutcome[]) => {
        clearTimeout(timer);
        if (message !== "ready") note(message, began);
        task = waiting.shift();
        began = performance.now();
        if (task === undefined) child.disconnect();
        else child.send(task);
        if (patience !== undefined) timer = setTimeout(() => child.kill("SIGKILL"), patience * 1000);
      });
      child.on("exit", (code, signal) => {
        clearTimeout(timer);
        if (signal === "SIGKILL" && patience !== undefined && task !== undefined) {
          note([{ outcome: "given up", isWrong: true, name: JSON.stringify(task) }], began);
          resolve(takeTurns());
        } else if (code === 0 && task === undefined) resolve();
        else reject(new Error(`a process ended with ${code} during ${JSON.stringify(task)}`));
      });
    });
  }
}

function print(outcomes: readonly TaskOutcome[], began: number): void {
  for (const { outcome, name, details = [] } of outcomes) {
    console.log(`${outcome.padEnd(18)} ${name} ${seconds(began)}`);
    for (const detail of details) console.log(`    ${escapeInvisible(detail.slice(0, 500))}`);
  }
}

function seconds(began: number): string {
  return `${((performance.now() - began) / 1000).toFixed(1)} s`;
}
