import type { Check } from "../check.js";
import { checks as allChecks } from "../checks/register.js";
import type { LeftBehind } from "../resources/remove-all.js";
import { ClauseViolation } from "../violation.js";
import type { ReplayOrder } from "./replay-token.js";
import type { CheckResult, Failure } from "./result.js";
import { Run, type RunOptions } from "./runner.js";
import { type Verdict, verdictOf } from "./verdict.js";

export interface CertificationOptions extends RunOptions {
  /** All checks there are; the register's without this. */
  readonly checks?: readonly Check[];
  /** The checks to run; the others count as not run. */
  readonly selected?: readonly Check[];
  /** Comes back to one case, and runs nothing else. */
  readonly replay?: ReplayOrder;
  /** Told before the first check and after each. */
  readonly onProgress?: (progress: Progress) => void;
}

/** How far a run is. */
export interface Progress {
  readonly finished: number;
  readonly total: number;
  readonly failed: number;
  readonly requests: number;
  /** The check that has just ended. */
  readonly last?: CheckResult;
}

/** How a run ended. */
export interface Outcome {
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
  #stopped: string | undefined;

  constructor(options: CertificationOptions) {
    this.#options = options;
    this.run = new Run(options);
  }

  /** Ends the run after the check that is under way. */
  stop(reason: string): void {
    this.#stopped ??= reason;
  }

  /** Runs the checks and cleans up. Never throws for what a deployment does. */
  async certify(): Promise<Outcome> {
    const startedAt = Date.now();
    const { checks = allChecks, replay, onProgress } = this.#options;
    const selected = this.#selected(checks);
    const results = new Map<Check["id"], CheckResult>();
    const troubles: string[] = [];
    let preparation: Failure | undefined;
    try {
      await this.run.prepare();
    } catch (error) {
      if (error instanceof ClauseViolation) preparation = this.#failureOf(error);
      this.#stopped = error instanceof Error ? error.message : String(error);
    }
    const report = (last?: CheckResult) =>
      onProgress?.({
        finished: results.size,
        total: selected.length,
        failed: [...results.values()].filter(({ level }) => level === "failed").length,
        requests: this.run.recorder.total,
        ...(last === undefined ? {} : { last }),
      });
    if (this.#stopped === undefined) report();
    for (const check of selected) {
      if (this.#stopped !== undefined) break;
      const result = await this.run.check(check, replay?.replay);
      results.set(check.id, result);
      report(result);
    }
    if (this.#stopped !== undefined) troubles.push(this.#stopped);
    const left = await this.run.cleanUp();
    if (left.length > 0) troubles.push(`${left.length} of the things that the run made could not be removed`);
    const all = checks.map(
      (check): CheckResult =>
        results.get(check.id) ?? {
          check,
          level: "not-run",
          reason: selected.includes(check) ? (this.#stopped ?? "the run ended early") : "left out on request",
          cells: [],
          durationMs: 0,
          requests: 0,
        },
    );
    return {
      verdict: preparation === undefined ? verdictOf(all, troubles) : "not conformant",
      troubles,
      results: all,
      ...(preparation === undefined ? {} : { preparation }),
      left,
      startedAt,
      endedAt: Date.now(),
    };
  }

  #selected(checks: readonly Check[]): readonly Check[] {
    const { replay, selected = checks } = this.#options;
    return replay === undefined ? selected : checks.filter(({ id }) => id === replay.check);
  }

  /** What the last exchange before the first check shows. */
  #failureOf({ clause, expected, seen }: ClauseViolation): Failure {
    return { clause, expected, seen, exchanges: this.run.recorder.recent.slice(-1) };
  }
}
