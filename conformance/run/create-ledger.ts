import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";
import { Ledger } from "../target/ledger.js";
import { RunError } from "../client/violation.js";

/**
 * Creates the ledger file of a run in the given folder, or else in the working directory, or else in the directory for
 * temporary files.
 *
 * @param which distinguishes the ledgers of a run with several deployments
 * @throws RunError when the ledger cannot be written, because no run may start without one
 */
export function createLedger(run: string, baseUrl: string, folder?: string, which = ""): Ledger {
  const name = `certify-${run}${which}.ledger.jsonl`;
  let reason: unknown;
  for (const place of folder === undefined ? [".", tmpdir()] : [folder]) {
    try {
      mkdirSync(place, { recursive: true });
      return Ledger.create(run, baseUrl, resolve(join(place, name)));
    } catch (error) {
      reason = error;
    }
  }
  throw new RunError(`cannot write the ledger of this run: ${toErrorMessage(reason)}`);
}
