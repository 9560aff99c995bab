import { operationIds, serviceApi, type OperationId } from "../../openapi/operations/register.js";
import type { Fetch } from "../client/exchange.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { toRouteRegExp } from "../../openapi/text/path-template.js";
import type { OperationDefinition } from "../../openapi/operations/operation.js";
import { stringifyJson, JsonText } from "../client/json-text.js";
import { isWidelySupportedJson } from "../generators/is-widely-supported-json.js";
import {
  type AnyJson,
  type InterceptedResponse,
  type InterceptedRequest,
  type Interceptor,
  changeBody,
} from "./intercept.js";
import { createErrorResponse, createSuccessResponse } from "./tampers.js";
import { type Variant, variant, defineVariantInAreas } from "./mutant.js";
import { instantPattern, rewriteResponses } from "./rewrite-answers.js";

const mark = "page.";

/** Encodes cursors differently in responses, and decodes them in requests. */
const wrappedCursors: Interceptor = async (wire) => {
  const unwrapped = (cursor: unknown) =>
    typeof cursor === "string" && cursor.startsWith(mark)
      ? Buffer.from(cursor.slice(mark.length), "base64url").toString()
      : cursor;
  const { query, body } = wire;
  const sent = {
    ...(query.cursor === undefined ? {} : { query: { ...query, cursor: String(unwrapped(query.cursor)) } }),
    ...(typeof body?.cursor === "string" ? { body: { ...body, cursor: unwrapped(body.cursor) } } : {}),
    ...(typeof body?.pageToken === "string"
      ? { body: { ...body, pageToken: unwrapped(body.pageToken) } }
      : {}),
  };
  return changeBody(await wire.send(sent), (page) => {
    for (const name of ["nextCursor", "nextPageToken"])
      if (typeof page?.[name] === "string") page[name] = mark + Buffer.from(page[name]).toString("base64url");
  });
};

const inQuery: readonly OperationId[] = ["listEntities", "listDatabases"];

const inBody: readonly OperationId[] = ["queryItems", "scanItems", "queryEntities", "runSqlQuery"];

/** Pages contain half as many entries as requested. */
const shortPages: Interceptor = (wire) => {
  const half = (limit: unknown) => (Number(limit) > 1 ? Math.ceil(Number(limit) / 2) : limit);
  if (inQuery.includes(wire.operationId) && wire.query.limit !== undefined)
    return wire.send({ query: { ...wire.query, limit: String(half(wire.query.limit)) } });
  const isAsked = inBody.includes(wire.operationId) && typeof wire.body?.limit === "number";
  return isAsked ? wire.send({ body: { ...wire.body, limit: half(wire.body.limit) } }) : wire.send();
};

const otherStatus: Readonly<Record<number, number>> = {
  400: 422,
  401: 403,
  403: 404,
  404: 410,
  409: 412,
  413: 400,
  422: 400,
};

/** Whether the specification defines the form of a refusal: for SQL, missing items and transactions. */
function isShown({ operationId }: InterceptedRequest, { status, body }: InterceptedResponse): boolean {
  const isMissingItem = status === 404 && ["getItem", "getItemWithSortKey"].includes(operationId);
  return isMissingItem || typeof body?.code === "string" || body?.successCount !== undefined;
}

/** Refusals have other statuses, and a text or nothing as their body. */
function otherRefusals(): Interceptor {
  let number = 0;
  return async (wire) => {
    const answer = await wire.send();
    const status = otherStatus[answer.status];
    if (status === undefined || isShown(wire, answer)) return answer;
    const isEmpty = ++number % 2 === 0;
    return {
      status,
      headers: isEmpty ? {} : { "content-type": "text/plain" },
      body: isEmpty ? undefined : "no",
    };
  };
}

/** Fields whose value is a string. */
const textFields = ["pk", "sk", "partitionKey", "name", "planType", "email", "password"];

const roles = ["owner", "admin", "member", "readonly"];

/**
 * Accepts requests that are almost right: JSON with single quotes, unquoted names or trailing text; a number, true, false
 * or an array of one string instead of a string; a role by its number; operations in lower case; and sort-key conditions
 * without their colon.
 */
