import { Command } from "commander";
import { escapeInvisible } from "../../../openapi/text/escape-invisible.js";
import { createOddDeployment } from "../../../conformance/mutants/odd-deployment.js";
import type { Fetch } from "../../../conformance/client/exchange.js";
import { buildObservedProfile } from "../../../conformance/observe/observed-profile.js";
import { observeGaps } from "../../../conformance/observe/observation.js";
import { Certification } from "../../../conformance/run/certification.js";
import { generateRunId } from "../../../conformance/run/run-id.js";
import { parseShard, type Shard } from "../../../conformance/run/shard.js";
import { createTargetFromFile } from "../../../conformance/target/file-target.js";
import { Ledger } from "../../../conformance/target/ledger.js";
import type { TargetFile } from "../../../conformance/target/target-file.js";
import { gapIds } from "../../../openapi/gaps/register.js";
import { ObservedEmulator } from "../observe/observed-emulator.js";
import { withSimulatedTime } from "../self-test/simulated-time.js";

/** Every difference processes every body, so large bodies take long. */
const bounds = { requestBytes: 6 * 1024 * 1024, requestsPerSecond: 0 };

interface Options {
  readonly seed: number;
  readonly runs: number;
  readonly mixture?: number;
  readonly shard?: Shard;
}

const options = new Command("conformance:odd-deployment")
  .description(
    "Certifies a deployment with many permitted differences, first without a profile and then with the observed profile.",
  )
  .option("--mixture <number>", "seed that selects half of the differences", Number)
  .option("--seed <number>", "seed of the checks", Number, 1)
  .option("--runs <number>", "number of inputs to try per property", Number, 3)
  .option("--shard <index/count>", "runs only one part of the checks, such as 2/4", parseShard)
  .parse()
  .opts<Options>();

const started = performance.now();
const { profile, target, wrap, differences } = createOddDeployment(options.mixture);
const { invitationDomain, ...timeouts } = target;
const emulator = await ObservedEmulator.prepare();
const { answers, alarms } = await emulator.withCopy(profile, ({ file, fetch, clock, findLeftovers }) =>
  withSimulatedTime(fetch, async (simulated) => {
    const { now } = clock.get();
    clock.mode("system");
    clock.set(now);
    const described: TargetFile = {
      ...file,
      ...(invitationDomain === undefined ? {} : { invitationDomain }),
      timeouts: { ...file.timeouts, ...timeouts },
      observe: { ...file.observe, bounds },
    };
    // both runs use the same deployment, including what it remembers
    const odd = wrap(simulated);
    const without = await certify(described, odd, true);
    const known = { ...file.profile, ...without.profile };
    const withProfile = await certify({ ...described, profile: known }, odd, false);
    const remains = [...(await findLeftovers(without.run)), ...(await findLeftovers(withProfile.run))];
    return {
      answers: gapIds.filter((gap) => gap in known).length,
      alarms: [
        ...without.alarms.map((alarm) => `without a profile   ${alarm}`),
        ...withProfile.alarms.map((alarm) => `with the profile    ${alarm}`),
        ...remains.map((thing) => `afterwards          ${thing} is left`),
      ],
    };
  }),
);
await emulator.close();
for (const alarm of alarms) console.log(escapeInvisible(alarm.slice(0, 500)));
console.log(
  `\nA deployment with ${differences.length} permitted differences: ${alarms.length} alarms, ` +
    `with ${answers} observed answers. ${((performance.now() - started) / 1000).toFixed(0)} s.`,
);
if (alarms.length > 0) process.exitCode = 1;

/** Certifies a deployment and, if requested, observes it. */
async function certify(file: TargetFile, fetch: Fetch, observes: boolean) {
  const target = createTargetFromFile({ file, fetch });
  const run = generateRunId();
  let profile: TargetFile["profile"] = {};
  const certification = new Certification({
    ...options,
    target,
    ledger: Ledger.create(run, target.baseUrl),
    afterChecks: async (prepared) => {
      if (observes) profile = buildObservedProfile(await observeGaps(prepared), target.baseUrl, "2026-01-01");
    },
  });
  const { verdict, errors, results } = await certification.certify();
  const alarms = results.flatMap(({ check, level, reason = "" }) =>
    level === "passed" || level === "not-declared" ? [] : [`${check.id}: ${level}: ${reason}`],
  );
  if (verdict !== "conformant") alarms.push(verdict, ...errors);
  return { run, profile, alarms };
}
