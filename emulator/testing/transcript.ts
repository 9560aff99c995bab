import * as fc from "fast-check";
import type { EmulatorNamespace } from "../api/emulator-namespace.js";
import { createJsonInit } from "./create-json-init.js";

/**
 * A request as data. The credential is an API key, or the email address of a user and an organization id:
 * `ada@demo.test org_demo_pro`.
 */
export interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly as?: string;
}

const apiKey = "dsk_demo_all";
const items = "/api/v1/databases/db_demo/items";
const databases = "/api/v1/management/databases";
const repositories = `${databases}/db_demo/repositories`;
const members = "/api/v1/organizations/org_demo_pro/members";

const key = fc.constantFrom("aaa", "bbb", "ccc");
const table = fc.constantFrom("aaa", "bbb");
const small = fc.integer({ min: 0, max: 5 });
const proOwner = "owner@demo.test org_demo_pro";
const person = fc.constantFrom("owner@demo.test", "admin@demo.test", "outsider@demo.test");
const post = (path: string, body: unknown, as = apiKey): Step => ({ method: "POST", path, body, as });
const control = (method: string, path: string, body?: unknown): Step => ({
  method,
  path: `/_emulator${path}`,
  body,
});
const sql = (text: string): Step => post("/databases/db_demo/sql/query", { sql: text });
const define = (text: string): Step => post("/databases/db_demo/sql/execute", { sql: text });

/**
 * Generates requests that change items, repositories, SQL tables, organizations, billing or the control plane's state.
 */
export const writingStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ pk: key, sk: key, n: small }).map(({ pk, sk, n }): Step => ({
    method: "PUT",
    path: items,
    body: { pk, sk, data: { n } },
    as: apiKey,
  })),
  key.map((pk): Step => ({ method: "DELETE", path: `${items}/${pk}/aaa`, as: apiKey })),
  fc.tuple(key, small).map(([token, n]) =>
    post(`${items}/transact/write`, {
      clientRequestToken: token,
      items: [{ action: "Put", pk: "t", sk: token, data: { n } }],
    }),
  ),
  fc.tuple(key, person).map(([name, as]) => post(databases, { name, region: "eu-west-1" }, as)),
  key.map((name) =>
    post(repositories, { name, entityName: "Thing", schema: { n: { type: "number" } } }, proOwner),
  ),
  small.map((n) =>
    post("/api/v1/repositories/repo_demo_products", {
      data: { title: `new ${n}`, price: n, sku: `ABC-000${n}` },
    }),
  ),
  table.map((name) => define(`CREATE TABLE ${name} (k TEXT PRIMARY KEY, n INT)`)),
  table.map((name) => define(`CREATE INDEX by_${name} ON ${name} (n)`)),
  fc.constant(define("DROP TABLE aaa")),
  fc.tuple(table, key, small).map(([name, k, n]) => sql(`INSERT INTO ${name} (k, n) VALUES ('${k}', ${n})`)),
  table.map((name) => sql(`SELECT * FROM ${name} WHERE n = 1 ALLOW FILTERING`)),
  fc.tuple(key, person).map(([name, as]) => post("/api/v1/organizations", { name, slug: name }, as)),
  key.map((name) => post(members, { email: `${name}@new.test`, role: "member" }, proOwner)),
  key.map((name) =>
    control("POST", "/invitations/accept", {
      organizationId: "org_demo_pro",
      email: `${name}@new.test`,
      password: "demo-password",
    }),
  ),
  fc.constant(post("/api/v1/payment/checkout", { planType: "pro" }, "outsider@demo.test")),
  key.map((name) => control("POST", "/users", { email: `${name}@user.test`, password: "demo-password" })),
  fc.constant(control("DELETE", "/users/user_demo_mfa")),
  key.map((name) =>
    control("POST", "/api-keys", { organizationId: "org_demo_pro", name, scopes: ["database:read"] }),
  ),
  fc.constantFrom("PT1S", "PT11M", "P20D").map((advance) => control("PATCH", "/clock", { advance })),
  fc.constant(control("PATCH", "/clock", { now: "2030-01-01T00:00:00Z" })),
  fc.constantFrom("Healthy", "Unhealthy").map((health) => control("PUT", "/health", { health })),
  fc.constantFrom("pro", "free").map((plan) => control("PATCH", "/organizations/org_demo_free", { plan })),
  fc
    .constantFrom("trialing", "past_due", "canceled")
    .map((status) => control("PATCH", "/subscriptions/org_demo_pro", { status })),
);

const get = (path: string, as = apiKey): Step => ({ method: "GET", path, as });

/** Requests whose responses together show the whole state of a namespace. */
const looks: readonly Step[] = [
  control("GET", ""),
  control("GET", "/api-keys"),
  post(`${items}/scan`, {}),
  get(databases, "owner@demo.test"),
  get(databases, "outsider@demo.test"),
  get(databases, proOwner),
  get(repositories, proOwner),
  post("/api/v1/repositories/repo_demo_products/query", { limit: 100 }),
  get("/databases/db_demo/sql/tables"),
  ...["aaa", "bbb"].flatMap((name) => [
    get(`/databases/db_demo/sql/tables/${name}/schema`),
    sql(`SELECT * FROM ${name}`),
  ]),
  sql("SELECT * FROM products"),
  ...["owner@demo.test", "admin@demo.test", "outsider@demo.test"].map((as) =>
    get("/api/v1/organizations", as),
  ),
  get(members, proOwner),
  ...["", "/status", "/usage"].map((path) => get(`/api/v1/payment${path}`, "outsider@demo.test")),
  get("/api/v1/payment/usage", proOwner),
  get("/health"),
  control("GET", "/clock"),
];

/** Sends a request; returns the whole response as text. */
export async function sendStep({ fetch }: EmulatorNamespace, step: Step): Promise<string> {
  const send = (path: string, method: string, body: unknown, credential?: string) =>
    fetch(path, createJsonInit(method, body, credential));
  let credential = step.as;
  let login = "";
  if (credential?.includes("@") === true) {
    const [email, organizationId] = credential.split(" ");
    login = await (await send("/auth/password", "POST", { email, password: "demo-password" })).text();
    credential = tokenIn(login);
    if (organizationId !== undefined) {
      login = await (await send("/auth/switch-organization", "POST", { organizationId }, credential)).text();
      credential = tokenIn(login);
    }
  }
  const response = await send(step.path, step.method, step.body, credential);
  const text = `${login} ${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`;
  return `${step.method} ${step.path} ${text}`;
}

function tokenIn(login: string): string {
  return /"accessToken":"([^"]+)"/.exec(login)?.[1] ?? "none";
}

/** Sends requests, then reads the whole state; omits the name of the namespace from links and state. */
export async function recordTranscript(
  namespace: EmulatorNamespace,
  steps: readonly Step[],
): Promise<string[]> {
  const lines: string[] = [];
  for (const step of [...steps, ...looks]) lines.push(await sendStep(namespace, step));
  return lines.map((line) =>
    line.replaceAll(`/ns/${namespace.name}`, "").replace(`"namespace":"${namespace.name}"`, ""),
  );
}
