import { isWrite } from "../client/is-write.js";
import type { Fetch } from "../client/exchange.js";
import { isCanceledTransaction } from "../client/get-retry-plan.js";
import { parseClaims } from "../client/claims.js";
import { sleep } from "../client/time-source.js";
import {
  type AnyJson,
  type InterceptedResponse,
  type Interceptor,
  changeBody,
  createErrorResponse,
  createSuccessResponse,
} from "./intercept.js";
import { type Variant, variant } from "./mutant.js";
import { tampers } from "./tampers.js";

/** Refuses some concurrent requests, like a store that detects conflicts. */
const refuseConcurrentRequests: Interceptor = async (request) => {
  const { memory, body } = request;
  const isAlone = memory.add("under way", 0) === 0 || body?.conditionExpression !== undefined;
  if (!isAlone && memory.add("concurrent") % 4 === 1) return createErrorResponse(409);
  memory.add("under way");
  try {
    return await request.send();
  } finally {
    memory.add("under way", -1);
  }
};

const countLagMs = 300;

/** Returns figures as they were some time ago; 0 at first. */
const delayCounts = (delayMs: number): Interceptor =>
  tampers.changeResponseBody((body, { path, memory }) => {
    for (const holder of [body, ...(body.tables ?? [])])
      for (const field of ["itemCount", "totalCount", "databaseCount", "rowCount"])
        if (field in holder) {
          const looks: AnyJson[] = memory.keepFirst([field, path, holder.name], []);
          looks.push({ at: Date.now(), value: Number(holder[field]) });
          holder[field] = looks.findLast(({ at }) => at <= Date.now() - delayMs)?.value ?? 0;
        }
  });

/**
 * A user has only a few sessions: a login ends the oldest one, and a switch or refresh replaces the tokens of its session.
 */
const limitSessions =
  (max: number): Interceptor =>
  async (request) => {
    const { operationId, credential, body, memory } = request;
    const isRefresh = operationId === "refreshSession";
    const sent: unknown = isRefresh ? body?.refreshToken : credential;
    const refused = isRefresh ? { body: { ...body, refreshToken: "ended" } } : { credential: "ended" };
    const response = await request.send(memory.get(["ended", sent]) === true ? refused : {});
    const session = operationId === "login" ? response.body?.authResponse : response.body;
    if (response.status >= 300 || typeof session?.accessToken !== "string") return response;
    const { sub } = parseClaims(session.accessToken as string);
    const sessions: unknown[][] = memory.keepFirst(["sessions", sub], []);
    const current = operationId === "login" ? -1 : sessions.findIndex((tokens) => tokens.includes(sent));
    const ended = sessions.splice(Math.max(current, 0), current >= 0 || sessions.length >= max ? 1 : 0);
    for (const token of ended.flat()) memory.set(["ended", token], true);
    sessions.push([session.accessToken, session.refreshToken]);
    return response;
  };

/** Every second batch get leaves a key unprocessed, and one entry of every third batch write fails. */
const throttleBatches: Interceptor = (request) => {
  const gets = request.operationId === "batchGetItems";
  const entries: unknown = gets ? request.body?.keys : request.body?.items;
  const isDue = request.memory.add("batches") % (gets ? 2 : 3) === 0;
  if (
    !isDue ||
    !Array.isArray(entries) ||
    typeof entries[0]?.pk !== "string" ||
    entries.length > (gets ? 100 : 25)
  )
    return request.send();
  const [{ pk, sk = null }, ...rest] = entries;
  // The other entries are sent so that callers without access are still refused.
  const others =
    rest.length > 0 ? rest : [gets ? { pk: missingKey } : { operation: "Delete", pk: missingKey }];
  return changeBody(request.send({ body: gets ? { keys: others } : { items: others } }), (body) => {
    if (gets) body.unprocessedKeys = [{ pk, sk }, ...(body.unprocessedKeys ?? [])];
    else {
      body.successCount = Number(body.successCount) - (others.length - rest.length);
      body.failedCount = Number(body.failedCount) + 1;
      body.errors = [{ pk, sk, error: "Too much is asked of the partition." }, ...(body.errors ?? [])];
    }
  });
};

/** A key without an item. */
const missingKey = "no-such-item";

