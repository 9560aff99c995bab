import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { RunError } from "../client/violation.js";
import { isGapId } from "../../openapi/gaps/profile.js";
import type { OperationId } from "../../openapi/operations/register.js";
import { formatCount } from "../../openapi/text/format-count.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";
import { describeRemovable } from "../resources/remove-resources.js";
import { Ledger } from "../target/ledger.js";
import { generateRunId } from "../run/run-id.js";
import { preexistingDataCheck, selectRecordedChecks } from "../subjects/subjects.js";
import { openTarget, type TargetChoice } from "../target/open-target.js";
import type { AcceptedCause } from "./accepted-causes.js";
import { ResponseSchemas } from "./response-schemas.js";
import { type Cause, CauseMap } from "./causes.js";
import { Comparison, recordingRunSuffix } from "./comparison.js";
import type { History, HistoryStep } from "./history.js";
import { buildCompareReport, type CompareReport } from "./compare-report.js";
import { parseHarHistory } from "./parse-har-history.js";
import { type RecordedHistories, recordHistories } from "./record-histories.js";
import { reproduceCause } from "./reproduce-cause.js";

export interface CompareOptions {
  /** The deployment to examine. */
  readonly first: TargetChoice;
  /** The target to compare it with: an emulator with its profile, or another deployment. */
  readonly second: TargetChoice;
  /** The emulator on which histories are recorded. Defaults to the target that is one, preferably the second. */
  readonly recorder?: TargetChoice;
  /** Random seed; the same seed gives the same histories. Defaults to 1. */
  readonly seed?: number;
  /** Number of inputs tried per property while histories are recorded. Defaults to 1. */
  readonly runs?: number;
  /** Areas, checks, clauses and gaps whose histories are compared. By default, only costly histories are left out. */
  readonly only?: readonly string[];
  /** Path of an HTTP Archive of recorded traffic, which replaces the histories of the suite. */
  readonly har?: string;
  /** Accepted causes, which do not count for the verdict. */
  readonly accepted?: readonly AcceptedCause[];
  /** Folder for the ledgers, which list the created resources. Defaults to the working directory. */
  readonly ledgerDir?: string;
  readonly onProgress?: (progress: CompareProgress) => void;
  /** Returns why the comparison must end, or undefined while it may continue. */
  readonly isStopped?: () => string | undefined;
  /** Called before the first request. */
  readonly onBegin?: (begun: StartedComparison) => void;
}

/** Facts about a comparison that are known before its first request. */
export type StartedComparison = Pick<Comparison, "run" | "targets" | "ledgers">;

/** Progress of a comparison. */
export interface CompareProgress {
  readonly phase: "recording" | "comparing" | "reproducing";
  readonly done: number;
  readonly total: number;
  /** Number of causes found so far. */
  readonly causes: number;
}

/** After this time, the histories of causes are only run once more and no longer shortened. */
const maxShrinkingMs = 45_000;

/**
 * Sends the same histories to two deployments and compares every response. Every created resource is listed in a ledger
 * and removed at the end.
 *
 * @throws RunError when one of the targets cannot be used
 */
export async function compareDeployments(options: CompareOptions): Promise<CompareReport> {
  const { first, second, seed = 1, runs = 1, har, ledgerDir, accepted = [] } = options;
  const startedAt = new Date();
  const run = generateRunId();
  const targets = await Promise.all([openTarget(first, run), openTarget(second, run)]);
  const [{ baseUrl }, other] = targets;
  if (baseUrl === other.baseUrl && first.fetch === second.fetch)
    throw new RunError(`both targets are ${baseUrl}; specify two different deployments`);
  const comparison = new Comparison(run, targets, [
    Ledger.createFile(run, baseUrl, ledgerDir),
    Ledger.createFile(run, other.baseUrl, ledgerDir, "-second"),
  ]);
  options.onBegin?.(comparison);
  let recorded: RecordedHistories;
  try {
    await comparison.prepare();
    recorded = await findHistories(options, comparison);
  } catch (error) {
    await comparison.cleanUp();
    throw error;
  }
  const { sequences, errors, ...findings } = await compareHistories(recorded, comparison, options);
  await reproduceCauses(findings.causes, comparison, options);
  const stopped = options.isStopped?.();
  const left = await comparison.cleanUp();
  const troubles = [...(stopped === undefined ? [] : [stopped]), ...describeRemovable(left)];
  const selected = har === undefined ? options.only : [];
  return buildCompareReport(comparison, {
    ...findings,
    run: {
      id: run,
      seed,
      runs,
      only: selected ?? [],
      sequences,
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
    },
    accepted,
    selected,
    errors: [...errors, ...troubles.map((reason) => ({ id: "", reason }))],
    left,
  });
}

