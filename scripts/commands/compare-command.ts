import { existsSync, readFileSync } from "node:fs";
import {
  type AcceptedCause,
  formatAcceptedCauses,
  parseAcceptedCauses,
} from "../../conformance/compare/accepted-causes.js";
import { compareDeployments, type CompareProgress } from "../../conformance/compare/compare-deployments.js";
import type { CompareVerdict } from "../../conformance/compare/compare-report.js";
import { formatComparison } from "../../conformance/compare/format-comparison.js";
import { suiteInfo } from "../../conformance/report/version.js";
import { writeComparison } from "../../conformance/report-files/write-reports.js";
import { createEmulator } from "../../emulator/api/emulator.js";
import { createProgressLine, resolveTarget, runSuiteCommand, stopOnSignals } from "./suite-command.js";
import type { TargetChoice } from "../../conformance/target/open-target.js";
import type { CertifyOptions } from "./certify-options.js";
import { fail, print, printError } from "./terminal.js";
import { writeOutputFile } from "./write-file-atomically.js";
import { readProfileFile } from "./read-profile-file.js";
import { formatCount } from "../../openapi/text/format-count.js";

interface CompareCommandOptions extends Pick<
  CertifyOptions,
  "emulator" | "target" | "profile" | "only" | "reportDir"
> {
  readonly with?: string;
  readonly har?: string;
  readonly seed: number;
  readonly runs: number;
  readonly accept?: string;
  readonly writeAccept?: string | true;
  readonly json?: true;
}

const exitCodes: Readonly<Record<CompareVerdict, number>> = {
  same: 0,
  accepted: 0,
  different: 1,
  inconclusive: 2,
};

/** `data-service compare`: exits with 0 same or accepted, 1 different, 2 inconclusive or no run. */
export function runCompareCommand(url: string | undefined, options: CompareCommandOptions): Promise<void> {
  return runSuiteCommand(() => compareTargets(url, options));
}

async function compareTargets(url: string | undefined, options: CompareCommandOptions): Promise<number> {
  const { emulator: isEmulator, target, profile, reportDir, json, seed, runs, only, har } = options;
  const say = json === true ? printError : print;
  const written = options.writeAccept === true ? (options.accept ?? defaultAcceptFile) : options.writeAccept;
  const accepted = loadAcceptedCauses(options.accept, written);
  // an emulator provides its own profile; then the option applies to the other side
  const first = await resolveTarget(url, "compare", {
    ...(isEmulator === undefined ? {} : { emulator: isEmulator }),
    ...(target === undefined ? {} : { target }),
    ...(profile === undefined || isEmulator === true ? {} : { profile }),
  });
  const emulator = await createEmulator({
    journal: false,
    coverage: false,
    profile: (await readProfileFile(profile)).profile,
  });
  const ours = { emulator: "http://localhost", fetch: emulator.fetch, title: "an emulator in this process" };
  const stop = stopOnSignals();
  const show = createProgressPrinter(process.stderr);
  const report = await compareDeployments({
    first,
    second: getSecondTarget(options.with) ?? ours,
    recorder: ours,
    seed,
    runs,
    ...(only === undefined ? {} : { only }),
    ...(har === undefined ? {} : { har }),
    accepted,
    ...(reportDir === undefined ? {} : { ledgerDir: reportDir }),
    isStopped: stop,
    onProgress: show,
    onBegin: ({ run, targets, ledgers }) =>
      say(
        [
          `${suiteInfo.name} ${suiteInfo.version}, run ${run}, seed ${seed}, ${formatCount(runs, "run")} per property`,
          ...targets.map(({ title }, index) => `  ${index === 0 ? "first " : "second"}  ${title}`),
          ...ledgers.flatMap(({ file }) =>
            file === undefined
              ? []
              : [
                  `  ledger  ${file} (lists the resources that the run created; is deleted once they have been removed)`,
                ],
          ),
          "",
          "",
        ].join("\n"),
      ),
  });
  say(formatComparison(report));
  if (json === true) print(`${JSON.stringify(report, null, 2)}\n`);
  if (reportDir !== undefined) for (const path of writeComparison(reportDir, report)) say(`wrote ${path}\n`);
  if (written !== undefined) {
    const causes = new Map<string, Omit<AcceptedCause, "reason">>();
    for (const entry of accepted) if (!report.gone.includes(entry.cause)) causes.set(entry.cause, entry);
    for (const { cause, breaks } of report.causes)
      causes.set(cause, { cause, breaks: [...new Set(breaks.map(({ clause }) => clause))] });
    writeOutputFile(written, formatAcceptedCauses([...causes.values()], accepted));
    say(`wrote ${written}; add a reason for each cause\n`);
  }
  await emulator.close();
  if (written === undefined || report.verdict !== "different") return exitCodes[report.verdict];
  return exitCodes[report.troubles.length === 0 ? "accepted" : "inconclusive"];
}

/** Returns the target of `--with`: the URL of an emulator, or a target file. */
function getSecondTarget(place: string | undefined): TargetChoice | undefined {
  if (place === undefined) return undefined;
  return /^https?:\/\//.test(place) ? { emulator: place } : { target: place };
}

/** Default file of accepted causes. */
const defaultAcceptFile = "differences.yaml";

/** Reads accepted causes from `accept` or, if it is not given, from the file to be written, to keep its reasons. */
function loadAcceptedCauses(
  accept: string | undefined,
  written: string | undefined,
): readonly AcceptedCause[] {
  const path = accept ?? (written !== undefined && existsSync(written) ? written : undefined);
  if (path === undefined) return [];
  if (!existsSync(path)) fail(`${path} does not exist; --write-accept ${path} creates it`);
  return parseAcceptedCauses(readFileSync(path, "utf8"), path);
}

/** Interval between progress lines in a log. */
const logIntervalMs = 5000;

/** Prints progress: rewrites a line on a terminal; elsewhere, adds a line at intervals and at the end of each phase. */
export function createProgressPrinter(stream: NodeJS.WriteStream): (progress: CompareProgress) => void {
  const showLine = createProgressLine(stream);
  let spokeAt = Date.now();
  return ({ phase, done, total, causes }) => {
    const line = {
      recording: `recorded ${done} of ${total} request sequences`,
      comparing: `compared ${done} of ${total} request sequences; causes of differences: ${causes}`,
      judging: `rechecked ${done} of ${formatCount(total, "cause")}`,
    }[phase];
    showLine(phase === "judging" && done === total ? "" : line);
    if (stream.isTTY || done === 0 || (done < total && Date.now() - spokeAt < logIntervalMs)) return;
    spokeAt = Date.now();
    stream.write(`${line}\n`);
  };
}
