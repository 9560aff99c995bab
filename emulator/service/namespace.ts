import type { Hono } from "hono";
import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import type { OperationId } from "../../openapi/operations/register.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { NamespaceLookup } from "../namespaces/namespaces.js";
import { profileKey } from "../request/contract-of.js";
import type { EmulatorEnv } from "../request/emulator-env.js";
import type { MountedOperation } from "../request/mounted-operation.js";
import { refuseForeignVisit } from "../request/local-only.js";
import { mountPath } from "./target.js";
import type { ServiceMiddleware } from "./service-env.js";

/** Notes the operation that a request is for, so that all middleware behind it knows. */
export function setOperation(
  operation: MountedOperation<OperationId | ControlOperationId>,
): ServiceMiddleware {
  return (c, next) => {
    c.set("operation", operation);
    return next();
  };
}

/**
 * Looks the namespace of a request up, once. Only a request for an operation makes a namespace, and none that a foreign
 * page makes a browser send. Under another profile routes and schemas are others as well, so that another application
 * answers.
 *
 * @throws problems `not-local`, `limit-reached`
 */
export function namespace(
  profile: Profile,
  {
    appOf,
    namespaces,
  }: { readonly appOf: (profile: Profile) => Hono<EmulatorEnv>; readonly namespaces: NamespaceLookup },
): ServiceMiddleware {
  return (c, next) => {
    const { namespace: name } = c.get("target");
    let found = namespaces.known(name);
    if (found === undefined && c.get("operation") !== undefined) {
      refuseForeignVisit(c.req.raw, namespaces.profile);
      found = namespaces.get(name);
    }
    if (found !== undefined && found.profile !== profile && profileKey(found.profile) !== profileKey(profile))
      return Promise.resolve(
        appOf(found.profile).fetch(c.req.raw, { ...c.env, [mountPath]: c.get("target").mount }),
      );
    if (found !== undefined) {
      c.set("namespace", found);
      c.set("world", found.world);
    }
    return next();
  };
}
