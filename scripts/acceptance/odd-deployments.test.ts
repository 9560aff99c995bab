import { afterEach, describe, expect, it } from "vitest";
import { variants } from "../../conformance/mutants/register.js";
import { callerWithUnknownCredential } from "../../conformance/client/client.js";
import { parseClaims } from "../../conformance/client/claims.js";
import { checks } from "../../conformance/checks/register.js";
import { Ledger } from "../../conformance/target/ledger.js";
import { Certification } from "../../conformance/run/certification.js";
import { cleanUpRun } from "../../conformance/run/cleanup.js";
import { Run } from "../../conformance/run/runner.js";
import type { Shard } from "../../conformance/run/shard.js";
import {
  changeBody,
  createErrorResponse,
  intercept,
  omitFields,
} from "../../conformance/mutants/intercept.js";
import { createSqlErrorResponse } from "../../conformance/mutants/sql.js";
import { tampers } from "../../conformance/mutants/tampers.js";
import { generateRunId } from "../../conformance/run/run-id.js";
import { selectChecks } from "../../conformance/run/select-checks.js";
import { createTargetFromFile } from "../../conformance/target/file-target.js";
import type { TargetFile } from "../../conformance/target/target-file.js";
import { mutants } from "../../conformance/mutants/register.js";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../emulator/api/emulator.js";
import { demoTarget, createDemoUser } from "./testing/demo-target.js";
import {
  addLatency,
  loseFirst,
  simulateGateway,
  respondGoneAfterDelete,
  serveStaleLists,
  type FetchWrapper,
  simulateRestart,
  revokeTokensAfterUses,
  revokeTokensOnOrganizationSwitch,
  throttleEveryNthRequest,
  throttleEachSecond,
} from "./testing/odd-deployments.js";
import { getResponseClause } from "../../openapi/operations/register.js";
import { withSimulatedTime } from "../development/self-test/simulated-time.js";

const file: TargetFile = { ...demoTarget, region: "eu-central-1" };

/**
 * Checks that read and write, send concurrent requests, and create and remove resources, and the access matrix for one
 * role.
 */
const names = [
  "items/put-get-delete",
  "items/query-partition",
  "items/scan",
  "sequences/serial-histories",
  "concurrency/one-winner",
  "databases/life",
  "organizations/create",
  "entities/life",
  "entities/generated-ids",
  "members/invite",
  "access/role-readonly",
];
const ofAllKinds = selectChecks(names, checks);

let emulator: Emulator;
afterEach(() => emulator.close());

/** Returns the numbers of all resources. */
function readCounts(): unknown {
  return emulator.state().counts;
}

/** Whether a request has the credential with which the suite finds out the status for a bad one. */
function hasUnknownCredential(headers: RequestInit["headers"]): boolean {
  const credential = callerWithUnknownCredential.credential ?? "";
  return new Headers(headers).get("Authorization")?.includes(credential) === true;
}

async function certify(
  oddity: FetchWrapper,
  options: EmulatorOptions = {},
  changes: Partial<TargetFile> = {},
  selected = ofAllKinds,
  shard?: Shard,
) {
  emulator = await createEmulator(options);
  const before = readCounts();
  const { outcome, ledger } = await withSimulatedTime(emulator.fetch, async (fetch) => {
    const target = createTargetFromFile({ file: { ...file, ...changes }, fetch: oddity(fetch) });
    const ledger = Ledger.create(generateRunId(), target.baseUrl);
    return {
      ledger,
      outcome: await new Certification({
        target,
        ledger,
        seed: 1,
        runs: 3,
        selected,
        ...(shard && { shard }),
      }).certify(),
    };
  });
  const blamed = outcome.results.flatMap(({ check, failure, reason }) =>
    failure === undefined ? [] : [`${check.id}: ${reason ?? ""}`],
  );
  const ofSelected = outcome.results.filter(({ check }) => selected.includes(check));
  const open = ofSelected.flatMap(({ check, level, reason = "" }) =>
    level === "passed" ? [] : [`${level} ${check.id}: ${reason}`],
  );
  return { ...outcome, blamed, open, left: ledger.remaining, same: [readCounts(), before] as const };
}

