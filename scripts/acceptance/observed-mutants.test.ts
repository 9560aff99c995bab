import { expect, it } from "vitest";
import type { Fetch } from "../../conformance/client/exchange.js";
import { mutants } from "../../conformance/mutants/register.js";
import { observeGaps } from "../../conformance/observe/observation.js";
import { Ledger } from "../../conformance/target/ledger.js";
import { createTargetFromFile } from "../../conformance/target/file-target.js";
import { generateRunId } from "../../conformance/run/run-id.js";
import { Run } from "../../conformance/run/runner.js";
import { createEmulator } from "../../emulator/api/emulator.js";
import type { GapId } from "../../openapi/gaps/register.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { demoTarget } from "./testing/demo-target.js";

const file = {
  ...demoTarget,
  apiKeys: { ...demoTarget.apiKeys, "repository:write": "dsk_demo_repository_write" },
};

/** Observes one gap on an emulator with the fixture `demo`, with or without a fault. */
async function observeGap(gap: GapId, wrap: (fetch: Fetch) => Fetch = (fetch) => fetch) {
  const emulator = await createEmulator({ fixture: "demo" });
  const target = createTargetFromFile({ file, fetch: wrap(emulator.fetch) });
  const run = new Run({ target, ledger: Ledger.create(generateRunId(), target.baseUrl), seed: 1, runs: 1 });
  await run.prepare();
  const found = (await observeGaps(run, { only: [gap] })).find((observation) => observation.gap === gap);
  await run.cleanUp();
  await emulator.close();
  return found;
}

it.each<readonly [GapId, string]>([
  ["login-organization", "databases/deleted-still-there"],
  ["refresh-organization", "session/switch-does-nothing"],
  ["write-scope-reads-entities", "access/entities-by-database-key"],
])("the observer of %s is not misled by %s", async (gap, id) => {
  const fault = mutants.find((mutant) => mutant.id === id);
  if (fault === undefined) throw new Error(`there is no mutant ${id}`);
  expect(await observeGap(gap)).toMatchObject({ kind: "answer", answer: defaultProfile[gap] });
  expect(await observeGap(gap, fault.wrap)).toMatchObject({ kind: "undecided" });
});
