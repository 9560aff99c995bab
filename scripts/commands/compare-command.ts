import { existsSync, readFileSync } from "node:fs";
import {
  type AcceptedCause,
  formatAcceptedCauses,
  parseAcceptedCauses,
} from "../../conformance/compare/accepted-causes.js";
import { compareDeployments, type CompareProgress } from "../../conformance/compare/compare-deployments.js";
import type { ComparisonVerdict } from "../../conformance/compare/compare-report.js";
import { formatComparison } from "../../conformance/compare/format-comparison.js";
import { suiteInfo } from "../../conformance/report/version.js";
import { writeComparison } from "../../conformance/report-files/write-reports.js";
import { createEmulator } from "../../emulator/api/emulator.js";
import { ProgressLine } from "./progress-line.js";
import { formatLedgerLine, resolveTarget, runSuiteCommand, stopOnSignals } from "./suite-command.js";
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

const exitCodes: Readonly<Record<ComparisonVerdict, number>> = {
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
  const printMessage = json === true ? printError : print;
  const acceptFile =
    options.writeAccept === true ? (options.accept ?? defaultAcceptFile) : options.writeAccept;
  const accepted = loadAcceptedCauses(options.accept, acceptFile);
  // an emulator provides its own profile, so the option then applies only to the second target
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
  const { with: other } = options;
  const ownEmulator = {
    emulator: "http://localhost",
    fetch: emulator.fetch,
    title: "an emulator in this process",
  };
  const stop = stopOnSignals();
  const progress = new ProgressLine(process.stderr);
  const report = await compareDeployments({
    first,
    second: other === undefined ? ownEmulator : isUrl(other) ? { emulator: other } : { target: other },
    recorder: ownEmulator,
    seed,
    runs,
    ...(only === undefined ? {} : { only }),
    ...(har === undefined ? {} : { har }),
    accepted,
    ...(reportDir === undefined ? {} : { ledgerDir: reportDir }),
    isStopped: stop,
    onProgress: (state) => showCompareProgress(progress, state),
    onBegin: ({ run, targets, ledgers }) =>
      printMessage(
        [
          `${suiteInfo.name} ${suiteInfo.version}, run ${run}, seed ${seed}, ${formatCount(runs, "run")} per property`,
          ...targets.map(({ title }, index) => `  ${index === 0 ? "first " : "second"}  ${title}`),
          ...ledgers.flatMap(({ file }) => (file === undefined ? [] : [formatLedgerLine(file)])),
          "",
          "",
        ].join("\n"),
      ),
  });
  printMessage(formatComparison(report));
  if (json === true) print(`${JSON.stringify(report, null, 2)}\n`);
  if (reportDir !== undefined)
    for (const path of writeComparison(reportDir, report)) printMessage(`wrote ${path}\n`);
  if (acceptFile !== undefined) {
    const causes = new Map<string, Omit<AcceptedCause, "reason">>();
    for (const entry of accepted)
      if (!report.acceptedNotFound.includes(entry.cause)) causes.set(entry.cause, entry);
    for (const { cause, brokenClauses } of report.causes)
      causes.set(cause, { cause, breaks: [...new Set(brokenClauses.map(({ clause }) => clause))] });
    writeOutputFile(acceptFile, formatAcceptedCauses([...causes.values()], accepted));
    printMessage(`wrote ${acceptFile}; add a reason for each cause\n`);
  }
  await emulator.close();
  if (acceptFile === undefined || report.verdict !== "different") return exitCodes[report.verdict];
  return exitCodes[report.errors.length === 0 ? "accepted" : "inconclusive"];
}

function isUrl(text: string): boolean {
  return /^https?:\/\//.test(text);
}

/** Default file of accepted causes. */
const defaultAcceptFile = "differences.yaml";

/** Reads accepted causes. Without `accept`, reads them from the file to be written, to keep the reasons in it. */
function loadAcceptedCauses(
  accept: string | undefined,
  output: string | undefined,
): readonly AcceptedCause[] {
  const path = accept ?? (output !== undefined && existsSync(output) ? output : undefined);
  if (path === undefined) return [];
  if (!existsSync(path)) fail(`${path} does not exist; --write-accept ${path} creates it`);
  return parseAcceptedCauses(readFileSync(path, "utf8"), path);
}

/** Shows the progress of a comparison; a log has a line at the end of each phase. */
export function showCompareProgress(line: ProgressLine, progress: CompareProgress): void {
  const { phase, done, total, causes } = progress;
  const text = {
    recording: `recorded ${done} of ${total} request sequences`,
    comparing: `compared ${done} of ${total} request sequences; causes of differences: ${causes}`,
    reproducing: `rechecked ${done} of ${formatCount(total, "cause")}`,
  }[phase];
  line.show(text, done > 0 && done === total);
  if (phase === "reproducing" && done === total) line.clear();
}