const leniently = (): Interceptor => (wire) => {
  const body = typeof wire.body === "string" ? almostJson(wire.body) : wire.body;
  if (typeof body !== "object" || body === null || Array.isArray(body)) return wire.send();
  const read: AnyJson = { ...body };
  for (const field of textFields) if (field in read) read[field] = oneText(read[field]);
  if (typeof read.role === "number") read.role = roles[read.role] ?? read.role;
  if (typeof read.sortKeyCondition === "string")
    read.sortKeyCondition = read.sortKeyCondition.replace(/^(<=|>=|=|<|>)(?=[^:=<>])/, "$1:");
  if (Array.isArray(read.items) && wire.operationId === "batchWriteItems")
    read.items = read.items.map((entry: AnyJson) =>
      /^(?:put|delete)$/.test(entry?.operation)
        ? { ...entry, operation: entry.operation.replace(/^./, (first: string) => first.toUpperCase()) }
        : entry,
    );
  return wire.send({ body: read });
};

function almostJson(text: string): AnyJson {
  const quoted = text.replaceAll("'", '"').replaceAll(/([{,]\s*)(\w+):/g, '$1"$2":');
  for (let end = quoted.length; end > 0; end--)
    try {
      return JSON.parse(quoted.slice(0, end));
    } catch {
      // shorter: the end of the value comes sooner
    }
  return text;
}

function oneText(value: AnyJson): AnyJson {
  const [only, ...more] = Array.isArray(value) ? value : [value];
  if (Array.isArray(value) && (more.length > 0 || typeof only !== "string")) return value;
  return ["number", "boolean"].includes(typeof only) ? String(only) : only;
}

/**
 * Refuses values that decimal types, texts and documents of databases cannot store, except nested arrays in a schema, and
 * names that could cause prototype pollution.
 */
const refusingOdd = (): Interceptor => (wire) => {
  const { data, schema, items } = wire.body ?? {};
  const given = [data, schema, ...(Array.isArray(items) ? items.map((entry: AnyJson) => entry?.data) : [])];
  const isOdd = (value: AnyJson) =>
    typeof value === "object" &&
    value?.outer === undefined &&
    !isWidelySupportedJson(new JsonText(stringifyJson(value)));
  return given.some(isOdd) || /"(?:__proto__|constructor|prototype)"\s*:/.test(stringifyJson(wire.body ?? {}))
    ? Promise.resolve(createErrorResponse(400))
    : wire.send();
};

/** Matches an id of the wrapped deployment. */
const ownId = /\b[a-z]{2,5}_[0-9a-z]{16}\b/g;

const numericId = /\b7\d{9}\b/g;

/** Replaces ids with strings of digits in responses, and restores them in requests. */
function numericIds(fetch: Fetch): Fetch {
  const numbers = new Map<string, string>();
  const own = new Map<string, string>();
  const outward = (text: string) =>
    text.replaceAll(ownId, (id) => {
      const number = numbers.get(id) ?? String(7_000_000_000 + numbers.size);
      numbers.set(id, number);
      own.set(number, id);
      return number;
    });
  const inward = (text: string) => text.replaceAll(numericId, (number) => own.get(number) ?? number);
  return async (url, init) => {
    const { body } = init;
    const sent = typeof body === "string" ? { ...init, body: inward(body) } : init;
    const { origin } = new URL(url);
    const answer = await fetch(origin + inward(url.slice(origin.length)), sent);
    const text = await answer.text();
    const headers = new Headers(answer.headers);
    headers.delete("content-length");
    const isEmpty = text === "" && [204, 304].includes(answer.status);
    return new Response(isEmpty ? null : outward(text), { status: answer.status, headers });
  };
}

/** The routes that the suite tries last. */
const lastRoutes: Partial<Profile> = {
  "put-item-route": "PUT /items/{pk}[/{sk}]",
  "plans-route": "/plans",
  "list-tables-route": "GET /databases/{databaseId}/tables",
};

/** Rejects requests to the other routes, like a deployment that does not know these paths. */
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

/** Responses have no content type. */
const withoutType: (fetch: Fetch) => Fetch = (fetch) => async (url, init) => {
  const answer = await fetch(url, init);
  const headers = new Headers(answer.headers);
  headers.delete("content-type");
  const bytes = await answer.arrayBuffer();
  return new Response(bytes.byteLength === 0 ? null : bytes, { status: answer.status, headers });
};

/** Formats a date as an ordinal date and as a week date (ISO 8601). */
function otherDates(moment: Date): readonly string[] {
  const dayMs = 86_400_000;
  const midnight = Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate());
  const ofYear = (midnight - Date.UTC(moment.getUTCFullYear(), 0, 1)) / dayMs + 1;
  const weekday = ((moment.getUTCDay() + 6) % 7) + 1;
  const thursday = new Date(midnight + (4 - weekday) * dayMs);
  const week = Math.ceil(((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / dayMs + 1) / 7);
  return [
    `${moment.getUTCFullYear()}-${String(ofYear).padStart(3, "0")}`,
    `${thursday.getUTCFullYear()}-W${String(week).padStart(2, "0")}-${weekday}`,
  ];
}

/** Formats the same instant in a different way each time. */
function respelled(): (text: string) => string {
  let number = 0;
  return (text) => {
    if (!instantPattern.test(text)) return text;
    const [date = "", time = ""] = text.slice(0, -1).split("T");
    const [ordinal = "", week = ""] = otherDates(new Date(text));
    const forms = [
      text,
      `${date}T${time}000+00:00`,
      `${date}T${time.replace(".", ",")}Z`,
      `${text.replaceAll(/[-:]/g, "").slice(0, -1)}+00`,
      `${ordinal}T${time}Z`,
      `${week}T${time}z`,
    ];
    return forms[number++ % forms.length] ?? text;
  };
}

/** Responses use a vendor-specific media type for JSON. */
const ownMediaType: Interceptor = async (wire) => {
  const answer = await wire.send();
  if (answer.headers["content-type"] === undefined) return answer;
  const type = "application/vnd.data-service.v1+json; charset=utf-8";
  return { ...answer, headers: { ...answer.headers, "content-type": type } };
};

/** Returns the empty response of an operation. */
function emptyAnswer({ operationId, body }: InterceptedRequest): AnyJson {
  const nextCursor = null;
  if (operationId === "listRepositories") return { repositories: [], nextCursor };
  if (operationId.endsWith("Entities")) return { entities: [], nextCursor, totalCount: 0 };
  if (operationId === "batchGetItems") return { items: [], unprocessedKeys: null };
  if (operationId !== "transactGetItems") return { items: [], nextCursor, count: 0, scannedCount: 0 };
  const missing = ({ pk, sk = null }: AnyJson) => ({ pk, sk, item: null, itemExists: false });
  return { items: body.items.map(missing) };
}

/** Harmless differences that affect all areas; every check must pass with each of these variants. */
export const crossAreaVariants: readonly Variant[] = [
  variant("everywhere/more-members", operationIds).by(
    rewriteResponses({
      object: (own) => ({ "x-trace": { id: "t-1" }, ...own, _links: [{ rel: "self", href: "/" }] }),
    }),
  ),
  variant("everywhere/members-reversed", operationIds).by(
    rewriteResponses({ object: (own) => Object.fromEntries(Object.entries(own).reverse()) }),
  ),
  variant("everywhere/wrapped-cursors", operationIds).by(() => wrappedCursors),
  variant("everywhere/short-pages", operationIds).by(() => shortPages),
  variant("everywhere/other-refusals", operationIds).by(otherRefusals),
  ...defineVariantInAreas(
    ["items", "batches", "transactions", "entities", "sequences", "concurrency", "access", "sql"],
    "ordinary-data",
    operationIds,
  ).by(refusingOdd),
  ...defineVariantInAreas(
    ["items", "batches", "databases", "members", "billing", "session"],
    "lenient-reading",
    [
      ...(["putItem", "queryItems", "scanItems", "batchWriteItems"] as const),
      ...(["createDatabase", "inviteMember", "updateMember", "createCheckout", "login"] as const),
    ],
  ).by(leniently),
  { id: "everywhere/numeric-ids", wrap: numericIds },
  ...[401, 403, 501].map((status): Variant => ({
    id: `everywhere/unknown-paths-${status}`,
    wrap: refusingUnknownPaths(status),
    profile: lastRoutes,
  })),
  { id: "everywhere/no-content-type", wrap: withoutType },
  variant("everywhere/no-reserved-domains", ["inviteMember"]).rejectRequests(400, ({ body }) =>
    String(body?.email).endsWith(".example"),
  ),
  variant("everywhere/pending-unlisted", ["listMembers"]).replaceField("members", (members) =>
    members.filter(({ status }: AnyJson) => status !== "pending"),
  ),
  variant("everywhere/instants-respelled", operationIds).by(() => rewriteResponses({ text: respelled() })()),
  ...defineVariantInAreas(["session", "items"], "own-media-type", operationIds).by(() => ownMediaType),
  ...defineVariantInAreas(
    ["isolation", "databases", "repositories", "sequences"],
    "empty-in-place-of-missing",
    [
      "queryItems",
      "scanItems",
      "batchGetItems",
      "transactGetItems",
      "listEntities",
      "queryEntities",
      "listRepositories",
    ],
    { profile: { "missing-resource-status": 410, "foreign-resource-status": 410 } },
  ).replaceResponse(410, (wire) => createSuccessResponse(emptyAnswer(wire))),
];
