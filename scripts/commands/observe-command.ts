import { type Observation, observeGaps } from "../../conformance/observe/observation.js";
import { toReportedLeftovers } from "../../conformance/report/reported-leftover.js";
import { formatObservations } from "../../conformance/report/observed-findings.js";
import { toReportedObservation } from "../../conformance/observe/reported-observation.js";
import { suiteInfo } from "../../conformance/report/version.js";
import { renderObservationsPage } from "../../conformance/report-files/html/observed.js";
import { writeFiles } from "../../conformance/report-files/write-reports.js";
import type { LeftoverResource } from "../../conformance/resources/remove-resources.js";
import { Ledger } from "../../conformance/target/ledger.js";
import { generateRunId } from "../../conformance/run/run-id.js";
import { Run } from "../../conformance/run/runner.js";
import { openTarget } from "../../conformance/target/open-target.js";
import { contractVersion } from "../../openapi/document/version.js";
import { isGapId, suggestGap } from "../../openapi/gaps/profile.js";
import type { GapId } from "../../openapi/gaps/register.js";
import {
  resolveTarget,
  formatLeftover,
  formatRunHeading,
  runSuiteCommand,
  stopOnSignals,
  writeObservedProfile,
} from "./suite-command.js";
import type { CertifyOptions } from "./certify-options.js";
import { fail, print, printError } from "./terminal.js";
import { formatCount } from "../../openapi/text/format-count.js";
import { ProgressLine } from "./progress-line.js";

interface ObserveCommandOptions extends Pick<
  CertifyOptions,
  "emulator" | "target" | "profile" | "writeProfile" | "only" | "reportDir"
> {
  readonly json?: true;
}

/** `data-service observe`: exits with 0 when the run completed, and 2 when it failed or was interrupted. */
export function runObserveCommand(url: string | undefined, options: ObserveCommandOptions): Promise<void> {
  const only = parseGaps(options.only);
  return runSuiteCommand(() => observeTarget(url, only, options));
}

async function observeTarget(
  url: string | undefined,
  only: readonly GapId[] | undefined,
  { reportDir, writeProfile, json, ...options }: ObserveCommandOptions,
): Promise<number> {
  const startedAt = new Date();
  const printMessage = json === true ? printError : print;
  const id = generateRunId();
  const target = await openTarget(await resolveTarget(url, "observe", options), id);
  const ledger = Ledger.createFile(id, target.baseUrl, reportDir);
  const run = new Run({ target, ledger, seed: 1, runs: 1, confirms: false });
  printMessage(formatRunHeading(id, target, ledger));
  const stop = stopOnSignals();
  const progress = new ProgressLine(process.stderr);
  let observations: readonly Observation[] = [];
  let left: readonly LeftoverResource[] = [];
  try {
    await run.prepare();
    observations = await observeGaps(run, {
      ...(only === undefined ? {} : { only }),
      isStopped: stop,
      onProgress: (done, total) => progress.show(`observed ${done} of ${total} gaps`),
    });
  } finally {
    progress.clear();
    left = await run.cleanUp();
  }
  const { secrets, recorder } = run;
  const report = {
    format: "data-service-observe/report/3",
    suite: { ...suiteInfo, contractVersion },
    target: { title: secrets.hide(target.title), baseUrl: secrets.hide(target.baseUrl) },
    run: {
      id,
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      requests: recorder.total,
    },
    observations: observations.map((observation) => toReportedObservation(observation, secrets)),
    leftBehind: toReportedLeftovers(left, (text) => secrets.hide(text)),
  };
  printMessage(formatObservations(report.observations));
  const others = only === undefined ? 0 : observations.filter(({ gap }) => !only.includes(gap)).length;
  if (others > 0) printMessage(`also observed ${formatCount(others, "gap")} that the given gaps depend on\n`);
  printMessage(`${recorder.total} requests\n`);
  for (const leftover of report.leftBehind) printMessage(`left behind: ${formatLeftover(leftover)}\n`);
  if (json === true) print(`${JSON.stringify(report, null, 2)}\n`);
  if (reportDir !== undefined) {
    const files = { "observed.json": report, "observed.html": renderObservationsPage(report) };
    for (const path of writeFiles(reportDir, files)) printMessage(`wrote ${path}\n`);
  }
  const stopped = stop();
  if (writeProfile !== undefined && stopped === undefined) {
    writeObservedProfile(writeProfile, observations, secrets.hide(target.deployment ?? target.baseUrl));
    printMessage(`wrote ${writeProfile}\n`);
  }
  if (ledger.remaining.length > 0 && ledger.file !== undefined)
    printMessage(
      `to remove what the run left behind, run data-service certify with the same target and --cleanup ${ledger.file}\n`,
    );
  return stopped === undefined ? 0 : 2;
}

function parseGaps(names: readonly string[] | undefined): readonly GapId[] | undefined {
  if (names === undefined || names.length === 0) return undefined;
  const unknown = names.find((name) => !isGapId(name));
  if (unknown !== undefined) fail(`no gap is named ${unknown}${suggestGap(unknown)}`);
  return names as readonly GapId[];
}
