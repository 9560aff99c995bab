import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registerChecks } from "../../conformance/run/register-checks.js";
import { Ledger } from "../../conformance/target/ledger.js";
import { Run } from "../../conformance/run/runner.js";
import { generateRunId } from "../../conformance/run/run-id.js";
import { createEmulatorTarget } from "../../conformance/target/emulator-target.js";
import { createEmulator } from "../../emulator/api/emulator.js";
import { getPropertyRuns } from "../../emulator/testing/property-runs.js";
import { operationIds } from "../../openapi/operations/register.js";

/** Two runs are enough to call every operation with valid and invalid input; `.ci/run` certifies with more. */
const runs = getPropertyRuns(2);

describe("the conformance suite against the emulator", () => {
  let begun: Run;
  registerChecks({ describe, it, beforeAll, afterAll }, async () => {
    const emulator = await createEmulator();
    const run = generateRunId();
    const target = await createEmulatorTarget({ url: "http://localhost", fetch: emulator.fetch, run });
    begun = new Run({ target, ledger: Ledger.create(run, target.baseUrl), seed: 1, runs });
    return begun;
  });

  it("calls every operation with valid and invalid input", () => {
    // these public operations have no parameters, so only the credential could be invalid, about which the
    // specification says nothing
    const cannotBeWrong = ["listPlans", "getHealth", "getReadiness", "getLiveness"];
    const lacking = operationIds.filter((id) => {
      const count = begun.recorder.counts.get(id);
      return (
        count === undefined || count.accepted === 0 || (count.invalid === 0 && !cannotBeWrong.includes(id))
      );
    });
    expect(lacking).toEqual([]);
  });
});
