import type { Next } from "hono";
import type { OperationId } from "../../openapi/operations/register.js";
import { authenticate } from "../access/authenticate.js";
import { anonymous, type Caller } from "../access/caller.js";
import { Problem } from "../domain/problem.js";
import type { FaultRule } from "../faults/fault-rule.js";
import type { RequestFaults, FaultRules } from "../faults/fault-rules.js";
import { InjectedFailure } from "../request/problem-response.js";
import type { MountedOperation } from "../request/mounted-operation.js";
import { reserveBytesWhile } from "../request/read-bytes.js";
import { readBodyBytes } from "./read-body.js";
import { getServiceResponse, replaceResponse, respondToError, getTime } from "./respond.js";
import {
  isPageView,
  keepWorldOpenWhile,
  type ServiceContext,
  type ServiceMiddleware,
} from "./service-env.js";

/**
 * Applies the fault rules that delay requests or end connections, around the user's middleware. {@link failures} applies
 * the rules that replace the response.
 */
export function faults(operation: MountedOperation): ServiceMiddleware {
  return (c, next) => {
    const rules = c.get("namespace")?.faults;
    return rules === undefined || rules.isEmpty || isPageView(c)
      ? next()
      : keepWorldOpenWhile(c, () => applyFaults(c, next, operation, rules));
  };
}

/** Replaces the service's response with that of a fault rule, inside the user's middleware. */
export function failures(): ServiceMiddleware {
  return (c, next) => {
    const requestFaults = c.get("requestFaults");
    return requestFaults === undefined ? next() : applyFailures(c, next, requestFaults);
  };
}

async function applyFailures(
  c: ServiceContext,
  next: Next,
  requestFaults: RequestFaults,
): Promise<Response | undefined> {
  const rule = requestFaults.takeArrivalRule();
  if (rule !== undefined) return respondToError(c, createFailure(c, rule));
  await next();
  applyToResponse(c, requestFaults.takeResponseRule());
  return undefined;
}

async function applyFaults(
  c: ServiceContext,
  next: Next,
  { operationId, isPublic, hasBody }: MountedOperation,
  rules: FaultRules,
): Promise<Response | undefined> {
  const identify = () => (isPublic ? anonymous : identifyCaller(c));
  const requestFaults = rules.createRequestFaults({
    operationId,
    path: c.req.path,
    ignoresSlash: c.get("world").profile["trailing-slash"] === "ignored",
    organizationInPath: c.req.param("organizationId"),
    caller: identify,
  });
  c.set("requestFaults", requestFaults);
  const { delayMs, rule } = requestFaults.applyArrivalRules();
  // The request is never authenticated.
  if (rule !== undefined) c.set("callerAtFault", identify());
  // Ignores other errors, which occur again when the body is read after the fault rules.
  if (hasBody) await readBodyBytes(c).catch(rethrowLimitProblem);
  const bytes = c.get("read")?.bytes.length ?? 0;
  if (delayMs > 0 && !(await reserveBytesWhile(bytes, () => rules.wait(delayMs, requestFaults))))
    return drop(c);
  if (rule?.effect.kind === "drop") {
    getTime(c);
    return drop(c);
  }
  await next();
  // The user's middleware may have responded without calling `failures`.
  applyToResponse(c, requestFaults.takeArrivalRule() ?? requestFaults.takeResponseRule());
  await setCutLength(c);
  return undefined;
}

function rethrowLimitProblem(error: unknown): void {
  if (error instanceof Problem && error.kind === "limit-reached") throw error;
}

/** Replaces the response, or records the effect that will cut it. */
function applyToResponse(c: ServiceContext, rule: FaultRule | undefined): void {
  if (rule?.effect.kind === "status") replaceResponse(c, respondToError(c, createFailure(c, rule)));
  else if (rule !== undefined) c.set("cut", rule.effect);
}

/** Determines the number of bytes after which the connection ends. */
async function setCutLength(c: ServiceContext): Promise<void> {
  const cut = c.get("cut");
  if (cut === undefined) return;
  const { body } = await getServiceResponse(c);
  const length = body === null ? 0 : Buffer.byteLength(body);
  const { kind, count = Math.floor(length / 2) } = cut;
  // A response without a body is dropped as a whole.
  const isDropped = kind === "drop" || length === 0 || c.req.raw.method === "HEAD";
  c.set("cutAfter", isDropped ? "nothing" : Math.min(count, length - 1));
}

/** Ends the connection without a response. */
function drop(c: ServiceContext): Response {
  c.set("cutAfter", "nothing");
  return new Response(null);
}

function createFailure(c: ServiceContext, { effect, faultId }: FaultRule): InjectedFailure {
  const { status = 503, retryAfterSeconds } = effect;
  return new InjectedFailure(
    c.get("operation")?.operationId as OperationId,
    status,
    faultId,
    retryAfterSeconds,
  );
}

/** Returns the caller of a request before it is authenticated; anonymous if the credential is invalid. */
function identifyCaller(c: ServiceContext): Caller {
  const world = c.get("world");
  try {
    return authenticate(c.req.raw.headers.get("authorization") ?? undefined, world, world.clock.now());
  } catch (error) {
    if (error instanceof Problem) return anonymous;
    throw error;
  }
}
