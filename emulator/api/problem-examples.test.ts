import type { OperationObject, ResponseObject } from "openapi3-ts/oas31";
import { describe, expect, it } from "vitest";
import { buildDocument } from "../../openapi/document/document.js";
import { getProblemStatus } from "../../openapi/document/problem-responses.js";
import { defaultProfile, type Profile } from "../../openapi/gaps/profile.js";
import {
  getProblemExample,
  type ProblemKind,
  getProblemDefinition,
  problemKinds,
  getProblemType,
  sqlErrorExamples,
} from "../../openapi/operations/problems.js";
import { createEmulator, type Emulator } from "./emulator.js";

/* The examples of problems in the contract equal the emulator's responses to these requests. */

interface Refused {
  readonly profile?: Partial<Profile>;
  /** Requests to send before the rejected request. */
  readonly first?: readonly Request[];
  readonly refused: Request;
  /** A change to the emulator before the rejected request. It may return the credential for this request. */
  readonly prepare?: (emulator: Emulator) => unknown;
}

interface Request {
  /** `METHOD path`. */
  readonly target: string;
  readonly body?: unknown;
  /** An API key or the id of a demo user; null for no credential. By default, the key with all scopes. */
  readonly as?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as raw text. */
  readonly text?: string;
}

const items = "/api/v1/databases/db_demo/items";
const demoPro = "/api/v1/organizations/org_demo_pro";
const newDatabase = {
  target: "POST /api/v1/management/databases",
  body: { name: "shop", region: "eu-west-1" },
};
const large = "x".repeat(409_600);

const refusals: Readonly<Partial<Record<ProblemKind, Refused>>> = {
  "validation-failed": {
    refused: { target: `POST ${items}/query`, body: { sortKeyCondition: "begins_with:order#", limit: 0 } },
  },
  "malformed-request": { refused: { target: `GET ${items}/100%` } },
  "malformed-body": { refused: { target: `PUT ${items}`, text: '{"pk":"customer#ada",}' } },
  "request-too-large": { refused: { target: `PUT ${items}`, text: " ".repeat(40_000_000) } },
  "unsupported-media-type": {
    refused: { target: `PUT ${items}`, text: "pk=a", headers: { "content-type": "text/plain" } },
  },
  unauthenticated: { refused: { target: `GET ${items}/settings/currency`, as: null } },
  forbidden: { refused: { target: `DELETE ${items}/settings/currency`, as: "dsk_demo_database_read" } },
  "wrong-credential-kind": { refused: { target: "GET /api/v1/management/databases" } },
  "foreign-resource": {
    profile: { "foreign-resource-status": 403 },
    refused: { target: `GET ${items}/settings/currency`, as: "user_demo_outsider" },
  },
  "item-not-found": { refused: { target: `GET ${items}/settings/language` } },
  "nothing-to-delete": {
    profile: { "delete-missing-item-status": 409 },
    refused: { target: `DELETE ${items}/settings/language` },
  },
  "database-not-found": {
    refused: { target: "GET /api/v1/management/databases/db_missing", as: "user_demo_owner" },
  },
  "repository-not-found": { refused: { target: "GET /api/v1/repositories/repo_missing" } },
  "entity-not-found": { refused: { target: "GET /api/v1/repositories/repo_demo_products/ent_missing" } },
  "organization-not-found": {
    refused: {
      target: "POST /auth/switch-organization",
      body: { organizationId: "org_missing" },
      as: "user_demo_owner",
    },
  },
  "member-not-found": {
    refused: {
      target: `PUT ${demoPro}/members/user_missing`,
      body: { role: "admin" },
      as: "user_demo_owner",
    },
  },
  "plan-not-found": { refused: { target: "GET /api/v1/plans/plan_missing", as: null } },
  "subscription-not-found": {
    profile: { "free-subscription": 404 },
    refused: { target: "GET /api/v1/payment", as: "user_demo_outsider" },
  },
  "database-unavailable": {
    prepare: (emulator) => emulator.databases.change("db_demo", { status: "Maintenance" }),
    refused: { target: `GET ${items}/settings/currency` },
  },
  "condition-failed": {
    refused: {
      target: `PUT ${items}`,
      body: { pk: "settings", sk: "currency", data: {}, conditionExpression: "attribute_not_exists(pk)" },
    },
  },
  "batch-too-large": {
    refused: {
      target: `POST ${items}/batch/write`,
      body: {
        items: Array.from({ length: 26 }, (_, index) => ({ operation: "Delete", pk: `order#${index}` })),
      },
    },
  },
  "transaction-too-large": {
    refused: {
      target: `POST ${items}/transact/write`,
      text: JSON.stringify({ items: [{ action: "Delete", pk: "customer#ada" }] }) + " ".repeat(4_194_304),
    },
  },
  "item-too-large": { refused: { target: `PUT ${items}`, body: { pk: "a", data: { large } } } },
  conflict: {
    refused: {
      target: "POST /api/v1/organizations",
      body: { name: "Demo Pro", slug: "demo-pro" },
      as: "user_demo_owner",
    },
  },
  "last-owner": {
    refused: {
      target: `PUT ${demoPro}/members/user_demo_owner`,
      body: { role: "member" },
      as: "user_demo_owner",
    },
  },
  "personal-organization": {
    refused: { target: "DELETE /api/v1/organizations/org_personal_owner", as: "user_demo_owner" },
  },
  "deleted-organization": {
    profile: { "deleted-organization": "shown" },
    first: [{ target: `DELETE ${demoPro}`, as: "user_demo_owner" }],
    refused: { target: `PUT ${demoPro}`, body: { name: "Demo again" }, as: "user_demo_owner" },
  },
  "lower-plan": {
    prepare: (emulator) =>
      emulator.sessions.create({ userId: "user_demo_owner", organizationId: "org_demo_enterprise" })
        .accessToken,
    refused: { target: "POST /api/v1/payment/checkout", body: { planType: "pro" } },
  },
  "rate-limited": {
    profile: { "rate-limit": 1 },
    first: [{ target: `GET ${items}/settings/currency` }],
    refused: { target: `GET ${items}/settings/currency` },
  },
  "ceiling-reached": {
    first: [{ ...newDatabase, as: "user_demo_outsider" }],
    refused: {
      target: "POST /api/v1/organizations/org_demo_free/members",
      body: { email: "new@demo.test" },
      as: "user_demo_outsider",
    },
  },
};

