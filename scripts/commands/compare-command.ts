import { compareDeployments, type CompareProgress } from "../../conformance/compare/compare-deployments.js";
import { comparisonText } from "../../conformance/compare/comparison-text.js";
import type { ComparisonVerdict } from "../../conformance/compare/comparison.js";
import { ClauseViolation, RunTrouble } from "../../conformance/client/violation.js";
import { suite } from "../../conformance/report/version.js";
import { writeComparison } from "../../conformance/report-files/write-reports.js";
import type { TargetChoice } from "../../conformance/target/open-target.js";
import { createEmulator, type Emulator } from "../../emulator/api/emulator.js";
import { chosenTarget } from "./chosen-target.js";
import { fail } from "./command-error.js";
import { readProfileFile } from "./read-profile-file.js";
import { print, printError } from "./print.js";

export interface CompareCommandOptions {
  readonly emulator?: true;
  readonly target?: string;
  /** Target file of the other side. */
  readonly with?: string;
  readonly profile?: string;
  readonly har?: string;
  readonly seed: number;
  readonly runs: number;
  readonly only?: readonly string[];
  readonly reportDir?: string;
  readonly json?: true;
}

const exitCodes: Readonly<Record<ComparisonVerdict, number>> = { alike: 0, different: 1, inconclusive: 2 };

/** `data-service compare`: ends the process with 0 alike, 1 different, 2 inconclusive or no run. */
export async function compare(url: string | undefined, options: CompareCommandOptions): Promise<void> {
  try {
    await compareSides(url, options);
  } catch (error) {
    // what is no trouble of the run is a mistake of ours: its stack is wanted
    if (error instanceof RunTrouble || error instanceof ClauseViolation) fail(error.message);
    throw error;
  }
}

async function compareSides(url: string | undefined, options: CompareCommandOptions): Promise<void> {
  const { emulator: isEmulator, target, profile, reportDir, json, seed, runs, only, har } = options;
  const say = json === true ? printError : print;
  // an emulator tells its profile; here the option is about the other side
  const first = await chosenTarget(url, "compare", {
    ...(isEmulator === undefined ? {} : { emulator: isEmulator }),
    ...(target === undefined ? {} : { target }),
    ...(profile === undefined || isEmulator === true ? {} : { profile }),
  });
  const emulator = await createEmulator({ journal: false, profile: await readProfileFile(profile) });
  const ours = choiceOf(emulator);
  const stop = stopOnSignals();
  const show = progressOn(process.stderr);
  const { report } = await compareDeployments({
    first,
    second: options.with === undefined ? ours : { target: options.with },
    recorder: ours,
    seed,
    runs,
    ...(only === undefined ? {} : { only }),
    ...(har === undefined ? {} : { har }),
    ...(reportDir === undefined ? {} : { ledgerDir: reportDir }),
    isStopped: stop,
    onProgress: show,
    onBegin: ({ run, sides, ledgers }) =>
      say(
        [
          `${suite.name} ${suite.version}, run ${run}, seed ${seed}, ${runs} tries a property`,
          ...sides.map(({ title }, index) => `  ${index === 0 ? "first " : "second"}  ${title}`),
          ...ledgers.flatMap(({ file }) =>
            file === undefined ? [] : [`  ledger  ${file} (deleted when all is removed)`],
          ),
          "",
          "",
        ].join("\n"),
      ),
  });
  say(comparisonText(report));
  if (json === true) print(`${JSON.stringify(report, null, 2)}\n`);
  if (reportDir !== undefined) for (const path of writeComparison(reportDir, report)) say(`wrote ${path}\n`);
  await emulator.close();
  // idle connections would keep the process
  process.stdout.write("", () => process.exit(exitCodes[report.verdict]));
}

/** An emulator of this process as a side; no socket is opened. */
function choiceOf(emulator: Emulator): TargetChoice {
  return { emulator: "http://localhost", fetch: emulator.fetch, title: "an emulator of this process" };
}

/** Why the comparison is to end; the second signal ends the process at once. */
function stopOnSignals(): () => string | undefined {
  let reason: string | undefined;
  const stop = (signal: string) => {
    if (reason !== undefined) process.exit(exitCodes.inconclusive);
    reason = `interrupted by ${signal}`;
    printError("stopping after this history and cleaning up; once more stops at once\n");
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return () => reason;
}

/** A line that changes on a terminal; nothing anywhere else. */
function progressOn(stream: NodeJS.WriteStream): (progress: CompareProgress) => void {
  if (!stream.isTTY) return () => undefined;
  return ({ phase, done, total, differences }) => {
    const line =
      phase === "recording"
        ? `recorded ${done} of ${total}`
        : `compared ${done} of ${total} histories, ${differences} kinds of differences`;
    stream.write(phase === "comparing" && done === total ? "\r\u001b[K" : `\r\u001b[K${line}`);
  };
}
