import type { Handler, Hono } from "hono";
import type { Profile } from "../../openapi/gaps/profile.js";
import { Problem } from "../domain/problem.js";
import { findNearestPath } from "../request/find-nearest-path.js";
import { respondToError } from "./respond.js";
import type { ServiceEnv } from "./service-env.js";

/** Responds with 405 if the path supports other methods, and with 404 otherwise. */
export function notFound(app: Hono<ServiceEnv>, profile: Profile): Handler<ServiceEnv> {
  return (c) => {
    const target = c.get("target");
    if (target.unreadable !== undefined) return respondToError(c, target.unreadable, profile);
    const allowed = listMethods(app, c.req.path);
    return respondToError(
      c,
      allowed.length === 0
        ? new Problem(
            "unknown-path",
            `There is no operation at ${target.path}.${describeNearestPath(target.path, profile)}`,
          )
        : createMethodNotAllowedProblem(c.req.method, allowed),
      profile,
    );
  };
}

export function createMethodNotAllowedProblem(method: string, allowed: readonly string[]): Problem {
  const list = allowed.join(", ");
  return new Problem(
    "method-not-allowed",
    `${method} is not allowed for this path; the allowed methods are ${list}.`,
    { headers: { Allow: list } },
  );
}

/** Lists the methods of an application's routes for a path. Routes for all methods are middleware. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- its variables do not matter
export function listMethods(app: Hono<any>, path: string): readonly string[] {
  const methods = new Set(app.routes.map(({ method }) => method));
  const allowed = [...methods].filter((method) =>
    app.router.match(method, path)[0].some(([[, route]]) => route.method === method && method !== "ALL"),
  );
  return (allowed.includes("GET") ? [...allowed, "HEAD"] : allowed).sort();
}

function describeNearestPath(path: string, profile: Profile): string {
  const near = findNearestPath(path, profile);
  return near === undefined ? " GET /openapi.json lists the operations." : ` Did you mean ${near}?`;
}
