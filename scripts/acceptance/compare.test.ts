import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compareDeployments, type CompareOptions } from "../../conformance/compare/compare-deployments.js";
import { comparisonText } from "../../conformance/compare/comparison-text.js";
import { pairChecks } from "../../conformance/compare/pair-checks.js";
import { compareKnown, recordKnown } from "../../conformance/compare/self-test.js";
import { selectSubjects } from "../../conformance/compare/select-subjects.js";
import { mutants } from "../../conformance/mutants/register.js";
import { writeComparison } from "../../conformance/report-files/write-reports.js";
import type { Fetch } from "../../conformance/client/exchange.js";
import { createEmulator, type Emulator } from "../../emulator/api/emulator.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { disguised } from "../development/compare/disguise.js";
import { demoPassword, demoTarget, demoUser } from "./demo-target.js";

const url = "http://localhost";
let folder: string;
let second: Emulator;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "compare-"));
  second = await createEmulator({ fixture: "empty", journal: false });
});
afterAll(async () => {
  await second.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Compares an emulator of its own, or what stands in front of it, with the other one. */
async function compared(
  {
    profile = {},
    wrap = (fetch) => fetch,
  }: { readonly profile?: Partial<Profile>; readonly wrap?: (fetch: Fetch) => Fetch },
  options: Partial<CompareOptions>,
) {
  const first = await createEmulator({ fixture: "empty", journal: false, profile });
  try {
    return await compareDeployments({
      first: { emulator: url, fetch: wrap(first.fetch) },
      second: { emulator: url, fetch: second.fetch },
      ledgerDir: folder,
      ...options,
    });
  } finally {
    await first.close();
  }
}

const some = ["health", "items/put-get-delete", "databases/pairs-of-lists", "item-updated-at"];

describe("compare", () => {
  it("finds nothing between an emulator and another with the same profile, and leaves nothing", async () => {
    const { report } = await compared({}, { only: some });
    expect(report).toMatchObject({ verdict: "alike", differences: [], troubles: [], left: [] });
    expect(report.figure.answers).toBeGreaterThan(20);
    expect(second.namespaces.list().map(({ name }) => name)).toEqual(["default"]);
  });

  it("finds nothing behind a relay with other ids, cursors, times and another order of members", async () => {
    const { report } = await compared({ wrap: disguised }, { only: some });
    expect(report).toMatchObject({ verdict: "alike", differences: [], troubles: [] });
  });

  it("names the question where one answer differs, in the shortest history that shows it", async () => {
    const { report } = await compared({ profile: { "item-updated-at": "never" } }, { only: some.slice(1) });
    expect(report.verdict).toBe("different");
    const found = report.differences.find(({ place }) => place === "/updatedAt");
    expect(found).toMatchObject({
      operation: "putItem",
      place: "/updatedAt",
      statuses: [200, 200],
      cameBack: true,
    });
    expect(found?.judgement).toMatchObject({ kind: "gap", gap: "item-updated-at" });
    expect(found?.steps.length).toBeLessThanOrEqual(4);
  });

  it("names the clause that a faulty deployment breaks, and a script for either side", async () => {
    const fault = mutants.find(({ id }) => id === "items/put-created");
    const { report } = await compared(
      { wrap: fault?.wrap ?? ((fetch) => fetch) },
      { only: ["items/put-get-delete"] },
    );
    const [found, ...others] = report.differences;
    expect(others).toEqual([]);
    expect(found).toMatchObject({ operation: "putItem", place: "status", first: "201", second: "200" });
    expect(found?.judgement).toMatchObject({ kind: "clause", first: "ITEM-01" });
    expect(found?.steps).toHaveLength(1);
    expect(found?.scripts.first).toContain("curl");
    const paths = writeComparison(folder, report);
    const text = [comparisonText(report), ...paths.map((path) => readFileSync(path, "utf8"))].join("\n");
    expect(text).toContain("ITEM-01");
    expect(text).not.toMatch(/eyJ[\w-]+\.[\w-]+\./);
    expect(text).not.toContain("certify-password");
  });

  it("knows the hole of a condition that is dropped when the order is turned round", async () => {
    const ignoring =
      (fetch: Fetch): Fetch =>
      (address, init) => {
        if (!address.endsWith("/items/query")) return fetch(address, init);
        const body = JSON.parse(init.body as string) as Record<string, unknown>;
        if (body.scanForward === false) delete body.sortKeyCondition;
        return fetch(address, { ...init, body: JSON.stringify(body) });
      };
    const { report } = await compared({ wrap: ignoring }, { only: ["items/pairs-of-query"] });
    expect(report.verdict).toBe("different");
    expect(new Set(report.differences.map(({ operation }) => operation))).toEqual(new Set(["queryItems"]));
  });

  it("takes a deployment by its target file, with the control plane of the emulator hidden", async () => {
    const demo = await createEmulator({ journal: false, clock: "system" });
    const fetch: Fetch = (address, init) => {
      if (new URL(address).pathname.includes("/_emulator"))
        throw new Error(`${address} is none of the contract's`);
      return demo.fetch(address, init);
    };
    const before = demo.state().counts;
    const { report } = await compareDeployments({
      first: { target: demoTarget, fetch },
      second: { emulator: url, fetch: second.fetch },
      ledgerDir: folder,
      only: [...some, "health/unhealthy", "organizations/update"],
    });
    expect(report.differences).toEqual([]);
    expect(report).toMatchObject({ verdict: "alike", troubles: [], left: [] });
    // what takes a control plane is left out
    expect(report.leftOut.map(({ id }) => id)).toContain("health/unhealthy");
    expect(demo.state().counts).toEqual({ ...before, organizations: demo.state().counts.organizations });
    expect(JSON.stringify(report)).not.toContain(demoPassword);
    await demo.close();
  });

  it("knows what its accounts were given from what was there before, by the clock that it has", async () => {
    const demo = await createEmulator({ journal: false, profile: { "free-subscription": 404 } });
    const other = await createEmulator({
      fixture: "empty",
      journal: false,
      profile: { "free-subscription": 404 },
    });
    const owner = { ...demoUser("owner"), organizationId: "other-org_demo_pro" };
    const { report } = await compareDeployments({
      first: {
        target: { ...demoTarget, users: { ...demoTarget.users, owner } },
        fetch: disguised(demo.fetch),
      },
      second: { emulator: url, fetch: other.fetch },
      ledgerDir: folder,
      only: [
        "members/list",
        "isolation/lists",
        "sequences/organization-again",
        "ceiling-status",
        "free-plan-expiry",
      ],
    });
    expect(report.differences).toEqual([]);
    expect(report).toMatchObject({ verdict: "alike", troubles: [], left: [] });
    expect(report.given.map(({ place }) => place)).toContain("status of getPaymentInfo for outsider");
    await Promise.all([demo.close(), other.close()]);
  });

  it("goes through recorded traffic", async () => {
    const journaled = await createEmulator({ fixture: "demo" });
    const headers = { authorization: "Bearer dsk_demo_all", "content-type": "application/json" };
    const items = `${url}/api/v1/databases/db_demo/items`;
    const send = (method: string, target: string, body?: object) =>
      journaled.fetch(target, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    for (const sk of ["a", "b", "c"]) await send("PUT", items, { pk: "recorded", sk, data: { sk } });
    const page = (await (
      await send("POST", `${items}/query`, { partitionKey: "recorded", limit: 2 })
    ).json()) as { nextCursor: string };
    await send("POST", `${items}/query`, { partitionKey: "recorded", limit: 2, cursor: page.nextCursor });
    await send("POST", `${items}/batch/get`, { keys: [{ pk: "recorded", sk: "a" }] });
    const har = join(folder, "session.har");
    writeFileSync(har, await (await journaled.fetch(`${url}/_emulator/journal?format=har`, {})).text());
    await journaled.close();
    const same = await compared({}, { har });
    expect(same.report).toMatchObject({
      verdict: "alike",
      troubles: [],
      figure: { answers: 6, different: 0 },
    });
    const other = await compared({ profile: { "empty-list-members": "as-empty-array" } }, { har });
    expect(other.report.differences).toMatchObject([
      { operation: "batchGetItems", place: "/unprocessedKeys", statuses: [200, 200] },
    ]);
  });

  it("leaves nothing of an organization that is shown as deleted, and lets nobody remove its members", async () => {
    const profile = { "deleted-organization": "shown", "new-organization-plan": "pro" } as const;
    const first = await createEmulator({ fixture: "empty", journal: false, profile });
    const other = await createEmulator({ fixture: "empty", journal: false, profile });
    try {
      const known = await recordKnown(
        { url, fetch: other.fetch },
        { ...selectSubjects(["members/delete-organization"]), seed: 1, runs: 1 },
      );
      const { histories } = known.recorded;
      const sides = [
        { url, fetch: first.fetch },
        { url, fetch: other.fetch },
      ] as const;
      expect(histories).toHaveLength(1);
      expect(await compareKnown(sides, known, histories, false)).toMatchObject({
        differences: [],
        troubles: [],
        left: 0,
      });
    } finally {
      await Promise.all([first.close(), other.close()]);
    }
  });

  it("has a request once in a history, however often it was answered 429", async () => {
    const slow = await createEmulator({ fixture: "empty", journal: false, profile: { "rate-limit": 1 } });
    try {
      const { recorded } = await recordKnown(
        { url, fetch: slow.fetch },
        { ...selectSubjects(["databases/ceiling"]), seed: 1, runs: 1 },
      );
      const bodies = recorded.histories.flatMap(({ commands }) =>
        commands.flatMap(({ body, does }) =>
          does.kind === "call" && does.operationId === "createDatabase" ? [JSON.stringify(body)] : [],
        ),
      );
      expect(bodies.length).toBeGreaterThan(3);
      expect(new Set(bodies).size).toBe(bodies.length);
    } finally {
      await slow.close();
    }
  });

  it("sends any two optional members of a query together", async () => {
    const { recorded } = await recordKnown(
      { url, fetch: second.fetch },
      { checks: pairChecks.filter(({ id }) => id === "items/pairs-of-query"), gaps: [], seed: 1, runs: 1 },
    );
    const bodies = recorded.histories.flatMap(({ commands }) =>
      commands.flatMap(({ body = [], does }) =>
        does.kind === "call" && does.operationId === "queryItems"
          ? [body.map((part) => (typeof part === "string" ? part : "")).join("")]
          : [],
      ),
    );
    const members = ["sortKeyCondition", "scanForward", "filterExpression", "limit", "cursor"];
    for (const one of members)
      for (const other of members)
        expect(
          bodies.filter((body) => body.includes(`"${one}"`) && body.includes(`"${other}"`)).length,
          `${one} and ${other}`,
        ).toBeGreaterThan(0);
  });
});