describe("a run against a deployment with temporary trouble", () => {
  const oddities: Readonly<Record<string, FetchWrapper>> = {
    "a gateway that loses requests and answers": simulateGateway({ lost: 89, cut: 211 }),
    "answers that take their time": addLatency(5),
    "throttling without Retry-After": throttleEveryNthRequest(40),
    "throttling by the second": throttleEachSecond(50),
    "a restart": simulateRestart({ at: 400, forMs: 300 }),
    "sessions that are revoked": revokeTokensAfterUses(150),
    "sessions that are revoked when their user is to switch": revokeTokensOnOrganizationSwitch(2, 7),
    "410 for what is deleted": respondGoneAfterDelete(),
  };

  it("tolerates delayed lists if the target file declares them", async () => {
    const { blamed, open, left, same } = await certify(
      serveStaleLists(50),
      {},
      { timeouts: { readLagMs: 80 } },
    );
    expect(blamed).toEqual([]);
    expect(open).toEqual([]);
    expect(left).toEqual([]);
    expect(same[0]).toEqual(same[1]);
  });

  it.each(["one-session", "two-sessions", "three-sessions"])(
    "passes if logins end earlier sessions: %s",
    async (name) => {
      const limited = variants.find(({ id }) => id === `everywhere/${name}`);
      if (limited?.wrap === undefined) throw new Error("the variant wraps the deployment");
      const { blamed, open } = await certify(limited.wrap, {}, {}, selectChecks(["session"], checks));
      expect(blamed).toEqual([]);
      expect(open.filter((line) => !line.startsWith("not-declared"))).toEqual([]);
    },
  );

  it.each(Object.entries(oddities))(
    "passes despite %s, and leaves nothing behind",
    async (_title, oddity) => {
      const { blamed, open, left, same } = await certify(oddity);
      expect(blamed).toEqual([]);
      expect(open).toEqual([]);
      expect(left).toEqual([]);
      expect(same[0]).toEqual(same[1]);
    },
  );

  it.each<[string, (url: string, init: RequestInit) => boolean]>([
    ["whether tokens give access to data", (url) => url.endsWith("/items/query")],
    ["how a bad credential is refused", (_url, { headers }) => hasUnknownCredential(headers)],
    [
      "whether invitations can be revoked",
      (url, { method }) => method === "POST" && url.endsWith("/members"),
    ],
    ["what id a pending member has", (url, { method }) => method === "DELETE" && url.includes("/members/")],
  ])("passes although the first request to find out %s gets no answer", async (_title, isLost) => {
    const { blamed, open, left, same } = await certify(loseFirst(isLost));
    expect(blamed).toEqual([]);
    expect(open).toEqual([]);
    expect(left).toEqual([]);
    expect(same[0]).toEqual(same[1]);
  });

  it("tolerates scans whose pages shift during writes", async () => {
    const offsets = variants.find(({ id }) => id === "items/offset-cursors");
    const { blamed, left } = await certify(offsets?.wrap ?? addLatency(0), {
      profile: { "scan-order": "scattered" },
    });
    expect(blamed).toEqual([]);
    expect(left).toEqual([]);
  });

  it("tolerates refusals of SQL definitions while another one runs", async () => {
    const respondBesideOther = tampers.respondBesideOther(
      ({ path }) => path.databaseId,
      () => createSqlErrorResponse("SQL_EXECUTION_ERROR"),
    );
    const selected = selectChecks(["sql/endpoints", "sql/paths", "sql/list-tables", "sql/indexes"], checks);
    const { open } = await certify(
      (fetch) => intercept(addLatency(5)(fetch), "executeSql", respondBesideOther),
      {},
      {},
      selected,
    );
    expect(open).toEqual([]);
  });

  it("tolerates separate ids for members", async () => {
    const { blamed, left, same } = await certify((fetch) => fetch, { profile: { "member-id": "own-id" } });
    expect(blamed).toEqual([]);
    expect(left).toEqual([]);
    expect(same[0]).toEqual(same[1]);
  });

  it("keeps a login's token if a switch to its organization is refused", async () => {
    const refusing: FetchWrapper = (fetch) =>
      intercept(fetch, ["switchOrganization"], (request) =>
        parseClaims((request.headers.authorization ?? "").slice("Bearer ".length)).org ===
        (request.body as { organizationId?: unknown } | undefined)?.organizationId
          ? Promise.resolve(createErrorResponse(409))
          : request.send(),
      );
    const { open } = await certify(refusing, {}, {}, selectChecks(["isolation"], checks));
    expect(open).toEqual([]);
  });

  it.each(["getItem", "createEntity"] as const)(
    "does not report %s, which is refused to everybody, as missing isolation",
    async (operation) => {
      const refusing: FetchWrapper = (fetch) =>
        intercept(fetch, [operation], () => Promise.resolve(createErrorResponse(403)));
      const { blamed } = await certify(refusing, {}, {}, selectChecks(["isolation/by-key"], checks));
      expect(blamed.filter((line) => line.includes("GEN-05"))).toEqual([]);
    },
  );

  it("sends no further invitation if one is neither listed nor withdrawn", async () => {
    const unlisted: FetchWrapper = (fetch) =>
      intercept(fetch, ["listMembers", "updateMember", "removeMember"], async (request) => {
        if (request.operationId !== "listMembers")
          return request.path.memberId?.includes("@") ? createErrorResponse(404) : request.send();
        return changeBody(
          await request.send(),
          (body: { members: readonly { readonly status: string }[] }) => {
            body.members = body.members.filter(({ status }) => status !== "pending");
          },
        );
      });
    const { blamed, open } = await certify(unlisted, {}, {}, selectChecks(["members"], checks));
    expect(blamed).toEqual([]);
    expect(open.filter((line) => line.includes("accepts no id for a pending member"))).not.toEqual([]);
  });
});

