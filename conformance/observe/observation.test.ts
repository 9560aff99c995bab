import { describe, expect, it } from "vitest";
import { gapIds, type GapId } from "../../openapi/gaps/register.js";
import { parseProfile } from "../../openapi/document/parse-profile.js";
import { Ledger } from "../target/ledger.js";
import { generateRunId } from "../run/run-id.js";
import { Run } from "../run/runner.js";
import { createTargetFromFile } from "../target/file-target.js";
import type { TargetFile } from "../target/target-file.js";
import { type Observation, observeGaps, addGapDependencies } from "./observation.js";
import { buildObservedProfile } from "./observed-profile.js";
import { formatObservations } from "../report/observed-findings.js";
import { observers } from "./register.js";
import type { GapObserver } from "./observer.js";
import { toReportedObservation } from "./reported-observation.js";
import { ForeignDeployment, foreignOwner } from "./testing/foreign-deployment.js";
import { findRoundestNumber } from "./databases.js";

const baseUrl = "http://foreign.example";
const file: TargetFile = {
  baseUrl,
  users: { owner: foreignOwner },
  region: "moon-1",
  capabilities: ["create-databases"],
  politeness: { requestsPerSecond: 100_000 },
};

/** Gaps that the foreign deployment has an answer to. */
const only: readonly GapId[] = [
  "validation-status",
  "error-body",
  "page-limit-max",
  "unauthenticated-status",
  "missing-resource-status",
  "database-ready",
  "too-large-status",
  "put-item-route",
  "condition-failed-status",
  "delete-missing-item-status",
  "item-updated-at",
  "sql-filtering",
  "rate-limit",
];

async function observe({ fetch }: Pick<ForeignDeployment, "fetch">, gaps = only) {
  const target = createTargetFromFile({ file, fetch });
  const run = new Run({
    target,
    ledger: Ledger.create(generateRunId(), baseUrl),
    seed: 1,
    runs: 1,
    confirms: false,
  });
  await run.prepare();
  const observations = await observeGaps(run, { only: gaps });
  const left = await run.cleanUp();
  return { observations, left, secrets: run.secrets };
}

function findObservation(observations: readonly Observation[], gap: GapId): Observation {
  const found = observations.find((one) => one.gap === gap);
  if (found === undefined) throw new Error(`${gap} was not observed`);
  return found;
}

describe("observing a server that is not the emulator", () => {
  it("finds the listed answers, and shows the exchange for other ones", async () => {
    const deployment = new ForeignDeployment();
    const { observations, left, secrets } = await observe(deployment);
    const answers = Object.fromEntries(
      observations.flatMap((one) => (one.kind === "answer" ? [[one.gap, one.answer]] : [])),
    );
    expect(answers).toMatchObject({
      "page-limit-max": 500,
      "unauthenticated-status": 401,
      "database-ready": "next-request",
      "put-item-route": "PUT /items",
      "condition-failed-status": 423,
      "delete-missing-item-status": 410,
      "item-updated-at": "each-put",
    });
    const body = findObservation(observations, "error-body");
    expect(body).toMatchObject({
      kind: "other",
      actual: expect.stringContaining('"reason":"what a name"') as string,
    });
    expect(body.exchanges.some(({ answer }) => answer?.body.includes("what a name"))).toBe(true);
    const text = formatObservations(observations.map((one) => toReportedObservation(one, secrets)));
    expect(text).toContain("  error-body\n    What body do error responses have");
    expect(text).toContain("what a name");
    expect(text).toMatch(/Answers that differ from the default profile\n {2}page-limit-max .*\? 500\n/);
    expect(text).toMatch(/\n {2}condition-failed-status .*\? 423\n/);
    expect(text).not.toContain(foreignOwner.password);
    expect([left, [...deployment.databases]]).toEqual([[], []]);
  });

  it("says what the target does not offer, and what could not be observed", async () => {
    const { observations } = await observe(new ForeignDeployment());
    for (const gap of ["sql-filtering", "rate-limit", "missing-resource-status"] as const)
      expect([gap, findObservation(observations, gap).kind]).toEqual([gap, "not declared"]);
  });

  it("lists a broken clause apart from the other undecided gaps", async () => {
    const { fetch } = new ForeignDeployment();
    const failing: typeof fetch = (address, init) =>
      address.endsWith("/query") ? Promise.resolve(new Response("", { status: 500 })) : fetch(address, init);
    const { observations, secrets } = await observe({ fetch: failing }, ["page-limit-max"]);
    const text = formatObservations(observations.map((one) => toReportedObservation(one, secrets)));
    expect(text).toMatch(
      /^Broken clauses: .*\n {2}page-limit-over {2}ITEM-28: .*\n\nUndecided\n {2}page-limit-max {2}queryItems returned 500/,
    );
    expect(text).toContain("2 undecided (1 because of broken clauses)");
  });

  it("does not mistake a ban on deletions for the answer to a missing item", async () => {
    const { fetch } = new ForeignDeployment();
    const forbidding: typeof fetch = (address, init) =>
      init.method === "DELETE" && address.includes("/items/")
        ? Promise.resolve(new Response("", { status: 403 }))
        : fetch(address, init);
    const gap = "delete-missing-item-status";
    const { observations } = await observe({ fetch: forbidding }, [gap]);
    expect(findObservation(observations, gap)).toMatchObject({ kind: "undecided" });
  });

  it("gives the same valid profile every time", async () => {
    const deployment = new ForeignDeployment();
    const [first, second] = [await observe(deployment), await observe(deployment)];
    const made = buildObservedProfile(first.observations, `${baseUrl}/?key=secret`, "2026-01-01");
    expect(buildObservedProfile(second.observations, baseUrl, "2026-01-01")).toEqual(made);
    // the date is that of the first observation
    expect(buildObservedProfile(second.observations, baseUrl, "2026-02-02", made)).toEqual(made);
    expect(made.$origin).toMatchObject({
      deployment: baseUrl,
      open: expect.arrayContaining(["error-body"]) as string[],
    });
    const read = parseProfile(made);
    expect(read).toMatchObject({ profile: { "condition-failed-status": 423, "error-body": "problem" } });
  });
});

describe("the table of observers", () => {
  it("has no circular dependencies", () => {
    const ordered = addGapDependencies(gapIds);
    expect(ordered.toSorted()).toEqual(gapIds.toSorted());
    for (const gap of gapIds) {
      const { after = [], hidden = [] }: GapObserver = observers[gap];
      for (const before of [...after, ...hidden.map(({ by }) => by)])
        expect(ordered.indexOf(before)).toBeLessThan(ordered.indexOf(gap));
    }
  });

  it("observes the dependencies of a selected gap, and nothing else", () => {
    expect(addGapDependencies(["page-limit-max"])).toEqual(["page-limit-over", "page-limit-max"]);
  });
});

describe("a time that was measured", () => {
  it.each([
    [4800, 5040, 5000],
    [0, 7, 7],
    [940, 1010, 1000],
    [3.2, 3.4, 3],
    [1234, 1236, 1236],
  ])("above %d and at most %d is %d", (above, atMost, expected) => {
    expect(findRoundestNumber(above, atMost)).toBe(expected);
  });
});
