import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Check, defineChecks } from "../../conformance/check/check.js";
import { checks } from "../../conformance/checks/register.js";
import { anonymous } from "../../conformance/client/client.js";
import type { Fetch } from "../../conformance/client/exchange.js";
import { buildReport } from "../../conformance/report/build-report.js";
import { formatSummary } from "../../conformance/report/format-summary.js";
import { writeReports } from "../../conformance/report-files/write-reports.js";
import { Ledger } from "../../conformance/target/ledger.js";
import { Certification, type CertificationOptions } from "../../conformance/run/certification.js";
import { cleanUpRun } from "../../conformance/run/cleanup.js";
import { decodeReplayToken, encodeReplayToken } from "../../conformance/run/replay-token.js";
import type { Failure } from "../../conformance/run/result.js";
import { generateRunId } from "../../conformance/run/run-id.js";
import { selectChecks } from "../../conformance/run/select-checks.js";
import { createEmulatorTarget } from "../../conformance/target/emulator-target.js";
import { createTargetFromFile } from "../../conformance/target/file-target.js";
import type { Target } from "../../conformance/target/target.js";
import type { TargetFile } from "../../conformance/target/target-file.js";
import { createEmulator, type Emulator } from "../../emulator/api/emulator.js";
import { demoPassword, demoTarget, createDemoUser } from "./testing/demo-target.js";

const demo: TargetFile = { ...demoTarget, databaseId: "db_demo" };

let emulator: Emulator;
let folder: string;
beforeAll(async () => {
  emulator = await createEmulator();
  folder = mkdtempSync(join(tmpdir(), "certification-"));
});
beforeEach(() => emulator.reset());
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await emulator.close();
});

/** A check that creates a resource of every kind. */
const [makeEverything] = defineChecks({
  id: "databases/make-everything",
  title: "Makes something of every kind",
  clauses: ["DB-01"],
  needs: [],
  run: async (context) => {
    const { resources } = context;
    const shared = await resources.getDatabase();
    const path = { databaseId: shared };
    for (let number = 0; number < 30; number += 25)
      await context.call("batchWriteItems", {
        path,
        body: {
          items: Array.from({ length: 25 }, () => ({
            operation: "Put",
            pk: resources.createName(),
            sk: "s",
            data: {},
          })),
        },
      });
    await resources.createRepository(shared);
    await resources.createTable("id TEXT PRIMARY KEY");
    await resources.createDatabase();
    const organizationId = await context.actors.getOrganizationId("owner");
    const email = `${resources.createName()}@example.com`;
    await context.call("inviteMember", { path: { organizationId }, body: { email, role: "readonly" } });
    await resources.createOrganization();
    context.assert("DB-01", true, "nothing", "nothing");
  },
});

