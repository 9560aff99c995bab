/** Sends valid and mutated requests to emulators, and reports findings. */
import { readFileSync, writeFileSync } from "node:fs";
import { parsePositiveCount } from "../../commands/parse-values.js";
import { createSelfTestCommand, runTasks, type SelfTestOptions } from "../self-test/run-tasks.js";
import { type FuzzFinding, fuzzRound, replayFinding } from "./fuzz-round.js";

const { seed, jobs, rounds, replay } = createSelfTestCommand("fuzz", "Finds requests that harm the emulator.")
  .option("--rounds <number>", "number of rounds, each of about 2,000 requests", parsePositiveCount, 40)
  .option("--replay <file>", "send the requests in the file of a finding again")
  .parse()
  .opts<SelfTestOptions & { readonly rounds: number; readonly replay?: string }>();
/** Maximum time of a round, to find endless loops. */
const timeoutSeconds = 900;

if (replay !== undefined) {
  const message = await replayFinding(JSON.parse(readFileSync(replay, "utf8")) as FuzzFinding);
  console.log(message ?? "the finding was not reproduced");
  if (message !== undefined) process.exitCode = 1;
} else
  await runTasks(
    Array.from({ length: rounds }, (_, round) => ({ seed: seed + round })),
    jobs,
    async (task) => {
      const { sent, accepted, finding } = await fuzzRound({ ...task, sequences: 40 });
      const name = `seed ${task.seed}: ${sent} requests, ${accepted} of them accepted`;
      if (finding === undefined) return [{ outcome: "fine", name }];
      const file = `fuzz-${task.seed}.json`;
      writeFileSync(file, `${JSON.stringify(finding, null, 2)}\n`);
      const details = [finding.message, `${finding.requests.length} requests: --replay ${file}`];
      return [{ outcome: "FINDING", isWrong: true, name, details }];
    },
    { timeoutSeconds },
  );
