import type { Context, MiddlewareHandler } from "hono";
import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import type { OperationId } from "../../openapi/operations/register.js";
import type { Caller } from "../access/caller.js";
import type { Problem } from "../domain/problem.js";
import type { TakeHandlerFault } from "../request/handler-faults.js";
import type { EmulatorEnv } from "../request/emulator-env.js";
import type { MountedOperation } from "../request/mounted-operation.js";
import type { ReadRequest } from "../request/read-request.js";
import type { ResponseParts } from "../request/response-parts.js";
import type { ParsedTarget } from "../request/target.js";
import type { Namespace } from "../namespaces/namespace.js";
import type { World } from "../world/world.js";

/** Where a request leads. */
export interface RequestTarget extends ParsedTarget {
  /** The beginning of the path that belongs to the application in which the emulator's is mounted. */
  readonly mount: string;
  /** Why the target cannot be read; then the rest is a guess. */
  readonly unreadable: Problem | undefined;
  /** What the paths of the namespace begin with, as the client knows them, without a slash at the end. */
  readonly basePath: string;
  /** The same with scheme and host. */
  readonly baseUrl: () => string;
}

/** A response, and the parts that it was made from. */
export interface ServiceResponse extends ResponseParts {
  readonly response: Response;
}

/** What middleware and handlers of the service find in their context. */
export interface ServiceEnv {
  Bindings: EmulatorEnv["Bindings"];
  Variables: EmulatorEnv["Variables"] & {
    target: RequestTarget;
    /** The operation of the service or of the control plane; undefined where none matches. */
    operation: MountedOperation<OperationId | ControlOperationId> | undefined;
    /** Undefined for a request that matches no operation in an unused namespace. */
    namespace: Namespace | undefined;
    /** The world that the request began in: a reset leaves it there. */
    world: World;
    /** The body, once it is read, and the request that it was read from. */
    read: { readonly of: Request; readonly bytes: Uint8Array } | undefined;
    /** The time of the request by the world's clock, once its body is read. */
    now: number | undefined;
    caller: Caller;
    input: ReadRequest;
    /** Fault rules that fired. */
    faults: readonly string[] | undefined;
    takeFault: TakeHandlerFault | undefined;
    answer: ServiceResponse | undefined;
    /** Set by a fault rule: the connection ends after so many bytes of the body, or before anything of the response. */
    cutAfter: number | "nothing" | undefined;
  };
}

/** Bound to the requests of the console: whether it only reads what a page shows. */
export const pageViewSymbol = Symbol("page view");

/**
 * Whether the console only reads what a page shows. Such a request leaves no trace: it takes no time, counts nowhere, meets
 * neither fault rules nor middleware of users, and is not in the journal.
 */
export function isPageView(c: ServiceContext): boolean {
  return getPageView(c) === true;
}

/** Whether a page of the console sends the request, to read or to change. */
export function isFromConsolePage(c: ServiceContext): boolean {
  return getPageView(c) !== undefined;
}

function getPageView(c: ServiceContext): boolean | undefined {
  return (c.env as { readonly [pageViewSymbol]?: boolean } | undefined)?.[pageViewSymbol];
}

export type ServiceContext = Context<ServiceEnv>;
export type ServiceMiddleware = MiddlewareHandler<ServiceEnv>;
