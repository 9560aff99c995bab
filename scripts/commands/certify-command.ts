import { randomInt } from "node:crypto";
import { styleText } from "node:util";
import type { Check } from "../../conformance/check/check.js";
import { checks } from "../../conformance/checks/register.js";
import { buildReport } from "../../conformance/report/report.js";
import { summaryText } from "../../conformance/report/summary.js";
import { writeFailures } from "../../conformance/report-files/write-failures.js";
import { writeReports } from "../../conformance/report-files/write-reports.js";
import { Ledger } from "../../conformance/target/ledger.js";
import { Certification, type Outcome } from "../../conformance/run/certification.js";
import { cleanUpAfter } from "../../conformance/run/clean-up.js";
import { newLedger } from "../../conformance/run/new-ledger.js";
import { readReplayToken } from "../../conformance/run/replay-token.js";
import { newRunId } from "../../conformance/run/run-id.js";
import { checksOfShard, readShard, type Shard } from "../../conformance/run/shard.js";
import { selectChecks } from "../../conformance/run/select-checks.js";
import { exitCodes } from "../../conformance/run/verdict.js";
import { openTarget, type TargetChoice } from "../../conformance/target/open-target.js";
import { suite } from "../../conformance/report/version.js";
import { RunTrouble } from "../../conformance/client/violation.js";
import { type Observation, observe } from "../../conformance/observe/observation.js";
import { observedText } from "../../conformance/observe/observed-text.js";
import type { CertifyOptions } from "./certify-options.js";
import { listText } from "./certify-list.js";
import { CertifyProgress } from "./certify-progress.js";
import { chosenTarget } from "./chosen-target.js";
import { fail } from "./command-error.js";
import { withLastFailed } from "./last-failed.js";
import { stdoutPaint } from "./stdout-paint.js";
import { tellGithub } from "./tell-github.js";
import { writeObservedProfile } from "./write-observed-profile.js";
import { visible } from "../../openapi/text/visible.js";
import { print, printError } from "./print.js";

/** How often properties are tried where nobody says. */
const usualRuns = 10;

/** Exchanges kept for `exchanges.har`. */
const exchangesKept = 20_000;

/** `data-service certify`: ends the process with 0 conformant, 1 not conformant, 2 inconclusive or no run. */
export async function certify(url: string | undefined, given: CertifyOptions): Promise<void> {
  try {
    const options = withLastFailed(given);
    if (options.list !== undefined) {
      print(listText(chosenChecks(options)));
      return;
    }
    const choice = await chosenTarget(url, "certify", options);
    if (options.cleanup === undefined) await runChecks(url, choice, options);
    else await cleanUp(options.cleanup, choice);
  } catch (error) {
    // what is no RunTrouble is a mistake of ours: its stack is wanted
    if (error instanceof RunTrouble) fail(error.message);
    throw error;
  }
}

/** The checks that are asked for; a part of them in a shard. */
function chosenChecks({ only = [], shard }: CertifyOptions): readonly Check[] {
  const selected = selectChecks(only, checks);
  return shard === undefined ? selected : checksOfShard(selected, readShard(shard));
}

/** @throws RunTrouble when shards would not be parts of one run */
function shardOf({ shard, seed, replay }: CertifyOptions): Shard | undefined {
  if (shard === undefined) return undefined;
  const read = readShard(shard);
  if (replay !== undefined) throw new RunTrouble("--replay runs one check; leave out --shard");
  if (seed === undefined)
    throw new RunTrouble("--shard needs a --seed, the same for all shards: they are parts of one run");
  return read;
}

async function cleanUp(file: string, choice: TargetChoice): Promise<void> {
  const ledger = Ledger.open(file);
  const count = ledger.remaining.length;
  const left = await cleanUpAfter(ledger, await openTarget(choice, ledger.run));
  const removed = count - left.length;
  print(`removed ${removed} of ${count} entries of the run ${ledger.run}\n`);
  for (const { entry, reason } of left)
    print(`  left: ${visible(`${entry.kind} ${entry.name}: ${reason}`)}\n`);
  end(left.length === 0 ? 0 : 2);
}

