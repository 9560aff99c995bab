import { randomInt } from "node:crypto";
import { getArea, areas, type Check } from "../../conformance/check/check.js";
import { checks } from "../../conformance/checks/register.js";
import { type Observation, observeGaps } from "../../conformance/observe/observation.js";
import { formatObservations } from "../../conformance/report/observed-findings.js";
import { buildReport } from "../../conformance/report/build-report.js";
import { Certification, type CertificationResult } from "../../conformance/run/certification.js";
import { cleanUpRun } from "../../conformance/run/cleanup.js";
import { decodeReplayToken } from "../../conformance/run/replay-token.js";
import { generateRunId } from "../../conformance/run/run-id.js";
import { selectChecks } from "../../conformance/run/select-checks.js";
import { selectShard, parseShard, type Shard } from "../../conformance/run/shard.js";
import { Ledger } from "../../conformance/target/ledger.js";
import { openTarget, type TargetChoice } from "../../conformance/target/open-target.js";
import { type CertifyOptions, restrictToLastFailedChecks } from "./certify-options.js";
import { CertifyProgress } from "./certify-progress.js";
import {
  resolveTarget,
  formatLeftover,
  formatRunHeading,
  runSuiteCommand,
  stopOnSignals,
  writeObservedProfile,
} from "./suite-command.js";
import { printReport, publishReport } from "./publish-report.js";
import { commandName, fail, print, printError } from "./terminal.js";
import { formatCount } from "../../openapi/text/format-count.js";

/** Number of inputs tried per property by default. */
const defaultRuns = 10;

/** Maximum number of exchanges kept for `exchanges.har`. */
const maxExchanges = 20_000;

/** `data-service certify`: exits with 0 conformant or partial, 1 not conformant, 2 inconclusive or no run. */
export function runCertifyCommand(url: string | undefined, given: CertifyOptions): Promise<void> {
  return runSuiteCommand(async () => {
    const options = restrictToLastFailedChecks(given);
    if (options.list !== undefined) {
      print(formatChecks(listSelectedChecks(options)));
      return 0;
    }
    const choice = await resolveTarget(url, "certify", options);
    return options.cleanup === undefined ? runChecks(url, choice, options) : cleanUp(options.cleanup, choice);
  });
}

/** Lists the selected checks; with `--shard`, only those in the shard. */
function listSelectedChecks({ only = [], shard }: CertifyOptions): readonly Check[] {
  const selected = selectChecks(only, checks);
  return shard === undefined ? selected : selectShard(selected, parseShard(shard));
}

/** Parses `--shard`; fails if other options cannot be combined with it. */
function getShard({ shard, seed, replay }: CertifyOptions): Shard | undefined {
  if (shard === undefined) return undefined;
  const parsed = parseShard(shard);
  if (replay !== undefined) fail("--replay runs a single check; do not combine it with --shard");
  if (seed === undefined) fail("--shard needs --seed, with the same value for all shards of a run");
  return parsed;
}

async function cleanUp(file: string, choice: TargetChoice): Promise<number> {
  const ledger = Ledger.open(file);
  const count = ledger.remaining.length;
  const left = await cleanUpRun(ledger, await openTarget(choice, ledger.run));
  print(`removed ${count - left.length} of ${count} resources created by run ${ledger.run}\n`);
  for (const { entry, reason } of left) print(`  not removed: ${formatLeftover({ ...entry, reason })}\n`);
  return left.length === 0 ? 0 : 2;
}

