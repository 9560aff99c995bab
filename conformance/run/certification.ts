import type { Check } from "../check/check.js";
import { loginCheck } from "../checks/preconditions.js";
import { checks as allChecks } from "../checks/register.js";
import { describeRemovable, type LeftoverResource } from "../resources/remove-resources.js";
import { ClauseViolation } from "../client/violation.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";
import { formatCount } from "../../openapi/text/format-count.js";
import type { ReplayRequest } from "./replay-token.js";
import type { CheckResult } from "./result.js";
import { Run, type RunOptions } from "./runner.js";
import { runConcurrently } from "./schedule.js";
import { selectShard } from "./shard.js";
import { type Verdict, getVerdict } from "./verdict.js";

export interface CertificationOptions extends RunOptions {
  /** All checks. Defaults to the registered ones. */
  readonly checks?: readonly Check[];
  /** The checks to run. Defaults to all. */
  readonly selected?: readonly Check[];
  /** Number of failed checks after which no further checks start. */
  readonly maxFailures?: number;
  /** The failure to reproduce. Only the check that found it runs. */
  readonly replay?: ReplayRequest;
  /** Called after the checks and before the cleanup. `isStopped` returns why the run was stopped. */
  readonly afterChecks?: (run: Run, isStopped: () => string | undefined) => Promise<void>;
  /** Called before the first check and after each check. */
  readonly onProgress?: (progress: CertificationProgress) => void;
}

/** Progress of a run. */
export interface CertificationProgress {
  readonly finished: number;
  readonly total: number;
  readonly failed: number;
  readonly requests: number;
  /** The running checks. */
  readonly running: readonly Check["id"][];
  /** The check that ended last. */
  readonly last?: CheckResult;
}

/** How a run ended. */
export interface CertificationResult {
  readonly verdict: Verdict;
  /** Reasons other than checks that prevent a verdict: the run could not start, was interrupted, or left resources behind. */
  readonly errors: readonly string[];
  /** One result for every selected check. */
  readonly results: readonly CheckResult[];
  /** Number of checks that were not selected. */
  readonly notSelected: number;
  readonly left: readonly LeftoverResource[];
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Runs all checks against a target, once. */
export class Certification {
  readonly run: Run;
  readonly #options: CertificationOptions;
  readonly #selected: readonly Check[];
  readonly #notSelected: number;
  readonly #results = new Map<Check["id"], CheckResult>();
  #startedAt = Date.now();
  /** Why no further checks start. */
  #stopReason: string | undefined;

  constructor(options: CertificationOptions) {
    const { checks = allChecks, replay, selected = checks, shard } = options;
    this.#options = options;
    const chosen = replay === undefined ? selected : checks.filter(({ id }) => id === replay.check);
    this.#selected = shard === undefined ? chosen : selectShard(chosen, shard);
    this.#notSelected = checks.length - chosen.length;
    this.run = new Run(options);
  }

  /** Ends the run after the running checks. */
  stop(reason: string): void {
    this.#stopReason ??= reason;
  }

  /** Runs the checks and cleans up. Never throws because of the behavior of a deployment. */
  async certify(): Promise<CertificationResult> {
    const { maxFailures = Infinity, onProgress, replay, afterChecks } = this.#options;
    this.#startedAt = Date.now();
    try {
      await this.run.prepare();
    } catch (error) {
      if (error instanceof ClauseViolation) {
        const { clause, expected, actual, message: reason } = error;
        const failure = { clause, expected, actual, exchanges: this.run.recorder.recent.slice(-1) };
        this.#results.set(loginCheck.id, {
          ...createNotRunResult(loginCheck, reason),
          level: "failed",
          failure,
        });
      }
      this.#stopReason ??= toErrorMessage(error);
    }
    if (this.#stopReason === undefined) onProgress?.(this.progress);
    await runConcurrently(
      this.#selected,
      this.run.concurrency,
      async (check) => {
        const last = await this.run.check(check, replay?.replay);
        this.#results.set(check.id, last);
        onProgress?.({ ...this.progress, last });
        if (this.#failed >= maxFailures)
          this.stop(`stopped after ${formatCount(this.#failed, "failed check")} because of --max-failures`);
      },
      () => this.#stopReason !== undefined,
    );
    if (this.#stopReason === undefined)
      await afterChecks?.(this.run, () => this.#stopReason).catch((error: unknown) => {
        this.#stopReason = toErrorMessage(error);
      });
    const left = await this.run.cleanUp().catch((error: unknown): readonly LeftoverResource[] => {
      this.#stopReason ??= `the cleanup failed: ${toErrorMessage(error)}`;
      return this.run.listRemaining("the cleanup failed");
    });
    return this.#buildResult(left);
  }

  /** Ends the run at once: running checks do not count, and nothing is removed. */
  abort(reason: string): CertificationResult {
    this.#stopReason = reason;
    return this.#buildResult(this.run.listRemaining(reason));
  }

  get #failed(): number {
    return [...this.#results.values()].filter(({ level }) => level === "failed").length;
  }

  /** Progress of the run. */
  get progress(): CertificationProgress {
    const { running, recorder } = this.run;
    return {
      finished: this.#results.size,
      total: this.#selected.length,
      failed: this.#failed,
      requests: recorder.total,
      running: running.map(({ id }) => id),
    };
  }

  #buildResult(left: readonly LeftoverResource[]): CertificationResult {
    const errors = [
      ...(this.#stopReason === undefined ? [] : [this.#stopReason]),
      ...describeRemovable(left),
    ];
    const reason = this.#stopReason ?? "the run ended early";
    const login = this.#results.has(loginCheck.id) ? [loginCheck] : [];
    const results = [...new Set([...login, ...this.#selected])].map(
      (check) => this.#results.get(check.id) ?? createNotRunResult(check, reason),
    );
    return {
      verdict: getVerdict(results, errors, this.#notSelected),
      errors,
      results,
      notSelected: this.#notSelected,
      left,
      startedAt: this.#startedAt,
      endedAt: Date.now(),
    };
  }
}

function createNotRunResult(check: Check, reason: string): CheckResult {
  return { check, level: "not-run", reason, cells: [], durationMs: 0, requests: 0 };
}
