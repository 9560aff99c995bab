import type { OperationDefinition } from "../../openapi/operations/operation.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { operationIds, serviceApi } from "../../openapi/operations/register.js";
import { toRouteRegExp } from "../../openapi/text/path-template.js";
import type { Fetch } from "../client/exchange.js";
import { isCanceled } from "../client/get-retry.js";
import { readClaims } from "../client/claims.js";
import { type Json, type WireAnswer, type Tamper, changed } from "./intercept.js";
import { type Variant, variant } from "./mutant.js";

/** The routes that are guessed last. */
const lastRoutes: Partial<Profile> = {
  "put-item-route": "PUT /items/{pk}[/{sk}]",
  "plans-route": "/plans",
  "list-tables-route": "GET /databases/{databaseId}/tables",
};

/** Refuses requests to the routes that are guessed in vain, as a deployment that knows no such path. */
function refusingUnknownPaths(status: number): (fetch: Fetch) => Fetch {
  const wrong = Object.values<OperationDefinition>(serviceApi.operations).flatMap(({ routes }) => {
    if (!("gap" in routes)) return [];
    const right = new Set(routes.alternatives(lastRoutes).flatMap((way) => way.map(({ path }) => path)));
    return routes.alternatives({}).flatMap((way) => way.filter(({ path }) => !right.has(path)));
  });
  return (fetch) => (url, init) => {
    const path = new URL(url).pathname.replace(/^\/ns\/[^/]+/, "");
    const isUnknown = wrong.some(
      (route) =>
        route.method.toUpperCase() === (init.method ?? "GET") && toRouteRegExp(route.path).test(path),
    );
    return isUnknown ? Promise.resolve(new Response(null, { status })) : fetch(url, init);
  };
}

/** A user has one session: a switch ends the one it is made in, and a login those before it. */
function oneSession(): Tamper {
  const ended = new Set<string>();
  const current = new Map<string, readonly string[]>();
  const end = (tokens: readonly (string | undefined)[]) => {
    for (const token of tokens) if (token !== undefined) ended.add(token);
  };
  return async (wire) => {
    const { operationId, credential, body } = wire;
    const isEnded = ended.has(String(operationId === "refreshSession" ? body?.refreshToken : credential));
    const answer = await wire.send(
      !isEnded
        ? {}
        : operationId === "refreshSession"
          ? { body: { ...body, refreshToken: "ended" } }
          : { credential: "ended" },
    );
    const session = operationId === "login" ? answer.body?.authResponse : answer.body;
    if (answer.status >= 300 || typeof session?.accessToken !== "string") return answer;
    const { sub = "" } = readClaims(session.accessToken as string);
    if (operationId === "switchOrganization") end([credential]);
    end(current.get(sub) ?? []);
    current.set(sub, [session.accessToken, session.refreshToken]);
    return answer;
  };
}

const lateMs = 100;

type Parent = Readonly<Record<string, string>>;

/** Operations on what is listed, the member of the list, the id of an entry, and where the list is. */
const lists: readonly (readonly [RegExp, member: string, id: string, path: (parent: Parent) => string])[] = [
  [/Database/, "databases", "databaseId", () => "/api/v1/management/databases"],
  [
    /Repositor/,
    "repositories",
    "repositoryId",
    ({ databaseId = "" }) => `/api/v1/management/databases/${encodeURIComponent(databaseId)}/repositories`,
  ],
  [/Organization/, "organizations", "organizationId", () => "/api/v1/organizations"],
];

/** Lists show what is made and removed some time later. */
function lateLists(): Tamper {
  const made = new Map<string, number>();
  const removed: { readonly of: string; readonly at: number; readonly entry: Json }[] = [];
  return async (wire) => {
    const [, member = "", id = "", pathOf] = lists.find(([kind]) => kind.test(wire.operationId)) ?? [];
    const [verb] = /^(?:create|delete|list)/.exec(wire.operationId) ?? [];
    if (verb === undefined || pathOf === undefined) return wire.send();
    const { org, sub } = readClaims(wire.credential);
    const of = `${member} ${org ?? ""} ${sub ?? ""} ${wire.path.databaseId ?? ""}`;
    const now = () => Date.now();
    if (verb === "create") {
      const answer = await wire.send();
      if (answer.status < 300) made.set(String(answer.body[id]), now());
      return answer;
    }
    if (verb === "delete") {
      const { body } = await wire.ask("GET", pathOf(wire.path));
      const entry = body?.[member]?.find((one: Json) => one[id] === wire.path[id]);
      const answer = await wire.send();
      if (answer.status < 300 && entry !== undefined) removed.push({ of, at: now(), entry });
      return answer;
    }
    return changed(await wire.send(), (body) => {
      const isLate = (at: number) => now() - at < lateMs;
      const stay = removed.filter((one) => one.of === of && isLate(one.at)).map(({ entry }) => entry);
      const limit = Number(wire.query.limit ?? 20);
      body[member] = [
        ...body[member].filter((one: Json) => !isLate(made.get(String(one[id])) ?? -lateMs)),
        ...(body.nextCursor === null || member === "organizations" ? stay : []),
      ].slice(0, member === "databases" ? limit : undefined);
    });
  };
}

