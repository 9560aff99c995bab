import { isWrite } from "../client/read-lag.js";
import type { OperationId } from "../../openapi/operations/register.js";
import type { Fetch } from "../client/exchange.js";
import { isCanceledTransaction } from "../client/get-retry-plan.js";
import { parseClaims } from "../client/claims.js";
import { sleep } from "../client/rate-limiter.js";
import { type AnyJson, type InterceptedResponse, type Interceptor, changeBody } from "./intercept.js";
import { type Variant, variant, defineVariantInAreas } from "./mutant.js";
import { createErrorResponse, changeResponseBody } from "./tampers.js";

/** Refuses some concurrent requests, like a store that detects conflicts. */
const refuseConcurrentRequests: () => Interceptor = () => {
  let underWay = 0;
  let number = 0;
  return async (wire) => {
    const isSure = wire.body?.conditionExpression !== undefined;
    if (underWay > 0 && !isSure && number++ % 4 === 0) return createErrorResponse(409);
    underWay++;
    try {
      return await wire.send();
    } finally {
      underWay--;
    }
  };
};

const countLagMs = 300;

/** Returns figures as they were the given time ago; 0 at first. */
function delayFigures(delayMs: number): (name: string, value: number) => number {
  const looks = new Map<string, { readonly at: number; readonly value: number }[]>();
  return (name, value) => {
    const now = Date.now();
    const seen = [...(looks.get(name) ?? []), { at: now, value }];
    looks.set(name, seen);
    return seen.findLast(({ at }) => at <= now - delayMs)?.value ?? 0;
  };
}

/** Fields with a single count. */
const counts: Readonly<Partial<Record<OperationId, string>>> = {
  getRepository: "itemCount",
  listEntities: "totalCount",
  getUsage: "databaseCount",
};

/** Returns figures as they were some time ago. */
const delayCounts = (delayMs: number) => (): Interceptor => {
  const late = delayFigures(delayMs);
  return changeResponseBody((body, { operationId, path }) => {
    for (const table of body.tables ?? [])
      table.rowCount = late(`table ${table.name}`, Number(table.rowCount));
    const field = counts[operationId];
    if (field !== undefined) body[field] = late(`${field} ${path.repositoryId}`, Number(body[field]));
  })();
};

/** A user has only one session: a switch ends the current session, and a login ends all earlier sessions. */
function allowOneSession(): Interceptor {
  const ended = new Set<string>();
  const current = new Map<string, readonly string[]>();
  const end = (tokens: readonly (string | undefined)[]) => {
    for (const token of tokens) if (token !== undefined) ended.add(token);
  };
  return async (wire) => {
    const { operationId, credential, body } = wire;
    const isEnded = ended.has(String(operationId === "refreshSession" ? body?.refreshToken : credential));
    const response = await wire.send(
      !isEnded
        ? {}
        : operationId === "refreshSession"
          ? { body: { ...body, refreshToken: "ended" } }
          : { credential: "ended" },
    );
    const session = operationId === "login" ? response.body?.authResponse : response.body;
    if (response.status >= 300 || typeof session?.accessToken !== "string") return response;
    const { sub = "" } = parseClaims(session.accessToken as string);
    if (operationId === "switchOrganization") end([credential]);
    end(current.get(sub) ?? []);
    current.set(sub, [session.accessToken, session.refreshToken]);
    return response;
  };
}

/** Every second batch get leaves a key unprocessed, and one entry of every third batch write fails. */
function throttleBatches(): Interceptor {
  let number = 0;
  return async (wire) => {
    const gets = wire.operationId === "batchGetItems";
    const entries: unknown = gets ? wire.body?.keys : wire.body?.items;
    const isDue = ++number % (gets ? 2 : 3) === 0;
    if (
      !isDue ||
      !Array.isArray(entries) ||
      typeof entries[0]?.pk !== "string" ||
      entries.length > (gets ? 100 : 25)
    )
      return wire.send();
    const [{ pk, sk = null }, ...rest] = entries;
    // The other entries are sent so that callers without access are still refused.
    const others =
      rest.length > 0 ? rest : [gets ? { pk: missingKey } : { operation: "Delete", pk: missingKey }];
    const response = await wire.send({ body: gets ? { keys: others } : { items: others } });
    return changeBody(response, (body) => {
      if (gets) body.unprocessedKeys = [{ pk, sk }, ...(body.unprocessedKeys ?? [])];
      else {
        body.successCount = Number(body.successCount) - (others.length - rest.length);
        body.failedCount = Number(body.failedCount) + 1;
        body.errors = [{ pk, sk, error: "Too much is asked of the partition." }, ...(body.errors ?? [])];
      }
    });
  };
}

