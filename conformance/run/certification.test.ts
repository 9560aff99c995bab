import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { defineChecks } from "../check/check.js";
import { Ledger } from "../target/ledger.js";
import { createTargetFromFile } from "../target/file-target.js";
import { Certification } from "./certification.js";

let servers: Server[] = [];
afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers = [];
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const checks = defineChecks(
  ...(["health/one", "health/two", "health/three", "health/four", "health/five"] as const).map((id) => ({
    id,
    title: id,
    clauses: ["HEALTH-01" as const],
    needs: [],
    run: async (context: { client: { send: (method: string, path: string) => Promise<unknown> } }) => {
      await context.client.send("GET", "/health");
    },
  })),
);

async function certify(url: string, requestMs = 10_000, tried = checks, outageMs = 500) {
  const users = { owner: { email: "owner@example.com", password: "not the password" } };
  const target = createTargetFromFile({
    file: { users, timeouts: { requestMs, outageMs }, politeness: { concurrency: 1 } },
    url,
  });
  const ledger = Ledger.create("cfrun", target.baseUrl);
  const outcome = await new Certification({ target, ledger, seed: 1, runs: 1, checks: tried }).certify();
  expect(ledger.remaining).toEqual([]);
  return outcome;
}

function json(body: unknown, status = 200): RequestListener {
  return (_, answer) =>
    answer.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

/** The response of a healthy deployment to a login. */
const session = {
  accessToken: "a.b.c",
  refreshToken: "refresh",
  expiresIn: 3600,
  userId: "u",
  email: "owner@example.com",
  name: "O",
  avatarUrl: null,
  personalOrgId: "o",
  permissions: [],
  roles: ["owner"],
};

/** Creates a healthy deployment with a custom response to logins. */
function createHealthyDeployment(login: RequestListener): RequestListener {
  return (request, answer) =>
    request.url === "/health" ? json({ status: "Healthy" })(request, answer) : login(request, answer);
}

/** Creates a deployment in which everybody can log in, with a custom response to all other requests. */
function createOpenDeployment(others: RequestListener): RequestListener {
  return (request, answer) => {
    if (request.url === "/auth/password") json({ status: "Success", authResponse: session })(request, answer);
    else if (request.url === "/auth/switch-organization") json(session)(request, answer);
    else others(request, answer);
  };
}

describe("a run that cannot start", () => {
  const page: RequestListener = (_, answer) =>
    answer.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>Welcome</title>");
  const cases: readonly (readonly [string, RequestListener, RegExp])[] = [
    ["HTML", page, /is not the data service: GET \/health returned status 200 and HTML, titled "Welcome"/],
    [
      "text",
      (_, answer) => answer.end("hello"),
      /returned status 200 and content that is not JSON \(nothing\)/,
    ],
    [
      "silence",
      () => undefined,
      /got no response: no response within 200 ms; check that the base URL is right/,
    ],
    ["half an answer", (_, answer) => void answer.writeHead(200).write("{"), /no response within 200 ms/],
    [
      "a dropped connection",
      (request) => request.socket.destroy(),
      /got no response: .*check that the base URL/,
    ],
    [
      "a redirect",
      (_, answer) => answer.writeHead(308, { Location: "https://elsewhere.example" }).end(),
      /redirects to https:\/\/elsewhere\.example; use that server's base URL/,
    ],
    [
      "refused credentials",
      createHealthyDeployment(json({ status: "InvalidCredentials", authResponse: null })),
      /^owner \(owner@example\.com\) cannot log in: status InvalidCredentials$/,
    ],
    [
      "a refusal of another kind",
      createHealthyDeployment(json({ type: "about:blank", title: "Unauthorized", status: 401 }, 401)),
      /^owner \(owner@example\.com\) cannot log in: 401 /,
    ],
  ];
  it.each(cases)("says why: %s", async (_, listener, message) => {
    const { verdict, errors, results, left } = await certify(
      await serve(listener),
      message.source.includes("200 ms") ? 200 : 10_000,
    );
    expect([verdict, left]).toEqual(["inconclusive", []]);
    expect(errors).toEqual([expect.stringMatching(message)]);
    expect(new Set(results.map(({ level }) => level))).toEqual(new Set(["not-run"]));
  });

  it("says that nothing listens", async () => {
    const url = await serve(json({}));
    servers.pop()?.close();
    const { verdict, errors } = await certify(url);
    expect(verdict).toBe("inconclusive");
    expect(errors[0]).toMatch(
      /ECONNREFUSED.*; check that the base URL is right and that the deployment is running$/,
    );
  });

  it("names the clause if the response to a login breaks the contract", async () => {
    const { verdict, results } = await certify(
      await serve(createHealthyDeployment(json({ status: "Fine" }))),
    );
    const [login, ...others] = results;
    expect([verdict, login?.check.id, login?.failure?.clause]).toEqual([
      "not conformant",
      "preconditions/login",
      "AUTH-05",
    ]);
    expect(login?.failure?.exchanges).toHaveLength(1);
    expect(new Set(others.map(({ level }) => level))).toEqual(new Set(["not-run"]));
  });
});

describe("a deployment that stops answering", () => {
  it("ends the run after a few checks", async () => {
    let isWell = true;
    let unanswered = 0;
    const open = createHealthyDeployment(createOpenDeployment(json({}, 403)));
    const url = await serve((request, answer) => {
      if (isWell || request.url?.startsWith("/auth/") === true) open(request, answer);
      if (request.url?.includes("/management/databases") === true) isWell = false;
      if (!isWell) unanswered += 1;
    });
    const { verdict, results } = await certify(url, 1000);
    expect(verdict).toBe("inconclusive");
    expect(results.map(({ reason }) => reason)).toEqual([
      expect.stringContaining("no response within 1000 ms") as string,
      "the deployment has stopped responding",
      "the deployment has stopped responding",
      "the deployment has stopped responding",
      "the deployment has stopped responding",
    ]);
    // the run sends repeated requests only to see whether the deployment responds again; it runs no checks
    expect(unanswered).toBeLessThan(20);
  });
});

describe("a temporary failure", () => {
  it.each([
    ["a status of a gateway", (_, answer) => answer.writeHead(502).end("Bad Gateway")],
    ["a broken connection", (request) => request.socket.destroy()],
  ] as [string, RequestListener][])("does not prevent a login: %s", async (_, fail) => {
    let logins = 0;
    const open = createHealthyDeployment(createOpenDeployment(json({}, 403)));
    const url = await serve((request, answer) => {
      if (request.url === "/auth/password" && (logins += 1) === 1) fail(request, answer);
      else open(request, answer);
    });
    const { errors } = await certify(url);
    expect(errors).toEqual([]);
    expect(logins).toBeGreaterThan(1);
  });

  it("is not what a 429 with a long pause means for a request that must be refused", async () => {
    const tried = defineChecks({
      id: "health/refused",
      title: "Refused",
      clauses: ["HEALTH-01"],
      needs: [],
      run: async (context) => {
        const { status } = await context.client.send("POST", "/limit", { intent: "invalid" });
        context.assertEqual("HEALTH-01", status, 429, "the status");
      },
    });
    const limit: RequestListener = (_, answer) => answer.writeHead(429, { "Retry-After": "3600" }).end();
    const open = createHealthyDeployment(createOpenDeployment(json({}, 403)));
    const url = await serve((request, answer) =>
      request.url === "/limit" ? limit(request, answer) : open(request, answer),
    );
    const { results } = await certify(url, 10_000, tried);
    expect(results.map(({ level }) => level)).toEqual(["passed"]);
  });
});

describe("reproducing a failure", () => {
  it("waits for a deployment that is temporarily away", async () => {
    let lost = 0;
    const url = await serve(
      createOpenDeployment((request, answer) => {
        if (request.url !== "/health") json({}, 403)(request, answer);
        else if (lost === 0) json({ status: "Healthy" })(request, answer);
        else {
          lost -= 1;
          request.socket.destroy();
        }
      }),
    );
    let times = 0;
    const [failsOnce] = defineChecks({
      id: "health/fails-once",
      title: "Fails the first time only",
      clauses: ["HEALTH-01"],
      needs: [],
      run: async (context) => {
        times += 1;
        context.assert("HEALTH-01", times > 1, "the second time", times);
        if (times === 2) lost = 3;
        await context.client.send("GET", "/health", { skipRetries: true });
      },
    });
    if (failsOnce === undefined) throw new Error("one check was defined");
    const { results } = await certify(url, 1000, [failsOnce], 60_000);
    expect(results.map(({ level, failure }) => [level, failure?.isFlaky])).toEqual([["failed", true]]);
    expect(times).toBe(3);
  });
});

describe("failures after accepted requests of one operation", () => {
  const certifyAfter = async (intent: "invalid" | "may-be-refused") => {
    const url = await serve(createHealthyDeployment(createOpenDeployment(json({}, 403))));
    const define = (id: "health/one" | "health/two") =>
      defineChecks({
        id,
        title: "Sends a request and fails for its own reason",
        clauses: ["HEALTH-01"],
        needs: [],
        run: async (context) => {
          await context.call("getHealth", { intent });
          context.assert("HEALTH-01", false, id, "another value");
        },
      });
    const { results } = await certify(url, 1000, [...define("health/one"), ...define("health/two")]);
    return results.map(({ level }) => level);
  };

  it("are one failure if the requests must be refused", async () => {
    expect(await certifyAfter("invalid")).toEqual(["failed", "blocked"]);
  });

  it("are separate failures if the requests may be accepted", async () => {
    expect(await certifyAfter("may-be-refused")).toEqual(["failed", "failed"]);
  });
});

describe("a failure after a refused request", () => {
  it.each([
    ["no body", "", "status 405"],
    ["a long body", "x".repeat(100_000), `status 405 with ${"x".repeat(584)}…`],
  ])("describes a refusal with %s", async (_, body, actual) => {
    const refuse: RequestListener = (_, answer) =>
      answer.writeHead(405, { "Content-Type": "text/plain" }).end(body);
    const url = await serve(createHealthyDeployment(createOpenDeployment(refuse)));
    const tried = defineChecks({
      id: "databases/refused",
      title: "Needs an accepted request",
      clauses: ["DB-01"],
      needs: [],
      run: async (context) => {
        const { client } = context;
        const { status } = await client.send("GET", "/management/databases", {}, "listDatabases");
        context.assert("DB-01", status === 200, "status 200", status);
      },
    });
    const { results } = await certify(url, 1000, tried);
    expect(results.map(({ failure }) => failure?.actual)).toEqual([actual]);
  });
});
