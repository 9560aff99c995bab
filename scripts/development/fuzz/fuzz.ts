/**
 * Sends valid and changed requests to an emulator in a process of its own, and looks at what must hold whatever is sent:
 * documented answers, no lost connection, no stall, bounded memory, refusals that change nothing, right answers
 * afterwards.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { Command } from "commander";
import { type Finding, replay, runFuzz } from "./run-fuzz.js";

const options = new Command("fuzz")
  .description("Looks for requests that do harm.")
  .option("--requests <number>", "how many are sent", Number, 100_000)
  .option("--seed <number>", "what they follow from", Number, 1)
  .option("--from <number>", "begin with the round of the request of this number", Number, 0)
  .option("--replay <file>", "send the requests of a finding again")
  .parse()
  .opts<{ requests: number; seed: number; from: number; replay?: string }>();

const isShown = process.stderr.isTTY;
if (options.replay !== undefined) {
  const flaw = await replay(JSON.parse(readFileSync(options.replay, "utf8")) as Finding);
  console.log(flaw === undefined ? "nothing was found" : `${flaw.kind}: ${flaw.message}`);
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
      `the longest turn ${maxMs.toFixed(0)} ms, memory ${first} → ${last} MB: ${findings.length} findings`,
  );
  if (findings.length > 0) process.exitCode = 1;
}
