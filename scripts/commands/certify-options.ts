import { RunError } from "../../conformance/client/violation.js";
import { readReport } from "./reports.js";

/** What `data-service certify` was asked for. */
export interface CertifyOptions {
  readonly emulator?: true;
  readonly target?: string;
  readonly seed?: number;
  readonly runs?: number;
  readonly only?: readonly string[];
  /** Milliseconds. */
  readonly maxTime?: number;
  readonly reportDir?: string;
  /** Where to write the badge of the run, as .svg or .json. */
  readonly badge?: string;
  readonly cleanup?: string;
  readonly replay?: string;
  /** The report of a run, or its folder: what failed there is tried again. */
  readonly lastFailed?: string;
  /** A profile with known answers. */
  readonly profile?: string;
  /** Where to write what was observed when the checks are done. */
  readonly writeProfile?: string;
  /** Prints the checks, and runs none. */
  readonly list?: true;
  /** Begins no further check when so many have failed. */
  readonly maxFailures?: number;
  /** As `2/4`. */
  readonly shard?: string;
  /** Failures with all exchanges and scripts. */
  readonly verbose?: true;
  /** Ends with the exit code of an inconclusive run where checks were not selected. */
  readonly requireComplete?: true;
}

/**
 * The options of a run that tries again what failed in another one, by its report: with the seed and the tries of that
 * run, unless others are asked for.
 *
 * @throws RunTrouble when there is no such report, or nothing failed, or the options choose checks in another way as well
 */
export function withLastFailed(options: CertifyOptions): CertifyOptions {
  const { lastFailed, only = [], replay, shard } = options;
  if (lastFailed === undefined) return options;
  if (only.length > 0 || replay !== undefined || shard !== undefined)
    throw new RunError("--last-failed chooses the checks; leave out --only, --replay and --shard");
  const { run, checks } = readReport(lastFailed);
  const failed = checks.filter(({ level }) => level === "failed").map(({ id }) => id);
  if (failed.length === 0)
    throw new RunError(`no check failed in the run of ${lastFailed}: there is nothing to try again`);
  return { ...options, only: failed, seed: options.seed ?? run.seed, runs: options.runs ?? run.runs };
}