describe("a declared feature that cannot be tried", () => {
  it("is not run and makes the verdict inconclusive", async () => {
    // one database and one member; the plan allows no more members
    const { blamed, verdict, open } = await certify(
      (fetch) => fetch,
      {},
      {
        users: { owner: { ...createDemoUser("outsider"), organizationId: "org_demo_free" } },
      },
    );
    expect(blamed).toEqual([]);
    expect(verdict).toBe("inconclusive");
    expect(open.filter((line) => line.startsWith("not-run members/"))).not.toEqual([]);
    expect(open.join("\n")).toContain("organization org_demo_free has 1 of 1 members");
  });

  it.each([
    ["inviteMember", 400, "inconclusive", "set `invitationDomain`"],
    ["removeMember", 404, "inconclusive", "remove the capability `invitations`"],
    ["updateMember", 404, "not conformant", "ORG-27"],
  ] as const)("fails if %s is always refused", async (operation, status, expected, words) => {
    const refusing: FetchWrapper = (fetch) =>
      intercept(fetch, [operation], () => Promise.resolve(createErrorResponse(status)));
    const only = selectChecks(["members"], checks);
    const { verdict, open, blamed } = await certify(refusing, {}, {}, only);
    expect(verdict).toBe(expected);
    expect([...open, ...blamed].join("\n")).toContain(words);
  });
});

describe("an organization with room for one database besides the shared one", () => {
  it("has room for every check", async () => {
    const almostFull: FetchWrapper = (fetch) =>
      intercept(fetch, ["createDatabase"], async (request) => {
        const { databases } = (await request.ask("GET", "/api/v1/management/databases")).body as {
          readonly databases: readonly { readonly name: string }[];
        };
        const ofRun = databases.filter(({ name }) => name.startsWith("cf"));
        return ofRun.length > 1 ? { status: 403, headers: {}, body: undefined } : request.send();
      });
    const selected = selectChecks(["isolation", "access/role-admin", "access/role-member"], checks);
    const { open } = await certify(almostFull, {}, {}, selected);
    expect(open.filter((line) => !line.startsWith("not-declared"))).toEqual([]);
  });
});

describe("an organization with room for one more member", () => {
  it("passes if it refuses a second invitation", async () => {
    const almostFull: FetchWrapper = (fetch) =>
      intercept(fetch, ["getOrganization", "inviteMember"], async (request) => {
        const path = `/api/v1/organizations/${request.path.organizationId}/members`;
        const { members } = (await request.ask("GET", path)).body as { readonly members: readonly unknown[] };
        if (request.operationId === "inviteMember" && members.length > 4)
          return { status: 403, headers: {}, body: undefined };
        return changeBody(await request.send(), (body: { settings?: { maxMembers: number } }) => {
          if (body.settings !== undefined) body.settings.maxMembers = 5;
        });
      });
    const { blamed, open } = await certify(almostFull, {}, {}, selectChecks(["members"], checks));
    expect(blamed).toEqual([]);
    expect(open.join("\n")).toContain("members, so there may be no room for another");
  });
});

