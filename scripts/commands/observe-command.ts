import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Observation, observe as observeGaps } from "../../conformance/observe/observation.js";
import { observedText } from "../../conformance/observe/observed-text.js";
import { reportObservation } from "../../conformance/observe/report-observation.js";
import { observedPage } from "../../conformance/report-files/html/observed-page.js";
import type { LeftBehind } from "../../conformance/resources/remove-all.js";
import { newLedger } from "../../conformance/run/new-ledger.js";
import { newRunId } from "../../conformance/run/run-id.js";
import { Run } from "../../conformance/run/runner.js";
import { openTarget } from "../../conformance/target/open-target.js";
import { suite } from "../../conformance/report/version.js";
import { ClauseViolation, RunTrouble } from "../../conformance/client/violation.js";
import { gapIds, type GapId } from "../../openapi/gaps/register.js";
import { isGapId } from "../../openapi/gaps/profile.js";
import { contractVersion } from "../../openapi/document/version.js";
import { chosenTarget } from "./chosen-target.js";
import { fail } from "./command-error.js";
import { writeObservedProfile } from "./write-observed-profile.js";
import { visible } from "../../openapi/text/visible.js";
import { print, printError } from "./print.js";

export interface ObserveCommandOptions {
  readonly emulator?: true;
  readonly target?: string;
  readonly profile?: string;
  readonly writeProfile?: string;
  readonly only?: readonly string[];
  readonly reportDir?: string;
  readonly json?: true;
}

/** `data-service observe`: ends the process with 0 when every gap was looked at, and 2 when the run itself failed. */
export async function observe(url: string | undefined, options: ObserveCommandOptions): Promise<void> {
  const only = readGaps(options.only);
  try {
    await observeTarget(url, only, options);
  } catch (error) {
    // what is no trouble of the run is a mistake of ours: its stack is wanted
    if (error instanceof RunTrouble || error instanceof ClauseViolation) fail(error.message);
    throw error;
  }
}

async function observeTarget(
  url: string | undefined,
  only: readonly GapId[] | undefined,
  { reportDir, writeProfile, json, ...options }: ObserveCommandOptions,
): Promise<void> {
  const say = json === true ? printError : print;
  const id = newRunId();
  const target = await openTarget(await chosenTarget(url, "observe", options), id);
  const ledger = newLedger(id, target.baseUrl, reportDir);
  const run = new Run({ target, ledger, seed: 1, runs: 1, confirms: false });
  say(
    `${suite.name} ${suite.version}, run ${id}\n  target  ${target.title}\n  ledger  ${ledger.file ?? ""} (deleted when all is removed)\n\n`,
  );
  const stop = stopOnSignals();
  let observations: readonly Observation[] = [];
  let left: readonly LeftBehind[] = [];
  try {
    await run.prepare();
    observations = await observeGaps(run, {
      ...(only === undefined ? {} : { only }),
      isStopped: stop,
      onProgress: progressOn(process.stderr),
    });
  } finally {
    left = await run.cleanUp();
  }
  const reported = observations.map((seen) => reportObservation(seen, run.secrets));
  const report = {
    format: "data-service-observe/report/1",
    suite: { ...suite, contractVersion },
    target: { title: run.secrets.hide(target.title), baseUrl: run.secrets.hide(target.baseUrl) },
    run: { id, requests: run.recorder.total },
    observations: reported,
    left: left.map(({ entry, reason }) => ({
      kind: entry.kind,
      name: entry.name,
      reason: run.secrets.hide(reason),
    })),
  };
  say(observedText(reported));
  for (const { kind, name, reason } of report.left)
    say(`left behind: ${visible(`${kind} ${name}: ${reason}`)}\n`);
  if (json === true) print(`${JSON.stringify(report, null, 2)}\n`);
  if (reportDir !== undefined) {
    mkdirSync(reportDir, { recursive: true });
    for (const [name, text] of [
      ["observed.json", `${JSON.stringify(report, null, 2)}\n`],
      ["observed.html", observedPage(report)],
    ] as const) {
      writeFileSync(join(reportDir, name), text);
      say(`wrote ${join(reportDir, name)}\n`);
    }
  }
  const stopped = stop();
  if (writeProfile !== undefined && stopped === undefined) {
    writeObservedProfile(writeProfile, observations, run.secrets.hide(target.deployment ?? target.baseUrl));
    say(`wrote ${writeProfile}\n`);
  }
  if (ledger.remaining.length > 0 && ledger.file !== undefined)
    say(`to remove what is left: data-service certify with the same target and --cleanup ${ledger.file}\n`);
  // idle connections would keep the process
  process.stdout.write("", () => process.exit(stopped === undefined ? 0 : 2));
}

function readGaps(names: readonly string[] | undefined): readonly GapId[] | undefined {
  if (names === undefined || names.length === 0) return undefined;
  const unknown = names.find((name) => !isGapId(name));
  if (unknown !== undefined) {
    const word = unknown.split("-")[0] ?? "";
    const near = gapIds.filter((gap) => word !== "" && gap.includes(word)).slice(0, 5);
    fail(
      `there is no gap named ${unknown}` + (near.length === 0 ? "" : `; did you mean ${near.join(" or ")}?`),
    );
  }
  return names as readonly GapId[];
}

/** Why no further observation may begin; the second signal ends the process at once. */
function stopOnSignals(): () => string | undefined {
  let reason: string | undefined;
  const stop = (signal: string) => {
    if (reason !== undefined) process.exit(2);
    reason = `interrupted by ${signal}`;
    printError("stopping and cleaning up; once more stops at once\n");
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return () => reason;
}

/** A line that changes on a terminal; nothing anywhere else. */
function progressOn(stream: NodeJS.WriteStream): (done: number, total: number) => void {
  if (!stream.isTTY) return () => undefined;
  return (done, total) =>
    void stream.write(done === total ? "\r\u001b[K" : `\r\u001b[K${done} of ${total} gaps`);
}
