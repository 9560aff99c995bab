/**
 * Sends valid and changed requests to an emulator in a process of its own, and looks at what must hold whatever is sent:
 * documented answers, no lost connection, no stall, bounded memory, refusals that change nothing, right answers
 * afterwards.
 */
import { Command } from "commander";
import { readReplayFile, type ReplayFile, writeReplayFile } from "./replay-file.js";
import { replay, runFuzz } from "./run-fuzz.js";

const program = new Command("fuzz")
  .description("Looks for requests that do harm.")
  .option("--requests <number>", "how many are sent", "100000")
  .option("--seed <number>", "what they follow from", "1")
  .option("--from <number>", "begin with the round of the request of this number", "0")
  .option("--replay <file>", "send the requests of a finding again")
  .parse();
const options = program.opts<{
  readonly requests: string;
  readonly seed: string;
  readonly from: string;
  readonly replay?: string;
}>();

process.exitCode = (await (options.replay === undefined ? fuzz() : again(options.replay))) ? 0 : 1;

async function again(file: string): Promise<boolean> {
  const finding = await replay(readReplayFile(file));
  console.log(finding === undefined ? "nothing was found" : `${finding.kind}: ${finding.message}`);
  return finding === undefined;
}

async function fuzz(): Promise<boolean> {
  const seed = Number(options.seed);
  const begun = performance.now();
  const { sent, accepted, maxMs, findings, memory } = await runFuzz({
    requests: Number(options.requests),
    seed,
    from: Number(options.from),
    onFinding: report,
    onRound: ({ sent }) => {
      if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${sent}`);
    },
  });
  if (process.stderr.isTTY) process.stderr.write("\r\u001B[K");
  const seconds = (performance.now() - begun) / 1000;
  const [first, last] = [memory[0], memory.at(-1)].map((sample) =>
    ((sample?.heapBytes ?? 0) / 2 ** 20).toFixed(0),
  );
  console.log(
    `${sent} requests with seed ${seed} in ${seconds.toFixed(0)} s, ${accepted} of them accepted, ` +
      `the longest turn ${maxMs.toFixed(0)} ms, memory ${first} → ${last} MB: ${findings.length} findings`,
  );
  return findings.length === 0;
}

function report(finding: ReplayFile): void {
  const file = `fuzz-${finding.seed}-${finding.number}.json`;
  writeReplayFile(file, finding);
  console.log(`${finding.kind}: ${finding.message}\n  ${finding.requests.length} requests: --replay ${file}`);
}
