import { Command } from "commander";
import { escapeInvisible } from "../../../openapi/text/escape-invisible.js";
import { createQuirkyDeployment } from "../../../conformance/mutants/odd-deployment.js";
import type { Fetch } from "../../../conformance/client/exchange.js";
import { buildObservedProfile } from "../../../conformance/observe/observed-profile.js";
import { observeGaps } from "../../../conformance/observe/observation.js";
import { Certification } from "../../../conformance/run/certification.js";
import { generateRunId } from "../../../conformance/run/run-id.js";
import { createTargetFromFile } from "../../../conformance/target/file-target.js";
import { Ledger } from "../../../conformance/target/ledger.js";
import type { TargetFile } from "../../../conformance/target/target-file.js";
import { gapIds } from "../../../openapi/gaps/register.js";
import { ObservedEmulator } from "../observe/observed-emulator.js";
import { withSimulatedTime } from "../self-test/simulated-time.js";

/** A body passes every difference, so large ones take long. */
const bounds = { requestBytes: 6 * 1024 * 1024, requestsPerSecond: 0 };

const program = new Command("conformance:together")
  .description(
    "Certifies a deployment with many permitted differences, first without a profile and then with the observed profile.",
  )
  .option("--mixture <number>", "seed that selects half of the differences", Number)
  .option("--seed <number>", "seed of the checks", Number, 1)
  .option("--runs <number>", "number of inputs to try per property", Number, 3);
program.parse();

const { differences, observed, alarms, durationMs } = await certifyTogether(program.opts());
const [without = [], withProfile = []] = alarms;
for (const alarm of without) console.log(`without a profile   ${escapeInvisible(alarm.slice(0, 500))}`);
for (const alarm of withProfile) console.log(`with the profile    ${escapeInvisible(alarm.slice(0, 500))}`);
console.log(
  `\nA deployment with ${differences} permitted differences: ${without.length} alarms without a profile, ` +
    `${withProfile.length} with the observed one of ${observed} answers. ${(durationMs / 1000).toFixed(0)} s.`,
);
if (without.length + withProfile.length > 0) process.exitCode = 1;

interface Options {
  readonly seed: number;
  readonly runs: number;
  /** Chooses half of the differences. */
  readonly mixture?: number;
}

/** What came of certifying a deployment of many permitted differences. */
interface TogetherResult {
  /** How many differences it has, and how many gaps the observed profile answers. */
  readonly differences: number;
  readonly observed: number;
  /** What kept it from conformant, first without a profile, then with the observed one. */
  readonly alarms: readonly (readonly string[])[];
  readonly durationMs: number;
}

/** Certifies a deployment of many differences at once, observes it, and certifies it with the profile that was found. */
async function certifyTogether(options: Options): Promise<TogetherResult> {
  const started = performance.now();
  const { profile, countLagMs, invitationDomain, wrap, differences } = createQuirkyDeployment(
    options.mixture,
  );
  const emulator = await ObservedEmulator.prepare();
  try {
    return await emulator.withCopy(profile, ({ file, fetch, clock, left }) =>
      withSimulatedTime(fetch, async (simulated) => {
        const { now } = clock.get();
        clock.mode("system");
        clock.set(now);
        const described: TargetFile = {
          ...file,
          ...(invitationDomain === undefined ? {} : { invitationDomain }),
          timeouts: { ...file.timeouts, ...(countLagMs === undefined ? {} : { countLagMs }) },
          observe: { ...file.observe, bounds },
        };
        // both runs meet the same deployment, with what it remembers
        const odd = wrap(simulated);
        const without = await certify(described, odd, options, true);
        const known = { ...file.profile, ...without.profile };
        const withProfile = await certify({ ...described, profile: known }, odd, options, false);
        const remains: string[] = [];
        for (const { run } of [without, withProfile]) remains.push(...(await left(run)));
        return {
          differences: differences.length,
          observed: gapIds.filter((gap) => gap in known).length,
          alarms: [without.alarms, [...withProfile.alarms, ...remains.map((thing) => `${thing} is left`)]],
          durationMs: performance.now() - started,
        };
      }),
    );
  } finally {
    await emulator.close();
  }
}

/** Certifies a deployment, and observes it where that is asked for. */
async function certify(file: TargetFile, fetch: Fetch, options: Options, observes: boolean) {
  const target = createTargetFromFile({ file, fetch });
  const run = generateRunId();
  let profile: TargetFile["profile"] = {};
  const certification = new Certification({
    ...options,
    target,
    ledger: Ledger.begin(run, target.baseUrl),
    afterChecks: async (prepared) => {
      if (observes) profile = buildObservedProfile(await observeGaps(prepared), target.baseUrl, "2026-01-01");
    },
  });
  const { verdict, troubles, results } = await certification.certify();
  const alarms = results.flatMap(({ check, level, reason = "" }) =>
    level === "passed" || level === "not-declared" ? [] : [`${check.id}: ${level}: ${reason}`],
  );
  if (verdict !== "conformant") alarms.push(verdict, ...troubles);
  return { run, profile, alarms };
}
