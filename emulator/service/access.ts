import { authenticate as identify } from "../access/authenticate.js";
import { authorize as rejectForbidden } from "../access/authorize.js";
import { anonymous } from "../access/caller.js";
import { countRequest } from "../access/count-request.js";
import type { MountedOperation } from "../request/mounted-operation.js";
import { getTime } from "./respond.js";
import { isPageView, type ServiceContext } from "./service-env.js";

/** Identifies the caller of a request. @throws a problem `unauthenticated` */
export function authenticate(c: ServiceContext, { isPublic }: MountedOperation): void {
  const authorization = c.req.raw.headers.get("authorization") ?? undefined;
  c.set("caller", isPublic ? anonymous : identify(authorization, c.get("world"), getTime(c)));
}

/** Counts the request for its organization. @throws a problem `rate-limited` */
export function rateLimit(c: ServiceContext): void {
  if (!isPageView(c)) countRequest(c.get("caller"), c.get("world"), getTime(c));
}

/** Rejects callers without permission for the operation. @throws the problems of {@link rejectForbidden} */
export function authorize(c: ServiceContext, { access }: MountedOperation): void {
  rejectForbidden(access, c.get("caller"), c.get("world"), c.req.param("organizationId"));
}
