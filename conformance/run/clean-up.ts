import { anonymous } from "../client/client.js";
import type { Ledger } from "../target/ledger.js";
import type { LeftBehind } from "../resources/remove-all.js";
import { removeResource } from "../resources/remove.js";
import type { Target } from "../target/target.js";
import { RunError } from "../client/violation.js";
import { Run } from "./runner.js";

/**
 * Removes what a run that was killed has left behind.
 *
 * @param target the same as the run's
 * @returns what could not be removed; the ledger's file is deleted when that is nothing
 * @throws RunTrouble when the ledger is of another deployment, or this one cannot be used
 */
export async function cleanUpRun(ledger: Ledger, target: Target): Promise<readonly LeftBehind[]> {
  if (ledger.baseUrl !== target.baseUrl)
    throw new RunError(
      `the ledger is of a run against ${ledger.baseUrl}, not ${target.baseUrl}; name the same target as then`,
    );
  const run = new Run({ target, ledger, seed: 0, runs: 1 });
  const namespace = ledger.remaining.find(({ kind }) => kind === "namespace");
  if (namespace !== undefined) {
    // everything the run made is in the namespace, its users included
    await removeResource(run.client, anonymous, namespace);
    for (const { number } of ledger.remaining) ledger.removed(number);
  } else if (ledger.remaining.length > 0) await run.prepare();
  return run.cleanUp();
}
