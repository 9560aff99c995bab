import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compareDeployments, type CompareOptions } from "../../conformance/compare/compare-deployments.js";
import { formatComparison } from "../../conformance/compare/format-comparison.js";
import { formatAcceptedCauses, parseAcceptedCauses } from "../../conformance/compare/accepted-causes.js";
import { combinedChecks } from "../../conformance/subjects/combined-checks.js";
import {
  compareEmulators,
  type EmulatorEndpoint,
  recordEmulatorHistories,
} from "../development/compare/compare-emulators.js";
import { selectRecordedChecks } from "../../conformance/subjects/subjects.js";
import { toObserverChecks } from "../../conformance/observe/observation.js";
import { mutants } from "../../conformance/mutants/register.js";
import { writeComparison } from "../../conformance/report-files/write-reports.js";
import type { Fetch } from "../../conformance/client/exchange.js";
import { createEmulator, type Emulator } from "../../emulator/api/emulator.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { demoPassword, demoTarget, createDemoUser } from "./testing/demo-target.js";
import { disguiseIds } from "./testing/disguise.js";

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

/** Compares a new emulator, possibly behind a wrapper, with the demo emulator. */
async function compareWithDemo(
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

const some = ["health", "items/put-get-delete", "databases/pages", "item-updated-at"];

describe("compare", () => {
  it("finds nothing between two emulators with the same profile, and cleans up", async () => {
    const report = await compareWithDemo({}, { only: some });
    expect(report).toMatchObject({ verdict: "same", causes: [], errors: [], leftBehind: [] });
    expect(report.counts.responses).toBeGreaterThan(20);
    expect(second.namespaces.list().map(({ name }) => name)).toEqual(["default"]);
  });

  it("finds nothing behind a relay with different ids, cursors, times and field order", async () => {
    const lists = ["entities/pages", "items/query-partition", "items/scan", "sql/pages"];
    const areas = ["batches", "members", "repositories"];
    const report = await compareWithDemo({ wrap: disguiseIds }, { only: [...some, ...areas, ...lists] });
    expect(report).toMatchObject({ verdict: "same", causes: [], errors: [] });
  }, 600_000);

  it("reports a missing field once for all operations, with a short history", async () => {
    const report = await compareWithDemo(
      { profile: { "item-updated-at": "never" } },
      { only: some.slice(1) },
    );
    expect(report.verdict).toBe("different");
    const found = report.causes.find(({ pointer }) => pointer?.endsWith("/updatedAt"));
    expect(found).toMatchObject({
      isReproduced: true,
      brokenClauses: [],
      omittedExchanges: 0,
    });
    expect(found?.exchanges.length).toBeLessThanOrEqual(4);
    const grid = new Map(report.operations.map((operation) => [operation.operationId, operation]));
    expect(grid.get("putItem")).toMatchObject({ state: "differs" });
    expect(grid.get("getHealth")).toMatchObject({ state: "not compared" });
  });

  it("reports a different route once for all items, by its parameters", async () => {
    const route = "PUT /v1/{databaseId}/records/{pk}[/{sk}]";
    const report = await compareWithDemo(
      { profile: { "put-item-route": route } },
      { only: some.slice(1, 2) },
    );
    const routes = report.causes.filter(({ cause }) => cause.includes("route"));
    expect(routes).toHaveLength(1);
    expect(routes[0]?.first).toContain("/v1/{databaseId}/records/{pk}");
    expect(routes[0]?.second).toBe("PUT /api/v1/databases/{databaseId}/items");
    expect(routes[0]?.gaps).toEqual(["put-item-route"]);
  });

  it("says that an area does not include gaps, and finds and names a gap that was selected", async () => {
    const profile = { "page-limit-max": 100 };
    const area = await compareWithDemo({ profile }, { only: ["items/put-get-delete"] });
    expect(area.verdict).toBe("same");
    expect(formatComparison(area)).toContain(
      "gaps were not compared, because `--only` names none; add the ids",
    );
    const gaps = await compareWithDemo({ profile }, { only: ["page-limit-max", "scan-order"] });
    expect(gaps.omitted).toEqual([]);
    expect(gaps.causes).not.toEqual([]);
    for (const cause of gaps.causes) expect(cause.gaps).toContain("page-limit-max");
  });

  it("compares no numbers that may follow from a request that only one target carried out", async () => {
    const options = { only: ["items/scan", "item-updated-at"] };
    const profile = { "page-limit-max": 50, "item-updated-at": "never" } as const;
    const report = await compareWithDemo({ profile }, options);
    expect(report.causes.map(({ cause }) => cause)).toContainEqual(expect.stringContaining("limit"));
    expect(report.causes.filter(({ cause }) => cause.startsWith("UsageMetrics"))).toEqual([]);
    expect(report.causes.some(({ pointer }) => pointer?.endsWith("/updatedAt"))).toBe(true);
    expect(report.run.only).toEqual(options.only);
  });

  it("passes for accepted causes, fails for new ones, and names those that are gone", async () => {
    const withMore =
      (names: readonly string[]) =>
      (fetch: Fetch): Fetch =>
      async (address, init) => {
        const response = await fetch(address, init);
        if (response.status !== 404 || address.includes("_emulator")) return response;
        const body = (await response.json()) as Record<string, unknown>;
        const headers = new Headers(response.headers);
        headers.delete("content-length");
        const more = Object.fromEntries(names.map((name) => [name, "x"]));
        return new Response(JSON.stringify({ ...body, ...more }), { status: 404, headers });
      };
    const only = ["items/put-get-delete", "databases/life"];
    const first = await compareWithDemo({ wrap: withMore(["traceId"]) }, { only });
    const [cause, ...others] = first.causes;
    expect(others).toEqual([]);
    expect(cause?.cause).toBe("traceId: only on the first side");
    expect(cause?.operations.length).toBeGreaterThan(2);
    const text = formatAcceptedCauses([{ cause: cause?.cause ?? "" }], []);
    const options = { only, accepted: parseAcceptedCauses(text, "differences.yaml") };
    expect(await compareWithDemo({ wrap: withMore(["traceId"]) }, options)).toMatchObject({
      verdict: "accepted",
      counts: { newCauses: 0 },
    });
    const more = await compareWithDemo({ wrap: withMore(["traceId", "hint"]) }, options);
    expect(more).toMatchObject({ verdict: "different", counts: { newCauses: 1 } });
    expect(more.causes[0]?.cause).toBe("hint: only on the first side");
    // with only some histories, accepted causes may not occur
    expect(await compareWithDemo({}, options)).toMatchObject({ verdict: "same", acceptedNotFound: [] });
  });

  it("names the clause that a faulty deployment breaks, and writes a script for each side", async () => {
    const fault = mutants.find(({ id }) => id === "items/putItem-answers-201");
    const report = await compareWithDemo(
      { wrap: fault?.wrap ?? ((fetch) => fetch) },
      { only: ["items/put-get-delete"] },
    );
    const [found, ...others] = report.causes;
    expect(others).toEqual([]);
    expect(found).toMatchObject({ operations: [{ operation: "putItem" }], first: "201", second: "200" });
    expect(found?.brokenClauses).toMatchObject([{ clause: "ITEM-01" }]);
    expect(found?.exchanges).toHaveLength(1);
    expect(found?.curl).toContain("curl");
    // an accepted cause counts as new if it breaks a clause that the entry does not list
    const accepted = [{ cause: found?.cause ?? "", reason: "known" }];
    const wrap = fault?.wrap ?? ((fetch: Fetch) => fetch);
    const options = { only: ["items/put-get-delete"], accepted };
    expect(await compareWithDemo({ wrap }, options)).toMatchObject({ verdict: "different" });
    const known = [{ cause: found?.cause ?? "", reason: "known", breaks: ["ITEM-01"] }];
    expect(await compareWithDemo({ wrap }, { ...options, accepted: known })).toMatchObject({
      verdict: "accepted",
    });
    const paths = writeComparison(folder, report);
    const text = [formatComparison(report), ...paths.map((path) => readFileSync(path, "utf8"))].join("\n");
    expect(text).toContain("ITEM-01");
    expect(text).not.toMatch(/eyJ[\w-]+\.[\w-]+\./);
    expect(text).not.toContain("certify-password");
  });

  it("finds a condition that is dropped in reverse order", async () => {
    const ignoring =
      (fetch: Fetch): Fetch =>
      (address, init) => {
        if (!address.endsWith("/items/query")) return fetch(address, init);
        const body = JSON.parse(init.body as string) as Record<string, unknown>;
        if (body.scanForward === false) delete body.sortKeyCondition;
        return fetch(address, { ...init, body: JSON.stringify(body) });
      };
    const report = await compareWithDemo({ wrap: ignoring }, { only: ["items/combined-queries"] });
    expect(report.verdict).toBe("different");
    expect(
      new Set(report.causes.flatMap(({ operations }) => operations.map(({ operation }) => operation))),
    ).toEqual(new Set(["queryItems"]));
  });

  it("compares a deployment described by a target file, without a control plane", async () => {
    const demo = await createEmulator({ journal: false, clock: "system" });
    const fetch: Fetch = (address, init) => {
      if (new URL(address).pathname.includes("/_emulator"))
        throw new Error(`${address} is none of the contract's`);
      return demo.fetch(address, init);
    };
    const before = demo.state().counts;
    const token = demo.token({ email: "owner@demo.test", organizationId: "org_demo_pro" });
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const sendOrganization = async (init: RequestInit) =>
      (await demo.fetch("/api/v1/organizations/org_demo_pro", { ...init, headers })).json();
    const settable = JSON.stringify({ billingEmail: "bills@demo.test", settings: { requireMfa: true } });
    const organization = (await sendOrganization({ method: "PUT", body: settable })) as object;
    const report = await compareDeployments({
      first: { target: demoTarget, fetch },
      second: { emulator: url, fetch: second.fetch },
      ledgerDir: folder,
      only: [...some, "health/unhealthy", "organizations/update", "access/role-owner"],
    });
    expect(report.causes).toEqual([]);
    expect(report).toMatchObject({ verdict: "same", errors: [], leftBehind: [] });
    // checks that need a control plane are omitted
    expect(report.omitted.map(({ id }) => id)).toContain("health/unhealthy");
    expect(demo.state().counts).toEqual({ ...before, organizations: demo.state().counts.organizations });
    expect(await sendOrganization({})).toEqual({ ...organization, updatedAt: expect.any(String) as string });
    expect(JSON.stringify(report)).not.toContain(demoPassword);
    await demo.close();
  });

  it("distinguishes data given to its accounts from earlier data", async () => {
    const demo = await createEmulator({ journal: false, profile: { "free-subscription": 404 } });
    const other = await createEmulator({
      fixture: "empty",
      journal: false,
      profile: { "free-subscription": 404 },
    });
    const owner = { ...createDemoUser("owner"), organizationId: "other-org_demo_pro" };
    const report = await compareDeployments({
      first: {
        target: { ...demoTarget, users: { ...demoTarget.users, owner } },
        fetch: disguiseIds(demo.fetch),
      },
      second: { emulator: url, fetch: other.fetch },
      ledgerDir: folder,
      only: [
        "members/list",
        "isolation/lists",
        "organizations/create",
        "ceiling-status",
        "free-subscription",
      ],
    });
    expect(report.causes).toEqual([]);
    expect(report).toMatchObject({ verdict: "same", errors: [], leftBehind: [] });
    await Promise.all([demo.close(), other.close()]);
  });

  it("does not compare personal organizations", async () => {
    const profile = { "new-organization-plan": "pro" } as const;
    const demo = await createEmulator({ journal: false, profile });
    const other = await createEmulator({ fixture: "empty", journal: false, profile });
    const path = `${url}/_emulator/organizations/org_personal_owner`;
    const body = JSON.stringify({ plan: "enterprise" });
    await demo.fetch(path, { method: "PATCH", headers: { "content-type": "application/json" }, body });
    const users = { owner: createDemoUser("owner"), outsider: createDemoUser("outsider") };
    const report = await compareDeployments({
      first: { target: { ...demoTarget, users }, fetch: disguiseIds(demo.fetch) },
      second: { emulator: url, fetch: other.fetch },
      ledgerDir: folder,
      only: ["organizations/update", "ceiling-status", "free-subscription"],
    });
    expect(report.causes).toEqual([]);
    expect(report).toMatchObject({ verdict: "same", errors: [], leftBehind: [] });
    await Promise.all([demo.close(), other.close()]);
  });

  it("ignores differences that follow from plans and invoices, but no failures", async () => {
    const demo = await createEmulator({ journal: false });
    const target = { ...demoTarget, capabilities: [...(demoTarget.capabilities ?? []), "checkout" as const] };
    const comparedBehind = (wrap: (fetch: Fetch) => Fetch) =>
      compareDeployments({
        first: { target, fetch: wrap(demo.fetch) },
        second: { emulator: url, fetch: second.fetch },
        ledgerDir: folder,
        only: ["billing/checkout", "billing/checkout-by-role", "billing/trial-dates"],
      });
    const report = await comparedBehind((fetch) => fetch);
    expect(report.causes).toEqual([]);
    expect(report).toMatchObject({ verdict: "same", errors: [], leftBehind: [] });
    expect(report.operations.find(({ operationId }) => operationId === "createCheckout")?.state).toBe("same");
    const failing = await comparedBehind(
      (fetch) => async (address, init) =>
        address.endsWith("/checkout") ? new Response(null, { status: 500 }) : fetch(address, init),
    );
    expect(failing.causes.map(({ cause }) => cause)).toContainEqual(
      expect.stringContaining("createCheckout"),
    );
    await demo.close();
  });

  it("replays recorded traffic", async () => {
    const recording = await createEmulator({ fixture: "demo" });
    const headers = { authorization: "Bearer dsk_demo_all", "content-type": "application/json" };
    const items = `${url}/api/v1/databases/db_demo/items`;
    const send = (method: string, target: string, body?: object) =>
      recording.fetch(target, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    for (const sk of ["a", "b", "c"]) await send("PUT", items, { pk: "recorded", sk, data: { sk } });
    const page = (await (
      await send("POST", `${items}/query`, { partitionKey: "recorded", limit: 2 })
    ).json()) as { nextCursor: string };
    await send("POST", `${items}/query`, { partitionKey: "recorded", limit: 2, cursor: page.nextCursor });
    await send("POST", `${items}/transact/get`, { items: [{ pk: "recorded", sk: "a" }] });
    const har = join(folder, "session.har");
    writeFileSync(har, await (await recording.fetch(`${url}/_emulator/journal?format=har`, {})).text());
    await recording.close();
    const same = await compareWithDemo({}, { har });
    expect(same).toMatchObject({
      verdict: "same",
      errors: [],
      run: { sequences: 1 },
      counts: { responses: 6, different: 0 },
    });
    const other = await compareWithDemo({ profile: { "transact-get-item": "record" } }, { har });
    expect(other.causes).toMatchObject([
      { pointer: "/items/0/item/pk", operations: [{ operation: "transactGetItems" }], statuses: ["200"] },
    ]);
  });

  describe("of recorded traffic", () => {
    const items = `${url}/api/v1/databases/db_demo/items`;
    const headers = [
      { name: "Authorization", value: "Bearer dsk_demo_all" },
      { name: "Content-Type", value: "application/json" },
    ];
    const entry = (method: string, address: string, status: number, body?: object) => ({
      request: { method, url: address, headers, postData: { text: JSON.stringify(body) } },
      response: { status, headers, content: { text: "{}" } },
    });
    const put = (pk: string) => entry("PUT", items, 200, { pk, data: {} });
    const wrongQuery = entry("POST", `${items}/query`, 400, { partitionKey: "b", limit: "all" });
    const wrongStatus = { "validation-status": 422 } as const;
    const record = (...entries: readonly object[]) => {
      const har = join(folder, "traffic.har");
      writeFileSync(har, JSON.stringify({ log: { entries } }));
      return { har };
    };

    /** Creates an entry with a token and a response body. */
    const answered = (method: string, path: string, answer: object, body?: object, token = "none") => {
      const { request, response } = entry(method, `${url}${path}`, 200, body);
      const authorization = { name: "Authorization", value: `Bearer ${token}` };
      return {
        request: { ...request, headers: [...headers.slice(1), authorization] },
        response: { ...response, content: { text: JSON.stringify(answer) } },
      };
    };

    it("compares the whole session of an app that logs in", async () => {
      const session = (token: string) => ({ accessToken: token, refreshToken: `${token}-refresh` });
      const organization = { organizationId: "org_recorded" };
      const login = { email: "recorded@demo.test", password: "recorded-password" };
      const path = "/api/v1/databases/db_recorded/items";
      const options = record(
        answered("POST", "/auth/password", { status: "Success", authResponse: session("token-1") }, login),
        answered("PUT", path, {}, { pk: "a", data: {} }, "token-1"),
        answered("POST", "/auth/switch-organization", session("token-2"), organization, "token-1"),
        answered("GET", `${path}/a`, {}, undefined, "token-2"),
      );
      const statuses: number[] = [];
      const wrap =
        (fetch: Fetch): Fetch =>
        async (address, init) => {
          const response = await fetch(address, init);
          if (/\/items(\/a)?$|switch/.test(address)) statuses.push(response.status);
          return response;
        };
      const report = await compareWithDemo({ wrap }, options);
      expect(report).toMatchObject({ verdict: "same", errors: [], counts: { responses: 4 } });
      expect(new Set(statuses)).toEqual(new Set([200]));
    });

    it("is inconclusive if a target has not returned a value that a request contains", async () => {
      const listed = { databases: [{ databaseId: "db_first" }, { databaseId: "db_second" }] };
      const options = record(
        answered("GET", "/api/v1/management/databases", listed),
        answered("GET", "/api/v1/databases/db_second/items/a?x=1", {}),
      );
      const report = await compareWithDemo({}, options);
      const address = `${url}/api/v1/databases/db_second/items/a`;
      const reason = `1 of 2 requests is not sent (reason: contains a value that a target has not returned), such as GET ${address}`;
      expect(report).toMatchObject({ verdict: "inconclusive", counts: { responses: 1, skipped: 0 } });
      expect(report.errors).toEqual([{ id: "har/traffic.har", reason }]);
    });

    it("continues after a missing item if the item is missing in both targets again", async () => {
      const other = entry("GET", "https://cdn.example/app.js?token=1", 200);
      const options = record(
        other,
        entry("DELETE", `${items}/b`, 204),
        put("b"),
        entry("GET", `${items}/b`, 200),
        wrongQuery,
      );
      const profile = { ...wrongStatus, "delete-missing-item-status": 404 } as const;
      const report = await compareWithDemo({ profile }, options);
      expect(report).toMatchObject({ verdict: "different", errors: [], counts: { responses: 4 } });
      expect(report.causes).toMatchObject([
        // in the second run, the item exists in both targets
        { first: "404", second: "204", isReproduced: false, gaps: ["delete-missing-item-status"] },
        { first: "422", second: "400", isReproduced: true, gaps: ["validation-status"] },
      ]);
      const reason = "1 of 5 requests is for other services, such as GET https://cdn.example/app.js";
      expect(report.omitted).toEqual([{ id: "har/traffic.har", reason }]);
      expect(formatComparison(report)).toContain(`Left out\n  har/traffic.har  ${reason}\n`);
    });

    it("reports requests that were not compared because an earlier one succeeded on one side only", async () => {
      const wrap =
        (fetch: Fetch): Fetch =>
        async (address, init) => {
          const isRefused = init.method === "PUT" && (init.body as string).includes('"a"');
          return isRefused ? new Response("{}", { status: 403 }) : fetch(address, init);
        };
      const options = record(
        put("a"),
        entry("GET", `${items}/a`, 200),
        entry("POST", `${items}/scan`, 200, {}),
        put("b"),
        entry("GET", `${items}/b`, 200),
        entry("POST", `${items}/find`, 404),
      );
      const report = await compareWithDemo({ wrap }, options);
      const [cause, ...others] = report.causes;
      expect(others).toEqual([]);
      expect(cause).toMatchObject({ first: "403", second: "200" });
      const accepted = [{ cause: cause?.cause ?? "", reason: "known" }];
      expect(await compareWithDemo({ wrap }, { ...options, accepted })).toMatchObject({
        verdict: "inconclusive",
        counts: { responses: 3, skipped: 2 },
        errors: [
          { reason: `1 of 6 requests is not for a known operation at ${url}, such as POST ${items}/find` },
        ],
      });
      expect(formatComparison(report)).toContain(
        "\n2 requests not compared, because an earlier request that they may depend on succeeded on",
      );
    });
  });

  it("reports differences in members of a deleted organization", async () => {
    const profile = { "deleted-organization": "shown", "new-organization-plan": "pro" } as const;
    const first = await createEmulator({ fixture: "empty", journal: false, profile });
    const other = await createEmulator({ fixture: "empty", journal: false, profile });
    try {
      const known = await recordEmulatorHistories(
        { url, fetch: other.fetch },
        {
          checks: selectRecordedChecks(["sequences/role-changed", "deleted-organization"]),
          seed: 1,
          runs: 1,
        },
      );
      const { histories } = known;
      const sides = [
        { url, fetch: first.fetch },
        { url, fetch: other.fetch },
      ] as const;
      expect(histories).toHaveLength(4);
      expect(await compareEmulators(sides, histories, false)).toMatchObject({
        differences: [],
        troubles: [],
        left: 0,
      });
    } finally {
      await Promise.all([first.close(), other.close()]);
    }
  });

  it("finds when databases are ready, and the ids of members", async () => {
    const gaps = ["database-ready", "member-id"] as const;
    const { histories } = await recordEmulatorHistories(
      { url, fetch: second.fetch },
      { checks: toObserverChecks(gaps), seed: 1, runs: 1 },
    );
    const profile = { "database-ready": 5000, "member-id": "email" } as const;
    const first = await createEmulator({ fixture: "empty", journal: false, profile });
    const sides = [first, second].map(({ fetch }) => ({ url, fetch })) as [
      EmulatorEndpoint,
      EmulatorEndpoint,
    ];
    const { differences } = await compareEmulators(sides, histories, false);
    for (const gap of gaps) expect(differences.map(({ history }) => history)).toContain(`gaps/${gap}`);
    await first.close();
  });

  it("records a request once, however often it was throttled", async () => {
    const slow = await createEmulator({ fixture: "empty", journal: false, profile: { "rate-limit": 1 } });
    try {
      const recorded = await recordEmulatorHistories(
        { url, fetch: slow.fetch },
        { checks: selectRecordedChecks(["databases/ceiling"]), seed: 1, runs: 1 },
      );
      const bodies = recorded.histories.flatMap(({ steps }) =>
        steps.flatMap(({ exchange: { operationId, request } }) =>
          operationId === "createDatabase" ? (request.body ?? "") : [],
        ),
      );
      expect(bodies.length).toBeGreaterThan(3);
      expect(new Set(bodies).size).toBe(bodies.length);
    } finally {
      await slow.close();
    }
  });

  it("sends every pair of optional query fields", async () => {
    const recorded = await recordEmulatorHistories(
      { url, fetch: second.fetch },
      {
        checks: combinedChecks.filter(({ id }) => id === "items/combined-queries"),
        seed: 1,
        runs: 1,
      },
    );
    const bodies = recorded.histories.flatMap(({ steps }) =>
      steps.flatMap(({ exchange: { operationId, request } }) =>
        operationId === "queryItems" ? (request.body ?? "") : [],
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
