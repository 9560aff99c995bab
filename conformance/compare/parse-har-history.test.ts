import fc from "fast-check";
import { expect, it } from "vitest";
import { getOpenContract } from "../client/contracts.js";
import { RunError } from "../client/violation.js";
import { parseHarHistory } from "./parse-har-history.js";
import { ResponseSchemas } from "./response-schemas.js";

const schemas = new ResponseSchemas(getOpenContract().document);
const parse = (value: unknown, options: Partial<Parameters<typeof parseHarHistory>[2]> = {}) =>
  parseHarHistory(JSON.stringify(value), "odd.har", {
    schemas,
    hasPreexistingData: false,
    ...options,
  });
const read = (value: unknown) => ({ steps: parse(value).histories.flatMap(({ steps }) => steps) });
const entry = {
  request: {
    method: "POST",
    url: "http://localhost/auth/password",
    headers: [{ name: "Content-Type", value: "application/json" }],
    postData: { text: '{"email":"a@b.test","password":"p"}' },
  },
  response: { status: 200, headers: [{ name: "x", value: "1" }], content: { text: "{}" } },
};
const odd = fc.constantFrom<unknown>(
  null,
  5,
  true,
  "text",
  [],
  {},
  [null],
  [{}],
  [{ name: "a b", value: "1" }],
);
const places = [
  "request",
  "response",
  "request/method",
  "request/url",
  "request/headers",
  "request/postData",
];
const more = ["request/postData/text", "response/status", "response/headers", "response/content"];

/** Returns the entry with a different value at a path. */
function changeEntry(place: string, value: unknown): unknown {
  const copy = structuredClone(entry) as Record<string, unknown>;
  const names = place.split("/");
  const last = names.pop() ?? "";
  const parent = names.reduce((at, name) => at[name] as Record<string, unknown>, copy);
  parent[last] = value;
  return copy;
}

it("reads a recording, or reports what is wrong with it", () => {
  expect(read({ log: { entries: [null, {}, entry] } }).steps).toHaveLength(1);
  fc.assert(
    fc.property(fc.constantFrom(...places, ...more, "response/content/text"), odd, (place, value) => {
      try {
        read({ log: { entries: [changeEntry(place, value)] } });
      } catch (error) {
        expect(error).toBeInstanceOf(RunError);
      }
    }),
    { numRuns: 300 },
  );
});

/** Creates an entry for a query of a database. */
const createQueryEntry = (databaseId: string, answer: unknown) => ({
  request: {
    method: "POST",
    url: `http://localhost/databases/${databaseId}/sql/query`,
    headers: [],
    postData: { text: "{}" },
  },
  response: { status: 200, headers: [], content: { text: JSON.stringify(answer) } },
});

it("replaces only databases that no earlier response contained", () => {
  const shown = { items: [{ databaseId: "db_new12" }] };
  const { steps } = read({
    log: {
      entries: [
        createQueryEntry("db_old", shown),
        createQueryEntry("db_new12", {}),
        createQueryEntry("db_new", {}),
      ],
    },
  });
  expect(steps.map(({ placeholders }) => placeholders.map(({ recorded }) => recorded))).toEqual([
    ["db_old", "db_old"],
    [],
    ["db_new", "db_new"],
  ]);
});

/** Creates an entry for a request with a bearer token. */
const createCallEntry = (method: string, path: string, answer: unknown = {}, body?: unknown) => ({
  request: {
    method,
    url: `http://localhost${path}`,
    headers: [{ name: "Authorization", value: "Bearer recorded" }],
    ...(body === undefined ? {} : { postData: { text: JSON.stringify(body) } }),
  },
  response: { status: 200, headers: [], content: { text: JSON.stringify(answer) } },
});
const organizations = "/api/v1/organizations";
const databases = "/api/v1/management/databases";
const listed = createCallEntry("GET", databases, { databases: [{ databaseId: "db_listed" }] });
const put = (databaseId: string) =>
  createCallEntry("PUT", `/api/v1/databases/${databaseId}/items`, {}, { pk: "a", data: {} });

