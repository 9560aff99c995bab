import { defaultProfile } from "../../openapi/gaps/profile.js";
import { Problem } from "../domain/problem.js";
import { toProblemResponse } from "../request/problem-response.js";
import { getResponseClass, type ResponseParts } from "../request/response-parts.js";
import { formatHttpDate } from "../time/http-date.js";
import type { World } from "../world/world.js";
import { type ServiceResponse, isPageView, type ServiceContext } from "./service-env.js";
import { printStack } from "../request/print-stack.js";

/**
 * Creates a response, and keeps its parts, because the body of a `Response` can be read only as a stream. Headers are a plain
 * object, without `c.header()`, so that @hono/node-server can send them without conversion.
 */
export function respond(c: ServiceContext, parts: ResponseParts): Response {
  const { status, headers, body } = parts;
  // Hono drops the body of the response to a HEAD request, and its length.
  if (c.req.raw.method === "HEAD" && body !== null)
    headers["Content-Length"] = String(Buffer.byteLength(body));
  const response = new (getResponseClass(c.env))(body, { status, headers });
  c.set("answer", { status, headers, body, problem: parts.problem, response });
  return response;
}

/**
 * Creates the response for an error, at the time of the request on the world's clock.
 *
 * @param profile the profile to use without a namespace
 */
export function respondToError(c: ServiceContext, error: unknown, profile = defaultProfile): Response {
  const world = c.get("world") as World | undefined;
  if (world === undefined) return respond(c, toProblemResponse(error, profile));
  const parts = toProblemResponse(error, world.profile);
  return respond(c, { ...parts, headers: { ...parts.headers, Date: formatHttpDate(getTime(c)) } });
}

/** Returns the time of a request on the world's clock, which advances at the first call, except for a page view. */
export function getTime(c: ServiceContext): number {
  let now = c.get("now");
  if (now === undefined) {
    const { clock } = c.get("world");
    c.set("now", (now = isPageView(c) ? clock.now() : clock.tick()));
  }
  return now;
}

/**
 * Returns the parts of the response in the context, which middleware may have replaced. A response whose body cannot be read
 * is replaced with a problem.
 */
export async function getServiceResponse(c: ServiceContext): Promise<ServiceResponse> {
  const { res: response } = c;
  const answer = c.get("answer");
  if (answer?.response === response) return answer;
  const { status, headers } = response;
  // A stream may never end.
  const isStream = headers.get("content-type")?.startsWith("text/event-stream") === true;
  let body: ServiceResponse["body"] = null;
  if (!isStream && response.body !== null)
    try {
      body = new Uint8Array(await response.clone().arrayBuffer());
    } catch (error) {
      // Only middleware can return a response whose body cannot be read.
      replaceResponse(c, respondToError(c, createMiddlewareProblem(error)));
      return getServiceResponse(c);
    }
  // Middleware that only adds a header keeps the problem.
  const problem = status === answer?.status ? answer.problem : undefined;
  return { response, status, headers: Object.fromEntries(headers), body, problem };
}

/** Replaces a response without adding its headers to the new one, as Hono would. */
export function replaceResponse(c: ServiceContext, response: Response): void {
  c.res = undefined;
  c.res = response;
}

/** Prints an error of a user's middleware, and returns the problem for the response. */
export function createMiddlewareProblem(error: unknown): Problem {
  const reason = printStack("a middleware function failed", error);
  return new Problem("internal-error", `Your middleware failed, not the emulator itself: ${reason}`);
}

/** Adds headers to the response after `next()`. */
export function addHeaders(c: ServiceContext, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
  const response = c.get("answer");
  // The parts are read by the journal, and if the response is cut.
  if (response?.response === c.res) Object.assign(response.headers, headers);
}
