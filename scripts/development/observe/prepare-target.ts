import { Client } from "../../../conformance/client/client.js";
import { getOpenContract } from "../../../conformance/client/contracts.js";
import { Recorder } from "../../../conformance/client/recorder.js";
import { RouteTable } from "../../../conformance/client/routes.js";
import { SecretMasker } from "../../../conformance/client/secrets.js";
import { Ledger } from "../../../conformance/target/ledger.js";
import type { PreparedTarget, Target } from "../../../conformance/target/target.js";

/** Prepares a target like a run with the given id, but without a run. */
export function prepareTarget(target: Target, run: string): Promise<PreparedTarget> {
  const open = getOpenContract();
  const secrets = new SecretMasker();
  const client = new Client({
    ...target,
    open,
    routes: new RouteTable(open.document, target.knownAnswers),
    recorder: new Recorder(),
    secrets,
    deadline: () => Infinity,
  });
  const ledger = Ledger.create(run, target.baseUrl);
  return target.prepare({ client, ledger, secrets, forgetSessions: () => undefined });
}
