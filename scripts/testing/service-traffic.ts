import type { Emulator } from "../../emulator/emulator.js";
import { problemStatus } from "../../openapi/document.js";
import type { OperationDefinition } from "../../openapi/operations/operation.js";
import type { ProblemKind } from "../../openapi/problems.js";
import { defaultProfile } from "../../openapi/profile.js";
import { type OperationId, serviceOperations } from "../../openapi/service.js";

/** One request of an operation, as far as it differs from the operation's example, and the status it must get. */
export interface Call {
  readonly status: number;
  /** Path and query parameters. */
  readonly parameters?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly contentType?: string;
  /** In place of the owner's access token; null for none. */
  readonly credential?: string | null;
  /** Brings the emulator into the state that the answer needs. */
  readonly before?: () => void;
}

/** A fresh world of the demo fixture in which the examples of the contract work. */
export interface World {
  readonly emulator: Emulator;
  /** Access and refresh token of the owner of `org_demo_pro`, for that organization. */
  readonly owner: Tokens;
  /** Access token of a user who may only read. */
  readonly readonly: string;
  /** A database with the items of the examples; further ids as operations need them. */
  readonly ids: { readonly databaseId: string };
}

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

const organizationId = "org_demo_pro";
const { request: examplePut } = serviceOperations.putItem.example;
const { request: exampleTable } = serviceOperations.executeSql.example;

/** Resets the emulator and prepares what the calls expect. */
export async function beginWorld(emulator: Emulator): Promise<World> {
  emulator.reset();
  const owner = await logIn(emulator, "owner@demo.test");
  const readonly = await logIn(emulator, "readonly@demo.test");
  const send = sender(emulator, owner.accessToken);
  const { databaseId } = await send<{ databaseId: string }>("POST", "/api/v1/management/databases", {
    name: "traffic",
    region: "eu-west-1",
  });
  const items = `/api/v1/databases/${databaseId}/items`;
  await send("PUT", items, examplePut);
  await send("PUT", items, { ...(examplePut as object), sk: null });
  const sql = `/databases/${databaseId}/sql`;
  await send("POST", `${sql}/execute`, exampleTable);
  await send("POST", `${sql}/query`, {
    sql: "INSERT INTO orders VALUES ('c-17', '2030-01-01T00:00:00.000Z', 42.5), ('c-18', '2030-01-02T00:00:00.000Z', 1)",
  });
  return { emulator, owner, readonly: readonly.accessToken, ids: { databaseId } };
}

/**
 * Traffic for every operation: what succeeds, in every way the contract knows, and the errors that are the
 * operation's own. An operation without an entry does not compile.
 */