/** A key without an item. */
const missingKey = "no-such-item";

/** Every fourth transaction is canceled, also when it is repeated with the same token. */
function cancelTransactions(status: number): Interceptor {
  let number = 0;
  const known = new Map<string, Promise<InterceptedResponse>>();
  const answerOf: Interceptor = async (wire) => {
    const { items } = wire.body ?? {};
    if (!Array.isArray(items) || items.length > 25 || typeof items[0]?.pk !== "string" || ++number % 4 !== 0)
      return wire.send();
    const condition = { conditionExpression: "attribute_not_exists(pk)" };
    const look = await wire.send({
      body: { items: [{ action: "ConditionCheck", pk: missingKey, ...condition }] },
    });
    if (look.status !== 200) return look;
    const [{ pk, sk = null }] = items;
    const errorType = number % 8 === 0 ? "InternalServerError" : "TransactionCanceled";
    const errors = [{ itemIndex: 0, pk, sk, error: "Canceled.", errorType }];
    return { ...look, status, body: { successCount: 0, errors } };
  };
  return (wire) => {
    const { clientRequestToken } = wire.body ?? {};
    const token = JSON.stringify([wire.path, clientRequestToken]);
    const before = known.get(token);
    if (before !== undefined)
      return before.then((response) => (isCanceledTransaction(response) ? response : wire.send()));
    const response = answerOf(wire);
    if (clientRequestToken !== undefined) known.set(token, response);
    return response;
  };
}

/** Every seventh request is redirected to the same address. */
const redirectRequests: (fetch: Fetch) => Fetch = (fetch) => {
  let number = 0;
  const sentOn = new Set<string>();
  return (url, init) => {
    const asked = JSON.stringify([url, init.method, init.body, [...new Headers(init.headers)]]);
    if (sentOn.delete(asked) || ++number % 7 > 0 || url.includes("/_emulator/")) return fetch(url, init);
    sentOn.add(asked);
    return Promise.resolve(new Response(null, { status: 307, headers: { Location: url } }));
  };
};

/**
 * Answers reads like a replica that receives writes some milliseconds late: repeated reads get the earlier answer.
 */
export function delayReads(lagMs: number): Interceptor {
  let lastWrite = -Infinity;
  const answered = new Map<string, InterceptedResponse>();
  return async (wire) => {
    const { operationId, path, query, body, credential } = wire;
    if (isWrite("POST", body, operationId)) {
      const response = await wire.send();
      lastWrite = Date.now();
      return response;
    }
    const asked = JSON.stringify([operationId, path, query, body, credential]);
    const before = answered.get(asked);
    if (before !== undefined && Date.now() - lastWrite < lagMs) return before;
    const response = await wire.send();
    answered.set(asked, response);
    return response;
  };
}

const lagMs = 3;

const listLagMs = 100;

type Parent = Readonly<Record<string, string>>;

/** Operations on listed resources, with the field of the list, the id field of an entry, and the place of the list. */
const listedResources: readonly (readonly [
  RegExp,
  member: string,
  id: string,
  path: (parent: Parent) => string,
])[] = [
  [/Database/, "databases", "databaseId", () => "/api/v1/management/databases"],
  [
    /Repositor/,
    "repositories",
    "repositoryId",
    ({ databaseId = "" }) => `/api/v1/management/databases/${encodeURIComponent(databaseId)}/repositories`,
  ],
  [/Organization/, "organizations", "organizationId", () => "/api/v1/organizations"],
];

