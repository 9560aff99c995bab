import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildReport } from "../../conformance/report/build-report.js";
import type { Report } from "../../conformance/report/report.js";
import { mergeReports } from "../../conformance/report/merge-reports.js";
import { mutants } from "../../conformance/mutants/register.js";
import { Certification } from "../../conformance/run/certification.js";
import { selectChecks } from "../../conformance/run/select-checks.js";
import type { Shard } from "../../conformance/run/shard.js";
import { createEmulatorTarget } from "../../conformance/target/emulator-target.js";
import { Ledger } from "../../conformance/target/ledger.js";
import { createEmulator, type Emulator } from "../../emulator/api/emulator.js";

/** Areas with checks that depend on each other, part of the access matrix, and a check that fails on the mutant. */
const only = ["session", "health", "plans", "isolation"];
const broken = mutants.find(({ id }) => id === "plans/no-enterprise");

let emulator: Emulator;
let number = 0;
beforeAll(async () => {
  emulator = await createEmulator();
});
afterAll(() => emulator.close());

async function reportOf({ shard, isBroken }: { shard?: Shard; isBroken: boolean }): Promise<Report> {
  const id = `cfshards${String(number++).padStart(2, "0")}`;
  const fetch = isBroken && broken !== undefined ? broken.wrap(emulator.fetch) : emulator.fetch;
  const target = await createEmulatorTarget({ url: "http://localhost", fetch, run: id });
  const certification = new Certification({
    target,
    ledger: Ledger.create(id, target.baseUrl),
    seed: 5,
    runs: 2,
    checks: selectChecks(only),
    ...(shard === undefined ? {} : { shard }),
  });
  const outcome = await certification.certify();
  const { recorder, secrets } = certification.run;
  const report = buildReport({
    outcome,
    target,
    id,
    seed: 5,
    runs: 2,
    only,
    recorder,
    secrets,
    ...(shard === undefined ? {} : { shard }),
  });
  return JSON.parse(JSON.stringify(report)) as Report;
}

const shardsOf = async (count: number, isBroken: boolean) => {
  const reports: Report[] = [];
  for (let index = 1; index <= count; index++)
    reports.push(await reportOf({ shard: { index, count }, isBroken }));
  return reports;
};

/** Returns the results in a report, without times and names. */
function findings({ verdict, counts, areas, parts, accessMatrix, checks, operations, run }: Report) {
  return {
    verdict,
    counts,
    areas,
    parts,
    accessMatrix,
    checks: checks.map(({ id, level, reason, failure }) => [
      id,
      level,
      reason?.replaceAll(/cfshards\d\d/g, "run"),
      failure?.clause,
      failure?.sameAs,
    ]),
    operations: operations.map(({ operationId, responses }) => [operationId, responses > 0]),
    only: run.only,
  };
}

describe("shards", () => {
  it.each([false, true])("merge to the result of the whole run (broken: %s)", async (isBroken) => {
    const whole = await reportOf({ isBroken });
    const shards = await shardsOf(3, isBroken);
    expect(findings(mergeReports(shards.toReversed()))).toEqual(findings(whole));
    expect(whole.verdict).toBe(isBroken ? "not conformant" : "conformant");
    // a shard's verdict depends only on its own checks
    const verdicts = shards.map(({ verdict }) => verdict);
    expect(verdicts.filter((verdict) => verdict === "not conformant").length).toBe(isBroken ? 1 : 0);
    expect(verdicts.filter((verdict) => verdict === "conformant").length).toBe(isBroken ? 2 : 3);
  });

  it("merge only if complete and of one run", async () => {
    const [one, two] = await shardsOf(2, false);
    if (one === undefined || two === undefined) throw new Error("no shards");
    const refused = (reports: readonly Report[]) => () => mergeReports(reports);
    expect(refused([one])).toThrow("shard 2/2 is missing");
    expect(refused([one, two, two])).toThrow("shard 2/2 was given more than once");
    expect(refused([one, { ...two, run: { ...two.run, seed: 6 } }])).toThrow(
      "the seed is 5 in one report and 6 in another",
    );
    const run = { ...two.run, shard: undefined };
    expect(refused([one, JSON.parse(JSON.stringify({ ...two, run })) as Report])).toThrow(
      "is not from a shard; merge only reports of runs with --shard",
    );
    expect(refused([])).toThrow("no reports to merge");
  });
});