it("writes only to the run's database if the targets have other data", () => {
  const safe = [
    listed,
    createCallEntry("GET", `${organizations}/org_old`),
    put("db_unknown"),
    put("db_listed"),
    createCallEntry("POST", "/databases/db_listed/sql/execute", {}, { sql: "DROP TABLE a" }),
    createCallEntry("POST", "/databases/db_listed/sql/query", {}, { sql: "SELECT * FROM a" }),
  ];
  const unsafe = [
    createCallEntry("POST", databases, { databaseId: "db_created" }, { name: "mine", region: "eu" }),
    createCallEntry("DELETE", `${databases}/db_created`),
    createCallEntry("DELETE", `${databases}/db_unknown`),
    createCallEntry("POST", organizations, { organizationId: "org_created" }, { name: "Mine" }),
    createCallEntry("PUT", `${organizations}/org_old`, {}, { name: "Other" }),
    createCallEntry("POST", `${organizations}/org_old/members`, {}, { email: "a@b.test", role: "admin" }),
    createCallEntry("DELETE", `${organizations}/org_old/members/user_1`),
    createCallEntry("POST", "/api/v1/payment/checkout", {}, { planType: "enterprise" }),
  ];
  const entries = [...safe.slice(0, 3), ...unsafe, ...safe.slice(3)];
  const { histories, errors } = parse({ log: { entries } }, { hasPreexistingData: true });
  const sent = (found: typeof histories) =>
    found.flatMap(({ steps }) => steps.map(({ exchange }) => exchange.request));
  expect(sent(histories).map(({ method, url }) => `${method} ${url}`)).toEqual(
    safe.map(({ request: { method, url } }) => `${method} ${url}`),
  );
  expect(errors.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^8 of 14 requests are not sent \(reason: may change .*\), such as POST http/),
  ]);
  expect(sent(parse({ log: { entries } }).histories)).toHaveLength(entries.length);
});

it("replaces the database of every write, whatever the responses contain", () => {
  const id = fc.constantFrom("7", "db_1", "repo_1");
  const path = fc.oneof(
    id.map((databaseId) => `/api/v1/databases/${databaseId}/items`),
    id.map((databaseId) => `/databases/${databaseId}/sql/execute`),
    id.map((databaseId) => `/databases/${databaseId}/sql/query`),
    id.map((databaseId) => `${databases}/${databaseId}/repositories`),
    id.map((repositoryId) => `/api/v1/repositories/${repositoryId}`),
    fc.tuple(id, id).map(([repository, entity]) => `/api/v1/repositories/${repository}/${entity}`),
    fc.tuple(id, id).map(([database, repository]) => `${databases}/${database}/repositories/${repository}`),
    id.map((databaseId) => `${databases}/${databaseId}`),
    fc.constant(databases),
  );
  const answer = fc.record({ databaseId: id, repositoryId: id }).map((ids) => ({ ...ids, databases: [ids] }));
  const body = fc.constantFrom(
    { sql: "DELETE FROM a" },
    { pk: "a", data: {} },
    { parameters: { sql: "select" } },
  );
  const recorded = fc
    .tuple(fc.constantFrom("GET", "POST", "PUT", "DELETE"), path, answer, body)
    .map((parts) => createCallEntry(...parts));
  const withStatus = fc
    .tuple(recorded, fc.constantFrom(200, 201, 202, 500))
    .map(([{ request, response }, status]) => ({ request, response: { ...response, status } }));
  fc.assert(
    fc.property(fc.array(withStatus, { maxLength: 6 }), (others) => {
      const { histories } = parse({ log: { entries: [listed, ...others] } }, { hasPreexistingData: true });
      for (const { recording, steps } of histories)
        for (const { isRead, behavior, request, operationId } of steps)
          if (!isRead) {
            const { databaseId, repositoryId } = behavior.path ?? {};
            expect(operationId).not.toMatch(/^(update|delete)(Database|Repository)$|^createDatabase$/);
            if (databaseId !== undefined) {
              expect(recording.shared.get(databaseId)?.field).toMatch(/^(database|repository)Id$/);
              expect(request.path.databaseId).not.toBe(databaseId);
            }
            if (repositoryId !== undefined) expect(request.path.repositoryId).not.toBe(repositoryId);
          }
    }),
  );
});

it("distinguishes credentials from passwords that a journal shows as the same text", () => {
  const secret = "[redacted]";
  const read = (): ReturnType<typeof createCallEntry> => {
    const { request, response } = createCallEntry("GET", "/api/v1/databases/db_demo/items/x");
    return {
      request: { ...request, headers: [{ name: "Authorization", value: `Bearer ${secret}` }] },
      response,
    };
  };
  const login = createCallEntry(
    "POST",
    "/auth/password",
    { accessToken: secret },
    { email: "a@b.test", password: secret },
  );
  const { histories } = parse({ log: { entries: [read(), login, read()] } });
  const [before, , after] = histories[0]?.steps ?? [];
  for (const step of [before, after]) {
    const sources = step?.placeholders.map(({ recorded }) => histories[0]?.recording.shared.get(recorded));
    expect(sources?.map((source) => source?.field)).toContain("accessToken");
    expect(sources?.map((source) => source?.field)).not.toContain("password");
  }
});

/** Creates the entries of a session: login, refresh, switch, and a read with the token of each. */
function createSessionEntries() {
  const session = (name: string) => ({ accessToken: `access-${name}`, refreshToken: `refresh-${name}` });
  const read = (token: string) => {
    const { request, response } = createCallEntry("GET", "/api/v1/databases/db_demo/items/x");
    const headers = [{ name: "Authorization", value: `Bearer ${token}` }];
    return { request: { ...request, headers }, response };
  };
  const login = { email: "recorded@demo.test", password: "recorded-password" };
  return [
    createCallEntry(
      "POST",
      "/auth/password",
      { status: "Success", authResponse: session("of-login") },
      login,
    ),
    read("access-of-login"),
    createCallEntry("POST", "/auth/refresh", session("of-refresh"), { refreshToken: "refresh-of-login" }),
    read("access-of-refresh"),
    createCallEntry("POST", "/auth/switch-organization", session("of-switch"), {
      organizationId: "org_recorded",
    }),
    read("access-of-switch"),
  ];
}

