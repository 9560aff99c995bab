import { Hono } from "hono";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { SmartRouter } from "hono/router/smart-router";
import { TrieRouter } from "hono/router/trie-router";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { OpenAPIObject } from "openapi3-ts/oas31";
import { breakOff, brokenResponse, isBroken } from "./break-off.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import type { Answer } from "../request/answer.js";
import type { Incoming } from "../request/incoming.js";
import { fetchIncoming, SocketIncoming } from "./incoming-forms.js";
import { type MountedOperation, operationsOf } from "../request/mounted-operation.js";
import { endSoon } from "./outbox.js";
import type { Dispatch } from "../request/dispatch.js";
import { problemAnswer } from "../request/problem-answer.js";
import type { Target } from "../request/target.js";

/** What travels with a request through Hono. */
export interface Bindings {
  readonly target: Target;
  /** The socket's side; missing for requests of the same process. */
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
}

/** Requests of one interface. */
export interface Api {
  /** Answers any request by way of Hono. */
  readonly fetch: (request: Request, bindings: Bindings) => Response | Promise<Response>;
  /**
   * Answers a request for an operation of the document on its socket, without the objects that Hono works with:
   * making them takes as long as many an operation does.
   *
   * @returns whether there is such an operation; otherwise nothing was done
   */
  readonly serve: (incoming: IncomingMessage, outgoing: ServerResponse, target: Target) => boolean;
}

/** Leads requests to every operation of a document, and to nothing else. */
export function routeApi(document: OpenAPIObject, dispatch: Dispatch): Api {
  const operations = operationsOf(document);
  const router = new SmartRouter<MountedOperation>({ routers: [new RegExpRouter(), new TrieRouter()] });
  for (const operation of operations) router.add(operation.method.toUpperCase(), operation.path, operation);
  let hono: HonoApp | undefined;
  return {
    // made for the first request that needs it, because that takes as long as the rest of the routing
    fetch: (request, bindings) => (hono ??= honoOf(operations, dispatch)).fetch(request, bindings),
    serve: (message, outgoing, target) => {
      const { method = "GET" } = message;
      const [[match], values = []] = router.match(method, target.path);
      if (match === undefined) return false;
      const [operation, places] = match;
      const path = parametersOf(places, values);
      const request = { incoming: new SocketIncoming(message), target, path, trace: undefined };
      // a namespace can be one too many until the moment it is needed
      const fail = (error: unknown) => write(problemAnswer(error, defaultProfile), outgoing);
      try {
        const answer = dispatch.operation(operation, request);
        if (answer instanceof Promise) void answer.then((ready) => write(ready, outgoing), fail);
        else write(answer, outgoing);
      } catch (error) {
        fail(error);
      }
      return true;
    },
  };
}

/** The decoded parameters of a path; a router gives either them or their places among the values it found. */
function parametersOf(
  places: Readonly<Record<string, string | number>>,
  values: readonly string[],
): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const name in places) {
    const place = places[name];
    const value = typeof place === "number" ? values[place] : place;
    if (value === undefined) continue;
    parameters[name] = value.includes("%") ? decodeURIComponent(value) : value;
  }
  return parameters;
}

type HonoApp = Hono<{ Bindings: Bindings }>;

/** Mounts the operations on Hono. */
function honoOf(operations: readonly MountedOperation[], dispatch: Dispatch): HonoApp {
  // the raw target is routed, because URL parsers fold `..` and keys may hold it
  const api: HonoApp = new Hono<{ Bindings: Bindings }>({
    getPath: (_request, options) => bindingsOf(options).target.path,
  });
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
  return incoming === undefined ? fetchIncoming(request) : new SocketIncoming(incoming);
}

/** Sends an answer to the socket it belongs to, or makes it a `Response`. */
export function send(answer: Answer, { outgoing }: Pick<Bindings, "outgoing">): Response {
  if (outgoing !== undefined) {
    write(answer, outgoing);
    return sentAlready();
  }
  if (isBroken(answer)) return brokenResponse(answer);
  const { status, headers, body } = answer;
  return new Response(body as string | Uint8Array<ArrayBuffer> | null, { status, headers });
}

function write(answer: Answer, outgoing: ServerResponse): void {
  if (isBroken(answer)) {
    breakOff(answer, outgoing);
    return;
  }
  const { status, headers, body } = answer;
  if (body !== null) headers["Content-Length"] = String(Buffer.byteLength(body));
  // the date is the emulator's
  outgoing.sendDate = false;
  outgoing.writeHead(status, headers);
  endSoon(outgoing, body);
}

/** Tells @hono/node-server that the answer is on its way: its `RESPONSE_ALREADY_SENT`, which would load `Response`. */
function sentAlready(): Response {
  return new Response(null, { headers: { "x-hono-already-sent": "true" } });
}
