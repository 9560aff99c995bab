import type { Fetch } from "../../client/exchange.js";

interface Item {
  readonly pk: string;
  readonly sk: string | null;
  readonly data: unknown;
  readonly createdAt: string;
  readonly updatedAt: string;
}

interface Sent {
  readonly pk: string;
  readonly sk?: string;
  readonly data: unknown;
  readonly partitionKey?: unknown;
  readonly [name: string]: unknown;
}

const now = () => new Date().toISOString();
const owner = { email: "owner@foreign.example", password: "foreign-password", organizationId: "o1" };

/** The owner, as in a target file. */
export const foreignOwner = owner;

/**
 * A server that is independent of the emulator and implements a part of the contract: sessions, databases, items. Some of
 * its behavior is not among the known answers: errors have a different body, a body that is not an object is refused with
 * a different status than a missing field, and `scannedCount` has no meaning.
 */
export class ForeignDeployment {
  readonly databases = new Map<
    string,
    { name: string; region: string; createdAt: string; items: Map<string, Item> }
  >();
  #count = 0;

  readonly fetch: Fetch = (url, init) => {
    const { pathname } = new URL(url);
    const method = init.method ?? "GET";
    const headers = new Headers(init.headers);
    const body = parseBody(init.body as string | undefined);
    return Promise.resolve(
      this.#answer(method, pathname.split("/").slice(1).map(decodeURIComponent), headers, body),
    );
  };

  #answer(method: string, path: readonly string[], headers: Headers, body: Sent | undefined): Response {
    const [first = "", second = "", third = "", fourth, fifth, sixth, seventh] = path;
    if (first === "health")
      return createJsonResponse(200, {
        status: second === "ready" ? "Ready" : second === "live" ? "Alive" : "Healthy",
      });
    if (first === "auth" && second === "password") return createJsonResponse(200, login(body));
    if (headers.get("authorization") !== "Bearer token-of-owner") return createRefusal(401, "who are you?");
    if (first === "auth" && second === "switch-organization") return createJsonResponse(200, session);
    if (third === "organizations" && method === "GET")
      return fourth === undefined
        ? createJsonResponse(200, {
            organizations: [
              { organizationId: "o1", organizationName: "One", role: "owner", joinedAt: now() },
            ],
          })
        : fourth !== "o1"
          ? createRefusal(404, "no such organization")
          : createJsonResponse(200, fifth === "members" ? { members: [member] } : organization());
    if (third === "management" && fourth === "databases") return this.#management(method, fifth, body);
    const items = third === "databases" ? this.databases.get(fourth ?? "")?.items : undefined;
    if (items === undefined || fifth !== "items") return createRefusal(404, "nothing here");
    if (method === "POST" && sixth === "query") return query(items, body);
    if (method === "PUT" && sixth === undefined) return put(items, body);
    if (sixth === undefined || sixth === "scan" || sixth === "batch")
      return createRefusal(404, "nothing here");
    const key = getKey(sixth, seventh);
    const item = items.get(key);
    if (method === "DELETE")
      return items.delete(key) ? createJsonResponse(204) : createRefusal(410, "it was never there");
    return item === undefined
      ? createJsonResponse(404, {
          type: "https://foreign.example/missing",
          title: "Missing",
          status: 404,
          detail: "no item",
        })
      : createJsonResponse(200, item);
  }

  #management(method: string, id: string | undefined, body: Sent | undefined): Response {
    const shown = ([databaseId, { name, region, createdAt }]: [
      string,
      { name: string; region: string; createdAt: string },
    ]) => ({
      databaseId,
      name,
      region,
      status: "Active",
      createdAt,
      updatedAt: createdAt,
      settings: null,
      usage: {
        itemCount: 0,
        storageBytes: 0,
        readUnitsConsumed: 0,
        writeUnitsConsumed: 0,
        lastUpdated: createdAt,
      },
    });
    if (method === "GET" && id === undefined)
      return createJsonResponse(200, { databases: [...this.databases].map(shown), nextCursor: null });
    if (method === "POST") {
      const { name, region } = (body ?? {}) as { readonly name?: unknown; readonly region?: unknown };
      if (typeof name !== "string" || !/^[a-z][a-z0-9-]{2,62}$/.test(name))
        return createRefusal(422, "what a name");
      const databaseId = `d${++this.#count}`;
      const made = { name, region: String(region), createdAt: now(), items: new Map<string, Item>() };
      this.databases.set(databaseId, made);
      return createJsonResponse(201, {
        databaseId,
        name,
        region: made.region,
        status: "Creating",
        createdAt: made.createdAt,
      });
    }
    const database = this.databases.get(id ?? "");
    if (id === undefined || database === undefined) return createRefusal(404, "no such database");
    if (method === "GET") return createJsonResponse(200, shown([id, database]));
    this.databases.delete(id);
    return createJsonResponse(204);
  }
}

