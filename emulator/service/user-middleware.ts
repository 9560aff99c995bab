import type { MiddlewareHandler } from "hono";
import type { OperationId } from "../../openapi/operations/register.js";
import { Problem } from "../domain/problem.js";
import type { EmulatorEnv } from "../request/emulator-env.js";
import { defaultNamespace } from "../request/name.js";
import { createMiddlewareProblem } from "./respond.js";
import { isPageView, keepWorldWhile, type ServiceMiddleware } from "./service-env.js";

/** A user's middleware: it sees the operation of a request, and its errors are reported as its own. */
export function wrapUserMiddleware(
  middleware: readonly MiddlewareHandler<EmulatorEnv>[],
): ServiceMiddleware[] {
  // what it may see is a part of what ours does
  const given = middleware as readonly MiddlewareHandler[] as readonly ServiceMiddleware[];
  return given.length === 0 ? [] : [exposeToUserMiddleware, ...given.map(reportErrors)];
}

const exposeToUserMiddleware: ServiceMiddleware = (c, next) => {
  // Hono adds headers of this response to the one that takes its place: those that are set before `next()`
  Reflect.get(c, "res");
  // Hono leaves it undefined where no server binds anything
  c.env = { ...c.env };
  const { namespace } = c.get("target");
  c.set("operationId", c.get("operation")?.operationId as OperationId | undefined);
  c.set("namespaceName", namespace === "" ? defaultNamespace : namespace);
  // middleware may wait
  return keepWorldWhile(c, async () => {
    await next();
    if (c.res.bodyUsed)
      throw createMiddlewareProblem(new Error("the body of its response has already been read"));
  });
};

/** Errors of later handlers have become responses before they come here. */
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

/** Its class may be that of another realm. */
function isResponse(value: unknown): value is Response {
  return typeof value === "object" && value !== null && "headers" in value && "clone" in value;
}

/** An error that brings its response; its class may be that of another copy of Hono. */
export function isHttpException(error: unknown): error is Error & { getResponse: () => Response } {
  return error instanceof Error && "getResponse" in error;
}
