import { isSafeNumber, LosslessNumber, parse, stringify } from "lossless-json";
import type { OperationId } from "../../openapi/operations/register.js";
import { fillPath } from "../../openapi/text/path-template.js";
import type { Fetch } from "../client/exchange.js";
import { findRoute } from "../client/find-route.js";
import { isJsonObject } from "../client/json-text.js";

/** A body or a part of a body; numbers beyond the precision of a double are instances of `LosslessNumber`. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- mutants reach into bodies of every shape
export type AnyJson = any;

/** A response to pass on. */
export interface InterceptedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body; `undefined` if it is empty, a text if it is not JSON. */
  readonly body: AnyJson;
}

/** What an interceptor keeps from one request to the next. Keys are compared as JSON, so `[undefined]` equals `[null]`. */
export class Memory {
  readonly #values = new Map<string | undefined, AnyJson>();

  get(key?: unknown): AnyJson {
    return this.#values.get(JSON.stringify(key));
  }

  set(key: unknown, value: AnyJson): AnyJson {
    this.#values.set(JSON.stringify(key), value);
    return value;
  }

  clear(): void {
    this.#values.clear();
  }

  /** Keeps the first value that is not `undefined`, and returns it. */
  keepFirst(key: unknown, value: AnyJson): AnyJson {
    return this.get(key) ?? this.set(key, value);
  }

  /** Adds to a number, which begins with 0, and returns the sum. */
  add(key: unknown, number = 1): number {
    return this.set(key, Number(this.get(key) ?? 0) + number);
  }

  /** Returns the highest number so far. */
  keepHighest(key: unknown, number: AnyJson): number {
    return this.set(key, Math.max(this.get(key) ?? -Infinity, Number(number)));
  }
}

type Awaitable<Value> = Value | Promise<Value>;

/** An intercepted request, with access to the deployment. */
export interface InterceptedRequest {
  readonly operationId: OperationId;
  /** Path parameters, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The parsed body; `undefined` without one. */
  readonly body: AnyJson;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The text after `Bearer `. */
  readonly credential: string | undefined;
  /** Empty at the first request to the deployment. */
  readonly memory: Memory;
  /** Passes the request on, with the given changes. */
  readonly send: (changes?: {
    readonly body?: AnyJson;
    readonly query?: Readonly<Record<string, string>>;
    readonly credential?: string | undefined;
    /** Path parameters to replace. */
    readonly path?: Readonly<Record<string, string>> | undefined;
  }) => Promise<InterceptedResponse>;
  /** Sends an additional request as the caller. */
  readonly ask: (method: string, target: string, body?: AnyJson) => Promise<InterceptedResponse>;
}

/** Handles a request instead of passing it on. */
export type Interceptor = (request: InterceptedRequest) => Awaitable<InterceptedResponse>;

/** An operation, several, or those whose ids match. */
export type Operations = OperationId | readonly OperationId[] | RegExp;

/** Intercepts the requests of some operations, at any base URL; all others are passed on unchanged. */
export function intercept(fetch: Fetch, operations: Operations, tamper: Interceptor): Fetch {
  const isAffected = (id: OperationId) =>
    operations instanceof RegExp ? operations.test(id) : [operations].flat().includes(id);
  const memory = new Memory();
  return async (url, init) => {
    const route = findRoute(init.method ?? "GET", url);
    if (route === undefined || !isAffected(route.operationId)) return fetch(url, init);
    const { operationId, template, path, base } = route;
    const { origin, search } = new URL(url);
    if (base !== origin && !base.startsWith(`${origin}/ns/`)) return fetch(url, init);
    const headers = Object.fromEntries(new Headers(init.headers));
    const credential = headers.authorization?.replace(/^Bearer /, "");
    const query = Object.fromEntries(new URLSearchParams(search));
    const responses = new WeakMap<InterceptedResponse, Response>();
    const exchange = async (target: string, changed: RequestInit): Promise<InterceptedResponse> => {
      const response = await fetch(target, changed);
      const text = await response.clone().text();
      const answer = {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: readJson(text),
      };
      responses.set(answer, response);
      return answer;
    };
    const answer = await tamper({
      operationId,
      path,
      query,
      body: readJson(init.body as string | undefined),
      headers,
      credential,
      memory,
      send: (changes = {}) => {
        const changedPath = fillPath(template, { ...path, ...changes.path });
        const text = new URLSearchParams(changes.query ?? query).toString();
        return exchange(base + changedPath + (text === "" ? "" : `?${text}`), {
          ...init,
          ...("body" in changes ? { body: writeJson(changes.body) } : {}),
          headers: {
            ...headers,
            ...(changes.credential === undefined ? {} : { authorization: `Bearer ${changes.credential}` }),
          },
        });
      },
      ask: (askMethod, target, askBody) =>
        exchange(base + target, {
          method: askMethod,
          headers: {
            ...(askBody === undefined ? {} : { "content-type": "application/json" }),
            ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
          },
          ...(askBody === undefined ? {} : { body: writeJson(askBody) }),
        }),
    });
    // An unchanged response keeps its bytes.
    return responses.get(answer)?.clone() ?? toResponse(answer);
  };
}