/** Sends all histories to both targets, and groups the differences by cause. */
async function compareHistories(
  recorded: RecordedHistories,
  comparison: Comparison,
  { onProgress, isStopped }: CompareOptions,
) {
  const causes = new CauseMap();
  const compared = new Map<OperationId, number>();
  const [omitted, errors] = [[...recorded.omitted], [...recorded.errors]];
  const total = recorded.histories.length;
  let [sequences, skipped] = [0, 0];
  for (const history of recorded.histories) {
    if (isStopped?.() !== undefined) break;
    const ending = await comparison.compare(history);
    if (ending.kind !== "compared")
      (ending.kind === "omitted" ? omitted : errors).push({ id: history.id, reason: ending.reason });
    else if (history.id === preexistingDataCheck.id && !comparison.areEmulators)
      comparison.preexisting.record(ending.result);
    else {
      for (const [operation, count] of ending.result.compared)
        compared.set(operation, (compared.get(operation) ?? 0) + count);
      for (const difference of ending.result.differences) causes.add(difference);
      skipped += ending.result.skipped;
      errors.push(...describeUnsent(history, ending.result.unsent));
    }
    sequences++;
    onProgress?.({ phase: "comparing", done: sequences, total, causes: causes.size });
  }
  return { causes: causes.list(), compared, skipped, omitted, errors, sequences };
}

/** Describes the requests of a history that were not sent. */
function describeUnsent(
  { id, steps }: History,
  [first, ...others]: readonly HistoryStep[],
): RecordedHistories["errors"] {
  if (first === undefined) return [];
  const count = others.length + 1;
  const { method, url } = first.exchange.request;
  const verbs = count === 1 ? ["is", "contains"] : ["are", "contain"];
  const reason = `${count} of ${formatCount(steps.length, "request")} ${verbs[0] ?? ""} not sent (reason: ${verbs[1] ?? ""} a value that a target has not returned), such as ${method} ${url.replace(/[?#].*/s, "")}`;
  return [{ id, reason }];
}

/** Finds a short history that demonstrates each cause. */
async function reproduceCauses(
  causes: readonly Cause[],
  comparison: Comparison,
  { onProgress, isStopped }: CompareOptions,
): Promise<void> {
  const showProgress = (done: number) =>
    onProgress?.({ phase: "reproducing", done, total: causes.length, causes: causes.length });
  showProgress(0);
  const until = Date.now() + maxShrinkingMs;
  const isTimeShort = () => Date.now() > until || isStopped?.() !== undefined;
  // Histories with pauses come last, because they take long and are not shortened.
  const isAboutTime = ({ examples }: Cause) => Number(examples[0]?.isAboutTime === true);
  const ordered = causes.toSorted((a, b) => isAboutTime(a) - isAboutTime(b));
  for (const [index, cause] of ordered.entries()) {
    const [example] = cause.examples;
    const wasStopped = isStopped?.() !== undefined;
    if (!wasStopped) cause.demonstration = await reproduceCause(cause, comparison, isTimeShort);
    // Recorded traffic may not show the difference again, because its first run has changed the data.
    if (example !== undefined && (wasStopped || example.history.recording.isTraffic === true))
      cause.demonstration ??= { example, isReproduced: false };
    showProgress(index + 1);
  }
}

/** Returns the histories of a comparison, recorded in a separate namespace of an emulator, or read from a file. */
async function findHistories(options: CompareOptions, comparison: Comparison): Promise<RecordedHistories> {
  const { first, second, recorder, har, only = [], seed = 1, runs = 1, onProgress, isStopped } = options;
  const { targets } = comparison;
  if (har !== undefined) {
    // Recorded requests write to a database that the run creates, so that their data is removed with it.
    if (targets.some(({ databaseId }) => databaseId !== undefined))
      throw new RunError(
        "recorded requests are sent to a new database: remove databaseId from the target file",
      );
    const text = await readFile(har, "utf8").catch((error: unknown) => {
      throw new RunError(`cannot read ${har}: ${toErrorMessage(error)}`);
    });
    return parseHarHistory(text, basename(har), {
      schemas: ResponseSchemas.forTarget(targets[1]),
      hasPreexistingData: !comparison.areEmulators,
    });
  }
  const choice = [recorder, second, first].find((known) => known?.emulator !== undefined);
  if (choice === undefined)
    throw new RunError(
      "neither target is an emulator; set `recorder` to an emulator on which to record the histories",
    );
  const run = comparison.run + recordingRunSuffix;
  const recorded = await recordHistories({
    target: await openTarget(choice, run),
    missing: (need) => comparison.findUnmetReason(need),
    run,
    seed,
    runs,
    checks: selectRecordedChecks(only),
    onProgress: (done, total) => onProgress?.({ phase: "recording", done, total, causes: 0 }),
    isStopped: () => isStopped?.() !== undefined,
  });
  if (only.length === 0 || only.some((name) => isGapId(name))) return recorded;
  return { ...recorded, omitted: [...recorded.omitted, { id: "gaps", reason: gapsNotSelected }] };
}

/** Only the observer of a gap may show a difference, and no area includes observers. */
const gapsNotSelected =
  "gaps were not compared, because `--only` names none; add the ids of gaps, such as `page-limit-max`, or omit `--only`";
