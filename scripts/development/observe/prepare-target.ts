import { Run } from "../../../conformance/run/runner.js";
import { Ledger } from "../../../conformance/target/ledger.js";
import type { PreparedTarget, Target } from "../../../conformance/target/target.js";

/** Prepares a target like a run with the given id, but without logging in its users. */
export function prepareTarget(target: Target, run: string): Promise<PreparedTarget> {
  const ledger = Ledger.create(run, target.baseUrl);
  const { client, secrets } = new Run({ target, ledger, seed: 1, runs: 1 });
  return target.prepare({ client, ledger, secrets, forgetSessions: () => undefined });
}
