import { serviceApi } from "../../openapi/operations/register.js";
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
import { createErrorResponse, createSuccessResponse, sendWithParameters } from "./tampers.js";
import { type Variant, variant, defineVariantInAreas } from "./mutant.js";
import { instantPattern, rewriteResponses } from "./rewrite-answers.js";

const mark = "page.";

/** Encodes cursors differently in responses, and decodes them in requests. */
const wrapCursors: Interceptor = async (wire) => {
  const wrapped = Object.entries<AnyJson>(wire.body ?? wire.query).filter(
    ([name, value]) => /^(?:cursor|pageToken)$/.test(name) && String(value).startsWith(mark),
  );
  const own = wrapped.map(([name, value]) => [
    name,
    Buffer.from(value.slice(mark.length), "base64url").toString(),
  ]);
  const sent = own.length === 0 ? wire.send() : sendWithParameters(wire, Object.fromEntries(own));
  return changeBody(await sent, (page) => {
    for (const name of ["nextCursor", "nextPageToken"])
      if (typeof page?.[name] === "string") page[name] = mark + Buffer.from(page[name]).toString("base64url");
  });
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
function isDefinedRefusal(
  { operationId }: InterceptedRequest,
  { status, body }: InterceptedResponse,
): boolean {
  const isMissingItem = status === 404 && ["getItem", "getItemWithSortKey"].includes(operationId);
  return isMissingItem || typeof body?.code === "string" || body?.successCount !== undefined;
}

/** Refusals have other statuses, and a text or nothing as their body. */
function changeRefusals(): Interceptor {
  let number = 0;
  return async (wire) => {
    const response = await wire.send();
    const status = otherStatus[response.status];
    if (status === undefined || isDefinedRefusal(wire, response)) return response;
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
const readLeniently = (): Interceptor => (wire) => {
  const body = typeof wire.body === "string" ? parseAlmostJson(wire.body) : wire.body;
  if (typeof body !== "object" || body === null || Array.isArray(body)) return wire.send();
  const read: AnyJson = { ...body };
  for (const field of textFields) if (field in read) read[field] = toText(read[field]);
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

function parseAlmostJson(text: string): AnyJson {
  const quoted = text.replaceAll("'", '"').replaceAll(/([{,]\s*)(\w+):/g, '$1"$2":');
  for (let end = quoted.length; end > 0; end--)
    try {
      return JSON.parse(quoted.slice(0, end));
    } catch {
      // The value ends earlier.
    }
  return text;
}

function toText(value: AnyJson): AnyJson {
  const [only, ...more] = Array.isArray(value) ? value : [value];
  if (Array.isArray(value) && (more.length > 0 || typeof only !== "string")) return value;
  return ["number", "boolean"].includes(typeof only) ? String(only) : only;
}

/**
 * Refuses values that decimal types, texts and documents of databases cannot store, except nested arrays in a schema, and
 * names that could cause prototype pollution.
 */
const refuseUnusualValues = (): Interceptor => (wire) => {
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
function useNumericIds(fetch: Fetch): Fetch {
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
    const response = await fetch(origin + inward(url.slice(origin.length)), sent);
    const text = await response.text();
    const headers = new Headers(response.headers);
    headers.delete("content-length");
    const isEmpty = text === "" && [204, 304].includes(response.status);
    return new Response(isEmpty ? null : outward(text), { status: response.status, headers });
  };
}

/** The routes that the suite tries last. */
const lastRoutes: Partial<Profile> = {
  "put-item-route": "PUT /items/{pk}[/{sk}]",
  "plans-route": "/plans",
  "list-tables-route": "GET /databases/{databaseId}/tables",
};

/** Rejects requests to the other routes, like a deployment that does not know these paths. */
function refuseUnknownRoutes(status: number): (fetch: Fetch) => Fetch {
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
const dropContentType: (fetch: Fetch) => Fetch = (fetch) => async (url, init) => {
  const response = await fetch(url, init);
  const headers = new Headers(response.headers);
  headers.delete("content-type");
  const bytes = await response.arrayBuffer();
  return new Response(bytes.byteLength === 0 ? null : bytes, { status: response.status, headers });
};

/** Formats the same instant in a different way each time. */
function createTimestampRespeller(): (text: string) => string {
  let number = 0;
  return (text) => {
    if (!instantPattern.test(text)) return text;
    const [date = "", time = ""] = text.slice(0, -1).split("T");
    const forms = [
      text,
      `${date}T${time}000+00:00`,
      `${date}T${time.replace(".", ",")}Z`,
      `${text.replaceAll(/[-:]/g, "").slice(0, -1)}+00`,
      `${date}T${time}z`,
    ];
    return forms[number++ % forms.length] ?? text;
  };
}

/** Responses use a vendor-specific media type for JSON. */
const useVendorMediaType: Interceptor = async (wire) => {
  const response = await wire.send();
  if (response.headers["content-type"] === undefined) return response;
  const type = "application/vnd.data-service.v1+json; charset=utf-8";
  return { ...response, headers: { ...response.headers, "content-type": type } };
};

/** Returns the empty response of an operation. */
function createEmptyBody({ operationId, body }: InterceptedRequest): AnyJson {
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
  variant("everywhere/more-members", /./).by(
    rewriteResponses({
      object: (own) => ({ "x-trace": { id: "t-1" }, ...own, _links: [{ rel: "self", href: "/" }] }),
    }),
  ),
  variant("everywhere/members-reversed", /./).by(
    rewriteResponses({ object: (own) => Object.fromEntries(Object.entries(own).reverse()) }),
  ),
  variant("everywhere/wrapped-cursors", /./).by(() => wrapCursors),
  // Pages contain half as many entries as requested.
  variant("everywhere/short-pages", /^(?:query|scan|run|listEntities|listDatabases)/).changeLimit((limit) =>
    Math.ceil(limit / 2),
  ),
  variant("everywhere/other-refusals", /./).by(changeRefusals),
  ...defineVariantInAreas(
    ["items", "batches", "transactions", "entities", "sequences", "concurrency", "access", "sql"],
    "ordinary-data",
    /./,
  ).by(refuseUnusualValues),
  ...defineVariantInAreas(
    ["items", "batches", "databases", "members", "billing", "session"],
    "lenient-reading",
    [
      ...(["putItem", "queryItems", "scanItems", "batchWriteItems"] as const),
      ...(["createDatabase", "inviteMember", "updateMember", "createCheckout", "login"] as const),
    ],
  ).by(readLeniently),
  { id: "everywhere/numeric-ids", wrap: useNumericIds },
  ...[401, 403, 501].map((status): Variant => ({
    id: `everywhere/unknown-paths-${status}`,
    wrap: refuseUnknownRoutes(status),
    profile: lastRoutes,
  })),
  { id: "everywhere/no-content-type", wrap: dropContentType },
  variant("everywhere/pending-unlisted", "listMembers").replaceField("members", (members) =>
    members.filter(({ status }: AnyJson) => status !== "pending"),
  ),
  variant("everywhere/instants-respelled", /./).by(() =>
    rewriteResponses({ text: createTimestampRespeller() })(),
  ),
  ...defineVariantInAreas(["session", "items"], "own-media-type", /./).by(() => useVendorMediaType),
  ...defineVariantInAreas(
    ["isolation", "databases", "repositories", "sequences"],
    "empty-in-place-of-missing",
    /^(?:query|scan|batchGet|transactGet|listEntities|listRepositories)/,
    { profile: { "missing-resource-status": 410, "foreign-resource-status": 410 } },
  ).replaceResponse(410, (wire) => createSuccessResponse(createEmptyBody(wire))),
];