/** Lists show created and removed resources after a delay. */
function delayLists(): Interceptor {
  const made = new Map<string, number>();
  const removed: { readonly of: string; readonly at: number; readonly entry: AnyJson }[] = [];
  return async (wire) => {
    const [, member = "", id = "", pathOf] =
      listedResources.find(([kind]) => kind.test(wire.operationId)) ?? [];
    const [verb] = /^(?:create|delete|list)/.exec(wire.operationId) ?? [];
    if (verb === undefined || pathOf === undefined) return wire.send();
    const { org, sub } = parseClaims(wire.credential);
    const of = `${member} ${org ?? ""} ${sub ?? ""} ${wire.path.databaseId ?? ""}`;
    const now = () => Date.now();
    if (verb === "create") {
      const response = await wire.send();
      if (response.status < 300) made.set(String(response.body[id]), now());
      return response;
    }
    if (verb === "delete") {
      const { body } = await wire.ask("GET", pathOf(wire.path));
      const entry = body?.[member]?.find((one: AnyJson) => one[id] === wire.path[id]);
      const response = await wire.send();
      if (response.status < 300 && entry !== undefined) removed.push({ of, at: now(), entry });
      return response;
    }
    return changeBody(await wire.send(), (body) => {
      const isLate = (at: number) => now() - at < listLagMs;
      const stay = removed.filter((one) => one.of === of && isLate(one.at)).map(({ entry }) => entry);
      const limit = Number(wire.query.limit ?? 20);
      body[member] = [
        ...body[member].filter((one: AnyJson) => !isLate(made.get(String(one[id])) ?? -listLagMs)),
        ...(body.nextCursor === null || member === "organizations" ? stay : []),
      ].slice(0, member === "databases" ? limit : undefined);
    });
  };
}

/** Every second report is that the service is unhealthy. */
const alternateHealth: () => Interceptor = () => {
  let number = 0;
  return async (wire) => {
    const status = wire.operationId === "getHealth" ? "Unhealthy" : "NotReady";
    const details = "A replica is missing.";
    return ++number % 2 === 0 ? wire.send() : { status: 503, headers: {}, body: { status, details } };
  };
};

/** Deployments in which effects are delayed or requests are refused temporarily. */
export const laggingVariants: readonly Variant[] = [
  // The slowest variant comes first.
  variant("everywhere/slower", /./).by(() => {
    let number = 0;
    return async (wire) => {
      const response = await wire.send();
      await sleep(1 + (number++ % 3));
      return response;
    };
  }),
  ...defineVariantInAreas(
    ["concurrency", "sequences"],
    "in-each-others-way",
    /^(?:put|get|delete)Item$|^transactGet/,
  ).by(refuseConcurrentRequests),
  ...defineVariantInAreas(
    ["concurrency", "sequences"],
    "gets-lag-under-writes",
    /^(?:put|get|delete|batch|transact).*Items?/,
  ).by(() => {
    let writing = 0;
    const answered = new Map<string, InterceptedResponse>();
    return async (wire) => {
      if (!wire.operationId.startsWith("getItem")) {
        writing++;
        return wire.send().finally(() => writing--);
      }
      const name = JSON.stringify(wire.path);
      const before = answered.get(name);
      if (writing > 0 && before !== undefined) return before;
      const response = await wire.send();
      answered.set(name, response);
      return response;
    };
  }),
  ...defineVariantInAreas(
    ["repositories", "entities", "sql", "sequences", "billing"],
    "late-counts",
    ["getRepository", "listEntities", "listSqlTables", "getUsage"],
    { target: { countLagMs: 4 * countLagMs } },
  ).by(delayCounts(countLagMs)),
  variant("entities/counts-later", ["getRepository", "listEntities"]).by(delayCounts(500)),
  variant("everywhere/one-session", /./).by(allowOneSession),
  variant("everywhere/throttled-batches", ["batchGetItems", "batchWriteItems"]).by(throttleBatches),
  ...[200, 400, 409].map((status) =>
    variant(`everywhere/canceled-transactions-${status}`, "transactWriteItems").by(() =>
      cancelTransactions(status),
    ),
  ),
  { id: "everywhere/redirects", wrap: redirectRequests },
  ...defineVariantInAreas(["preconditions", "items", "entities", "databases", "sql"], "lagging-reads", /./, {
    target: { readLagMs: lagMs + 2 },
  }).by(() => delayReads(lagMs)),
  variant("access/unhealthy-at-times", ["getHealth", "getReadiness"]).by(alternateHealth),
  variant("everywhere/late-lists", /./).by(delayLists),
];
