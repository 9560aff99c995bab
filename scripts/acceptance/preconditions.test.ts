import { afterEach, describe, expect, it } from "vitest";
import { selectChecks } from "../../conformance/run/select-checks.js";
import { checks } from "../../conformance/checks/register.js";
import { intercept } from "../../conformance/mutants/intercept.js";
import { serveStaleReads } from "../../conformance/mutants/lagging-variants.js";
import { Certification } from "../../conformance/run/certification.js";
import { createTargetFromFile } from "../../conformance/target/file-target.js";
import { Ledger } from "../../conformance/target/ledger.js";
import { generateRunId } from "../../conformance/run/run-id.js";
import { Run } from "../../conformance/run/runner.js";
import { createEmulatorTarget } from "../../conformance/target/emulator-target.js";
import { createEmulator, type Emulator } from "../../emulator/api/emulator.js";
import { operationIds } from "../../openapi/operations/register.js";
import { createDemoUser, demoTarget } from "./testing/demo-target.js";
import { withSimulatedTime } from "../development/self-test/simulated-time.js";

const lagMs = 150;
const chosen = selectChecks(["items/put-get-delete"], checks);

let emulator: Emulator;
afterEach(() => emulator.close());

async function certify(readLagMs: number) {
  emulator = await createEmulator();
  const run = generateRunId();
  const operations = operationIds;
  return withSimulatedTime(emulator.fetch, async (direct) => {
    const fetch = intercept(direct, operations, serveStaleReads(lagMs));
    const target = { ...(await createEmulatorTarget({ url: "http://localhost", fetch, run })), readLagMs };
    const begun = new Run({ target, ledger: Ledger.create(run, target.baseUrl), seed: 1, runs: 1 });
    await begun.prepare();
    for (const check of chosen) await begun.check(check);
    await begun.cleanUp();
    return begun.results.map(({ level, reason = "" }) => ({ level, reason }));
  });
}

describe("a deployment with delayed reads", () => {
  it("fails the precondition and no clause", async () => {
    const [, precondition, ...others] = await certify(0);
    expect(precondition).toMatchObject({ level: "not-run" });
    expect(precondition?.reason).toMatch(/reads lag .* set `timeouts\.readLagMs`/s);
    expect(others.length).toBeGreaterThan(0);
    for (const { level, reason } of others)
      expect({ level, reason }).toEqual({ ...precondition, level: "blocked" });
  });

  it("passes if its target file declares the delay", async () => {
    for (const { level, reason } of await certify(lagMs * 2))
      expect({ level, reason }).toEqual({ level: "passed", reason: "" });
  });
});

describe("a personal organization without databases, whose regions are unknown", () => {
  it.each([
    [["health", "organizations/personal"], "partial"],
    [["health", "items/put-get-delete"], "inconclusive"],
  ] as const)("gives the checks %s the verdict %s", async (names, verdict) => {
    emulator = await createEmulator();
    const file = { ...demoTarget, users: { owner: createDemoUser("owner") } };
    const target = createTargetFromFile({ file, fetch: emulator.fetch });
    const ledger = Ledger.create(generateRunId(), target.baseUrl);
    const selected = selectChecks(names, checks);
    const outcome = await new Certification({ target, ledger, seed: 1, runs: 1, selected }).certify();
    expect(outcome.verdict).toBe(verdict);
  });
});
