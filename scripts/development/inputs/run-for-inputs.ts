import type { Check } from "../../../conformance/check/check.js";
import { Ledger } from "../../../conformance/target/ledger.js";
import { newRunId } from "../../../conformance/run/run-id.js";
import { Run } from "../../../conformance/run/runner.js";
import { emulatorTarget } from "../../../conformance/target/emulator-target.js";
import { createEmulator } from "../../../emulator/api/emulator.js";
import { buildDocument } from "../../../openapi/document/document.js";
import { defaultProfile } from "../../../openapi/gaps/profile.js";
import { countInputs, type InputCounts } from "./count-inputs.js";

/** More exchanges than any run has. */
const all = 1_000_000;

/**
 * Runs checks against an emulator in this process, and counts what they sent.
 *
 * @throws when a check does not pass: what it sent would not be the whole of it
 */
export async function runForInputs(
  checks: readonly Check[],
  { seed, runs }: { readonly seed: number; readonly runs: number },
): Promise<InputCounts> {
  const emulator = await createEmulator();
  try {
    const id = newRunId();
    const target = await emulatorTarget({ url: "http://localhost", fetch: emulator.fetch, run: id });
    const ledger = Ledger.begin(id, target.baseUrl);
    const run = new Run({ target, ledger, seed, runs, keepExchanges: all });
    await run.prepare();
    for (const check of checks) {
      const { level, reason } = await run.check(check);
      if (level !== "passed") throw new Error(`${check.id} is ${level}: ${reason ?? ""}`);
    }
    await run.cleanUp();
    return countInputs(buildDocument(defaultProfile), run.recorder.kept.exchanges);
  } finally {
    await emulator.close();
  }
}
