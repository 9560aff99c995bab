import type { MiddlewareHandler } from "hono";
import type { OperationId } from "../../openapi/operations/register.js";
import { tryTo } from "../../openapi/text/try-to.js";
import { Problem } from "../domain/problem.js";
import type { EmulatorEnv } from "../request/emulator-env.js";
import { getNodeBindings } from "../request/raw-target.js";
import { defaultNamespace } from "../request/name.js";
import { createMiddlewareProblem } from "./respond.js";
import { isPageView, keepWorldOpenWhile, type ServiceMiddleware } from "./service-env.js";

/** Gives the user's middleware the operation of a request, and reports its errors as errors of the middleware. */
export function wrapUserMiddleware(
  middleware: readonly MiddlewareHandler<EmulatorEnv>[],
): ServiceMiddleware[] {
  // The environment of the service extends that of the user's middleware.
  const handlers = middleware as readonly MiddlewareHandler[] as readonly ServiceMiddleware[];
  return handlers.length === 0 ? [] : [exposeToUserMiddleware, ...handlers.map(reportErrors)];
}

const exposeToUserMiddleware: ServiceMiddleware = (c, next) => {
  // Creates the response to which Hono adds headers that are set before `next()`.
  Reflect.get(c, "res");
  c.req.raw = toStandardRequest(c.req.raw, c.env);
  // Undefined if no server has bindings.
  c.env = { ...c.env };
  const { namespace } = c.get("target");
  c.set("operationId", c.get("operation")?.operationId as OperationId | undefined);
  c.set("namespaceName", namespace === "" ? defaultNamespace : namespace);
  // Middleware may wait.
  return keepWorldOpenWhile(c, async () => {
    await next();
    if (c.res.bodyUsed)
      throw createMiddlewareProblem(new Error("the body of its response has already been read"));
  });
};

/**
 * Converts a request of @hono/node-server to one that `new Request(request)` accepts, as middleware such as `bodyLimit`
 * requires. The server's own requests are accepted only by the `Request` with which it can replace the global one.
 */
function toStandardRequest(raw: Request, env: unknown): Request {
  if (getNodeBindings(env).incoming === undefined) return raw;
  const { url, method, headers } = raw;
  // A URL or method that `Request` rejects stays as it is, and its body must not be touched.
  const empty = tryTo(() => new Request(url, { method, headers }));
  if (empty === undefined) return raw;
  const body = method === "GET" || method === "HEAD" ? null : raw.body;
  return new Request(empty, { signal: raw.signal, body, duplex: "half" });
}

/** Reports an error of middleware. Errors of later handlers have already been converted to responses. */
function reportErrors(middleware: ServiceMiddleware): ServiceMiddleware {
  return async (c, next) => {
    if (isPageView(c)) return next();
    try {
      const response = await middleware(c, next);
      if (!c.finalized && !isResponse(response))
        throw new Error("it must return a Response or `await next()`");
      return response;
    } catch (error) {
      if (error instanceof Problem || isHttpException(error)) throw error;
      throw createMiddlewareProblem(error);
    }
  };
}

/** Does not use `instanceof`, because the response may come from another realm. */
function isResponse(value: unknown): value is Response {
  return typeof value === "object" && value !== null && "headers" in value && "clone" in value;
}

/** Does not use `instanceof`, because the error may come from another copy of Hono. */
export function isHttpException(error: unknown): error is Error & { getResponse: () => Response } {
  return error instanceof Error && "getResponse" in error;
}