const sql = "POST /databases/db_demo/sql/query";
type SqlErrorCode = keyof typeof sqlErrorExamples;
const sqlRefusals: Readonly<Record<SqlErrorCode, Refused>> = {
  SQL_SYNTAX_ERROR: { refused: { target: sql, body: { sql: "SELEC name FROM products" } } },
  SQL_VALIDATION_ERROR: { refused: { target: sql, body: { sql: "SELECT colour FROM products" } } },
  ACCESS_DENIED: {
    refused: {
      target: sql,
      body: { sql: "DELETE FROM products WHERE sku = 'sku-03'" },
      as: "dsk_demo_database_read",
    },
  },
  TABLE_NOT_FOUND: { refused: { target: sql, body: { sql: "SELECT * FROM product" } } },
  DATABASE_NOT_FOUND: {
    refused: { target: "POST /databases/db_missing/sql/query", body: { sql: "SELECT * FROM products" } },
  },
  SQL_EXECUTION_ERROR: {
    prepare: (emulator) =>
      emulator.faults.create({
        match: { operationId: "runSqlQuery" },
        effect: { kind: "status", status: 400 },
      }),
    refused: { target: sql, body: { sql: "SELECT * FROM products" } },
  },
};

async function bodyOf({ profile = {}, first = [], refused, prepare }: Refused): Promise<unknown> {
  const emulator = await createEmulator({ profile: { ...defaultProfile, ...profile } });
  try {
    for (const request of first) await send(emulator, request);
    const key = await prepare?.(emulator);
    const { status, body } = await send(
      emulator,
      typeof key === "string" ? { ...refused, as: key } : refused,
    );
    expect(status).toBeGreaterThanOrEqual(400);
    return body;
  } finally {
    await emulator.close();
  }
}

async function send(emulator: Emulator, { target, body, as = "dsk_demo_all", headers, text }: Request) {
  const [method = "", path = ""] = target.split(" ");
  const content = text ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await emulator.fetch(`http://localhost${path}`, {
    method,
    headers: {
      ...(as === null ? {} : { authorization: `Bearer ${await credential(emulator, as)}` }),
      ...(content === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(content === undefined ? {} : { body: content }),
  });
  const answered = await response.text();
  return { status: response.status, body: answered === "" ? undefined : (JSON.parse(answered) as unknown) };
}

async function credential(emulator: Emulator, as: string): Promise<string> {
  if (!as.startsWith("user_demo_")) return as;
  const { body } = await send(emulator, {
    target: "POST /auth/password",
    body: { email: `${as.replace("user_demo_", "")}@demo.test`, password: "demo-password" },
    as: null,
  });
  return (body as { authResponse: { accessToken: string } }).authResponse.accessToken;
}

describe("the example of a refusal", () => {
  it.each(Object.entries(refusals) as [ProblemKind, Refused][])(
    "is what the service returns: %s",
    async (kind, refused) => {
      const status = getProblemStatus(kind, { ...defaultProfile, ...refused.profile });
      expect(await bodyOf(refused)).toEqual({
        type: getProblemType(kind),
        title: getProblemDefinition(kind).title,
        status,
        ...getProblemExample(kind),
      });
    },
  );

  it.each(Object.entries(sqlRefusals) as [SqlErrorCode, Refused][])(
    "is what the SQL interface returns: %s",
    async (code, refused) => {
      expect(await bodyOf(refused)).toEqual({ code, ...sqlErrorExamples[code] });
    },
  );

  it("exists for every refusal of the contract, under any profile", () => {
    const profiles = [{}, ...Object.values(refusals).map(({ profile = {} }) => profile)];
    const documented = profiles.flatMap((profile) =>
      Object.values(buildDocument({ ...defaultProfile, ...profile }).paths ?? {})
        .flatMap((item) => Object.values(item as Record<string, OperationObject>))
        .flatMap(({ responses = {} }) => Object.values(responses) as ResponseObject[])
        .flatMap(({ "x-problems": kinds = [] }) => kinds as ProblemKind[]),
    );
    const shown = (Object.keys(problemKinds) as ProblemKind[]).filter(
      (kind) => getProblemExample(kind) !== undefined,
    );
    expect(shown.sort()).toEqual([...new Set(documented)].sort());
    expect(Object.keys(refusals).sort()).toEqual(shown.sort());
  });
});