/** Returns everything that the API lists for the owner of the demo data. */
async function readAllResources(): Promise<unknown> {
  const send = async (path: string, token?: string, body?: unknown) => {
    const response = await emulator.fetch(path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        "Content-Type": "application/json",
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const login = await send("/auth/password", undefined, createDemoUser("owner"));
  const { accessToken: personal } = login.authResponse as { accessToken: string };
  const body = { organizationId: "org_demo_pro" };
  const { accessToken } = (await send("/auth/switch-organization", personal, body)) as {
    accessToken: string;
  };
  const list = async (path: string, member: string) => (await send(path, accessToken))[member];
  const databases = (await list("/api/v1/management/databases?limit=100", "databases")) as {
    databaseId: string;
    name: string;
  }[];
  return {
    databases: databases.map(({ databaseId, name }) => ({ databaseId, name })),
    repositories: await list("/api/v1/management/databases/db_demo/repositories", "repositories"),
    tables: await list("/databases/db_demo/sql/tables", "tables"),
    organizations: await list("/api/v1/organizations", "organizations"),
    members: await list("/api/v1/organizations/org_demo_pro/members", "members"),
    items: (await send("/api/v1/databases/db_demo/items/scan", accessToken, { limit: 1000 })).items,
  };
}

function certification(target: Target, more: Partial<CertificationOptions> = {}): Certification {
  const ledger = Ledger.create("cftest0001", target.baseUrl);
  return new Certification({ target, ledger, seed: 1, runs: 3, ...more });
}

describe("a run against a target file", () => {
  it("leaves only what was there before", async () => {
    const before = await readAllResources();
    const run = certification(createTargetFromFile({ file: demo, fetch: emulator.fetch }), {
      checks: makeEverything === undefined ? [] : [makeEverything],
    });
    const { verdict, left } = await run.certify();
    expect([verdict, left]).toEqual(["conformant", []]);
    expect(await readAllResources()).toEqual(before);
  });

  it("can be cleaned up wherever it was killed", async () => {
    const before = await readAllResources();
    const methods: string[] = [];
    const counting: Fetch = (url, init) => {
      methods.push(init.method ?? "");
      return emulator.fetch(url, init);
    };
    const only = { checks: makeEverything === undefined ? [] : [makeEverything] };
    await certification(createTargetFromFile({ file: demo, fetch: counting }), only).certify();
    const writes = [...methods.keys()].filter((index) => methods[index] !== "GET");
    expect(writes.length).toBeGreaterThan(20);
    // a run takes a while, so only some of the possible interruptions are tried, each in only one way
    for (const [index, last] of writes.filter((_, place) => place % 4 === 2).entries()) {
      const arrives = index % 2 === 0;
      emulator.reset();
      const ledger = Ledger.createFile(`cfkilled${last}${arrives ? "a" : "b"}`, "http://localhost", folder);
      await new Promise<void>((killed) => {
        let count = 0;
        const fetch: Fetch = async (url, init) => {
          if (count++ < last) return emulator.fetch(url, init);
          // the process has been killed: the request may have arrived, but nobody receives the response
          if (count === last + 1 && arrives) await emulator.fetch(url, init);
          killed();
          return new Promise<never>(() => undefined);
        };
        void certification(createTargetFromFile({ file: demo, fetch }), { ...only, ledger }).certify();
      });
      const { file } = ledger;
      if (file === undefined) throw new Error("the ledger has no file");
      const left = await cleanUpRun(
        Ledger.open(file),
        createTargetFromFile({ file: demo, fetch: emulator.fetch }),
      );
      expect(left, `killed at request ${last}`).toEqual([]);
      expect(existsSync(file)).toBe(false);
      expect(await readAllResources(), `killed at request ${last}`).toEqual(before);
    }
  });

  it("stops after the running check, cleans up, and is inconclusive", async () => {
    const before = await readAllResources();
    const other: Check = {
      id: "databases/never",
      title: "",
      clauses: ["DB-02"],
      needs: [],
      run: () => Promise.reject(new Error()),
    };
    const alone: TargetFile = { ...demo, politeness: { ...demo.politeness, concurrency: 1 } };
    const run: Certification = certification(createTargetFromFile({ file: alone, fetch: emulator.fetch }), {
      checks: makeEverything === undefined ? [] : [makeEverything, other],
      onProgress: ({ finished }) => {
        if (finished === 1) run.stop("interrupted");
      },
    });
    const { verdict, errors, results } = await run.certify();
    expect([verdict, errors]).toEqual(["inconclusive", ["interrupted"]]);
    expect(results.map(({ level, reason }) => [level, reason])).toEqual([
      ["passed", undefined],
      ["not-run", "interrupted"],
    ]);
    expect(await readAllResources()).toEqual(before);
  });

  it("reports a user's wrong role instead of blaming the deployment", async () => {
    const file = {
      ...demo,
      users: { ...demo.users, admin: createDemoUser("member"), member: createDemoUser("admin") },
    };
    const { verdict, errors } = await certification(
      createTargetFromFile({ file, fetch: emulator.fetch }),
    ).certify();
    expect([verdict, errors]).toEqual([
      "inconclusive",
      [
        "the target file names member@demo.test as `admin`, but in organization org_demo_pro, this user has the role member; " +
          "specify a different user or organizationId",
      ],
    ]);
  });

  it("reports as not declared what the organization has no room for", async () => {
    const owner = { ...createDemoUser("outsider"), organizationId: "org_demo_free" };
    const file: TargetFile = { ...demoTarget, users: { owner }, region: "eu-central-1" };
    const target = createTargetFromFile({ file, fetch: emulator.fetch });
    await certification(target, { selected: [] }).certify();
    expect(target.findUnmetReason("database")).toBeUndefined();
    expect(target.findUnmetReason("invitations")).toEqual({
      untried: expect.stringMatching(/^organization org_demo_free has 1 of 1 members/) as string,
    });
    expect(target.findUnmetReason("admin")).toBe("the target file does not declare a user `admin`");
    expect(target.findUnmetReason("key repository:*")).toBe(
      "the target file does not declare an API key with the scope `repository:*`",
    );
    expect(target.findUnmetReason("checkout")).toBe(
      "the target file does not declare the capability `checkout`",
    );
    expect(target.findUnmetReason("control-plane")).toContain("only an emulator");
  });
});

describe("a replay", () => {
  const broken: Check = {
    id: "items/broken",
    title: "Numbers below a bound come back",
    clauses: ["ITEM-01"],
    needs: ["database"],
    run: async (context) => {
      const path = { databaseId: await context.resources.getDatabase() };
      const comesBack =
        (bound: number) =>
        async ({ values, text }: { values: number[]; text: string }) => {
          const pk = context.resources.createName();
          await context.call("putItem", { path, body: { pk, data: { values, text } } });
          context.assert("ITEM-01", Math.max(0, ...values) < bound, `less than ${bound}`, values);
        };
      const input = { values: fc.array(fc.nat(1000)), text: fc.string() };
      await context.property(input, comesBack(Infinity));
      await context.property(input, comesBack(700), {
        examples: [
          { values: [1], text: "first" },
          { values: [2], text: "second" },
        ],
      });
    },
  };

  it("repeats exactly the failing case, with any seed", async () => {
    let failures = 0;
    for (let seed = 1; seed <= 4; seed++) {
      const target = createTargetFromFile({ file: demo, fetch: emulator.fetch });
      const options = { checks: [broken], runs: 10, seed };
      const [first] = (await certification(target, options).certify()).results;
      if (first?.failure === undefined) continue;
      failures++;
      const second = await replayFailure(target, broken, options, first.failure);
      expect(second?.inputPassed).toBeUndefined();
      expect(second?.failure?.property?.inputs).toEqual(first.failure.property?.inputs);
      expect(second?.failure?.actual).toBe(first.failure.actual);
      // only the put, because a replay does not shrink the input again
      expect(second?.failure?.exchanges.filter(({ setUp }) => !setUp)).toHaveLength(1);
    }
    expect(failures).toBeGreaterThan(2);
  });

  /** Replays a failure of a check from its token. */
  async function replayFailure(
    target: Target,
    check: Check,
    run: { seed: number; runs: number },
    failure: Failure,
  ) {
    const replay = decodeReplayToken(encodeReplayToken(check.id, run, failure), [check]);
    const { seed, runs } = replay;
    return (await certification(target, { checks: [check], seed, runs, replay }).certify()).results[0];
  }

  /** A check that fails on a deployment that rejects puts after the third put of a session. */
  const tired: Check = {
    id: "items/tired",
    title: "Every put is accepted, regardless of the number of earlier puts",
    clauses: ["ITEM-01"],
    needs: ["database"],
    run: async (context) => {
      const path = { databaseId: await context.resources.getDatabase() };
      await context.property([fc.nat(1000)], async (number) => {
        const pk = context.resources.createName();
        context.assertStatus(
          "ITEM-01",
          await context.call("putItem", { path, body: { pk, data: { number } } }),
          200,
        );
      });
    },
  };
  const tiring = (isTired: () => boolean): Fetch => {
    const puts = new Map<string, number>();
    return async (url, init) => {
      const session = new Headers(init.headers).get("authorization") ?? "";
      if (init.method !== "PUT" || !url.endsWith("/items")) return emulator.fetch(url, init);
      puts.set(session, (puts.get(session) ?? 0) + 1);
      return isTired() && (puts.get(session) ?? 0) > 3
        ? Response.json({ type: "about:blank", title: "tired", status: 500 }, { status: 500 })
        : emulator.fetch(url, init);
    };
  };

  it("continues with the whole check if the input alone passes, with the seed and number of inputs of the run", async () => {
    let isTired = true;
    const target = () => createTargetFromFile({ file: demo, fetch: tiring(() => isTired) });
    const run = { seed: 3, runs: 6 };
    const [first] = (await certification(target(), { checks: [tired], ...run }).certify()).results;
    if (first?.failure === undefined) throw new Error("the fault was not found");
    const second = await replayFailure(target(), tired, run, first.failure);
    expect([second?.level, second?.inputPassed]).toEqual(["failed", true]);
    expect(second?.failure?.property).toEqual(first.failure.property);
    isTired = false;
    const mended = await replayFailure(target(), tired, run, first.failure);
    expect([mended?.level, mended?.inputPassed]).toEqual(["passed", true]);
    // first the single input, then all inputs
    expect(mended?.requests).toBeGreaterThanOrEqual(1 + run.runs);
  });

  it("explains a token of another version, whose inputs this version does not generate", async () => {
    const target = () => createTargetFromFile({ file: demo, fetch: tiring(() => true) });
    const run = { seed: 3, runs: 6 };
    const [{ failure } = {}] = (await certification(target(), { checks: [tired], ...run }).certify()).results;
    if (failure?.property === undefined) throw new Error("the fault was not found");
    const property = { ...failure.property, path: "0:0:0:0:0:0:999999999" };
    const replayed = await replayFailure(target(), tired, run, { ...failure, property });
    expect(replayed?.level).toBe("not-run");
    expect(replayed?.reason).toMatch(/^the replay token does not belong to this version of the suite/);
  });

  it("refuses invalid tokens and unknown checks", () => {
    const run = { seed: 1, runs: 10 };
    const failure = { clause: "ITEM-01", expected: "", actual: "", exchanges: [] } as const;
    const noRuns = Buffer.from(JSON.stringify([broken.id, 1])).toString("base64url");
    for (const token of ["nonsense", noRuns])
      expect(() => decodeReplayToken(token, [broken])).toThrow("invalid replay token");
    expect(() => decodeReplayToken(encodeReplayToken("items/gone", run, failure), [broken])).toThrow(
      "this version of the suite does not have the check items/gone; use the version that wrote the token",
    );
  });
});

describe("the reports of a run", () => {
  it("count every operation and contain no secret", async () => {
    const issued = new Set<string>([demoPassword, "certify-password", ...Object.values(demo.apiKeys ?? {})]);
    const watching: Fetch = async (url, init) => {
      const response = await emulator.fetch(url, init);
      for (const [, secret = ""] of (await response.clone().text()).matchAll(
        /"(?:accessToken|refreshToken|key)":"([^"]+)"/g,
      ))
        issued.add(secret);
      return response;
    };
    // break a clause, so that a failure is printed
    const failing: Check = {
      id: "session/failing",
      title: "Fails",
      clauses: ["AUTH-01"],
      needs: ["owner"],
      run: async (context) => {
        const { email } = await context.actors.getLogin("owner");
        await context.call("login", { body: { email, password: "certify-password" } });
        const as = await context.actors.getKeyCaller("*");
        await context.call("getDatabase", { as, path: { databaseId: "none" } });
        await context.call("listOrganizations");
        context.assert("AUTH-01", false, "something", "something else");
      },
    };
    const id = "cftest0002";
    const target = await createEmulatorTarget({ url: "http://localhost", fetch: watching, run: id });
    const all = [...selectChecks(["health", "session"], checks), failing];
    const ledger = Ledger.create(id, target.baseUrl);
    const run = new Certification({ target, ledger, seed: 1, runs: 1, checks: all, keepExchanges: 1000 });
    const outcome = await run.certify();
    const { recorder, secrets } = run.run;
    const report = buildReport({ outcome, target, id, seed: 1, runs: 1, recorder, secrets });
    const paths = writeReports(join(folder, "reports"), report, { exchanges: { recorder, secrets } });
    expect(readdirSync(join(folder, "reports")).sort()).toEqual([
      "exchanges.har",
      "junit.xml",
      "report.html",
      "report.json",
    ]);
    const outputs = [
      ...paths.map((path) => readFileSync(path, "utf8")),
      formatSummary(report, { command: "x" }),
    ];

    expect(issued.size).toBeGreaterThan(10);
    // the summary contains only the exchanges of failed checks, with the names of their callers
    for (const output of outputs.slice(0, paths.length)) expect(output).toContain("OWNER_TOKEN");
    for (const output of outputs) {
      for (const secret of issued) {
        expect(output).not.toContain(secret);
        // the payload of a token must not appear either
        if (secret.startsWith("eyJ")) expect(output).not.toContain(secret.split(".")[1]);
      }
      expect(output).not.toMatch(/eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/);
    }
    expect(JSON.parse(outputs[0] ?? "")).toEqual(report);
    expect(report.operations).toHaveLength(51);
    expect(report.operations.find(({ operationId }) => operationId === "getLiveness")).toMatchObject({
      valid: expect.any(Number) as number,
    });
    expect([report.verdict, report.counts.failed]).toEqual(["not conformant", 1]);
    const failure = report.checks.find(({ id: check }) => check === "session/failing")?.failure;
    expect(failure?.curl).toContain(
      '{"email":"\'"$RUN"\'-owner@certify.test","password":"\'"$OWNER_PASSWORD"\'"}',
    );

    const har = JSON.parse(outputs[paths.findIndex((path) => path.endsWith(".har"))] ?? "") as {
      log: { version: string; entries: unknown[] };
    };
    expect(har.log.version).toBe("1.2");
    expect(har.log.entries).toHaveLength(recorder.total);
  });

  it("have a curl script that repeats the requests", async () => {
    const url = await emulator.listen();
    const id = "cftest0003";
    const paging: Check = {
      id: "items/paging",
      title: "Fails after a few pages",
      clauses: ["GEN-04"],
      needs: ["database"],
      run: async (context) => {
        const { email, password: secret } = await context.actors.getLogin("owner");
        const path = { databaseId: await context.resources.getDatabase() };
        const as = { name: "owner", credential: "none" };
        await context.call("scanItems", { as, path, body: {}, intent: "invalid" });
        const login = await context.call("login", { as: anonymous, body: { email, password: secret } });
        const { accessToken } = (login.body as { authResponse: { accessToken: string } }).authResponse;
        const personal = { name: "owner", credential: accessToken };
        await context.call("listOrganizations", { as: personal });
        const key = await context.actors.getKeyCaller("*");
        const scan = (more: object) =>
          context.call("scanItems", {
            as: key,
            path,
            body: { limit: 2, filterExpression: { "it's": '"$x"' }, ...more },
          });
        const first = await scan({});
        const { nextCursor: cursor } = first.body as { nextCursor: string };
        await scan({ cursor });
        context.assert("GEN-04", false, "something", "something else");
      },
    };
    const variables = { "users.owner.password": "DEMO_PASSWORD", "apiKeys.*": "demoKey" };
    const target = createTargetFromFile({ file: { ...demo, variables }, url });
    const ledger = Ledger.create(id, target.baseUrl);
    const run = new Certification({ target, ledger, seed: 1, runs: 1, checks: [paging] });
    const outcome = await run.certify();
    const { recorder, secrets } = run.run;
    const report = buildReport({ outcome, target, id, seed: 1, runs: 1, recorder, secrets });
    const { curl = "", exchanges = [] } = report.checks[0]?.failure ?? {};
    const env = {
      ...process.env,
      DEMO_PASSWORD: demoPassword,
      demoKey: "dsk_demo_all",
      OWNER_CREDENTIAL: "x",
    };
    const { stdout } = await promisify(execFile)("bash", ["-eu", "-c", curl], { env });
    const statuses = stdout.split("\n").filter((line) => /^\d{3}$/.test(line));
    expect(statuses, curl + stdout).toEqual(exchanges.map(({ answer }) => String(answer?.status)));
    expect(statuses).toEqual(["401", "200", "200", "200", "200"]);
  });
});

