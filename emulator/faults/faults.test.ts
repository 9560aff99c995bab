import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildDocument } from "../../openapi/document/document.js";
import { defaultProfile, type Profile } from "../../openapi/gaps/profile.js";
import { transactionErrorTypes } from "../../openapi/schemas/batches.js";
import { loginStatuses } from "../../openapi/schemas/session.js";
import { sqlErrorCodes } from "../../openapi/schemas/sql.js";
import type { EmulatorOptions } from "../api/emulator.js";
import { listMountedOperations } from "../request/mounted-operation.js";
import { createEmptyDatabase, type ItemsClient } from "../testing/items-client.js";
import { getStatusAndCode, SqlTestClient } from "../testing/sql-test-client.js";
import { setLimits } from "../testing/set-limits.js";
import { type TestResponse, type TestEmulator, createTestEmulator } from "../testing/test-client.js";
import type { Fault, FaultRequest } from "./fault-effects.js";

let running: TestEmulator;
let items: ItemsClient;

async function start(
  options: EmulatorOptions & { readonly over?: "process" | "socket" } = {},
): Promise<void> {
  await (running as TestEmulator | undefined)?.emulator.close();
  running = await createTestEmulator(options);
  items = await createEmptyDatabase(running);
}
beforeAll(() => start());
beforeEach(async () => {
  running.emulator.reset();
  running.emulator.profile.set({});
  items = await createEmptyDatabase(running);
});
afterAll(() => running.emulator.close());

const fault = (rule: FaultRequest) => running.emulator.faults.create(rule);
const fired = () => running.emulator.faults.list().map((rule) => rule.fired);
/** Sends a request without the test client, which accepts only complete responses that match the contract. */
const sendRaw = (path: string, init: RequestInit = {}) => {
  const { emulator } = running;
  const { url } = emulator;
  return url === undefined ? emulator.fetch(path, init) : fetch(url + path, init);
};
const health = () => sendRaw("/health");
const login = (email = "owner@demo.test", password = "demo-password") =>
  running.client.post("/auth/password", { email, password });
const bodyOf = async (response: Response) => (await response.json()) as Record<string, unknown>;

