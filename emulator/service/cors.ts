import type { Hono } from "hono";
import type { Profile } from "../../openapi/gaps/profile.js";
import { formatHttpDate } from "../time/http-date.js";
import { listMethods } from "./not-found.js";
import { addHeaders, respond, getTime } from "./respond.js";
import type { ServiceContext, ServiceEnv, ServiceMiddleware } from "./service-env.js";

/**
 * Allows pages of other origins to send requests and read responses (gap `cross-origin`). Unlike Hono's `cors()`, it leaves
 * requests without an origin unchanged, and allows the methods that the contract has at the path.
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
  const asked = c.req.raw.headers.get("access-control-request-method");
  if (c.req.method === "OPTIONS" && asked !== null) {
    const allowed = listMethods(app, c.req.path);
    return respond(c, {
      status: 204,
      headers: {
        "Access-Control-Allow-Origin": "*",
        // a browser would report a refusal here as a CORS error, so the request itself gets the 404 response
        "Access-Control-Allow-Methods": allowed.length === 0 ? asked : allowed.join(", "),
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
