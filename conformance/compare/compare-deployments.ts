import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { openContract, strictContract } from "../client/contracts.js";
import { RunTrouble } from "../client/violation.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { newLedger } from "../run/new-ledger.js";
import { newRunId } from "../run/run-id.js";
import type { Ledger } from "../target/ledger.js";
import { openTarget, type TargetChoice } from "../target/open-target.js";
import type { Target } from "../target/target.js";
import { type Comparison, compareHistories } from "./comparison.js";
import type { History } from "./command.js";
import { harHistory } from "./har-history.js";
import { hiddenControl } from "./hidden-control.js";
import { Pair } from "./pair.js";
import { recordHistories } from "./record-histories.js";
import { buildCompareReport, type CompareReport } from "./compare-report.js";
import { AnswerSchemas } from "./schema-of-answer.js";
import { allSubjects, selectSubjects } from "./select-subjects.js";

export interface CompareOptions {
  /** The deployment that is looked at. */
  readonly first: TargetChoice;
  /** What it is held against: an emulator with its profile, or another deployment. */
  readonly second: TargetChoice;
  /** An emulator where the histories are recorded; the second side, or the first, where that is one. */
  readonly recorder?: TargetChoice;
  /** Same seed, same histories; 1 without this. */
  readonly seed?: number;
  /** How often each property is tried while histories are recorded; 1 without this. */
  readonly runs?: number;
  /** Areas, checks, clauses and gaps whose histories are run; without this all but the costly ones. */
  readonly only?: readonly string[];
  /** Path of recorded traffic, an HTTP Archive, which is the history in place of those of the suite. */
  readonly har?: string;
  /** Where the ledgers of what is made are kept while the comparison goes on; in the working folder without this. */
  readonly ledgerDir?: string;
  readonly onProgress?: (progress: CompareProgress) => void;
  /** Why the comparison is to end; nothing while it may go on. */
  readonly isStopped?: () => string | undefined;
  /** Told of the two sides before the first request. */
  readonly onBegin?: (begun: BegunComparison) => void;
}

/** What is known before a comparison sends its first request. */
export interface BegunComparison {
  readonly run: string;
  readonly sides: readonly [Target, Target];
  readonly ledgers: readonly [Ledger, Ledger];
}

/** How far a comparison is. */
export interface CompareProgress {
  readonly phase: "recording" | "comparing";
  readonly done: number;
  readonly total: number;
  /** Kinds of differences found so far. */
  readonly differences: number;
}

/** What came of a comparison, and the report of it, in which no secret is. */
export interface ComparedDeployments {
  readonly comparison: Comparison;
  readonly report: CompareReport;
}

/** A number of three digits behind the mark tells the executions of histories apart. */
const ofRecording = "000";

/**
 * Takes two deployments through the same histories and compares every answer. Everything that is made stands in a
 * ledger and is removed.
 *
 * @throws RunTrouble when one of the sides cannot be used
 */
export async function compareDeployments(options: CompareOptions): Promise<ComparedDeployments> {
  const { seed = 1, runs = 1, only = [], har, ledgerDir, onProgress, isStopped } = options;
  const mark = newRunId();
  const sides = await Promise.all([openTarget(options.first, mark), openTarget(options.second, mark)]);
  if (sides[0].baseUrl === sides[1].baseUrl && options.first.fetch === options.second.fetch)
    throw new RunTrouble(`both sides are ${sides[0].baseUrl}; there is nothing to compare`);
  const haveControl = sides.every((target) => target.missing("control-plane") === undefined);
  const [first, second] = sides.map((target) =>
    haveControl || target.missing("control-plane") !== undefined ? target : hiddenControl(target),
  ) as [Target, Target];
  const ledgers = [
    newLedger(mark, first.baseUrl, ledgerDir),
    newLedger(mark, second.baseUrl, ledgerDir, "-second"),
  ] as const;
  options.onBegin?.({ run: mark, sides: [first, second], ledgers });
  const pair = new Pair({
    sides: [
      { target: first, ledger: ledgers[0] },
      { target: second, ledger: ledgers[1] },
    ],
    mark,
    recorded: mark + ofRecording,
  });
  let histories: readonly History[] = [];
  let unrecorded: Pick<Comparison, "leftOut" | "troubles"> | undefined;
  try {
    await pair.prepare();
    if (har === undefined) {
      const recorder = await recordingTarget(options, mark + ofRecording);
      const recorded = await recordHistories({
        target: haveControl ? recorder : hiddenControl(recorder),
        missing: (need) => pair.missing(need),
        run: mark + ofRecording,
        seed,
        runs,
        ...selectSubjects(only),
        onProgress: (done, total) => onProgress?.({ phase: "recording", done, total, differences: 0 }),
        isStopped: () => isStopped?.() !== undefined,
      });
      ({ histories } = recorded);
      unrecorded = recorded;
    } else {
      // what was recorded goes into a database that the run has made, and goes with it
      if ([first, second].some(({ databaseId }) => databaseId !== undefined))
        throw new RunTrouble(
          "recorded traffic needs a database of its own: leave databaseId out of the target file",
        );
      histories = [await readHar(har, second)];
    }
  } catch (error) {
    await pair.cleanUp();
    throw error;
  }
  const comparison = await compareHistories(pair, {
    histories,
    checks: allSubjects,
    ...(unrecorded === undefined ? {} : { unrecorded }),
    ...(isStopped === undefined ? {} : { isStopped }),
    onProgress: (done, total, differences) => onProgress?.({ phase: "comparing", done, total, differences }),
  });
  return {
    comparison,
    report: buildCompareReport(comparison, { pair, sides: [first, second], run: mark, seed, runs }),
  };
}

/** Where histories are recorded: an emulator, in a namespace of its own. */
async function recordingTarget({ first, second, recorder }: CompareOptions, run: string): Promise<Target> {
  const choice = [recorder, second, first].find((known) => known?.emulator !== undefined);
  if (choice === undefined)
    throw new RunTrouble(
      "neither side is an emulator; name one as `recorder`, where the histories are recorded",
    );
  return openTarget(choice, run);
}

async function readHar(path: string, { isStrict, known }: Target): Promise<History> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new RunTrouble(`cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`);
  });
  const { document } = isStrict ? strictContract(known as Profile) : openContract();
  return harHistory(text, basename(path), new AnswerSchemas(document));
}
