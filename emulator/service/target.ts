import type { Context, Hono } from "hono";
import { basePath } from "hono/route";
import { getOrigin, getRawTarget } from "../request/raw-target.js";
import { isControlPath, parseTarget } from "../request/target.js";
import type { EmulatorEnv } from "../request/emulator-env.js";
import type { RequestTarget, ServiceEnv, ServiceMiddleware } from "./service-env.js";

/** The binding for the path prefix of the application in which the emulator is mounted. */
export const mountPathSymbol = Symbol("mount path");

/**
 * Parses the target of a request: namespace, path and query. If this application is mounted in another one, Hono has routed
 * the request by its whole, normalized path, so this application must route the request again.
 */
export function target(app: () => Hono<EmulatorEnv>): ServiceMiddleware {
  return (c, next) => {
    const { raw } = c.req;
    const read = routed?.of === raw ? routed.target : undefined;
    routed = undefined;
    if (read === undefined) return fetchBelowMount(c, app());
    c.set("target", read);
    return next();
  };
}

async function fetchBelowMount(c: Context<ServiceEnv>, app: Hono<EmulatorEnv>): Promise<Response> {
  const { raw } = c.req;
  const { method, headers } = raw;
  const mount = getMountPath(c, getRawTarget(raw, c.env));
  // Hono keeps a body that middleware in front has read.
  const request = raw.bodyUsed
    ? new Request(raw.url, { method, headers, body: await c.req.arrayBuffer() })
    : raw;
  return app.fetch(request, { ...c.env, [mountPathSymbol]: mount });
}

/** The last routed request. Hono calls the first middleware right after `getPath`. */
let routed: { readonly of: Request; readonly target: RequestTarget } | undefined;

/**
 * Returns the path by which a request is routed: its canonical path within the namespace.
 *
 * @param ignoresSlash whether a trailing slash is ignored (gap `trailing-slash`)
 */
export function getRoutedPath(request: Request, env: unknown, ignoresSlash: boolean): string {
  const target = toRequestTarget(
    request,
    getRawTarget(request, env),
    (env as { [mountPathSymbol]?: string } | undefined)?.[mountPathSymbol] ?? "",
  );
  routed = { of: request, target };
  const { path, unreadable } = target;
  if (isControlPath(path)) return path;
  if (unreadable !== undefined) return unroutablePath;
  return ignoresSlash && path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

/** A path that matches no route, because it cannot be decoded. */
const unroutablePath = "/%";

function toRequestTarget({ url }: Request, raw: string, mount: string): RequestTarget {
  const { namespace, path, query, unreadable } = parseTarget(raw.slice(mount.length));
  const basePath = namespace === "" ? mount : `${mount}/ns/${namespace}`;
  return { namespace, path, query, unreadable, mount, basePath, baseUrl: () => getOrigin(url) + basePath };
}

/** Returns the prefix of a target at which this application is mounted, as in `route("/data", emulator.app)`. */
function getMountPath(c: Context, raw: string): string {
  const base = basePath(c);
  if (base === "/") return "";
  const segments = base.split("/").length - 1;
  return new RegExp(`^(?:/[^/?#]*){${segments}}`).exec(raw)?.[0] ?? "";
}
