import { fail } from "./terminal.js";
import { readReport } from "./read-report.js";

export interface CertifyOptions {
  readonly emulator?: true;
  readonly target?: string;
  readonly seed?: number;
  readonly runs?: number;
  readonly only?: readonly string[];
  /** Milliseconds. */
  readonly maxTime?: number;
  readonly reportDir?: string;
  readonly cleanup?: string;
  readonly replay?: string;
  readonly lastFailed?: string;
  /** File with known answers, such as an observed profile. */
  readonly profile?: string;
  readonly writeProfile?: string;
  readonly list?: true;
  readonly maxFailures?: number;
  /** As `2/4`. */
  readonly shard?: string;
  readonly verbose?: true;
  readonly requireComplete?: true;
}

/** Replaces `--last-failed` by the checks that failed in that report, with its seed and runs unless they are given. */
export function restrictToLastFailedChecks(options: CertifyOptions): CertifyOptions {
  const { lastFailed, only = [], replay, shard } = options;
  if (lastFailed === undefined) return options;
  if (only.length > 0 || replay !== undefined || shard !== undefined)
    fail("--last-failed already selects the checks; do not combine it with --only, --replay or --shard");
  const { run, checks } = readReport(lastFailed);
  const failed = checks.filter(({ level }) => level === "failed").map(({ id }) => id);
  if (failed.length === 0) fail(`no check failed in ${lastFailed}; there is nothing to run again`);
  return { ...options, only: failed, seed: options.seed ?? run.seed, runs: options.runs ?? run.runs };
}