describe("a deployment without a control plane", () => {
  const capabilities = [...(file.capabilities ?? []), "checkout"] as const;
  const begins = { "checkout-effect": "plan" } as const;

  it.each([
    ["databases/ceiling-plus-one", "databases/ceiling", {}],
    ["session/token-for-a-day", "session/token-lifetime", {}],
    ["billing/trial-of-15-days", "billing/trial-dates", begins],
    ["billing/status-of-another-plan", "billing/status", {}],
    ["billing/hundred-requests", "billing/requests", {}],
    ["isolation/any-key-may-getItem", "isolation/by-key", {}],
  ] as const)("with the fault %s fails %s", async (mutantId, checkId, profile) => {
    const { clause, wrap } = mutants.find(({ id }) => id === mutantId) ?? raise(mutantId);
    const only = selectChecks([checkId], checks);
    const asItIs = await certify((fetch) => fetch, { profile }, { capabilities }, only);
    expect(asItIs.open).toEqual([]);
    await emulator.close();
    const { blamed } = await certify(wrap, { profile }, { capabilities }, only);
    expect(blamed).toEqual([expect.stringContaining(`${checkId}: ${clause}`)]);
  });
});

describe("a deployment whose updates replace the whole organization", () => {
  it("keeps the owner's organization as it was", async () => {
    const resets = { name: "Reset", billingEmail: "reset@demo.test", settings: { requireMfa: false } };
    const replacing: FetchWrapper = (fetch) =>
      intercept(fetch, ["updateOrganization"], (request) =>
        request.send({ body: { ...resets, ...(request.body as object) } }),
      );
    emulator = await createEmulator();
    const token = emulator.token({ email: "owner@demo.test", organizationId: "org_demo_pro" });
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const path = "/api/v1/organizations/org_demo_pro";
    const body = JSON.stringify({ billingEmail: "bills@demo.test", settings: { requireMfa: true } });
    const before: unknown = await (await emulator.fetch(path, { method: "PUT", headers, body })).json();
    const target = createTargetFromFile({ file, fetch: replacing(emulator.fetch) });
    const begun = new Run({
      target,
      ledger: Ledger.create(generateRunId(), target.baseUrl),
      seed: 1,
      runs: 1,
    });
    await begun.prepare();
    for (const check of selectChecks(["access/role-admin", "access/role-readonly"], checks))
      expect(await begun.check(check)).toMatchObject({ level: "passed" });
    expect(await begun.cleanUp()).toEqual([]);
    const after: unknown = await (await emulator.fetch(path, { headers })).json();
    expect(after).toEqual({ ...(before as object), updatedAt: expect.any(String) as string });
  });
});