function toResponse({ status, headers, body }: InterceptedResponse): Response {
  const kept = new Headers(headers);
  kept.delete("content-length");
  if (body === undefined || [204, 304].includes(status)) return new Response(null, { status, headers: kept });
  if (!kept.has("content-type")) kept.set("content-type", "application/json");
  return new Response(writeJson(body), { status, headers: kept });
}

/** Returns a copy of JSON with each value changed, innermost first. */
export function copyJson(body: AnyJson, change?: (value: AnyJson) => AnyJson): AnyJson {
  return readJson(writeJson(body), change && ((_, value) => change(value)));
}

function readJson(text: string | undefined, reviver?: (name: string, value: AnyJson) => AnyJson): AnyJson {
  if (text === undefined || text === "") return undefined;
  try {
    return parse(text, reviver, (digits) =>
      isSafeNumber(digits) ? Number(digits) : new LosslessNumber(digits),
    );
  } catch {
    return text;
  }
}

function writeJson(body: AnyJson): string {
  return typeof body === "string" ? JSON.stringify(body) : (stringify(body) ?? "");
}

/** Returns a copy of an object without some fields. */
export function omitFields(body: AnyJson, ...names: readonly string[]): AnyJson {
  return Object.fromEntries(Object.entries(body ?? {}).filter(([name]) => !names.includes(name)));
}

/** Returns a copy of a response whose body, if it is a success, is changed by the given function. */
export async function changeBody(
  given: Awaitable<InterceptedResponse>,
  change: (body: AnyJson) => unknown,
): Promise<InterceptedResponse> {
  const response = await given;
  if (response.status >= 300 || response.body === undefined) return response;
  const body = copyJson(response.body);
  await change(body);
  return { ...response, body };
}

/** Sends a request with changed parameters: fields of its body or, without a body, query parameters. */
export function sendWithParameters(
  request: InterceptedRequest,
  changes: Readonly<Record<string, unknown>>,
): Promise<InterceptedResponse> {
  const { query, body } = request;
  if (body === undefined) {
    const texts = Object.entries(changes).map(([name, value]) => [name, String(value)]);
    return request.send({ query: { ...query, ...Object.fromEntries(texts) } });
  }
  return isJsonObject(body) ? request.send({ body: { ...body, ...changes } }) : request.send();
}

/** Creates a refusal with a message that any deployment may use. */
export function createErrorResponse(status: number): InterceptedResponse {
  return {
    status,
    headers: { "content-type": "application/problem+json" },
    body: { type: "https://example.test/refused", title: "Refused", status, detail: "Refused." },
  };
}

/** Creates a successful response from the mutant itself. */
export function createSuccessResponse(body: AnyJson, status = 200): InterceptedResponse {
  return { status, headers: { "content-type": "application/json" }, body };
}

/** The response to a deletion. */
export const noContentResponse: InterceptedResponse = { status: 204, headers: {}, body: undefined };

/** Whether a response has a 4xx or 5xx status. */
export const isErrorResponse = ({ status }: InterceptedResponse): boolean => status >= 400;

/** Whether the caller uses an API key; sessions use JSON Web Tokens. */
export const usesApiKey = ({ credential }: InterceptedRequest): boolean =>
  credential?.includes(".") === false;