async function runChecks(
  url: string | undefined,
  choice: TargetChoice,
  options: CertifyOptions,
): Promise<void> {
  const { reportDir, maxTime, maxFailures, only = [], verbose } = options;
  const shard = shardOf(options);
  const selected = selectChecks(only, checks);
  const replay = options.replay === undefined ? undefined : readReplayToken(options.replay, checks);
  const seed = replay?.seed ?? options.seed ?? randomInt(1, 2 ** 31);
  const runs = replay?.runs ?? options.runs ?? usualRuns;
  const id = newRunId();
  const target = await openTarget(choice, id);
  const ledger = newLedger(id, target.baseUrl, reportDir);
  const times = maxTime === undefined ? undefined : timesOf(maxTime, Date.now());
  const progress = new CertifyProgress(process.stderr, {
    ...(times === undefined ? {} : { deadline: times.deadline }),
    ...(process.stderr.isTTY && process.env.NO_COLOR === undefined
      ? { paint: (text, color) => styleText(color, text) }
      : {}),
  });
  let observations: readonly Observation[] | undefined;
  const certification = new Certification({
    target,
    ledger,
    seed,
    runs,
    selected,
    ...(shard === undefined ? {} : { shard }),
    ...(maxFailures === undefined ? {} : { maxFailures }),
    onProgress: (state) => progress.show(state),
    ...times,
    ...(options.writeProfile === undefined
      ? {}
      : {
          afterChecks: async (run) => {
            observations = await observe(run);
          },
        }),
    ...(replay === undefined ? {} : { replay }),
    ...(reportDir === undefined ? {} : { keepExchanges: exchangesKept }),
  });
  print(
    [
      `${suite.name} ${suite.version}, run ${id}, seed ${seed}, ${runs} tries a property`,
      `  target  ${target.title}`,
      `  ledger  ${ledger.file ?? ""} (deleted when all is removed)`,
      "",
      "",
    ].join("\n"),
  );
  stopOnSignals(certification, progress, ledger);

  progress.start(() => certification.progress);
  const outcome = await certifyGuarded(certification, times?.cleanUpDeadline);
  progress.end();
  if (reportDir !== undefined) progress.say(`writing reports to ${reportDir}`);
  progress.setApart();
  const { recorder, secrets } = certification.run;
  const report = buildReport({
    outcome,
    target,
    id,
    seed,
    runs,
    only,
    ...(shard === undefined ? {} : { shard }),
    recorder,
    secrets,
    ...(observations === undefined ? {} : { observations }),
  });
  const parts = ["data-service certify", url, choice.emulator === undefined ? undefined : "--emulator"];
  if (options.target !== undefined) parts.push(`--target ${options.target}`);
  const command = parts.filter((part) => part !== undefined).join(" ");
  const failures =
    reportDir === undefined ? undefined : writeFailures(reportDir, report, secrets.hide(command));
  process.stdout.write(
    summaryText(report, {
      command,
      paint: stdoutPaint,
      ...(verbose === undefined ? {} : { isVerbose: true }),
      filesOf: (_, id = "") => failures?.get(id),
    }),
  );
  if (report.counts.failed > 0 && failures === undefined && verbose === undefined)
    print("all exchanges and curl scripts: --verbose prints them, --report-dir FOLDER writes them\n");
  if (report.observations !== undefined) print(`\n${observedText(report.observations)}`);
  if (observations !== undefined && options.writeProfile !== undefined) {
    writeObservedProfile(
      options.writeProfile,
      observations,
      secrets.hide(target.deployment ?? target.baseUrl),
    );
    print(`wrote ${options.writeProfile}\n`);
  }
  const replayed = outcome.results.find(({ check }) => check.id === replay?.check);
  if (replayed?.level === "passed")
    print(
      `the failure did not come back${replayed.inputHeld === true ? ", neither with its input alone nor in the whole check" : ""}\n`,
    );
  if (reportDir !== undefined)
    for (const path of writeReports(reportDir, report, recorder, secrets, command)) print(`wrote ${path}\n`);
  if (ledger.remaining.length > 0 && ledger.file !== undefined)
    print(`to remove what is left: ${command} --cleanup ${ledger.file}\n`);
  tellGithub(report);
  end(exitCodes[outcome.verdict]);
}

/** A tenth of the time is kept for cleaning up, a minute at most. */
function timesOf(maxTime: number, now: number) {
  return {
    deadline: now + maxTime - Math.min(maxTime / 10, 60_000),
    cleanUpDeadline: now + maxTime,
  };
}

/** Time after the end of all times for what is under way to notice. */
const graceMs = 5000;

/** Certifies, and comes to an outcome whatever happens: mistakes of ours, and requests that never end. */
async function certifyGuarded(certification: Certification, end: number | undefined): Promise<Outcome> {
  return new Promise((resolve) => {
    const breakOff = (reason: string) => resolve(certification.breakOff(reason));
    const unhandled = (error: unknown) =>
      breakOff(
        `the suite itself failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    process.once("unhandledRejection", unhandled);
    process.once("uncaughtException", unhandled);
    if (end !== undefined)
      setTimeout(() => breakOff("the time of the run is up"), end - Date.now() + graceMs).unref();
    certification.certify().then(resolve, unhandled);
  });
}

function stopOnSignals(certification: Certification, progress: CertifyProgress, ledger: Ledger): void {
  let isStopping = false;
  const stop = (signal: string) => {
    progress.end();
    if (isStopping) {
      const rest =
        ledger.remaining.length === 0 ? "" : `; what the run made stands in ${ledger.file ?? "no file"}`;
      printError(`stopped at once${rest}\n`);
      process.exit(exitCodes.inconclusive);
    }
    isStopping = true;
    certification.stop(`interrupted by ${signal}`);
    printError("stopping after this check and cleaning up; once more stops at once\n");
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
}

/** Ends the process when all is printed: idle connections would keep it open. */
function end(code: number): void {
  process.stdout.write("", () => process.exit(code));
}