async function runChecks(
  url: string | undefined,
  choice: TargetChoice,
  options: CertifyOptions,
): Promise<number> {
  const { reportDir, maxTime, maxFailures, only = [], verbose, writeProfile } = options;
  const shard = getShard(options);
  const selected = selectChecks(only, checks);
  const replay = options.replay === undefined ? undefined : decodeReplayToken(options.replay, checks);
  const seed = replay?.seed ?? options.seed ?? randomInt(1, 2 ** 31);
  const runs = replay?.runs ?? options.runs ?? defaultRuns;
  const id = generateRunId();
  const target = await openTarget(choice, id);
  const ledger = Ledger.createFile(id, target.baseUrl, reportDir);
  const times = maxTime === undefined ? undefined : getDeadlines(maxTime, Date.now());
  const progress = new CertifyProgress(process.stderr, times);
  const ofShard = shard === undefined ? {} : { shard };
  let observations: readonly Observation[] | undefined;
  const certification = new Certification({
    target,
    ledger,
    seed,
    runs,
    selected,
    ...ofShard,
    ...times,
    ...(maxFailures === undefined ? {} : { maxFailures }),
    ...(replay === undefined ? {} : { replay }),
    ...(reportDir === undefined ? {} : { keepExchanges: maxExchanges }),
    onProgress: (state) => progress.show(state),
    afterChecks: async (run, isStopped) => {
      if (writeProfile !== undefined) observations = await observeGaps(run, { isStopped });
    },
  });
  print(formatRunHeading(id, target, ledger, `, seed ${seed}, ${formatCount(runs, "run")} per property`));
  const stop = stopOnSignals(
    (reason) => {
      progress.end();
      certification.stop(reason);
    },
    () => {
      const isLeft = ledger.remaining.length > 0;
      printError(
        `stopped without cleaning up${isLeft && ledger.file !== undefined ? `; to remove what the run created, run the command again with --cleanup ${ledger.file}` : ""}\n`,
      );
    },
  );

  progress.start(() => certification.progress);
  const outcome = await certifyWithoutThrowing(certification, times?.cleanUpDeadline);
  progress.end();
  if (reportDir !== undefined) printError(`writing reports to ${reportDir}\n`);
  // separates the report from the progress in a log
  if (!process.stderr.isTTY) process.stderr.write("\n");
  const { recorder, secrets } = certification.run;
  const report = buildReport({
    outcome,
    target,
    id,
    seed,
    runs,
    only,
    ...ofShard,
    recorder,
    secrets,
    ...(observations === undefined ? {} : { observations }),
  });
  const words = [`${commandName} certify`, url, choice.emulator === undefined ? undefined : "--emulator"];
  if (options.target !== undefined) words.push(`--target ${options.target}`);
  const command = secrets.hide(words.filter((word) => word !== undefined).join(" "));
  printReport(report, options, command);
  if (report.counts.failed > 0 && reportDir === undefined && verbose === undefined)
    print(
      "use --verbose to print all requests, responses and curl scripts, or --report-dir FOLDER to write them to files\n",
    );
  if (report.observations !== undefined) print(`\n${formatObservations(report.observations)}`);
  if (observations !== undefined && writeProfile !== undefined && stop() === undefined) {
    writeObservedProfile(writeProfile, observations, secrets.hide(target.deployment ?? target.baseUrl));
    print(`wrote ${writeProfile}\n`);
  }
  const replayed = outcome.results.find(({ check }) => check.id === replay?.check);
  if (replayed?.level === "passed")
    print(
      `the failure could not be reproduced${replayed.inputPassed === true ? ", either with its input alone or by running the whole check" : ""}\n`,
    );
  if (ledger.remaining.length > 0 && ledger.file !== undefined)
    print(`to remove what the run left behind, run: ${command} --cleanup ${ledger.file}\n`);
  return publishReport(report, options, { command, exchanges: { recorder, secrets } });
}

/** Reserves a tenth of the time, at most a minute, for cleaning up. */
function getDeadlines(maxTime: number, now: number) {
  return {
    deadline: now + maxTime - Math.min(maxTime / 10, 60_000),
    cleanUpDeadline: now + maxTime,
  };
}

/** Time after the cleanup deadline for pending work to end, in milliseconds. */
const graceMs = 5000;

/** Certifies, and returns an outcome even if the suite fails or requests never end. */
async function certifyWithoutThrowing(
  certification: Certification,
  end: number | undefined,
): Promise<CertificationResult> {
  let unhandled: (error: unknown) => void = () => undefined;
  return new Promise<CertificationResult>((resolve) => {
    const breakOff = (reason: string) => resolve(certification.abort(reason));
    unhandled = (error) =>
      breakOff(
        `the suite itself failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    process.once("unhandledRejection", unhandled);
    process.once("uncaughtException", unhandled);
    if (end !== undefined)
      setTimeout(() => breakOff("the run reached its time limit"), end - Date.now() + graceMs).unref();
    certification.certify().then(resolve, unhandled);
  }).finally(() => {
    // errors after the run, such as those of writing reports, must end the command
    process.off("unhandledRejection", unhandled);
    process.off("uncaughtException", unhandled);
  });
}

/** Formats the checks by area, with their clauses and their requirements on a target. */
function formatChecks(checks: readonly Check[]): string {
  const clauses = new Set(checks.flatMap((check) => check.clauses));
  const lines = areas.flatMap((area) => {
    const inArea = checks.filter((check) => getArea(check) === area);
    if (inArea.length === 0) return [];
    return [`${area} (${formatCount(inArea.length, "check")})`, ...inArea.flatMap(formatCheck), ""];
  });
  return [
    ...lines,
    `${formatCount(checks.length, "check")}, ${formatCount(clauses.size, "clause")}`,
    "",
  ].join("\n");
}

function formatCheck({ id, title, clauses, needs, after = [] }: Check): readonly string[] {
  const more = [
    ...(clauses.length === 0 ? [] : [clauses.join(" ")]),
    ...(needs.length === 0 ? [] : [`needs ${needs.join(", ")}`]),
    ...(after.length === 0 ? [] : [`after ${after.join(", ")}`]),
  ];
  return [`  ${id}`, `      ${title}`, ...more.map((line) => `      ${line}`)];
}