/** Every fourth transaction is canceled, also when it is repeated with the same token. */
function cancelTransactions(status: number): Interceptor {
  const cancelSome: Interceptor = async (request) => {
    const { items } = request.body ?? {};
    if (!Array.isArray(items) || items.length > 25 || typeof items[0]?.pk !== "string") return request.send();
    const number = request.memory.add("transactions");
    if (number % 4 !== 0) return request.send();
    const condition = { conditionExpression: "attribute_not_exists(pk)" };
    const look = await request.send({
      body: { items: [{ action: "ConditionCheck", pk: missingKey, ...condition }] },
    });
    if (look.status !== 200) return look;
    const [{ pk, sk = null }] = items;
    const errorType = number % 8 === 0 ? "InternalServerError" : "TransactionCanceled";
    const errors = [{ itemIndex: 0, pk, sk, error: "Canceled.", errorType }];
    return { ...look, status, body: { successCount: 0, errors } };
  };
  return async (request) => {
    const { clientRequestToken } = request.body ?? {};
    if (clientRequestToken === undefined) return cancelSome(request);
    const key = [request.path, clientRequestToken];
    const before: Promise<InterceptedResponse> | undefined = request.memory.get(key);
    if (before === undefined) return request.memory.set(key, cancelSome(request));
    return isCanceledTransaction(await before) ? before : request.send();
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
 * Responds to reads like a replica that receives writes some milliseconds late: a repeated read gets the earlier
 * response.
 */
export function serveStaleReads(lagMs: number): Interceptor {
  return async (request) => {
    const { operationId, path, query, body, credential, memory } = request;
    const writes: number[] = memory.keepFirst("writes", []);
    if (isWrite("POST", body, operationId)) {
      const response = await request.send();
      writes.push(Date.now());
      return response;
    }
    const asked = [operationId, path, query, body, credential];
    const now = Date.now();
    const isReplicated = (at: number) => at <= now - lagMs;
    const before: AnyJson = memory.get(asked);
    if (!writes.every(isReplicated) && before?.at > (writes.findLast(isReplicated) ?? -Infinity))
      return before.response;
    const response = await request.send();
    memory.set(asked, { at: now, response });
    return response;
  };
}

const lagMs = 3;

/** Every second report is that the service is unhealthy. */
const alternateHealth: Interceptor = (request) => {
  const status = request.operationId === "getHealth" ? "Unhealthy" : "NotReady";
  const details = "A replica is missing.";
  return request.memory.add("reports") % 2 === 0
    ? request.send()
    : { status: 503, headers: {}, body: { status, details } };
};

/** A gateway responds to two writes with 502; the second one has taken effect. */
const failInGateway: Interceptor = async (request) => {
  const number = request.memory.add("writes");
  if (number !== 13 && number !== 26) return request.send();
  if (number === 26) await request.send();
  return createErrorResponse(502);
};

/** Gets during a write return the last response. */
const lagUnderWrites: Interceptor = async (request) => {
  const { memory, path } = request;
  if (!request.operationId.startsWith("getItem")) {
    memory.add("writes");
    return Promise.resolve(request.send()).finally(() => memory.add("writes", -1));
  }
  const before: InterceptedResponse | undefined = memory.get(path);
  if (memory.add("writes", 0) > 0 && before !== undefined) return before;
  return memory.set(path, await request.send());
};

/** Deployments in which effects are delayed or requests are refused temporarily. */
export const laggingVariants: readonly Variant[] = [
  // The slowest variant comes first.
  variant("everywhere/slower", /./).by(async (request) => {
    const response = await request.send();
    await sleep(1 + (request.memory.add("requests") % 3));
    return response;
  }),
  variant("concurrency/in-each-others-way", /^(?:put|get|delete)Item$|^transactGet|^createEntity$/, {
    alsoIn: ["entities", "sequences"],
  }).by(refuseConcurrentRequests),
  variant("concurrency/tokens-in-use", "transactWriteItems").respondBesideOther(
    ({ body }) => body?.clientRequestToken,
    ({ body: { items } }) => {
      const [{ pk, sk = null }] = items;
      const errors = [{ itemIndex: 0, pk, sk, error: "In progress.", errorType: "TransactionCanceled" }];
      return createSuccessResponse({ successCount: 0, errors }, 409);
    },
  ),
  variant("concurrency/gets-lag-under-writes", /^(?:put|get|delete|batch|transact).*Items?/, {
    alsoIn: ["sequences"],
  }).by(lagUnderWrites),
  variant("databases/failing-gateway", /^(?:put|delete)Item/).by(failInGateway),
  variant("billing/late-counts", ["getRepository", "listEntities", "listSqlTables", "getUsage"], {
    alsoIn: ["repositories", "entities", "sql", "sequences"],
    target: { countLagMs: 4 * countLagMs },
  }).by(delayCounts(countLagMs)),
  variant("entities/counts-later", ["getRepository", "listEntities"]).by(delayCounts(500)),
  variant("everywhere/one-session", /./).by(limitSessions(1)),
  variant("everywhere/two-sessions", /./).by(limitSessions(2)),
  variant("everywhere/three-sessions", /./).by(limitSessions(3)),
  variant("everywhere/throttled-batches", ["batchGetItems", "batchWriteItems"]).by(throttleBatches),
  ...[200, 400, 409].map((status) =>
    variant(`everywhere/canceled-transactions-${status}`, "transactWriteItems").by(
      cancelTransactions(status),
    ),
  ),
  { id: "everywhere/redirects", wrap: redirectRequests },
  variant("preconditions/lagging-reads", /./, {
    alsoIn: ["items", "entities", "databases", "sql"],
    target: { readLagMs: lagMs + 2 },
  }).by(serveStaleReads(lagMs)),
  variant("access/unhealthy-at-times", ["getHealth", "getReadiness"]).by(alternateHealth),
  variant("everywhere/late-lists", /^(?:create|delete|list)(?:Database|Repositor|Organization)/).by(
    serveStaleReads(100),
  ),
];
