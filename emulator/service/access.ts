import { authenticate as callerOf } from "../access/authenticate.js";
import { authorize as rejectForbidden } from "../access/authorize.js";
import { anonymous } from "../access/caller.js";
import { countRequest } from "../access/meter.js";
import type { MountedOperation } from "../request/mounted-operation.js";
import { getTime } from "./respond.js";
import { isPageView } from "./service-env.js";
import type { SyncStep } from "./run-steps.js";

/** Identifies the caller of a request. @throws a problem `unauthenticated` */
export function authenticate({ isPublic }: MountedOperation): SyncStep {
  return (c) => {
    const world = c.get("world");
    const authorization = c.req.raw.headers.get("authorization") ?? undefined;
    // gap needless-credential: an unneeded credential may have to be valid
    const isLookedAt =
      !isPublic || (authorization !== undefined && world.profile["needless-credential"] === "refused");
    const caller = isLookedAt ? callerOf(authorization, world, getTime(c)) : anonymous;
    c.set("caller", isPublic ? anonymous : caller);
  };
}

/** Counts the request for its organization. @throws problems `rate-limited`, `quota-exhausted` */
export function quota({ isQuotaBound }: MountedOperation): SyncStep {
  return (c) => {
    if (!isPageView(c)) countRequest(c.get("caller"), isQuotaBound, c.get("world"), getTime(c));
  };
}

/** Refuses callers who may not call the operation. @throws the problems of {@link rejectForbidden} */
export function authorize({ access }: MountedOperation): SyncStep {
  return (c) => {
    rejectForbidden(access, c.get("caller"), c.get("world"), c.req.param("organizationId"));
  };
}