describe("a deployment on which the run has no member whose role can be changed", () => {
  const only = selectChecks(["members/change-one-role"], checks);
  const withoutInvitations = { capabilities: ["create-databases"] } as const;
  const withFixedRoles: FetchWrapper = (fetch) =>
    intercept(fetch, ["updateMember"], (request) =>
      request.path.memberId?.includes("@") === true
        ? Promise.resolve(createErrorResponse(409))
        : request.send(),
    );

  /** Returns the roles of the members of the owner's organization, by email address. */
  async function readRoles(): Promise<Readonly<Record<string, string>>> {
    const headers = { "content-type": "application/json" };
    const login = { method: "POST", headers, body: JSON.stringify(createDemoUser("owner")) };
    const session = (await (await emulator.fetch("/auth/password", login)).json()) as {
      readonly authResponse: { readonly accessToken: string };
    };
    const list = await emulator.fetch("/api/v1/organizations/org_demo_pro/members", {
      headers: { authorization: `Bearer ${session.authResponse.accessToken}` },
    });
    const { members } = (await list.json()) as { members: readonly { email: string; role: string }[] };
    return Object.fromEntries(members.map(({ email, role }) => [email, role]));
  }
  const demoRoles = {
    "owner@demo.test": "owner",
    "admin@demo.test": "admin",
    "member@demo.test": "member",
    "readonly@demo.test": "readonly",
  };

  it.each([
    ["without invitations", addLatency(0), withoutInvitations],
    ["with fixed roles of pending members", withFixedRoles, {}],
  ] as const)("passes %s, and each user keeps the role", async (_title, oddity, changes) => {
    const { open, left } = await certify(oddity, {}, changes, only);
    expect(open).toEqual([]);
    expect(left).toEqual([]);
    expect(await readRoles()).toEqual(demoRoles);
  });

  it("keeps the roles of users in a shard, because other shards work with them", async () => {
    const { open } = await certify(addLatency(0), {}, withoutInvitations, only, { index: 1, count: 1 });
    expect(open).toEqual([expect.stringMatching(/^not-declared members\/change-one-role: a shard does not/)]);
  });

  it("fails if nobody becomes readonly", async () => {
    const { wrap } = mutants.find(({ id }) => id === "members/nobody-becomes-readonly") ?? raise("readonly");
    const { blamed } = await certify(wrap, {}, withoutInvitations, only);
    expect(blamed).toEqual([expect.stringContaining("members/change-one-role: ORG-27")]);
  });

  it("fails if only the roles of pending members can be changed", async () => {
    const withFixedActiveRoles: FetchWrapper = (fetch) =>
      intercept(fetch, ["updateMember"], (request) =>
        request.path.memberId?.includes("@") === true
          ? request.send()
          : Promise.resolve(createErrorResponse(404)),
      );
    const { blamed } = await certify(withFixedActiveRoles, {}, {}, only);
    expect(blamed).toEqual([expect.stringContaining("members/change-one-role: ORG-27")]);
  });

  it("has its user's role restored after a failure", async () => {
    const pretending: FetchWrapper = (fetch) =>
      intercept(fetch, ["updateMember"], async (request) =>
        changeBody(await request.send(), (body: { role: string }) => (body.role = "owner")),
      );
    const { blamed, left } = await certify(pretending, {}, withoutInvitations, only);
    expect(blamed).toEqual([expect.stringContaining("members/change-one-role: ORG-27")]);
    expect(left).toEqual([]);
    expect(await readRoles()).toEqual(demoRoles);
  });

  it("gets the role of its user restored after a killed run", async () => {
    emulator = await createEmulator();
    const target = createTargetFromFile({ file, fetch: emulator.fetch });
    const ledger = Ledger.create(generateRunId(), target.baseUrl);
    const name = "readonly@demo.test";
    ledger.recordCreation({ kind: "role", name, parent: "org_demo_pro", role: "readonly" });
    const token = emulator.token({ email: "owner@demo.test", organizationId: "org_demo_pro" });
    await emulator.fetch("/api/v1/organizations/org_demo_pro/members/user_demo_readonly", {
      method: "PUT",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ role: "member" }),
    });
    expect(await readRoles()).not.toEqual(demoRoles);
    expect(await cleanUpRun(ledger, target)).toEqual([]);
    expect(await readRoles()).toEqual(demoRoles);
  });

  it("is reported if it refuses to restore a user's role", async () => {
    const { wrap } = mutants.find(({ id }) => id === "members/nobody-becomes-readonly") ?? raise("readonly");
    const { errors, left } = await certify(wrap, {}, withoutInvitations, only);
    expect(errors).toEqual([expect.stringContaining("could not be removed")]);
    expect(left).toMatchObject([{ kind: "role", name: "readonly@demo.test", role: "readonly" }]);
  });
});

function raise(id: string): never {
  throw new Error(`there is no mutant ${id}`);
}

