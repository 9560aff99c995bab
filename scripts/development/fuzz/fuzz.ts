/** Sends valid and mutated requests to an emulator in a separate process, and reports findings. */
import { readFileSync, writeFileSync } from "node:fs";
import { Command } from "commander";
import { type FuzzFinding, replayFinding, runFuzz } from "./run-fuzz.js";

const options = new Command("fuzz")
  .description("Finds requests that harm the emulator.")
  .option("--requests <number>", "number of requests to send", Number, 100_000)
  .option("--seed <number>", "random seed of the requests", Number, 1)
  .option("--from <number>", "start with the round that contains the request with this number", Number, 0)
  .option("--replay <file>", "send the requests in the file of a finding again")
  .parse()
  .opts<{ requests: number; seed: number; from: number; replay?: string }>();

const isShown = process.stderr.isTTY;
if (options.replay !== undefined) {
  const flaw = await replayFinding(JSON.parse(readFileSync(options.replay, "utf8")) as FuzzFinding);
  console.log(flaw === undefined ? "the finding was not reproduced" : `${flaw.kind}: ${flaw.message}`);
  if (flaw !== undefined) process.exitCode = 1;
} else {
  const begun = performance.now();
  const { sent, accepted, maxMs, findings, memory } = await runFuzz({
    ...options,
    onFinding: (finding) => {
      const file = `fuzz-${finding.seed}-${finding.number}.json`;
      writeFileSync(file, `${JSON.stringify(finding, null, 2)}\n`);
      const count = finding.requests.length;
      console.log(`${finding.kind}: ${finding.message}\n  ${count} requests: --replay ${file}`);
    },
    onRound: (soFar) => {
      if (isShown) process.stderr.write(`\r\u001B[K${soFar}`);
    },
  });
  if (isShown) process.stderr.write("\r\u001B[K");
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  const [first, last] = [memory[0], memory.at(-1)].map((one) => ((one?.heapBytes ?? 0) / 2 ** 20).toFixed(0));
  console.log(
    `${sent} requests with seed ${options.seed} in ${seconds} s, ${accepted} of them accepted, ` +
      `longest turn ${maxMs.toFixed(0)} ms, memory ${first} → ${last} MB: ${findings.length} findings`,
  );
  if (findings.length > 0) process.exitCode = 1;
}
