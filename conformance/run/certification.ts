import { type Area, getArea, type Check } from "../check/check.js";
import { checks as allChecks } from "../checks/register.js";
import type { LeftBehind } from "../resources/remove-all.js";
import { ClauseViolation } from "../client/violation.js";
import type { ReplayRequest } from "./replay-token.js";
import type { CheckResult, Failure } from "./result.js";
import { Run, type RunOptions } from "./runner.js";
import { runConcurrently } from "./schedule.js";
import { selectShard, type Shard } from "./shard.js";
import { type Verdict, getVerdict } from "./verdict.js";

export interface CertificationOptions extends RunOptions {
  /** All checks there are; the register's without this. */
  readonly checks?: readonly Check[];
  /** The checks to run; the others count as not run. */
  readonly selected?: readonly Check[];
  /** Runs these of the selected checks alone, and judges by them alone. */
  readonly shard?: Shard;
  /** Begins no further check when so many have failed. */
  readonly maxFailures?: number;
  /** Comes back to one case, and runs nothing else. */
  readonly replay?: ReplayRequest;
  /** Does something more when the checks are done, before what they made is removed. */
  readonly afterChecks?: (run: Run) => Promise<void>;
  /** Told before the first check and after each. */
  readonly onProgress?: (progress: CertificationProgress) => void;
}

/** How far a run is. */
export interface CertificationProgress {
  readonly finished: number;
  readonly total: number;
  readonly failed: number;
  readonly requests: number;
  /** How often properties were tried. */
  readonly tries: number;
  /** How much of the run is done, from 0 to 1. */
  readonly share: number;
  /** The checks under way. */
  readonly running: readonly Check["id"][];
  /** The areas that have checks left. */
  readonly openAreas: ReadonlySet<Area>;
  /** The check that has just ended. */
  readonly last?: CheckResult;
}

/** How a run ended. */
export interface CertificationResult {
  readonly verdict: Verdict;
  /** What is in the way of a verdict besides checks: the run could not begin, was interrupted, left something. */
  readonly troubles: readonly string[];
  /** One for every check there is. */
  readonly results: readonly CheckResult[];
  /** A clause that broke before the first check: nobody could log in. */
  readonly preparation?: Failure;
  readonly left: readonly LeftBehind[];
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Takes a target through all checks, once. */
export class Certification {
  readonly run: Run;
  readonly #options: CertificationOptions;
  readonly #checks: readonly Check[];
  readonly #selected: readonly Check[];
  readonly #results = new Map<Check["id"], CheckResult>();
  #preparation: Failure | undefined;
  #startedAt = Date.now();
  #stopped: string | undefined;

  constructor(options: CertificationOptions) {
    const { checks = allChecks, replay, selected = checks, shard } = options;
    this.#options = options;
    this.#checks = checks;
    this.#selected =
      replay !== undefined
        ? checks.filter(({ id }) => id === replay.check)
        : shard === undefined
          ? selected
          : selectShard(selected, shard);
    this.run = new Run(options);
  }

  /** Ends the run after the check that is under way. */
  stop(reason: string): void {
    this.#stopped ??= reason;
  }

  /** Runs the checks and cleans up. Never throws for what a deployment does. */
  async certify(): Promise<CertificationResult> {
    this.#startedAt = Date.now();
    try {
      await this.run.prepare();
    } catch (error) {
      if (error instanceof ClauseViolation) this.#preparation = this.#failureOf(error);
      this.#stopped ??= error instanceof Error ? error.message : String(error);
    }
    if (this.#stopped === undefined) this.#options.onProgress?.(this.progress);
    await runConcurrently(
      this.#selected,
      this.run.width,
      async (check) => {
        const last = await this.run.check(check, this.#options.replay?.replay);
        this.#results.set(check.id, last);
        this.#options.onProgress?.({ ...this.progress, last });
        this.#stopAfterFailures();
      },
      () => this.#stopped !== undefined,
    );
    if (this.#stopped === undefined)
      await this.#options.afterChecks?.(this.run).catch((error: unknown) => {
        this.#stopped = error instanceof Error ? error.message : String(error);
      });
    const left = await this.run.cleanUp().catch((error: unknown): readonly LeftBehind[] => {
      this.#stopped ??= `the clean-up failed: ${error instanceof Error ? error.message : String(error)}`;
      return this.run.leftNow("the clean-up failed");
    });
    return this.#outcome(left);
  }

  /** How the run stands if it has to end at once: what is under way does not count, and nothing is removed. */
  breakOff(reason: string): CertificationResult {
    this.#stopped = reason;
    return this.#outcome(this.run.leftNow(reason));
  }

  #stopAfterFailures(): void {
    const { maxFailures = Infinity } = this.#options;
    if (this.#failed >= maxFailures)
      this.stop(`stopped after ${this.#failed} failed checks, as --max-failures ${maxFailures} asks for`);
  }

  get #failed(): number {
    return [...this.#results.values()].filter(({ level }) => level === "failed").length;
  }

  /** How far the run is now. */
  get progress(): CertificationProgress {
    const { running, tries, recorder } = this.run;
    const selected = this.#selected;
    return {
      finished: this.#results.size,
      total: selected.length,
      failed: this.#failed,
      requests: recorder.total,
      tries,
      share: selected.length === 0 ? 1 : this.#results.size / selected.length,
      running: running.map(({ check }) => check.id),
      openAreas: new Set(selected.filter(({ id }) => !this.#results.has(id)).map(getArea)),
    };
  }

  #outcome(left: readonly LeftBehind[]): CertificationResult {
    const troubles = this.#stopped === undefined ? [] : [this.#stopped];
    const removable = left.filter(({ isFinal }) => isFinal !== true).length;
    if (removable > 0) troubles.push(`${removable} of the things that the run made could not be removed`);
    const isSelected = new Set(this.#selected);
    const all = this.#checks.map(
      (check): CheckResult =>
        this.#results.get(check.id) ?? {
          check,
          level: "not-run",
          ...(isSelected.has(check)
            ? { reason: this.#stopped ?? "the run ended early" }
            : { reason: "not selected", leftOut: true }),
          cells: [],
          durationMs: 0,
          requests: 0,
        },
    );
    const judged = this.#options.shard === undefined ? all : all.filter(({ leftOut }) => leftOut !== true);
    return {
      verdict: this.#preparation === undefined ? getVerdict(judged, troubles) : "not conformant",
      troubles,
      results: all,
      ...(this.#preparation === undefined ? {} : { preparation: this.#preparation }),
      left,
      startedAt: this.#startedAt,
      endedAt: Date.now(),
    };
  }

  /** What the last exchange before the first check shows. */
  #failureOf({ clause, expected, seen }: ClauseViolation): Failure {
    return { clause, expected, seen, exchanges: this.run.recorder.recent.slice(-1) };
  }
}