/** Returns the message with which a call fails. */
async function getErrorMessage(call: Promise<Response>): Promise<string> {
  try {
    await (await call).text();
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
  throw new Error("the call was answered");
}

describe.each(["socket", "process"] as const)("an effect, over a %s", (over) => {
  beforeAll(() => start({ over }));

  it("status responds in place of the service, with Retry-After if requested", async () => {
    fault({ effect: { kind: "status" }, match: { operationId: "listPlans" } });
    fault({ effect: { kind: "status", status: 429, retryAfterSeconds: 7 } });
    const plain = await sendRaw("/api/v1/plans");
    expect([plain.status, plain.headers.get("retry-after"), await bodyOf(plain)]).toMatchObject([
      503,
      null,
      { type: "about:blank", title: "Service Unavailable", status: 503 },
    ]);
    const limited = await sendRaw(items.root, { method: "PUT", body: "{}" });
    expect([limited.status, limited.headers.get("retry-after"), await bodyOf(limited)]).toMatchObject([
      429,
      "7",
      { type: "https://data-service.example/problems/rate-limited", status: 429 },
    ]);
    expect(limited.headers.get("date")).toBe("Tue, 01 Jan 2030 00:00:00 GMT");
  });

  it("latency keeps a request on the state it started with, even after a reset", async () => {
    fault({ effect: { kind: "latency", delayMs: 60_000 }, match: { operationId: "login" } });
    const body = JSON.stringify({ email: "gone@demo.test", password: "gone-password" });
    running.emulator.users.create(JSON.parse(body) as { email: string; password: string });
    const waiting = sendRaw("/auth/password", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
    // fault rules count requests when they arrive, but the journal shows them only when they have a response
    while (fired()[0] !== 1) await new Promise((resolve) => setTimeout(resolve, 1));
    running.emulator.reset();
    expect(await bodyOf(await waiting)).toMatchObject({ status: "Success" });
    expect((await login("gone@demo.test", "gone-password")).body).toMatchObject({
      status: "InvalidCredentials",
    });
  });

  it("latency delays a request in real time, and a caller can give up", async () => {
    fault({ effect: { kind: "latency", delayMs: 40 } });
    fault({ effect: { kind: "latency", delayMs: 40 } });
    const from = performance.now();
    expect((await items.put("a", null, {})).status).toBe(200);
    expect(performance.now() - from).toBeGreaterThan(70);
    running.emulator.faults.clear();
    fault({ effect: { kind: "latency", delayMs: 30_000 } });
    const leaving = new AbortController();
    const waiting = sendRaw("/health", { signal: leaving.signal });
    while (fired()[0] !== 1) await new Promise((resolve) => setTimeout(resolve, 1));
    leaving.abort();
    await expect(waiting).rejects.toThrow(/abort/);
    expect(fired()).toEqual([1]);
  });

  it("latency holds large bodies only up to the memory for bodies that are being received", async () => {
    setLimits({ receivedBytes: 5_000_000 });
    fault({ effect: { kind: "latency", delayMs: 30_000 }, match: { operationId: "batchWriteItems" } });
    const send = () =>
      sendRaw("/api/v1/databases/db_demo/items/batch/write", {
        method: "POST",
        headers: { Authorization: "Bearer dsk_demo_all", "Content-Type": "application/json" },
        body: JSON.stringify({ items: [], unknown: "x".repeat(2_000_000) }),
      });
    const held = [send(), send()];
    while (fired()[0] !== 2) await new Promise((resolve) => setTimeout(resolve, 1));
    expect((await send()).status).toBe(507);
    running.emulator.faults.clear();
    await Promise.all(held);
  });

  it("drop closes the connection before the work is done, or after it", async () => {
    fault({ effect: { kind: "drop" }, match: { operationId: "putItem" }, when: { nth: 1 } });
    fault({ effect: { kind: "drop", applied: true }, match: { operationId: "putItem" } });
    const put = (pk: string) => items.put(pk, null, {}) as Promise<unknown> as Promise<Response>;
    expect(await getErrorMessage(put("never"))).toBe("fetch failed");
    expect((await items.get("never")).status).toBe(404);
    expect(await getErrorMessage(put("maybe"))).toBe("fetch failed");
    expect((await items.get("maybe")).status).toBe(200);
    expect(fired()).toEqual([1, 1]);
  });

  it("truncate announces the whole body, sends a part of it, and has done the work", async () => {
    const whole = await items.client.put(items.root, { pk: "a", data: {} });
    fault({ effect: { kind: "truncate", count: 10 }, match: { operationId: "putItem" } });
    const cut = await sendRaw(items.root, {
      method: "PUT",
      headers: await createOwnerHeaders(),
      body: JSON.stringify({ pk: "b", data: {} }),
    });
    expect([cut.status, cut.headers.get("content-length")]).toEqual([200, String(whole.text.length)]);
    const reader = cut.body?.getReader();
    const first = await reader?.read();
    expect(Buffer.from(first?.value ?? []).toString()).toBe(whole.text.replace('"a"', '"b"').slice(0, 10));
    await expect(reader?.read()).rejects.toThrow("terminated");
    expect((await items.get("b")).status).toBe(200);
  });

  it("truncate drops the connection if the response has no body", async () => {
    await items.put("a", null, {});
    fault({ effect: { kind: "truncate" } });
    expect(await getErrorMessage(items.delete("a") as Promise<unknown> as Promise<Response>)).toBe(
      "fetch failed",
    );
    expect(await getErrorMessage(sendRaw("/health", { method: "HEAD" }))).toBe("fetch failed");
    running.emulator.faults.clear();
    expect((await items.get("a")).status).toBe(404);
  });

  it("status with applied does the work and reports a failure", async () => {
    fault({ effect: { kind: "status", status: 500, applied: true }, match: { operationId: "putItem" } });
    const failed = await sendRaw(items.root, {
      method: "PUT",
      headers: { ...(await createOwnerHeaders()), Origin: "http://app.example" },
      body: JSON.stringify({ pk: "a", data: {} }),
    });
    expect([failed.status, await bodyOf(failed)]).toMatchObject([500, { type: "about:blank" }]);
    expect(failed.headers.get("date")).toBe("Tue, 01 Jan 2030 00:00:00 GMT");
    expect((await items.get("a")).status).toBe(200);
  });
});

/** Returns the headers for a JSON request from the owner of the database. */
async function createOwnerHeaders(): Promise<Record<string, string>> {
  const { accessToken } = await running.tokens("owner@demo.test", "org_demo_enterprise");
  return { Authorization: `Bearer ${accessToken}`, "Content-Type": "application/json" };
}

describe("the service's own forms", () => {
  it("status returns a declared response, for every operation and declared status", async () => {
    const document = buildDocument(defaultProfile);
    const statusesOf = (path: string, method: string) =>
      Object.keys((document.paths?.[path] as Record<string, { responses: object }>)[method]?.responses ?? {});
    for (const { method, path, operationId } of listMountedOperations(document)) {
      const declared = path.replace(/:(\w+)/g, "{$1}");
      for (const status of statusesOf(declared, method)
        .map(Number)
        .filter((known) => known >= 400)) {
        fault({
          match: { operationId },
          effect: { kind: "status", status },
          when: { nth: 1 },
        });
        // the client validates the response against the contract
        const answer = await running.client.request(method.toUpperCase(), path.replace(/:\w+/g, "x"));
        expect([operationId, answer.status]).toEqual([operationId, status]);
      }
    }
    expect(new Set(fired())).toEqual(new Set([1]));
  });

  it.each([
    [{ "error-body": "error-message" } as const, "listPlans", 503, { error: "service-unavailable" }],
    [{ "error-body": "error-message" } as const, "listPlans", 401, { error: "unauthenticated" }],
    [
      { "unauthenticated-status": 403 } as const,
      "listPlans",
      401,
      { type: "about:blank", title: "Unauthorized" },
    ],
    [{}, "runSqlQuery", 400, { code: "SQL_EXECUTION_ERROR" }],
    [{}, "executeSql", 503, { code: "SQL_EXECUTION_ERROR", message: "Service Unavailable" }],
    [{}, "listPlans", 599, { title: "Status 599" }],
  ] as [Partial<Profile>, "listPlans" | "runSqlQuery" | "executeSql", number, object][])(
    "%j: %s %i",
    async (profile, operationId, status, body) => {
      running.emulator.profile.set(profile);
      fault({ match: { operationId }, effect: { kind: "status", status } });
      const paths = { listPlans: "/api/v1/plans", runSqlQuery: "sql/query", executeSql: "sql/execute" };
      const response =
        operationId === "listPlans"
          ? await sendRaw(paths.listPlans)
          : await sendRaw(`/databases/db_demo/${paths[operationId]}`, { method: "POST" });
      expect([response.status, await bodyOf(response)]).toMatchObject([status, body]);
      if (status === 401) expect(response.headers.get("www-authenticate")).toContain("Bearer");
    },
  );

  it("[BATCH-12] unprocessed leaves the last keys unread and uncharged for the next request", async () => {
    for (const pk of ["a", "b", "c"]) await items.put(pk, pk, { pk });
    fault({ effect: { kind: "unprocessed", count: 2 }, when: { count: 1 } });
    fault({ effect: { kind: "unprocessed", count: 100 }, when: { count: 1 } });
    const keys = ["a", "b", "c"].map((pk) => ({ pk, sk: pk }));
    const get = async (wanted: readonly object[]) =>
      (await items.client.post(`${items.root}/batch/get`, { keys: wanted })).body as {
        items: { pk: string }[];
        unprocessedKeys: object[] | null;
      };
    const units = async () => (await items.usage()).readUnitsConsumed;
    const before = await units();
    const first = await get(keys);
    expect([first.items.map(({ pk }) => pk), first.unprocessedKeys]).toEqual([["a"], keys.slice(1)]);
    const second = await get(first.unprocessedKeys ?? []);
    expect(second).toEqual({ items: [], unprocessedKeys: keys.slice(1) });
    const third = await get(second.unprocessedKeys ?? []);
    expect([third.items.map(({ pk }) => pk), third.unprocessedKeys]).toEqual([["b", "c"], null]);
    expect(await units()).toBeGreaterThan(before);
  });

  it("partial fails the first entries of a batch write and writes the others", async () => {
    fault({ effect: { kind: "partial", count: 2 } });
    const put = (pk: string) => ({ operation: "Put", pk, data: {} });
    const answer = await items.client.post(`${items.root}/batch/write`, {
      items: ["a", "b", "c"].map(put),
    });
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { successCount: 1, failedCount: 2, errors: [{ pk: "a", sk: null }, { pk: "b" }] },
    ]);
    expect((await items.scan()).body).toMatchObject({ items: [{ pk: "c" }] });
  });

  it.each(transactionErrorTypes)(
    "error fails a transaction with %s, which a retry can repeat",
    async (errorType) => {
      fault({ effect: { kind: "error", errorType, count: 2 }, when: { count: 1 } });
      const transact = () =>
        items.client.post(`${items.root}/transact/write`, {
          items: ["a", "b", "c"].map((pk) => ({ action: "Put", pk, sk: "s", data: {} })),
          clientRequestToken: "again",
        });
      const failed = await transact();
      expect([failed.status, failed.body]).toMatchObject([
        200,
        {
          successCount: 0,
          errors: [
            { itemIndex: 0, pk: "a", sk: "s", errorType },
            { itemIndex: 1, pk: "b", errorType },
          ],
        },
      ]);
      expect((failed.body as { errors: unknown[] }).errors).toHaveLength(2);
      expect((await items.scan()).body).toMatchObject({ count: 0 });
      expect((await transact()).body).toEqual({ successCount: 3, errors: null });
    },
  );

  it("a failed transaction has the status of the profile", async () => {
    running.emulator.profile.set({ "transaction-failed-status": 409 });
    fault({ effect: { kind: "error", errorType: "TransactionCanceled" } });
    const body = { items: [{ action: "Put", pk: "a", data: {} }] };
    expect((await items.client.post(`${items.root}/transact/write`, body)).status).toBe(409);
  });

  it.each(sqlErrorCodes)("error fails all operations of the SQL interface with %s", async (code) => {
    const sql = new SqlTestClient(items.client, items.databaseId);
    await sql.run("CREATE TABLE t (a INT PRIMARY KEY)");
    fault({ effect: { kind: "error", code } });
    const calls = [
      sql.query("INSERT INTO t (a) VALUES (1)"),
      sql.execute("DROP TABLE t"),
      sql.tables(),
      sql.schema("t"),
    ];
    for (const call of calls) expect(getStatusAndCode(await call)).toEqual([400, code]);
    running.emulator.faults.clear();
    expect(await sql.rows("SELECT * FROM t")).toEqual([]);
  });

  it.each(loginStatuses.filter((status) => status !== "Success"))(
    "error answers a login with %s, and no session",
    async (loginStatus) => {
      fault({ effect: { kind: "error", loginStatus }, when: { count: 1 } });
      expect((await login()).body).toEqual({ status: loginStatus, authResponse: null });
      expect((await login()).body).toMatchObject({ status: "Success" });
    },
  );

  it("error without a type uses the default of each operation", async () => {
    fault({ effect: { kind: "error" } });
    expect((await login()).body).toMatchObject({ status: "Error" });
    expect(getStatusAndCode(await new SqlTestClient(items.client, items.databaseId).tables())[1]).toBe(
      "SQL_EXECUTION_ERROR",
    );
    const body = { items: [{ action: "Delete", pk: "a" }] };
    expect((await items.client.post(`${items.root}/transact/write`, body)).body).toMatchObject({
      errors: [{ errorType: "InternalServerError" }],
    });
    expect((await items.put("a", null, {})).status).toBe(200);
    expect(fired()).toEqual([3]);
  });

  it("a request that is refused for another reason does not count for a fault rule", async () => {
    fault({ effect: { kind: "unprocessed" } });
    fault({ effect: { kind: "error" } });
    const at = (database: string) => `/api/v1/databases/${database}/items/batch/get`;
    expect((await items.client.post(at(items.databaseId), { keys: [{}] })).status).toBe(400);
    expect((await items.client.post(at("db_nowhere"), { keys: [{ pk: "a" }] })).status).toBe(404);
    expect((await items.as(undefined).client.post(at(items.databaseId), {})).status).toBe(401);
    expect(getStatusAndCode(await new SqlTestClient(items.client, "db_nowhere").tables())[1]).toBe(
      "DATABASE_NOT_FOUND",
    );
    expect(fired()).toEqual([0, 0]);
  });
});

