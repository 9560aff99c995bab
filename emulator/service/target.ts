import type { Context, Hono } from "hono";
import { basePath } from "hono/route";
import { Problem } from "../domain/problem.js";
import { originOf, rawTargetOf } from "../request/raw-target.js";
import { guessTarget, isControlPath, readTarget, type Target } from "../request/target.js";
import type { EmulatorEnv } from "../request/emulator-env.js";
import type { RequestTarget, ServiceMiddleware } from "./service-env.js";

/** Binding with the path that belongs to the application in which the emulator's is mounted. */
export const mountPath = Symbol("mount path");

/**
 * Reads the target of a request: namespace, path below it, and query. An application in which this one is mounted has
 * routed by the whole path, with its escapes folded: then this one is asked anew.
 */
export function target(app: () => Hono<EmulatorEnv>): ServiceMiddleware {
  return (c, next) => {
    const { raw } = c.req;
    const read = routed?.of === raw ? routed.target : undefined;
    routed = undefined;
    if (read === undefined) {
      const mount = mountPathOf(c, rawTargetOf(raw, c.env));
      return Promise.resolve(app().fetch(raw, { ...c.env, [mountPath]: mount }));
    }
    c.set("target", read);
    return next();
  };
}

/** What was routed last. Hono runs the first middleware right after it asked for the path, so nothing comes between. */
let routed: { readonly of: Request; readonly target: RequestTarget } | undefined;

/**
 * The path that a request is routed by: the canonical one below its namespace.
 *
 * @param ignoresSlash whether a path of the service leads where it leads without a slash at its end (gap `trailing-slash`)
 */
export function routedPath(request: Request, env: unknown, ignoresSlash: boolean): string {
  const target = requestTarget(request, rawTargetOf(request, env), boundMount(env) ?? "");
  routed = { of: request, target };
  const { path, unreadable } = target;
  if (isControlPath(path)) return path;
  if (unreadable !== undefined) return nowhere;
  return ignoresSlash && path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

/** A path that no route has: it cannot be decoded. */
const nowhere = "/%";

function requestTarget({ url }: Request, raw: string, mount: string): RequestTarget {
  const { namespace, path, query, unreadable } = readOrGuess(raw.slice(mount.length));
  const basePath = namespace === "" ? mount : `${mount}/ns/${namespace}`;
  return { namespace, path, query, unreadable, mount, basePath, baseUrl: () => originOf(url) + basePath };
}

function readOrGuess(raw: string): Target & { readonly unreadable: Problem | undefined } {
  try {
    const { namespace, path, query } = readTarget(raw);
    return { namespace, path, query, unreadable: undefined };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ...guessTarget(raw), unreadable: error };
  }
}

/** The beginning of a target that belongs to the application in which this one is mounted (`route("/data", emulator.app)`). */
function mountPathOf(c: Context, raw: string): string {
  const base = basePath(c);
  if (base === "/") return "";
  const segments = base.split("/").length - 1;
  return new RegExp(`^(?:/[^/?#]*){${segments}}`).exec(raw)?.[0] ?? "";
}

function boundMount(env: unknown): string | undefined {
  return (env as { [mountPath]?: string } | undefined)?.[mountPath];
}