describe("a cause that affects many checks", () => {
  const chosen = selectChecks(["items", "plans", "session", "databases"], checks);

  /** Certifies a deployment; returns the checks by outcome, with the reasons why checks failed or were not run. */
  async function groupChecksByOutcome(
    oddity: FetchWrapper,
    changes: Partial<TargetFile> = {},
    selected = chosen,
    { leftMs = Infinity, runs = 1 } = {},
  ) {
    emulator = await createEmulator();
    const { results } = await withSimulatedTime(emulator.fetch, async (fetch) => {
      const target = createTargetFromFile({ file: { ...file, ...changes }, fetch: oddity(fetch) });
      const ledger = Ledger.create(generateRunId(), target.baseUrl);
      const deadline = Date.now() + leftMs;
      return new Certification({ target, ledger, seed: 1, runs, selected, deadline }).certify();
    });
    const at = (wanted: string) =>
      results.flatMap(({ check, level, reason = "" }) =>
        level === wanted ? [`${check.id}: ${reason}`] : [],
      );
    return { failed: at("failed"), notRun: at("not-run"), blocked: at("blocked"), passed: at("passed") };
  }

  it.each([
    ["putItem", "updatedAt", "ITEM-01"],
    ["login", "status", "AUTH-05"],
    ["createDatabase", "region", "DB-01"],
  ] as const)("is reported once if every response of %s lacks %s", async (operationId, member, clause) => {
    const lacking: FetchWrapper = (fetch) =>
      intercept(fetch, [operationId], async (request) => {
        const response = await request.send();
        return response.status < 300
          ? { ...response, body: omitFields(response.body, member) as unknown }
          : response;
      });
    const { failed, passed, blocked, notRun } = await groupChecksByOutcome(lacking);
    expect(failed.filter((line) => line.includes(clause))).toHaveLength(1);
    // a check of this particular field may also find that it is missing
    expect(failed.length).toBeLessThanOrEqual(2);
    // a missing timestamp is not a malformed timestamp
    expect(failed.filter((line) => line.includes("GEN-01"))).toEqual([]);
    // no check of the broken clause passed
    for (const { id, clauses } of checks)
      if (clauses.includes(clause)) expect(passed).not.toContain(`${id}: `);
    expect(blocked.length).toBeLessThanOrEqual(2);
    expect(notRun).toEqual([]);
    expect(passed.length).toBeGreaterThanOrEqual(30);
  });

  it.each([
    ["inviteMember", 500, ["members", "organizations", "access/role-owner"]],
    ["inviteMember", 403, ["members", "organizations", "access/role-owner"]],
    ["scanItems", 403, ["items"]],
    ["updateEntity", 500, ["entities"]],
    ["deleteItem", 403, ["items"]],
    ["getItemWithSortKey", 403, ["items"]],
    ["batchWriteItems", 405, ["items", "batches"]],
    ["createEntity", 501, ["entities", "repositories", "access"]],
  ] as const)("is reported once if %s returns %i to every caller", async (operationId, status, areas) => {
    const refusing: FetchWrapper = (fetch) =>
      intercept(fetch, [operationId], () => Promise.resolve({ status, headers: {}, body: undefined }));
    const { failed, blocked, passed, notRun } = await groupChecksByOutcome(
      refusing,
      {},
      selectChecks(areas, checks),
    );
    expect(failed, failed.join("\n")).toHaveLength(1);
    if (status < 500 || status === 501) expect(failed[0]).toContain(`: ${getResponseClause(operationId)}:`);
    expect(notRun.filter((line) => line.includes("threw an error"))).toEqual([]);
    expect(
      blocked.filter((line) => line.includes(`${operationId} returns ${status} to every caller`)),
    ).not.toEqual([]);
    expect(passed.length).toBeGreaterThan(4);
  });

  it.each([
    ["has no body", "/organizations", "null"],
    ["is nested 20,000 levels deep", "/s", `{"data":${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}}`],
  ])("is reported without a stack trace if a response %s", async (_title, end, text) => {
    const odd: FetchWrapper = (fetch) => async (url, init) => {
      const response = await fetch(url, init);
      if (!response.ok || !url.endsWith(end)) return response;
      const { status } = response;
      return new Response(text, { status, headers: { "content-type": "application/json" } });
    };
    const only = selectChecks(["items/put-get-delete", "organizations/create"], checks);
    const { open } = await certify(odd, {}, {}, only);
    expect(open).not.toEqual([]);
    expect(open.filter((line) => /\n\s+at /.test(line))).toEqual([]);
  });

  const [sqlErrors, skips, repeats, keysList] = [
    (fetch) =>
      intercept(fetch, ["runSqlQuery", "executeSql"], async (request) => {
        const response = await request.send();
        return response.status === 400 ? { status: 500, headers: {}, body: undefined } : response;
      }),
    ...["items/later-pages-lose-first", "sql/page-begins-with-row-before", "access/keys-list-databases"].map(
      (id) => (mutants.find((mutant) => mutant.id === id) ?? raise(id)).wrap,
    ),
  ] as const satisfies readonly FetchWrapper[];

  it.each<[string, readonly string[], number, FetchWrapper | undefined]>([
    ["SQL answers 500 to every error", ["sql", "isolation", "sequences/table-again"], 5, sqlErrors],
    ["pages of items skip some", ["items"], 1, skips],
    ["pages of rows repeat one", ["sql/pages", "sql/where-key"], 1, repeats],
    ["API keys list databases", ["access", "session"], 1, keysList],
  ])("is reported once if %s", async (_title, names, most, oddity = raise("oddity")) => {
    const { failed, blocked } = await groupChecksByOutcome(oddity, {}, selectChecks(names, checks), {
      runs: 3,
    });
    expect(failed.length).toBeLessThanOrEqual(most);
    expect(failed).not.toEqual([]);
    expect(blocked).not.toEqual([]);
  });

  it("is reported once if failed logins have a different form", async () => {
    const unauthorized: FetchWrapper = (fetch) =>
      intercept(fetch, ["login"], async (request) => {
        const response = await request.send();
        return (response.body as { status?: unknown }).status === "Success"
          ? response
          : { status: 401, headers: {}, body: { reason: "no" } };
      });
    const users = { ...file.users, unverified: createDemoUser("unverified"), mfa: createDemoUser("mfa") };
    const { failed, blocked } = await groupChecksByOutcome(
      unauthorized,
      { users },
      selectChecks(["session"], checks),
    );
    expect(failed).toEqual([expect.stringContaining("session/wrong-password: AUTH-02")]);
    expect(blocked.map((line) => line.split(":")[0])).toEqual(["session/unverified", "session/mfa"]);
  });

  it("is reported once if invitations return another success status", async () => {
    const other: FetchWrapper = (fetch) =>
      intercept(fetch, ["inviteMember"], async (request) => {
        const response = await request.send();
        return response.status === 201 ? { ...response, status: 200 } : response;
      });
    const { failed } = await groupChecksByOutcome(other, {}, selectChecks(["members", "access"], checks));
    expect(failed).toEqual([expect.stringContaining("ORG-22")]);
  });

  it("marks checks without time left as not run, not as blocked", async () => {
    const { failed, blocked, passed, notRun } = await groupChecksByOutcome(
      addLatency(5),
      {},
      selectChecks(["entities"], checks),
      { leftMs: 700 },
    );
    expect([failed, blocked]).toEqual([[], []]);
    expect(passed).not.toEqual([]);
    const reason =
      ": the run reached its time limit; `politeness.requestsPerSecond` in the target file limits the run to 100000 requests per second";
    expect(notRun.filter((line) => line.endsWith(reason))).toEqual(notRun);
    expect(notRun.length).toBeGreaterThan(5);
  });

  it("is reported at once if a body that is too large gets no response", async () => {
    let unanswered = 0;
    const silent: FetchWrapper = (fetch) => (url, init) => {
      if (typeof init.body !== "string" || init.body.length < 405_000) return fetch(url, init);
      unanswered += 1;
      return new Promise((_, reject) => {
        init.signal?.addEventListener("abort", () => {
          reject(init.signal?.reason as Error);
        });
      });
    };
    const timeouts = { requestMs: 2000 };
    const { notRun } = await groupChecksByOutcome(
      silent,
      { timeouts },
      selectChecks(["limits/item-size"], checks),
    );
    expect(notRun).toEqual([expect.stringContaining("no response within 2000 ms")]);
    expect(unanswered).toBe(1);
  });

  it("is reported once if values of a type lose digits", async () => {
    const id = "sql/longs-are-doubles";
    const { wrap } = mutants.find((mutant) => mutant.id === id) ?? raise(id);
    const sql = selectChecks(["sql/type-bigint", "sql/where-key"], checks);
    const { failed, blocked } = await groupChecksByOutcome(wrap, {}, sql, { runs: 20 });
    expect(failed).toEqual([expect.stringContaining("SQL-35")]);
    expect(blocked).toEqual([expect.stringContaining("sql/where-key")]);
  });

  it("is reported once if the profile names a missing route", async () => {
    const { failed, notRun, blocked } = await groupChecksByOutcome((fetch) => fetch, {
      profile: { "put-item-route": "PUT /nowhere/{databaseId}" },
    });
    expect(failed).toEqual([]);
    expect(notRun).toHaveLength(1);
    const reason =
      /your `profile` sets `put-item-route` to "PUT \/nowhere\/\{databaseId}", but the deployment responds to this route with 404|items\/(?:put-get-delete|sort-key-conditions) did not pass/;
    for (const line of [...notRun, ...blocked]) expect(line).toMatch(reason);
    expect(blocked.length).toBeGreaterThan(5);
  });
});