/** Of every other batch get a key is left over, and of every third batch write an entry fails. */
function throttledBatches(): Tamper {
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
    // who may not do it is refused all the same
    const others = rest.length > 0 ? rest : [gets ? { pk: nothing } : { operation: "Delete", pk: nothing }];
    const answer = await wire.send({ body: gets ? { keys: others } : { items: others } });
    return changed(answer, (body) => {
      if (gets) body.unprocessedKeys = [{ pk, sk }, ...(body.unprocessedKeys ?? [])];
      else {
        body.successCount = Number(body.successCount) - (others.length - rest.length);
        body.failedCount = Number(body.failedCount) + 1;
        body.errors = [{ pk, sk, error: "Too much is asked of the partition." }, ...(body.errors ?? [])];
      }
    });
  };
}

/** A key that no item has. */
const nothing = "no-such-item";

/** Every fourth transaction is canceled, and so is its repetition with the same token. */
function cancelingTransactions(status: number): Tamper {
  let number = 0;
  const known = new Map<string, Promise<WireAnswer>>();
  const answerOf: Tamper = async (wire) => {
    const { items } = wire.body ?? {};
    if (!Array.isArray(items) || items.length > 25 || typeof items[0]?.pk !== "string" || ++number % 4 !== 0)
      return wire.send();
    const condition = { conditionExpression: "attribute_not_exists(pk)" };
    const look = await wire.send({
      body: { items: [{ action: "ConditionCheck", pk: nothing, ...condition }] },
    });
    if (look.status !== 200) return look;
    const [{ pk, sk = null }] = items;
    const errors = [{ itemIndex: 0, pk, sk, error: "Canceled.", errorType: "TransactionCanceled" }];
    return { ...look, status, body: { successCount: 0, errors } };
  };
  return (wire) => {
    const { clientRequestToken } = wire.body ?? {};
    const token = JSON.stringify([wire.path, clientRequestToken]);
    const before = known.get(token);
    if (before !== undefined) return before.then((answer) => (isCanceled(answer) ? answer : wire.send()));
    const answer = answerOf(wire);
    if (clientRequestToken !== undefined) known.set(token, answer);
    return answer;
  };
}

/** Answers have no content type. */
const withoutType: (fetch: Fetch) => Fetch = (fetch) => async (url, init) => {
  const answer = await fetch(url, init);
  const headers = new Headers(answer.headers);
  headers.delete("content-type");
  const bytes = await answer.arrayBuffer();
  return new Response(bytes.byteLength === 0 ? null : bytes, { status: answer.status, headers });
};

/** Every seventh request is sent to the same address once more. */
const redirecting: (fetch: Fetch) => Fetch = (fetch) => {
  let number = 0;
  const sentOn = new Set<string>();
  return (url, init) => {
    const asked = JSON.stringify([url, init.method, init.body, [...new Headers(init.headers)]]);
    if (sentOn.delete(asked) || ++number % 7 > 0 || url.includes("/_emulator/")) return fetch(url, init);
    sentOn.add(asked);
    return Promise.resolve(new Response(null, { status: 307, headers: { Location: url } }));
  };
};

/** What concerns the run as a whole, and no single check. */
export const runVariants: readonly Variant[] = [
  ...[401, 403, 501].map((status): Variant => ({
    id: `everywhere/unknown-paths-${status}`,
    wrap: refusingUnknownPaths(status),
    profile: lastRoutes,
  })),
  variant("everywhere/one-session", operationIds).by(oneSession),
  variant("everywhere/late-lists", operationIds).by(lateLists),
  variant("everywhere/throttled-batches", ["batchGetItems", "batchWriteItems"]).by(throttledBatches),
  ...[200, 400, 409].map((status) =>
    variant(`everywhere/canceled-transactions-${status}`, ["transactWriteItems"]).by(() =>
      cancelingTransactions(status),
    ),
  ),
  { id: "everywhere/no-content-type", wrap: withoutType },
  { id: "everywhere/redirects", wrap: redirecting },
  variant("everywhere/no-reserved-domains", ["inviteMember"]).refusing(400, ({ body }) =>
    String(body?.email).endsWith(".example"),
  ),
  variant("everywhere/pending-unlisted", ["listMembers"]).replacing("members", (members) =>
    members.filter(({ status }: Json) => status !== "pending"),
  ),
];