export function serviceTraffic({
  emulator,
  owner,
  ids,
}: World): Readonly<Record<OperationId, readonly Call[]>> {
  const { databaseId } = ids;
  const key = { pk: "customer#17", sk: "order#2030-01-01" };
  const missing = { pk: "nobody", sk: "nothing" };
  const failing = { conditionExpression: "attribute_not_exists(pk)" };
  const large = { pk: "large", data: { text: "x".repeat(400 * 1024) } };
  const unavailable: Call = {
    status: refused("database-unavailable"),
    before: () => void emulator.databases.change(databaseId, { status: "Inactive" }),
  };
  const sick = () =>
    void emulator.health.set({
      health: "Unhealthy",
      ready: "NotReady",
      live: "Dead",
      details: "the disk is full",
    });
  return {
    login: [
      { status: 200 },
      { status: 200, body: { email: "owner@demo.test", password: "wrong" } },
      { status: 200, body: { email: "unverified@demo.test", password: "demo-password" } },
      { status: 200, body: { email: "mfa@demo.test", password: "demo-password" } },
    ],
    refreshSession: [
      { status: 200, body: { refreshToken: owner.refreshToken } },
      { status: refused("unauthenticated"), body: { refreshToken: "rt_unknown" } },
    ],
    switchOrganization: [
      { status: 200, body: { organizationId } },
      { status: refused("organization-not-found"), body: { organizationId: "org_unknown" } },
      { status: refused("foreign-resource"), body: { organizationId: "org_demo_free" } },
    ],
    putItem: [
      { status: 200 },
      { status: 200, body: { pk: "no sort key", data: { "": [null, true, 1e21, "ü"] } } },
      { status: refused("condition-failed"), body: { ...key, data: {}, ...failing } },
      { status: refused("item-too-large"), body: large },
      unavailable,
    ],
    getItem: [
      { status: 200 },
      { status: refused("item-not-found"), parameters: missing },
      { status: 200, credential: "dsk_demo_database_read" },
      unavailable,
    ],
    getItemWithSortKey: [
      { status: 200 },
      { status: refused("item-not-found"), parameters: missing },
      unavailable,
    ],
    deleteItem: [{ status: 204 }, { status: 204, parameters: missing }, unavailable],
    deleteItemWithSortKey: [{ status: 204 }, { status: 204, parameters: missing }, unavailable],
    queryItems: [
      { status: 200 },
      { status: 200, body: { partitionKey: "customer#17", limit: 1 } },
      { status: 200, body: { partitionKey: "nobody", scanForward: false } },
      { status: refused("validation-failed"), body: { partitionKey: "customer#17", cursor: "stale" } },
      unavailable,
    ],
    scanItems: [{ status: 200 }, { status: 200, body: {} }, { status: 200, body: { limit: 1 } }, unavailable],
    batchWriteItems: [
      { status: 200 },
      {
        status: 200,
        body: {
          items: [
            { operation: "Put", ...large },
            { operation: "Delete", ...key },
          ],
        },
      },
      {
        status: refused("batch-too-large"),
        body: { items: Array.from({ length: 26 }, (_, at) => ({ operation: "Delete", pk: `${at}` })) },
      },
      unavailable,
    ],
    batchGetItems: [
      { status: 200 },
      { status: 200, body: { keys: [key, missing, { pk: key.pk }] } },
      {
        status: refused("batch-too-large"),
        body: { keys: Array.from({ length: 101 }, (_, at) => ({ pk: `${at}` })) },
      },
      unavailable,
    ],
    transactGetItems: [
      { status: 200 },
      { status: 200, body: { items: [missing, key], clientRequestToken: "read-1" } },
      unavailable,
    ],
    transactWriteItems: [
      {
        status: 200,
        body: {
          items: [
            { action: "Put", ...missing, data: {} },
            { action: "Delete", ...key },
          ],
        },
      },
      // the example puts what is there already: a transaction that fails
      { status: defaultProfile["transaction-failed-status"] },
      {
        status: refused("batch-too-large"),
        body: { items: Array.from({ length: 26 }, (_, at) => ({ action: "Delete", pk: `${at}` })) },
      },
      unavailable,
    ],
    createDatabase: [
      { status: 201 },
      { status: 201, body: { name: "with-settings", region: "eu-west-1", settings: { tier: 1 } } },
      { status: refused("conflict"), body: { name: "traffic", region: "eu-west-1" } },
    ],
    listDatabases: [
      { status: 200 },
      { status: 200, parameters: { limit: 1 } },
      { status: refused("validation-failed"), parameters: { limit: 0 } },
    ],
    getDatabase: [{ status: 200 }],
    deleteDatabase: [{ status: 204 }],
    runSqlQuery: [
      { status: 200 },
      { status: 200, body: { sql: "SELECT * FROM orders", limit: 1 } },
      { status: 200, body: { sql: "SELECT COUNT(*) FROM orders" } },
      { status: 200, body: { sql: "DELETE FROM orders" } },
      { status: 400, body: { sql: "SELEC" } },
      { status: 400, body: { sql: "SELECT * FROM nowhere" } },
      { status: 400, body: { sql: "SELECT * FROM orders", pageToken: "nonsense" } },
      { status: 400, body: { sql: "DELETE FROM orders" }, credential: "dsk_demo_database_read" },
      unavailable,
    ],
    executeSql: [
      { status: 200, body: { sql: "CREATE TABLE more (a INT PRIMARY KEY)" } },
      { status: 200, body: { sql: "DROP TABLE orders" } },
      // the example is what the world began with
      { status: 400 },
      { status: 400, credential: "dsk_demo_database_write" },
      unavailable,
    ],
    listSqlTables: [
      { status: 200 },
      { status: 200, credential: "dsk_demo_database_read" },
      { status: 400, credential: "dsk_demo_repository_all" },
      unavailable,
    ],
    getSqlTableSchema: [
      { status: 200 },
      { status: 400, parameters: { databaseId, tableName: "nowhere" } },
      unavailable,
    ],
    getHealth: [{ status: 200 }, { status: 503, before: sick }],
    getReadiness: [{ status: 200 }, { status: 503, before: sick }],
    getLiveness: [{ status: 200 }, { status: defaultProfile["dead-status"], before: sick }],
  };
}

/** The errors that follow from what kind of operation it is. */
export function commonRefusals(id: OperationId, { readonly }: World): readonly Call[] {
  const { access, requestBody, routes, errorBody }: OperationDefinition = serviceOperations[id];
  const answered = (kind: ProblemKind) => (errorBody === "sql" ? 400 : refused(kind));
  const calls: Call[] = [];
  if (access.kind === "protected") {
    const { roles, scope } = access;
    calls.push({ status: refused("unauthenticated"), credential: null });
    if (!roles.includes("readonly")) calls.push({ status: refused("forbidden"), credential: readonly });
    calls.push(
      scope === undefined
        ? { status: refused("wrong-credential-kind"), credential: "dsk_demo_all" }
        : { status: answered("forbidden"), credential: keyOfOtherScope(scope) },
    );
  }
  if (requestBody !== undefined)
    calls.push(
      { status: answered("validation-failed"), body: [] },
      { status: refused("unsupported-media-type"), contentType: "text/plain" },
    );
  if (JSON.stringify(routes).includes("{databaseId}"))
    calls.push({ status: answered("database-not-found"), parameters: { databaseId: "db_unknown" } });
  return calls;
}

function keyOfOtherScope(scope: string): string {
  return scope === "any" || scope.startsWith("database:")
    ? "dsk_demo_repository_all"
    : "dsk_demo_database_all";
}

function refused(kind: ProblemKind): number {
  return problemStatus(kind, defaultProfile);
}

async function logIn(emulator: Emulator, email: string): Promise<Tokens> {
  const login = await sender(emulator)<{ authResponse: Tokens }>("POST", "/auth/password", {
    email,
    password: "demo-password",
  });
  const send = sender(emulator, login.authResponse.accessToken);
  return send<Tokens>("POST", "/auth/switch-organization", { organizationId });
}

/** Sends requests in the process, past Prism, and insists on success. */
function sender(emulator: Emulator, token?: string) {
  return async <Answer>(method: string, path: string, body: unknown): Promise<Answer> => {
    const answer = await emulator.fetch(path, {
      method,
      headers: {
        "Content-Type": "application/json",
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };
}
