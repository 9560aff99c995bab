import { Ledger } from "../../../conformance/target/ledger.js";
import { generateRunId } from "../../../conformance/run/run-id.js";
import { createEmulatorTarget } from "../../../conformance/target/emulator-target.js";
import type { Target } from "../../../conformance/target/target.js";
import type { Fetch } from "../../../conformance/client/exchange.js";
import { getCauseKey } from "../../../conformance/compare/causes.js";
import { Comparison, recordingRunSuffix } from "../../../conformance/compare/comparison.js";
import type { History } from "../../../conformance/compare/history.js";
import {
  recordHistories,
  type RecordedHistories,
  type RecordHistoriesOptions,
} from "../../../conformance/compare/record-histories.js";
import { toErrorMessage } from "../../../openapi/text/to-error-message.js";

/** An emulator, possibly behind a relay. */
export interface EmulatorEndpoint {
  readonly url: string;
  readonly fetch: Fetch;
}

export type EmulatorComparison = Awaited<ReturnType<typeof compareEmulators>>;

/** Records histories on an emulator. */
export async function recordEmulatorHistories(
  { url, fetch }: EmulatorEndpoint,
  options: Pick<RecordHistoriesOptions, "checks" | "seed" | "runs">,
): Promise<RecordedHistories> {
  const run = generateRunId() + recordingRunSuffix;
  const target = await createEmulatorTarget({ url, fetch, run });
  return recordHistories({ target, run, missing: () => undefined, ...options });
}

/**
 * Compares two emulators.
 *
 * @param stopsAtFirst whether to stop at the first difference
 */
export async function compareEmulators(
  known: readonly [EmulatorEndpoint, EmulatorEndpoint],
  histories: readonly History[],
  stopsAtFirst: boolean,
) {
  const run = generateRunId();
  const targetOf = ({ url, fetch }: EmulatorEndpoint) => createEmulatorTarget({ url, fetch, run });
  const targets = await Promise.all([targetOf(known[0]), targetOf(known[1])]);
  const ledgerOf = ({ baseUrl }: Target) => Ledger.create(run, baseUrl);
  const comparison = new Comparison(run, targets, [ledgerOf(targets[0]), ledgerOf(targets[1])]);
  const differences: { cause: string; history: string; detail: string }[] = [];
  const troubles: string[] = [];
  let answers = 0;
  try {
    await comparison.prepare();
    for (const history of histories) {
      const ending = await comparison.compare(history, stopsAtFirst ? { until: () => true } : {});
      if (ending.kind === "compared") {
        for (const difference of ending.result.differences)
          differences.push({
            cause: getCauseKey(difference),
            history: history.id,
            detail: `${difference.first ?? ""} / ${difference.second ?? ""}`,
          });
        for (const count of ending.result.compared.values()) answers += count;
      } else if (ending.kind === "failed") troubles.push(`${history.id}: ${ending.reason}`);
      if (stopsAtFirst && differences.length > 0) break;
    }
  } catch (error) {
    // A mutant may prevent logins.
    troubles.push(toErrorMessage(error));
  }
  const left = await comparison.cleanUp().catch(() => []);
  return { differences, troubles, answers, left: left.filter(({ isFinal }) => isFinal !== true).length };
}
