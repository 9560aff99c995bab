import { openTarget, type TargetChoice } from "../target/open-target.js";
import { newLedger } from "./new-ledger.js";
import { newRunId } from "./run-id.js";
import { Run } from "./runner.js";

export interface BeginOptions extends TargetChoice {
  /** Same seed, same generated inputs; 1 without this. */
  readonly seed?: number;
  /** How often each property is tried; 10 without this. */
  readonly runs?: number;
}

/**
 * Makes a run for {@link registerChecks}: `() => beginRun({ emulator: "http://127.0.0.1:4100" })`. What it creates on a
 * deployment stands in a ledger file until it is removed.
 *
 * @throws RunTrouble when the target cannot be used
 */
export async function beginRun({ seed = 1, runs = 10, ...choice }: BeginOptions): Promise<Run> {
  const id = newRunId();
  const target = await openTarget(choice, id);
  return new Run({ target, ledger: newLedger(id, target.baseUrl), seed, runs });
}
