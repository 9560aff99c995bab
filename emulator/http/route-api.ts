import { Hono } from "hono";
import type { IncomingMessage, ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { OpenAPIObject } from "openapi3-ts/oas31";
import { breakOff, brokenResponse, isBroken } from "../faults/break-off.js";
import type { Answer } from "./answer.js";
import { fetchIncoming, type Incoming, socketIncoming } from "./incoming.js";
import { type MountedOperation, operationsOf } from "./mounted-operation.js";
import type { World } from "../world.js";
import type { RequestTrace } from "./request-trace.js";
import type { Target } from "./target.js";

/** What travels with a request through Hono. */
export interface Bindings {
  readonly target: Target;
  /** The socket's side; missing for requests of the same process. */
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
}

/** A request on its way to one operation. */
export interface RoutedRequest {
  readonly incoming: Incoming;
  readonly target: Target;
  readonly path: Readonly<Record<string, string>>;
  /** What is noted on its way, where the journal or fault rules want to know. */
  readonly trace?: RequestTrace;
  /** The world it began in, where it waited for something since. */
  readonly world?: World;
}

/** Where the client reached the namespace: links in answers begin with it. */
export function baseUrlOf({ incoming, target: { namespace } }: RoutedRequest): string {
  return `${incoming.origin()}${namespace === "" ? "" : `/ns/${namespace}`}`;
}

/** What is to be done with requests of an interface. */
export interface Dispatch {
  /** Answers a request for an operation of the document. */
  readonly operation: (operation: MountedOperation, request: RoutedRequest) => Answer | Promise<Answer>;
  /** Answers a request that no operation matches. */
  readonly unmatched: (request: RoutedRequest, allowedMethods: readonly string[]) => Answer;
}

export type Api = Hono<{ Bindings: Bindings }>;

/** Mounts every operation of a document on a Hono router, and nothing else. */
export function routeApi(document: OpenAPIObject, dispatch: Dispatch): Api {
  // the raw target is routed, because URL parsers fold `..` and keys may hold it
  const api: Api = new Hono<{ Bindings: Bindings }>({
    getPath: (_request, options) => bindingsOf(options).target.path,
  });
  const operations = operationsOf(document);
  for (const operation of operations)
    api.on(operation.method.toUpperCase(), [operation.path], (c): Response | Promise<Response> => {
      const request = { incoming: incomingOf(c.req.raw, c.env), target: c.env.target, path: c.req.param() };
      const answer = dispatch.operation(operation, request);
      return answer instanceof Promise ? answer.then((ready) => send(ready, c.env)) : send(answer, c.env);
    });
  // what is thrown here is no answer on purpose: a dropped connection of the same process
  api.onError((error) => {
    throw error;
  });
  const methods = [...new Set(operations.map(({ method }) => method.toUpperCase()))];
  api.notFound((c) => {
    const { target } = c.env;
    const allowed = methods.filter((method) => api.router.match(method, target.path)[0].length > 0);
    if (allowed.includes("GET")) allowed.push("HEAD");
    return send(
      dispatch.unmatched({ incoming: incomingOf(c.req.raw, c.env), target, path: {} }, allowed.sort()),
      c.env,
    );
  });
  return api;
}

/** Hono types the environment as optional; `api.fetch` is always given one. */
function bindingsOf(options: { readonly env?: unknown } | undefined): Bindings {
  return options?.env as Bindings;
}

/** The request as the pipeline reads it: from the socket where there is one. */
export function incomingOf(request: Request, { incoming }: Pick<Bindings, "incoming">): Incoming {
  return incoming === undefined ? fetchIncoming(request) : socketIncoming(incoming);
}

/** Sends an answer to the socket it belongs to, or makes it a `Response`. */
export function send(answer: Answer, { outgoing }: Pick<Bindings, "outgoing">): Response {
  const { status, headers, body } = answer;
  if (outgoing === undefined) {
    if (isBroken(answer)) return brokenResponse(answer);
    return new Response(body as string | Uint8Array<ArrayBuffer> | null, { status, headers });
  }
  if (isBroken(answer)) {
    breakOff(answer, outgoing);
    return RESPONSE_ALREADY_SENT;
  }
  if (body !== null) headers["Content-Length"] = String(Buffer.byteLength(body));
  // the date is the emulator's
  outgoing.sendDate = false;
  outgoing.writeHead(status, headers);
  outgoing.end(body ?? undefined);
  return RESPONSE_ALREADY_SENT;
}
