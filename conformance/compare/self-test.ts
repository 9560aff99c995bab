import { Ledger } from "../target/ledger.js";
import { newRunId } from "../run/run-id.js";
import { emulatorTarget } from "../target/emulator-target.js";
import type { Fetch } from "../client/exchange.js";
import type { History } from "./command.js";
import { Pair } from "./pair.js";
import { type Recorded, recordHistories, type RecordingOptions } from "./record-histories.js";
import type { Difference } from "./run-history.js";
import { signatureOf } from "./signature.js";

/** An emulator, or what stands in front of one. */
export interface KnownSide {
  readonly url: string;
  readonly fetch: Fetch;
}

/** What a comparison of two known deployments found. */
export interface KnownComparison {
  /** Signatures of the differences, with the history that shows each. */
  readonly differences: readonly {
    readonly signature: string;
    readonly history: string;
    readonly detail: string;
  }[];
  readonly troubles: readonly string[];
  readonly answers: number;
  readonly left: number;
}

/** Histories, with the id of the run that they were recorded in. */
export interface KnownHistories {
  readonly run: string;
  readonly recorded: Recorded;
}

/** Records histories on a known emulator. */
export async function recordKnown(
  { url, fetch }: KnownSide,
  subjects: Pick<RecordingOptions, "checks" | "gaps" | "seed" | "runs">,
): Promise<KnownHistories> {
  const run = `${newRunId()}000`;
  const target = await emulatorTarget({ url, fetch, run });
  return { run, recorded: await recordHistories({ target, run, missing: () => undefined, ...subjects }) };
}

/**
 * Compares two known deployments.
 *
 * @param stopsAtFirst whether one difference is enough
 */
export async function compareKnown(
  sides: readonly [KnownSide, KnownSide],
  { run: recorded }: KnownHistories,
  histories: readonly History[],
  stopsAtFirst: boolean,
): Promise<KnownComparison> {
  const mark = newRunId();
  const [first, second] = await Promise.all(
    sides.map(async ({ url, fetch }) => {
      const target = await emulatorTarget({ url, fetch, run: mark });
      return { target, ledger: Ledger.begin(mark, target.baseUrl) };
    }),
  );
  if (first === undefined || second === undefined) throw new Error("a comparison has two sides");
  const pair = new Pair({ sides: [first, second], mark, recorded });
  const differences: { signature: string; history: string; detail: string }[] = [];
  const troubles: string[] = [];
  let answers = 0;
  const note = ({ history, ...difference }: Difference) =>
    differences.push({
      signature: signatureOf({ history, ...difference }),
      history: history.id,
      detail: `${difference.detail}: ${difference.first ?? ""} / ${difference.second ?? ""}`,
    });
  try {
    await pair.prepare();
    for (const history of histories) {
      const ending = await pair.run(history, stopsAtFirst ? { until: () => true } : {});
      if (ending.kind === "run") {
        ending.result.differences.forEach(note);
        for (const count of ending.result.compared.values()) answers += count;
        // what a profile does not let be asked is left out by every comparison
      } else if (ending.kind === "troubled") troubles.push(`${history.id}: ${ending.reason}`);
      if (stopsAtFirst && differences.length > 0) break;
    }
  } catch (error) {
    // a deployment whose users cannot log in shows that it is another one
    troubles.push(error instanceof Error ? error.message : String(error));
  }
  const left = await pair.cleanUp().catch(() => []);
  return { differences, troubles, answers, left: left.filter(({ isFinal }) => isFinal !== true).length };
}
