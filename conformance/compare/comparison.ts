import { RunError } from "../client/violation.js";
import type { Check } from "../check/check.js";
import type { LeftoverResource } from "../resources/remove-resources.js";
import { Run } from "../run/runner.js";
import type { Ledger } from "../target/ledger.js";
import type { Requirement } from "../target/requirements.js";
import type { UnmetRequirementReason, Target } from "../target/target.js";
import { ResponseSchemas } from "./response-schemas.js";
import { ObservedPreexistingData } from "./observed-preexisting-data.js";
import type { History } from "./history.js";
import { HistoryComparison, type HistoryRunOptions, type HistoryResult } from "./run-history.js";
import type { Pair, Side } from "./pair.js";
import { createSharedValuesCheck } from "./record-histories.js";
import { ComparedTarget } from "./compared-target.js";

/** How long lagging responses are read again, in milliseconds; the counts of an emulator do not lag. */
const maxRereadMs = 5000;
const emulatorRereadMs = 20;

/** The number of a recording, added to the run id; each execution of a history has a different number. */
export const recordingRunSuffix = "000";

/** How a history ended: compared, left out because a target does not offer what the history needs, or failed. */
type HistoryOutcome =
  | { readonly kind: "compared"; readonly result: HistoryResult }
  | { readonly kind: "omitted" | "failed"; readonly reason: string };

/** Sends the same histories to two targets and compares the responses. */
export class Comparison {
  readonly runs: Pair<Run>;
  /** Whether both targets are emulators, which have exact clocks and counts. */
  readonly areEmulators: boolean;
  readonly preexisting = new ObservedPreexistingData();
  readonly #schemas: ResponseSchemas;
  #executions = 0;
  #waitsForLag: boolean;

  /** @param run prefix of all created names */
  constructor(
    readonly run: string,
    readonly targets: Pair<Target>,
    readonly ledgers: Pair<Ledger>,
  ) {
    const options = { seed: 1, runs: 1, confirms: false, validates: false };
    const runOn = (side: Side) => new Run({ ...options, target: targets[side], ledger: ledgers[side] });
    this.runs = [runOn(0), runOn(1)];
    this.areEmulators = targets.every(({ isStrict }) => isStrict);
    this.#waitsForLag = !this.areEmulators;
    this.#schemas = ResponseSchemas.forTarget(targets.findLast(({ isStrict }) => isStrict) ?? targets[1]);
  }

  /** Verifies that both targets respond and users can log in, and creates the resources that all histories share. */
  async prepare(): Promise<void> {
    for (const run of this.runs) {
      await run.prepare();
      await run.check(createSharedValuesCheck((need) => this.findUnmetReason(need)));
    }
  }

  /** Returns why something cannot be used, if one of the targets does not offer it. */
  findUnmetReason(need: Requirement): UnmetRequirementReason | undefined {
    return this.targets[0].findUnmetReason(need) ?? this.targets[1].findUnmetReason(need);
  }

  /** Sends a history to both targets. Never throws because of the behavior of a deployment. */
  async compare(
    history: History,
    options: Pick<HistoryRunOptions, "until" | "pauseMs"> = {},
  ): Promise<HistoryOutcome> {
    const { id, title, needs } = history;
    const check = { id: id as Check["id"], title, clauses: [], needs };
    const number = (++this.#executions).toString(36).padStart(recordingRunSuffix.length, "0");
    const execution = this.run + number.slice(-recordingRunSuffix.length);
    let result: HistoryResult | undefined;
    const checkOn = (side: Side, work: (target: ComparedTarget) => Promise<void>) =>
      this.runs[side].check({
        ...check,
        run: (context) => work(new ComparedTarget(history, context, execution)),
      });
    const { level, reason = "" } = await checkOn(0, async (first) => {
      const ending = await checkOn(1, async (second) => {
        result = await new HistoryComparison(history, [first, second], {
          ...options,
          schemas: this.#schemas,
          namePrefix: this.run,
          execution,
          hasOnlyRunData: this.areEmulators,
          preexisting: this.preexisting,
          rereadMs: this.#waitsForLag ? maxRereadMs : emulatorRereadMs,
        }).run();
        for (const target of [first, second]) await target.finish();
        // If waiting did not make a count equal, waiting again will not either.
        if (result.differences.some(({ mayBeTemporary }) => mayBeTemporary)) this.#waitsForLag = false;
      });
      if (ending.level !== "passed") throw new RunError(`${ending.level}: ${ending.reason ?? ""}`);
    });
    if (level === "passed" && result !== undefined) return { kind: "compared", result };
    const isOmitted = level === "not-declared" || reason.startsWith("not-declared");
    return { kind: isOmitted ? "omitted" : "failed", reason };
  }

  /** Removes the resources created on both targets. Returns what is left. */
  async cleanUp(): Promise<readonly LeftoverResource[]> {
    return [...(await this.runs[0].cleanUp()), ...(await this.runs[1].cleanUp())];
  }
}
