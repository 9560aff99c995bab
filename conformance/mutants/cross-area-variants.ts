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
  createSuccessResponse,
} from "./intercept.js";
import { type Variant, variant } from "./mutant.js";
import { disguiseTexts, instantPattern, rewriteResponses } from "./rewrite-responses.js";

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
const changeRefusals: Interceptor = async (request) => {
  const response = await request.send();
  const status = otherStatus[response.status];
  if (status === undefined || isDefinedRefusal(request, response)) return response;
  return request.memory.add("refusals") % 2 === 0
    ? { status, headers: {}, body: undefined }
    : { status, headers: { "content-type": "text/plain" }, body: "no" };
};

/** Fields whose value is a string. */
const textFields = ["pk", "sk", "partitionKey", "name", "planType", "email", "password"];

const roles = ["owner", "admin", "member", "readonly"];

/**
 * Accepts requests that are almost right: JSON with single quotes, unquoted names or trailing text; a number, true, false
 * or an array of one string instead of a string; a role by its number; operations in lower case; and sort-key conditions
 * without their colon.
 */
const readLeniently: Interceptor = (request) => {
  const body = typeof request.body === "string" ? parseAlmostJson(request.body) : request.body;
  if (typeof body !== "object" || body === null || Array.isArray(body)) return request.send();
  const read: AnyJson = { ...body };
  for (const field of textFields) if (field in read) read[field] = toText(read[field]);
  if (typeof read.role === "number") read.role = roles[read.role] ?? read.role;
  if (typeof read.sortKeyCondition === "string")
    read.sortKeyCondition = read.sortKeyCondition.replace(/^(<=|>=|=|<|>)(?=[^:=<>])/, "$1:");
  if (Array.isArray(read.items) && request.operationId === "batchWriteItems")
    read.items = read.items.map((entry: AnyJson) =>
      /^(?:put|delete)$/.test(entry?.operation)
        ? { ...entry, operation: entry.operation.replace(/^./, (first: string) => first.toUpperCase()) }
        : entry,
    );
  return request.send({ body: read });
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
 * Whether a request has values that decimal types, texts and documents of databases cannot store, except nested arrays in
 * a schema, or names that could cause prototype pollution.
 */
const isUnusual = ({ body }: InterceptedRequest): boolean => {
  const { data, schema, items } = body ?? {};
  const given = [data, schema, ...(Array.isArray(items) ? items.map((entry: AnyJson) => entry?.data) : [])];
  const isOdd = (value: AnyJson) =>
    typeof value === "object" &&
    value?.outer === undefined &&
    !isWidelySupportedJson(new JsonText(stringifyJson(value)));
  return given.some(isOdd) || /"(?:__proto__|constructor|prototype)"\s*:/.test(stringifyJson(body ?? {}));
};

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

/** Every second response has no content type, and the others have that of plain text. */
const useNoMediaType = (fetch: Fetch): Fetch => {
  let count = 0;
  return async (url, init) => {
    const response = await fetch(url, init);
    const headers = new Headers(response.headers);
    if (count++ % 2 === 0) headers.set("content-type", "text/plain");
    else headers.delete("content-type");
    const bytes = await response.arrayBuffer();
    return new Response(bytes.byteLength === 0 ? null : bytes, { status: response.status, headers });
  };
};

/** Formats the same instant in a different way each time. */
function respellTimestamp(text: string, { memory }: InterceptedRequest): string {
  if (!instantPattern.test(text)) return text;
  const [date = "", time = ""] = text.slice(0, -1).split("T");
  const forms = [
    text,
    `${date}T${time}000+00:00`,
    `${date}T${time.replace(".", ",")}Z`,
    `${text.replaceAll(/[-:]/g, "").slice(0, -1)}+00`,
    `${date}T${time}z`,
  ];
  return forms[memory.add("timestamps") % forms.length] ?? text;
}

/** Responses use a vendor-specific media type for JSON. */
const useVendorMediaType: Interceptor = async (request) => {
  const response = await request.send();
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

/** Harmless differences that affect several areas; every check must pass with each of these variants. */
export const crossAreaVariants: readonly Variant[] = [
  variant("everywhere/more-members", /./).by(
    rewriteResponses({
      object: (own) => ({ "x-trace": { id: "t-1" }, ...own, _links: [{ rel: "self", href: "/" }] }),
    }),
  ),
  variant("everywhere/members-reversed", /./).by(
    rewriteResponses({ object: (own) => Object.fromEntries(Object.entries(own).reverse()) }),
  ),
  {
    id: "everywhere/wrapped-cursors",
    wrap: disguiseTexts(
      /(?<="next(?:Cursor|PageToken)":")[^"]+/g,
      (cursor) => `page.${Buffer.from(cursor).toString("base64url")}`,
      /page\.[\w-]+/g,
    ),
  },
  // Pages contain half as many entries as requested.
  variant("everywhere/short-pages", /^(?:query|scan|run|listEntities|listDatabases)/).changeLimit((limit) =>
    Math.ceil(limit / 2),
  ),
  variant("everywhere/other-refusals", /./).by(changeRefusals),
  variant("items/ordinary-data", /./, {
    alsoIn: ["batches", "transactions", "entities", "sequences", "concurrency", "access", "sql"],
  }).rejectRequests(isUnusual),
  variant(
    "items/lenient-reading",
    [
      ...(["putItem", "queryItems", "scanItems", "batchWriteItems"] as const),
      ...(["createDatabase", "inviteMember", "updateMember", "createCheckout", "login"] as const),
    ],
    { alsoIn: ["batches", "databases", "members", "billing", "session"] },
  ).by(readLeniently),
  {
    id: "everywhere/numeric-ids",
    wrap: disguiseTexts(/\b[a-z]{2,5}_[0-9a-z]{16}\b/g, (_, number) => String(7e9 + number), /\b7\d{9}\b/g),
  },
  ...[401, 403, 501].map((status): Variant => ({
    id: `everywhere/unknown-paths-${status}`,
    wrap: refuseUnknownRoutes(status),
    profile: lastRoutes,
  })),
  { id: "everywhere/no-media-type", wrap: useNoMediaType },
  variant("everywhere/pending-unlisted", "listMembers").replaceField("members", (members) =>
    members.filter(({ status }: AnyJson) => status !== "pending"),
  ),
  variant("everywhere/instants-respelled", /./).by(rewriteResponses({ text: respellTimestamp })),
  variant("session/own-media-type", /./, { alsoIn: ["items"] }).by(useVendorMediaType),
  variant(
    "isolation/empty-in-place-of-missing",
    /^(?:query|scan|batchGet|transactGet|listEntities|listRepositories)/,
    {
      alsoIn: ["databases", "repositories", "sequences"],
      profile: { "missing-resource-status": 410, "foreign-resource-status": 410 },
    },
  ).replaceResponse(410, (request) => createSuccessResponse(createEmptyBody(request))),
];