describe("when a rule fires", () => {
  const statuses = async (count: number) => {
    const seen: number[] = [];
    for (let index = 0; index < count; index += 1) seen.push((await sendRaw("/api/v1/plans")).status);
    return seen;
  };

  it.each([
    [{}, [503, 503, 503, 503, 503]],
    [{ count: 2 }, [503, 503, 200, 200, 200]],
    [{ nth: 3 }, [200, 200, 503, 200, 200]],
    [{ nth: 2, count: 2 }, [200, 503, 503, 200, 200]],
    [{ probability: 0 }, [200, 200, 200, 200, 200]],
  ])("%j: %j", async (when, expected) => {
    fault({ effect: { kind: "status" }, when });
    expect(await statuses(5)).toEqual(expected);
    expect(fired()).toEqual([expected.filter((status) => status === 503).length]);
  });

  it("at random from the seed, separately for each rule, and the same after a reset", async () => {
    const draws = async (seed: number) => {
      await start({ seed });
      const runs: number[][] = [];
      for (let run = 0; run < 2; run += 1) {
        running.emulator.reset();
        fault({ effect: { kind: "status", status: 500 }, when: { probability: 0.3 } });
        fault({ effect: { kind: "status" }, when: { probability: 0.5 } });
        runs.push(await statuses(100));
      }
      expect(runs[0]).toEqual(runs[1]);
      return runs[0] ?? [];
    };
    const seven = await draws(7);
    expect(await draws(7)).toEqual(seven);
    expect(await draws(8)).not.toEqual(seven);
    const shareOf = (status: number) => seven.filter((seen) => seen === status).length;
    expect(shareOf(500)).toBeGreaterThan(15);
    expect(shareOf(500)).toBeLessThan(45);
    expect(shareOf(503)).toBeGreaterThan(20);
    expect(shareOf(503)).toBeLessThan(50);
  });

  it("at random from the seed in a fork too", async () => {
    const drawInFork = async (seed: number) => {
      await start({ seed });
      const fork = running.emulator.fork("fork");
      fork.faults.create({ effect: { kind: "status" }, when: { probability: 0.5 } });
      const seen: number[] = [];
      for (let index = 0; index < 30; index += 1) seen.push((await fork.fetch("/health")).status);
      return seen;
    };
    expect(await drawInFork(8)).not.toEqual(await drawInFork(7));
  });

  it("only for requests that match", async () => {
    const status = (code: number) => ({ kind: "status", status: code }) as const;
    fault({ match: { path: "/health/*" }, effect: status(500) });
    fault({ match: { organizationId: "org_demo_pro" }, effect: status(501) });
    fault({ match: { caller: "user_demo_member" }, effect: status(502) });
    const as = async (email: string, organizationId: string | undefined, path: string) => {
      const { accessToken } = await running.tokens(email);
      const switched =
        organizationId === undefined ? { accessToken } : await running.tokens(email, organizationId);
      return (await sendRaw(path, { headers: { Authorization: `Bearer ${switched.accessToken}` } })).status;
    };
    expect([(await health()).status, (await sendRaw("/health/ready")).status]).toEqual([200, 500]);
    const databases = "/api/v1/management/databases";
    expect(await as("owner@demo.test", "org_demo_pro", databases)).toBe(501);
    expect(await as("owner@demo.test", "org_demo_enterprise", databases)).toBe(200);
    expect(await as("owner@demo.test", undefined, "/api/v1/organizations/org_demo_pro")).toBe(501);
    expect(await as("member@demo.test", undefined, databases)).toBe(502);
    expect((await sendRaw(databases, { headers: { Authorization: "Bearer nobody" } })).status).toBe(401);
  });

  it("also for paths whose trailing slash is ignored", async () => {
    running.emulator.profile.set({ "trailing-slash": "ignored" });
    for (const pattern of ["/health", "/health/"]) {
      running.emulator.faults.clear();
      fault({ match: { path: pattern }, effect: { kind: "status" } });
      for (const path of ["/health", "/health/"]) expect((await sendRaw(path)).status).toBe(503);
    }
  });

  it("the oldest first, after all latencies are added", async () => {
    fault({ effect: { kind: "latency", delayMs: 1 } });
    fault({ effect: { kind: "status", status: 500 }, when: { nth: 2 } });
    fault({ effect: { kind: "status", status: 501 } });
    fault({ effect: { kind: "latency", delayMs: 1 } });
    expect([(await health()).status, (await health()).status]).toEqual([501, 500]);
    expect(fired()).toEqual([2, 1, 1, 0]);
  });

  it("not for unmatched requests, documents and control plane requests", async () => {
    fault({ effect: { kind: "status" } });
    const asked = ["/nothing", "/openapi.json", "/_emulator", "/_emulator/faults"].map((path) =>
      sendRaw(path),
    );
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([404, 200, 200, 200]);
    expect(fired()).toEqual([0]);
  });
});

