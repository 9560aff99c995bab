import fc from "fast-check";
import { expect, it } from "vitest";
import { getOpenContract } from "../client/contracts.js";
import { RunError } from "../client/violation.js";
import { parseHarHistory } from "./parse-har-history.js";
import { ResponseSchemas } from "./answer-schemas.js";

const schemas = new ResponseSchemas(getOpenContract().document);
const parse = (value: unknown, options: Partial<Parameters<typeof parseHarHistory>[2]> = {}) =>
  parseHarHistory(JSON.stringify(value), "odd.har", {
    schemas,
    hasPreexistingData: false,
    missing: () => undefined,
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

/** The entry with another value at a place. */
function changed(place: string, value: unknown): unknown {
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
        read({ log: { entries: [changed(place, value)] } });
      } catch (error) {
        expect(error).toBeInstanceOf(RunError);
      }
    }),
    { numRuns: 300 },
  );
});

/** An entry that queries a database. */
const query = (databaseId: string, answer: unknown) => ({
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
    log: { entries: [query("db_old", shown), query("db_new12", {}), query("db_new", {})] },
  });
  expect(steps.map(({ placeholders }) => placeholders.map(({ recorded }) => recorded))).toEqual([
    ["db_old", "db_old"],
    [],
    ["db_new", "db_new"],
  ]);
});

/** An entry for a request with a bearer token. */
const call = (method: string, path: string, answer: unknown = {}, body?: unknown) => ({
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
const listed = call("GET", databases, { databases: [{ databaseId: "db_listed" }] });
const newDatabase = call("POST", databases, { databaseId: "db_created" }, { name: "mine", region: "eu" });
const put = (databaseId: string) =>
  call("PUT", `/api/v1/databases/${databaseId}/items`, {}, { pk: "a", data: {} });

it("sends nothing that changes data from before the recording, unless the targets are emulators", () => {
  const safe = [
    listed,
    call("GET", `${organizations}/org_old`),
    put("db_unknown"),
    newDatabase,
    put("db_created"),
    call("POST", "/databases/db_created/sql/execute", {}, { sql: "DROP TABLE a" }),
    call("POST", "/databases/db_listed/sql/query", {}, { sql: "SELECT * FROM a" }),
    call("DELETE", `${databases}/db_created`),
    call("POST", organizations, { organizationId: "org_created" }, { name: "Mine" }),
    call("POST", `${organizations}/org_created/members`, {}, { email: "a@b.test", role: "admin" }),
    call("DELETE", `${organizations}/org_created`),
  ];
  const unsafe = [
    put("db_listed"),
    call("POST", "/databases/db_listed/sql/execute", {}, { sql: "DROP TABLE a" }),
    call("DELETE", `${databases}/db_listed`),
    call("DELETE", `${databases}/db_unknown`),
    call("PUT", `${organizations}/org_old`, {}, { name: "Other" }),
    call("DELETE", `${organizations}/org_old`),
    call("POST", `${organizations}/org_old/members`, {}, { email: "a@b.test", role: "admin" }),
    call("DELETE", `${organizations}/org_old/members/user_1`),
  ];
  const entries = [...safe.slice(0, 5), ...unsafe, ...safe.slice(5)];
  const { histories, troubles } = parse({ log: { entries } }, { hasPreexistingData: true });
  const sent = (found: typeof histories) =>
    found.flatMap(({ steps }) => steps.map(({ exchange }) => exchange.request));
  expect(sent(histories).map(({ method, url }) => `${method} ${url}`)).toEqual(
    safe.map(({ request: { method, url } }) => `${method} ${url}`),
  );
  expect(troubles.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^8 of 19 requests are not sent \(reason: changes data .*\), such as PUT http/),
  ]);
  expect(sent(parse({ log: { entries } }).histories)).toHaveLength(entries.length);
});

it("sends nothing that needs an undeclared capability", () => {
  const entries = [
    listed,
    newDatabase,
    call("POST", organizations, { organizationId: "org_created" }, { name: "Mine" }),
    call("POST", "/api/v1/payment/checkout", {}, { planType: "enterprise" }),
  ];
  const { histories } = parse(
    { log: { entries } },
    { hasPreexistingData: true, missing: () => "undeclared" },
  );
  expect(histories.flatMap(({ steps }) => steps.map(({ operationId }) => operationId))).toEqual([
    "listDatabases",
  ]);
});

it("removes credentials for gateways", () => {
  const { request, response } = call("GET", "/api/v1/databases/d/items/x?access_token=secret&a=1");
  const headers = [
    { name: "X-Api-Key", value: "secret" },
    { name: "Proxy-Authorization", value: "secret" },
  ];
  const { histories } = parse({ log: { entries: [{ request: { ...request, headers }, response }] } });
  const [step] = histories[0]?.steps ?? [];
  expect(JSON.stringify(step)).not.toContain("secret");
  expect(step?.request.query).toEqual({ a: "1" });
});
