import type { Context, MiddlewareHandler } from "hono";
import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import type { OperationId } from "../../openapi/operations/register.js";
import type { Caller } from "../access/caller.js";
import type { FaultEffect } from "../faults/fault-effects.js";
import type { RequestFaults } from "../faults/fault-rules.js";
import type { EmulatorEnv } from "../request/emulator-env.js";
import type { MountedOperation } from "../request/mounted-operation.js";
import type { ValidatedRequest } from "../request/read-request.js";
import type { ResponseParts } from "../request/response-parts.js";
import type { ParsedTarget } from "../request/target.js";
import type { Namespace } from "../namespaces/namespace.js";
import type { World } from "../world/world.js";

/** The target of a request. */
export interface RequestTarget extends ParsedTarget {
  /** The path prefix of the application in which the emulator is mounted. */
  readonly mount: string;
  /** Path prefix of the namespace for the client, without a trailing slash. */
  readonly basePath: string;
  /** The same prefix with scheme and host. */
  readonly baseUrl: () => string;
}

/** A response, and the parts from which it was created. */
export interface ServiceResponse extends ResponseParts {
  readonly response: Response;
}

/** The environment of middleware and handlers, as `Env` of Hono. */
export interface ServiceEnv {
  Bindings: EmulatorEnv["Bindings"];
  Variables: EmulatorEnv["Variables"] & {
    target: RequestTarget;
    /** The operation of the service or the control plane; undefined if none matches. */
    operation: MountedOperation<OperationId | ControlOperationId> | undefined;
    /** Undefined for a request that matches no operation in an unused namespace. */
    namespace: Namespace | undefined;
    /** The world in which the request started, even after a reset. */
    world: World;
    /** The body, once it has been read, and the request from which it was read. */
    read: { readonly of: Request; readonly bytes: Uint8Array } | undefined;
    /** The time of the request on the world's clock, once its body has been read. */
    now: number | undefined;
    caller: Caller;
    /** The caller of a request that a fault rule answers before it is authenticated. */
    callerAtFault: Caller | undefined;
    input: ValidatedRequest;
    /** The fault rules that fire for the request. */
    requestFaults: RequestFaults | undefined;
    answer: ServiceResponse | undefined;
    /** The effect of a fault rule that ends the connection early. */
    cut: FaultEffect | undefined;
    /** The number of body bytes after which the connection ends; `nothing` if it ends before the response. */
    cutAfter: number | "nothing" | undefined;
  };
}

/** The binding for requests of the console: whether the request only reads what a page shows. */
export const pageViewSymbol = Symbol("page view");

/**
 * Whether the console only reads what a page shows. Such a request does not advance the clock, count as a request,
 * trigger fault rules, run the user's middleware or appear in the journal.
 */
export function isPageView(c: ServiceContext): boolean {
  return getPageView(c) === true;
}

/** Whether a form of the console sends the request. */
export function isConsoleAction(c: ServiceContext): boolean {
  return getPageView(c) === false;
}

function getPageView(c: ServiceContext): boolean | undefined {
  return (c.env as { readonly [pageViewSymbol]?: boolean } | undefined)?.[pageViewSymbol];
}

/** Keeps the world of a request open during asynchronous work, even if a reset replaces the world of the namespace. */
export async function keepWorldOpenWhile<Result>(
  c: ServiceContext,
  work: () => Promise<Result>,
): Promise<Result> {
  const store = (c.get("world") as World | undefined)?.store;
  store?.hold();
  try {
    return await work();
  } finally {
    store?.release();
  }
}

/** Sets the operation of a request for later middleware. */
export function setOperation(operation: ServiceEnv["Variables"]["operation"]): ServiceMiddleware {
  return (c, next) => {
    c.set("operation", operation);
    return next();
  };
}

export type ServiceContext = Context<ServiceEnv>;
export type ServiceMiddleware = MiddlewareHandler<ServiceEnv>;