/** Returns the kinds of shared values, and the other recorded values, that a step replaces. */
function listReplaced({ histories }: ReturnType<typeof parse>) {
  const [{ steps, recording } = { steps: [], recording: undefined }] = histories;
  return steps.map(({ operationId, placeholders }) => [
    operationId,
    ...new Set(placeholders.map(({ recorded }) => recording?.shared.get(recorded)?.field ?? recorded)),
  ]);
}

it("logs in as the owner, and works in the owner's organization", () => {
  expect(listReplaced(parse({ log: { entries: createSessionEntries() } }))).toEqual([
    ["login", "accessToken", "email", "password"],
    ["getItem", "databaseId", "accessToken"],
    ["refreshSession", "accessToken", "refreshToken"],
    ["getItem", "databaseId", "accessToken"],
    ["switchOrganization", "accessToken", "organizationId"],
    ["getItem", "databaseId", "access-of-switch"],
  ]);
});

it("sends no recorded credential if the login is not sent", () => {
  const parsed = parse({ log: { entries: createSessionEntries() } }, { hasPreexistingData: true });
  expect(listReplaced(parsed)).toEqual([
    ["getItem", "databaseId", "accessToken"],
    ["getItem", "databaseId", "accessToken"],
    ["switchOrganization", "accessToken", "organizationId"],
    ["getItem", "databaseId", "access-of-switch"],
  ]);
  const sent = parsed.histories.flatMap(({ steps }) => steps.map(({ request }) => request));
  expect(JSON.stringify(sent)).not.toMatch(/of-login|of-refresh|recorded/);
});

it("changes no text that resembles an earlier value", () => {
  const created = "0190b5a0-7c3e-7abc-8def-0123456789ab";
  const similar = "0190b5a0-7c3e-7abc-8def-ba9876543210";
  const entity = createCallEntry("POST", "/api/v1/repositories/repo_1", { id: created }, { data: {} });
  const body = { pk: similar, data: {} };
  const { histories } = parse({
    log: {
      entries: [
        { ...entity, response: { ...entity.response, status: 201 } },
        createCallEntry("PUT", "/api/v1/databases/db_demo/items", {}, body),
      ],
    },
  });
  const [first, second] = histories[0]?.steps ?? [];
  expect(first?.returnedValues.map(({ value }) => value)).toContain(created);
  expect(second?.request.rest.body).toBe(JSON.stringify(body));
});

it("removes credentials for gateways", () => {
  const { request, response } = createCallEntry("GET", "/api/v1/databases/d/items/x?access_token=secret&a=1");
  const headers = [
    { name: "X-Api-Key", value: "secret" },
    { name: "Proxy-Authorization", value: "secret" },
  ];
  const { histories } = parse({ log: { entries: [{ request: { ...request, headers }, response }] } });
  const [step] = histories[0]?.steps ?? [];
  expect(JSON.stringify(step)).not.toContain("secret");
  expect(step?.request.query).toEqual({ a: "1" });
});

it.each([
  "HTTP://LOCALHOST:80/databases/db_1/sql/query",
  "http://user:secret@localhost/databases/db_1/sql/query",
  " http://localhost\\databases\\db_1/sql/query",
])("sends a request to the target, however its URL %s is spelled", (url) => {
  const { request, response } = createQueryEntry("db_1", {});
  const spelled = { request: { ...request, url }, response };
  const { histories } = parse({ log: { entries: [createQueryEntry("db_1", {}), spelled] } });
  const steps = histories[0]?.steps ?? [];
  expect(steps.map((step) => step.request)).toEqual([steps[0]?.request, steps[0]?.request]);
  expect(JSON.stringify(steps)).not.toContain("secret");
});

it("sends no headers for gateways, and no credentials but bearer credentials", () => {
  const { request, response } = createQueryEntry("db_1", {});
  const headers = [
    { name: "authorization", value: "Basic c2VjcmV0" },
    { name: "X-HTTP-Method-Override", value: "DELETE" },
  ];
  const { histories } = parse({ log: { entries: [{ request: { ...request, headers }, response }] } });
  expect(histories[0]?.steps[0]?.request.headers).toEqual({});
});

it("reads the requests to the server with the most requests for known operations", () => {
  const health = (host: string) => ({
    ...entry,
    request: { ...entry.request, method: "GET", url: `${host}/health`, postData: undefined },
  });
  const entries = ["http://status.example", "http://data.example", "http://data.example"].map(health);
  expect(read({ log: { entries } }).steps).toHaveLength(2);
});
