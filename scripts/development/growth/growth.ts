/**
 * Doubles every size that a client can choose, for every operation and every call of the control plane, in the process,
 * and reports costs that grow faster than n log n; and grows what a world holds, and reports requests that cost more in
 * larger ones than they have to.
 */
import { Worker } from "node:worker_threads";
import { Command } from "commander";
import type { GrowthNews, GrowthOrder } from "./growth-worker.js";

const program = new Command("growth")
  .description("Looks for requests whose cost grows faster than they do.")
  .option("--only <text>", "cases whose name holds this", "")
  .option("--size <number>", "the smallest size; the others are twice, four and eight times as large", "1000")
  .option("--bound <seconds>", "the processor time after which a case is given up, which is a finding", "20")
  .option("--verbose", "say of every case what it cost")
  .parse();
const options = program.opts<{
  readonly only: string;
  readonly size: string;
  readonly bound: string;
  readonly verbose?: true;
}>();

/** A thread of its own does not know TypeScript yet. */
const beginning = `
  import("tsx/esm/api").then(({ register }) => {
    register();
    return import(${JSON.stringify(new URL("growth-worker.ts", import.meta.url).href)});
  });`;
const isShown = process.stderr.isTTY;
const findings: string[] = [];
let of = 1;
for (let next = 0; next < of;) next = await work(next);
if (isShown) process.stderr.write("\r\u001B[K");
for (const finding of findings) console.log(finding);
const seconds = (process.cpuUsage().user + process.cpuUsage().system) / 1e6;
console.log(`${of} cases, ${findings.length} grow too fast; ${seconds.toFixed(0)} s of processor time`);
process.exitCode = findings.length === 0 ? 0 : 1;

/** Lets a worker measure from a case on. @returns the next case, where it had to be ended in the middle of one */
function work(from: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const workerData: GrowthOrder = { only: options.only, size: Number(options.size), from };
    const worker = new Worker(beginning, { eval: true, workerData });
    let current: Extract<GrowthNews, { readonly kind: "begins" }> | undefined;
    let begun = process.cpuUsage();
    // a request that never ends blocks its thread, and the process's time counts all threads
    const watch = setInterval(() => {
      const { user, system } = process.cpuUsage(begun);
      if (current === undefined || (user + system) / 1e6 < Number(options.bound)) return;
      report(`${current.name}: given up after ${options.bound} s`);
      clearInterval(watch);
      const next = current.index + 1;
      void worker.terminate().then(() => resolve(next));
    }, 200);
    worker.on("message", (news: GrowthNews) => {
      begun = process.cpuUsage();
      if (news.kind === "begins") {
        current = news;
        of = news.of;
        if (isShown) process.stderr.write(`\r\u001B[K${news.index + 1}/${news.of} ${news.name}`);
        return;
      }
      const { costs, isTooFast } = news.growth;
      const line = `${current?.name}: ${costs.map((cost) => cost.toFixed(1)).join(" → ")} ms`;
      if (isTooFast) report(line);
      else if (options.verbose) console.log(line);
    });
    worker.on("error", (error) => {
      clearInterval(watch);
      reject(error);
    });
    worker.on("exit", () => {
      clearInterval(watch);
      // an ended worker has said which case is next
      resolve(of);
    });
  });
}

function report(finding: string): void {
  findings.push(finding);
  process.stderr.write(`${isShown ? "\r\u001B[K" : ""}${finding}\n`);
}
