/**
 * Runs the checks with valid requests once against the emulator through Prism, which also validates every answer. Fails
 * if Prism finds a response that breaks the contract, or if a check fails.
 *
 *   npx tsx scripts/development/prism/prism-checks.ts
 */
import { fileURLToPath } from "node:url";
import { type Area, getArea } from "../../../conformance/check/check.js";
import { checks } from "../../../conformance/checks/register.js";
import type { Fetch } from "../../../conformance/client/exchange.js";
import { buildReport } from "../../../conformance/report/report.js";
import { formatSummary } from "../../../conformance/report/format-summary.js";
import { Ledger } from "../../../conformance/target/ledger.js";
import { Certification } from "../../../conformance/run/certification.js";
import { generateRunId } from "../../../conformance/run/run-id.js";
import { createTargetFromFile } from "../../../conformance/target/file-target.js";
import { loadTargetFile } from "../../../conformance/target/target-file.js";
import { createEmulator } from "../../../emulator/api/emulator.js";
import { startPrismProxy, getViolations } from "./prism-proxy.js";

/** Areas that are about refusals, races and sizes, where Prism has nothing to add. */
const leftOut: readonly Area[] = ["access", "isolation", "limits", "concurrency", "time"];
/** Checks of what Prism changes on the way: it reads numbers and member order anew, and loses digits. */
const disturbed: readonly string[] = [
  "items/data",
  "entities/any-data",
  "sql/alter-table",
  "sql/pages",
  "sql/primary-key",
  "sql/type-bigint",
  "sql/type-collections",
  "sql/type-decimal",
  "sql/where-key",
];

const file = await loadTargetFile(
  fileURLToPath(new URL("../../../fixtures/samples/demo-target.yaml", import.meta.url)),
  { DEMO_PASSWORD: "demo-password" },
);
const emulator = await createEmulator();
const proxy = await startPrismProxy(await emulator.listen());
try {
  let answers = 0;
  const found = new Set<string>();
  const watching: Fetch = async (url, init) => {
    const answer = await fetch(url, init);
    answers++;
    for (const { location, message } of getViolations(answer))
      if (location[0] === "response")
        found.add(`${init.method ?? ""} ${url} → ${answer.status}: ${location.join(".")} ${message}`);
    return answer;
  };
  const id = generateRunId();
  const target = createTargetFromFile({ file, url: proxy.url, fetch: watching });
  const seed = 1;
  const runs = 1;
  const selected = checks.filter(
    (check) => !leftOut.includes(getArea(check)) && !disturbed.includes(check.id),
  );
  const certification = new Certification({
    target,
    ledger: Ledger.begin(id, target.baseUrl),
    seed,
    runs,
    checks: selected,
  });
  const outcome = await certification.certify();
  const { recorder, secrets } = certification.run;
  const report = buildReport({ outcome, target, id, seed, runs, recorder, secrets });
  if (outcome.verdict !== "conformant")
    console.log(formatSummary(report, { command: "data-service certify" }));
  for (const violation of found) console.log(violation);
  console.log(
    `${report.counts.passed} checks through Prism: ${outcome.verdict}; ${found.size} violations of the contract in ${answers} responses`,
  );
  process.exitCode = outcome.verdict === "conformant" && found.size === 0 && answers > 0 ? 0 : 1;
} finally {
  await proxy.close();
  await emulator.close();
}
