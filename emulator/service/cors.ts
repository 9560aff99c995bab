import type { Hono } from "hono";
import type { Profile } from "../../openapi/gaps/profile.js";
import { formatHttpDate } from "../time/http-date.js";
import { listMethods } from "./not-found.js";
import { addHeaders, respond, getTime } from "./respond.js";
import type { ServiceContext, ServiceEnv, ServiceMiddleware } from "./service-env.js";

/**
 * Allows pages of other origins to send requests and read responses (gap `cross-origin`). Unlike Hono's `cors()`, ignores
 * requests without an origin, and allows only the methods that the contract defines for the path.
 */
export function cors(app: Hono<ServiceEnv>, profile: Profile): ServiceMiddleware {
  if (profile["cross-origin"] === "none") return (_c, next) => next();
  return (c, next) => {
    const { headers } = c.req.raw;
    return headers.get("origin") === null ? next() : handleCrossOrigin(c, next, app);
  };
}

async function handleCrossOrigin(
  c: ServiceContext,
  next: () => Promise<void>,
  app: Hono<ServiceEnv>,
): Promise<Response | undefined> {
  const requested = c.req.raw.headers.get("access-control-request-method");
  if (c.req.method === "OPTIONS" && requested !== null) {
    const allowed = listMethods(app, c.req.path);
    return respond(c, {
      status: 204,
      headers: {
        "Access-Control-Allow-Origin": "*",
        // For an unknown path, allows the request, so that the page sees its 404 response instead of a CORS error.
        "Access-Control-Allow-Methods": allowed.length === 0 ? requested : allowed.join(", "),
        "Access-Control-Allow-Headers":
          c.req.raw.headers.get("access-control-request-headers") ?? "Authorization, Content-Type",
        "Access-Control-Max-Age": "600",
        ...(c.get("namespace") === undefined ? {} : { Date: formatHttpDate(getTime(c)) }),
      },
      body: null,
    });
  }
  await next();
  addHeaders(c, { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "*" });
  return undefined;
}