it("reports an invalid response for a deleted database, and completes", async () => {
  const asHtml: Fetch = async (address, init) => {
    const response = await emulator.fetch(address, init);
    const isGone = response.status === 404 && /\/management\/databases\/[^/]+$/.test(address);
    return isGone ? new Response("<p>", { status: 404, headers: { "content-type": "text/html" } }) : response;
  };
  const target = await createEmulatorTarget({ url: "http://localhost", fetch: asHtml, run: generateRunId() });
  const selected = selectChecks(["databases/life", "repositories/life"], checks);
  const { results, errors } = await certification(target, { selected }).certify();
  expect(errors).toEqual([]);
  expect(results.filter(({ level }) => level === "failed").map(({ check }) => check.id)).toEqual([
    "databases/life",
  ]);
});

it("says which operation was refused if a check cannot continue", async () => {
  const problem = { type: "https://example.test/refused", title: "Refused", status: 403, detail: "Refused." };
  const body = JSON.stringify(problem);
  const headers = { "Content-Type": "application/problem+json" };
  const refusing: Fetch = (address, init) =>
    init.method === "GET" && address.endsWith("/organizations")
      ? Promise.resolve(new Response(body, { status: 403, headers }))
      : emulator.fetch(address, init);
  const target = await createEmulatorTarget({
    url: "http://localhost",
    fetch: refusing,
    run: generateRunId(),
    strict: false,
  });
  const selected = selectChecks(["organizations/refused-names"], checks);
  const { results } = await certification(target, { selected }).certify();
  expect(results.at(-1)).toMatchObject({
    level: "not-run",
    reason: "listOrganizations returned 403, so the check could not continue",
  });
});
