import { afterAll, beforeAll, describe, it } from "vitest";
import { registerChecks } from "../conformance/register-checks.js";
import { Ledger } from "../conformance/resources/ledger.js";
import { Run } from "../conformance/run/runner.js";
import { newRunId } from "../conformance/run/run-id.js";
import { emulatorTarget } from "../conformance/target/emulator-target.js";
import { createEmulator } from "../emulator/emulator.js";

describe("the emulator, by the conformance suite", () => {
  registerChecks({ describe, it, beforeAll, afterAll }, async () => {
    const emulator = await createEmulator();
    const run = newRunId();
    const target = await emulatorTarget({ url: "http://localhost", fetch: emulator.fetch, run });
    return new Run({ target, ledger: Ledger.begin(run, target.baseUrl), seed: 1, runs: 5 });
  });
});
