import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Ledger } from "../target/ledger.js";
import { RunError } from "../client/violation.js";

/**
 * Begins the ledger file of a run: in the given folder, or in the working folder, or among the temporary files when
 * nothing can be written there.
 *
 * @param which tells the ledgers of a run apart that has several deployments
 * @throws RunTrouble when it can be written nowhere: no run without a ledger
 */
export function createLedger(run: string, baseUrl: string, folder?: string, which = ""): Ledger {
  const name = `certify-${run}${which}.ledger.jsonl`;
  let reason: unknown;
  for (const place of folder === undefined ? [".", tmpdir()] : [folder]) {
    try {
      mkdirSync(place, { recursive: true });
      return Ledger.begin(run, baseUrl, resolve(join(place, name)));
    } catch (error) {
      reason = error;
    }
  }
  throw new RunError(
    `the ledger of what the run makes cannot be written: ${reason instanceof Error ? reason.message : String(reason)}`,
  );
}
