import type { Context, Hono } from "hono";
import { basePath, baseRoutePath } from "hono/route";
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
    const raw = rawTargetOf(c.req.raw, c.env);
    const mount = mountPathOf(c, raw);
    const read = requestTarget(c.req.raw, raw, mount);
    const isRouted = c.req.path === read.path && read.unreadable === undefined;
    if (!isRouted && boundMount(c.env) === undefined)
      return Promise.resolve(app().fetch(c.req.raw, { ...c.env, [mountPath]: mount }));
    c.set("target", read);
    return next();
  };
}

/**
 * The path that a request is routed by: the canonical one below its namespace.
 *
 * @param ignoresSlash whether a path of the service leads where it leads without a slash at its end (gap `trailing-slash`)
 */
export function routedPath(request: Request, env: unknown, ignoresSlash: boolean): string {
  const mount = boundMount(env) ?? "";
  const { path, unreadable } = readOrGuess(rawTargetOf(request, env).slice(mount.length));
  if (isControlPath(path)) return path;
  if (unreadable !== undefined) return nowhere;
  return ignoresSlash && path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

/** A path that no route has: it cannot be decoded. */
const nowhere = "/%";

function requestTarget({ url }: Request, raw: string, mount: string): RequestTarget {
  const { namespace, path, query, unreadable } = readOrGuess(mount === "" ? raw : raw.slice(mount.length));
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
  const bound = boundMount(c.env);
  if (bound !== undefined) return bound;
  if (baseRoutePath(c) === "/") return "";
  const segments = basePath(c).split("/").length - 1;
  return new RegExp(`^(?:/[^/?#]*){${segments}}`).exec(raw)?.[0] ?? "";
}

function boundMount(env: unknown): string | undefined {
  return (env as { [mountPath]?: string } | undefined)?.[mountPath];
}
