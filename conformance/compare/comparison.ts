import { RunError } from "../client/violation.js";
import type { Check, Requirement } from "../check/check.js";
import type { CheckContext } from "../check/context.js";
import type { LeftBehind } from "../resources/remove-all.js";
import { Run } from "../run/runner.js";
import type { Ledger } from "../target/ledger.js";
import type { MissingRequirement, Target } from "../target/target.js";
import { AnswerSchemas } from "./answer-schemas.js";
import { GivenData } from "./given-data.js";
import type { History } from "./history.js";
import { HistoryRun, type HistoryOptions, type HistoryResult } from "./run-history.js";
import { shareValues } from "./record-histories.js";
import { Side } from "./side.js";

/** A target, and the ledger of what is made on it. */
export interface ComparedTarget {
  readonly target: Target;
  readonly ledger: Ledger;
}

export interface ComparisonOptions {
  readonly targets: readonly [ComparedTarget, ComparedTarget];
  /** What all names that are made begin with. */
  readonly mark: string;
}

/** How long answers that lag are read again on deployments; the figures of an emulator are right at once. */
const maxPatienceMs = 5000;
const emulatorPatienceMs = 20;

/** The digits that tell the executions of histories apart: a recording has the run id with these. */
export const recordingNumber = "000";

/** How a history ended. */
export type Ending =
  | { readonly kind: "run"; readonly result: HistoryResult }
  | { readonly kind: "left out" | "troubled"; readonly reason: string };

/** Sends the same histories to two targets. */
export class Comparison {
  readonly runs: readonly [Run, Run];
  readonly targets: readonly [Target, Target];
  /** Whether both targets are emulators, whose clocks and figures are exact. */
  readonly areEmulators: boolean;
  readonly #options: ComparisonOptions;
  readonly #schemas: AnswerSchemas;
  readonly given = new GivenData();
  #executions = 0;
  #isPatient: boolean;

  constructor(options: ComparisonOptions) {
    this.#options = options;
    const [first, second] = options.targets;
    this.targets = [first.target, second.target];
    const runOf = ({ target, ledger }: ComparedTarget) =>
      new Run({ target, ledger, seed: 1, runs: 1, confirms: false, judges: false });
    this.runs = [runOf(first), runOf(second)];
    this.areEmulators = this.targets.every(({ isStrict }) => isStrict);
    this.#isPatient = !this.areEmulators;
    const strict = [second, first].find(({ target }) => target.isStrict);
    this.#schemas = AnswerSchemas.of((strict ?? second).target);
  }

  /** Makes sure that both targets answer and users can log in, and makes what all histories share. */
  async prepare(): Promise<void> {
    for (const run of this.runs) {
      await run.prepare();
      await run.check(shareValues((need) => this.missing(need)));
    }
  }

  /** Why something is not to be used: one of the targets does not offer it. */
  missing(need: Requirement): MissingRequirement | undefined {
    return this.targets[0].missing(need) ?? this.targets[1].missing(need);
  }

  /** Sends a history to both targets. Never throws for what a deployment does. */
  async run(history: History, options: Pick<HistoryOptions, "until" | "pauseMs"> = {}): Promise<Ending> {
    const [first, second] = this.runs;
    let result: HistoryResult | undefined;
    const check = (run: Check["run"]): Check => ({
      id: history.id as Check["id"],
      title: history.title,
      clauses: [],
      needs: history.needs,
      run,
    });
    const { level, reason = "" } = await first.check(
      check(async (mine) => {
        const ending = await second.check(
          check(async (theirs) => {
            result = await this.#execute(history, [mine, theirs], options);
          }),
        );
        if (ending.level !== "passed") throw new RunError(`${ending.level}: ${ending.reason ?? ""}`);
      }),
    );
    if (level === "passed" && result !== undefined) return { kind: "run", result };
    const isLeftOut = level === "not-declared" || reason.startsWith("not-declared");
    return { kind: isLeftOut ? "left out" : "troubled", reason };
  }

  async #execute(
    history: History,
    contexts: readonly [CheckContext, CheckContext],
    options: Pick<HistoryOptions, "until" | "pauseMs">,
  ): Promise<HistoryResult> {
    const number = (this.#executions++).toString(36).padStart(recordingNumber.length, "0");
    const execution = this.#options.mark + number.slice(-recordingNumber.length);
    const side = (index: 0 | 1) => new Side(history, contexts[index], this.runs[index], execution);
    const result = await new HistoryRun(history, [side(0), side(1)], {
      ...options,
      schemas: this.#schemas,
      execution,
      mark: this.#options.mark,
      isAlone: this.areEmulators,
      given: this.given,
      patienceMs: this.#isPatient ? maxPatienceMs : emulatorPatienceMs,
    }).run();
    // a figure that stayed different all that time will do so again
    if (result.differences.some(({ mayPass }) => mayPass)) this.#isPatient = false;
    return result;
  }

  /** Removes what was made on both targets. Returns what is left. */
  async cleanUp(): Promise<readonly LeftBehind[]> {
    const left: LeftBehind[] = [];
    for (const run of this.runs) left.push(...(await run.cleanUp()));
    return left;
  }
}
