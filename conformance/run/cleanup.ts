import type { Ledger } from "../target/ledger.js";
import { type LeftoverResource, removeResource } from "../resources/remove-resources.js";
import type { Target } from "../target/target.js";
import { RunError } from "../client/violation.js";
import { Run } from "./runner.js";

/**
 * Removes what a killed run has left behind.
 *
 * @param target the same target as that of the run
 * @returns what could not be removed; if everything was removed, the ledger file is deleted
 * @throws RunError when the ledger is for another deployment, or the deployment cannot be used
 */
export async function cleanUpRun(ledger: Ledger, target: Target): Promise<readonly LeftoverResource[]> {
  if (ledger.baseUrl !== target.baseUrl)
    throw new RunError(
      `the ledger is from a run against ${ledger.baseUrl}, not ${target.baseUrl}; use the same target as that run`,
    );
  const run = new Run({ target, ledger, seed: 0, runs: 1 });
  const namespace = ledger.remaining.find(({ kind }) => kind === "namespace");
  if (namespace !== undefined) {
    // Everything that the run created is in the namespace, including its users.
    await removeResource(run.client, namespace);
    for (const { number } of ledger.remaining) ledger.recordRemoval(number);
  } else if (ledger.remaining.length > 0) await run.prepare();
  return run.cleanUp();
}
