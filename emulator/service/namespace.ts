import type { Hono } from "hono";
import { matchedRoutes } from "hono/route";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { Namespace } from "../namespaces/namespace.js";
import type { Namespaces } from "../namespaces/namespaces.js";
import { getProfileKey } from "../request/get-contract.js";
import type { EmulatorEnv } from "../request/emulator-env.js";
import {
  rejectCrossSiteLoad,
  rejectCrossSiteCreation,
  rejectReboundHost,
} from "../request/reject-cross-origin.js";
import { mountPathSymbol } from "./target.js";
import type { ServiceContext, ServiceMiddleware } from "./service-env.js";

/**
 * Finds the namespace of a request, and creates it if the request matches an operation and does not come from a foreign
 * page. If the namespace has a different profile, the application for that profile handles the request.
 *
 * @throws problems `not-local`, `limit-reached`
 */
export function namespace(
  profile: Profile,
  {
    appOf,
    namespaces,
  }: { readonly appOf: (profile: Profile) => Hono<EmulatorEnv>; readonly namespaces: Namespaces },
): ServiceMiddleware {
  const hasCors = profile["cross-origin"] !== "none";
  return (c, next) => {
    rejectCrossSiteLoad(c.req.raw);
    if (!hasCors) rejectReboundHost(c.req.raw, namespaces.options.allowHosts);
    const { namespace: name } = c.get("target");
    const found =
      namespaces.getExisting(name) ?? (hasRoute(c) ? getOrCreateNamespace(c, namespaces) : undefined);
    if (
      found !== undefined &&
      found.profile !== profile &&
      getProfileKey(found.profile) !== getProfileKey(profile)
    )
      return Promise.resolve(
        appOf(found.profile).fetch(c.req.raw, { ...c.env, [mountPathSymbol]: c.get("target").mount }),
      );
    if (found !== undefined) {
      c.set("namespace", found);
      c.set("world", found.world);
    }
    return next();
  };
}

/** Whether an operation matches. Routes for all methods are middleware. */
function hasRoute(c: ServiceContext): boolean {
  return matchedRoutes(c).some(({ method }) => method !== "ALL");
}

/**
 * Returns the namespace of a request, which is created if necessary.
 *
 * @throws problems `not-local`, `limit-reached`
 */
export function getOrCreateNamespace(c: ServiceContext, namespaces: Namespaces): Namespace {
  const { namespace: name } = c.get("target");
  const known = namespaces.getExisting(name);
  if (known !== undefined) return known;
  rejectCrossSiteCreation(c.req.raw, namespaces.options.profile);
  return namespaces.get(name);
}