describe("/_emulator/faults", () => {
  const refusal = ({ status, body }: TestResponse) => [
    status,
    (body as { errors?: { pointer: string; detail: string }[] }).errors?.map(
      ({ pointer, detail }) => `${pointer} ${detail}`,
    ),
  ];

  it("adds, lists, reads and removes rules", async () => {
    const { control } = running;
    const rule = {
      match: { operationId: "getHealth" },
      effect: { kind: "status", status: 503 },
      when: { nth: 2 },
    };
    const created = await control.post("/_emulator/faults", rule);
    const { faultId } = created.body as Fault;
    expect([created.status, created.body]).toEqual([201, { faultId, ...rule, fired: 0 }]);
    const second = fault({ effect: { kind: "drop" } });
    expect((await control.get("/_emulator/faults")).body).toEqual({
      faults: [created.body, { ...second, match: {}, when: {} }],
    });
    expect((await control.get(`/_emulator/faults/${faultId}`)).body).toEqual(created.body);
    expect((await control.delete(`/_emulator/faults/${faultId}`)).status).toBe(204);
    for (const gone of [control.get, control.delete])
      expect((await gone(`/_emulator/faults/${faultId}`)).status).toBe(404);
    expect(running.emulator.faults.get(second.faultId)).toEqual(second);
    expect((await control.delete("/_emulator/faults")).status).toBe(204);
    expect(running.emulator.faults.list()).toEqual([]);
  });

  it.each([
    ["putItems", /^\/match\/operationId must be one of \d+ values; did you mean "putItem"\?$/],
    ["store", /^\/match\/operationId must be one of .*"putItem",/],
  ])("refuses the unknown operation %s, naming the nearest or all", async (operationId, message) => {
    const rule = { effect: { kind: "drop" }, match: { operationId } };
    const [status, wrong] = refusal(await running.control.post("/_emulator/faults", rule));
    expect([status, String(wrong)]).toEqual([400, expect.stringMatching(message)]);
  });

  it.each<[string, FaultRequest]>([
    ["/match/caller", { effect: { kind: "error", loginStatus: "Error" }, match: { caller: "key_demo_all" } }],
    ["/match/path", { effect: { kind: "status" }, match: { path: "/_emulator/clock" } }],
  ])("refuses a rule that can never fire, because of its %s", async (pointer, rule) => {
    const [status, wrong] = refusal(await running.control.post("/_emulator/faults", rule));
    expect([status, String(wrong)]).toEqual([400, expect.stringContaining(`${pointer} must be`)]);
  });

  it("keeps at most a thousand rules", async () => {
    for (let index = 0; index < 1000; index += 1)
      fault({ effect: { kind: "drop" }, when: { probability: 0 } });
    expect((await running.control.post("/_emulator/faults", { effect: { kind: "drop" } })).status).toBe(409);
  });

  it("belong to the namespace, and are gone after a reset", async () => {
    const { control } = running;
    const created = await control.post("/ns/a/_emulator/faults", { effect: { kind: "status" } });
    fault({ effect: { kind: "status", status: 500 } });
    const seen = ["/ns/a/health", "/health", "/ns/b/health"].map(
      async (path) => (await sendRaw(path)).status,
    );
    expect(await Promise.all(seen)).toEqual([503, 500, 200]);
    await control.post("/ns/a/_emulator/reset", {});
    expect((await sendRaw("/ns/a/health")).status).toBe(200);
    expect(fired()).toEqual([1]);
    const again = await control.post("/ns/a/_emulator/faults", { effect: { kind: "status" } });
    expect(again.text).toBe(created.text);
  });

  it("let waiting requests continue when removed", async () => {
    fault({ effect: { kind: "latency", delayMs: 60_000 } });
    const waiting = items.put("a", null, {});
    while (fired()[0] === 0) await new Promise(setImmediate);
    running.emulator.faults.clear();
    expect((await waiting).status).toBe(200);
  });

  it("delayed requests get their responses when the emulator stops listening", async () => {
    await start({ over: "socket" });
    fault({ effect: { kind: "latency", delayMs: 60_000 } });
    const waiting = items.get("a");
    while (fired()[0] === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    await running.emulator.stopListening();
    expect((await waiting).status).toBe(404);
    await running.emulator.close();
    running = await createTestEmulator();
  });

  it.each(["socket", "process"] as const)("do not keep the emulator from closing (%s)", async (over) => {
    await start({ over });
    fault({ effect: { kind: "latency", delayMs: 60_000 } });
    const waiting = getErrorMessage(health());
    while (fired()[0] === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    await running.emulator.close();
    expect(await waiting).toBe("fetch failed");
    running = await createTestEmulator();
  });
});