function query(items: ReadonlyMap<string, Item>, body: Sent | undefined): Response {
  if (typeof body !== "object") return createRefusal(400, "what is that?");
  if (typeof body.partitionKey !== "string") return createRefusal(422, "which partition?");
  const { limit = 20 } = body as { readonly limit?: number };
  if (limit < 1 || limit > 500) return createRefusal(422, "what a limit");
  const found = [...items.values()]
    .filter(({ pk }) => pk === body.partitionKey)
    .toSorted((a, b) => ((a.sk ?? "") < (b.sk ?? "") ? -1 : 1))
    .slice(0, limit)
    .map(({ pk, sk, data }) => ({ pk, sk, data }));
  return createJsonResponse(200, { items: found, nextCursor: null, count: found.length, scannedCount: 0 });
}

function put(items: Map<string, Item>, body: Sent | undefined): Response {
  if (typeof body !== "object") return createRefusal(400, "what is that?");
  const { pk, sk = null, data, conditionExpression } = body;
  const key = getKey(pk, sk ?? undefined);
  if (conditionExpression === "attribute_not_exists(pk)" && items.has(key))
    return createRefusal(423, "it is there");
  items.set(key, { pk, sk, data, createdAt: now(), updatedAt: now() });
  return createJsonResponse(200, { pk, sk, updatedAt: now() });
}

const session = {
  accessToken: "token-of-owner",
  refreshToken: "refresh-of-owner",
  expiresIn: 3600,
  userId: "u1",
  email: owner.email,
  name: "Owner",
  avatarUrl: null,
  personalOrgId: "o0",
  permissions: [],
  roles: ["owner"],
};
const member = {
  userId: "u1",
  email: owner.email,
  name: "Owner",
  role: "owner",
  status: "active",
  joinedAt: now(),
  invitedAt: null,
  invitedBy: null,
};

function login(body: Sent | undefined): object {
  const { email, password } = (body ?? {}) as { readonly email?: string; readonly password?: string };
  const fits = email === owner.email && password === owner.password;
  return fits ? { status: "Success", authResponse: session } : { status: "InvalidCredentials" };
}

function organization(): object {
  const settings = {
    maxDatabases: 5,
    maxApiKeys: 5,
    maxMembers: 5,
    allowedRegions: null,
    requireMfa: false,
    ssoEnabled: false,
  };
  const rest = {
    plan: "pro",
    status: "active",
    billingEmail: owner.email,
    createdAt: now(),
    updatedAt: now(),
  };
  return { organizationId: "o1", name: "One", slug: "one", ownerUserId: "u1", ...rest, settings };
}

function getKey(pk: string, sk: string | undefined): string {
  return JSON.stringify([pk, sk ?? null]);
}

function createJsonResponse(status: number, body?: object): Response {
  if (body === undefined) return new Response(null, { status });
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
}

/** Creates an error with the body of this server. */
function createRefusal(status: number, reason: string): Response {
  return createJsonResponse(status, { failed: true, reason });
}

function parseBody(text: string | undefined): Sent | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Sent);
  } catch {
    return undefined;
  }
}
