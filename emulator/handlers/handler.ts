import type { operations } from "../../openapi/generated/service-types.js";
import type { RequestBody, TypedResponse } from "../../openapi/operations/operation-types.js";
import type { OperationId } from "../../openapi/operations/register.js";
import type { Caller } from "../access/caller.js";
import type { TakeHandlerFault } from "../request/handler-faults.js";
import type { World } from "../world/world.js";
import type { TypedRequest } from "./typed-operation.js";

/** The context of a handler: one world at one time, for one caller. */
export interface HandlerContext extends World {
  readonly caller: Caller;
  /** The time of the request in milliseconds since 1970. */
  readonly now: number;
  /** Asks the fault rules whether the handler must fail. */
  readonly fault?: TakeHandlerFault | undefined;
  /** Returns the URL of the namespace as the client knows it, without a slash at the end. */
  readonly baseUrl: () => string;
}

type Types = { [Id in OperationId]: operations[Id] };
/** A body without the nulls that mean omitted fields. They are removed before a handler runs. */
type OptionalInput<Body> = Body extends readonly (infer Element)[]
  ? OptionalInput<Element>[]
  : Body extends object
    ? {
        [Name in keyof Body]: IsOptional<Body, Name> extends true
          ? Exclude<OptionalInput<Body[Name]>, null>
          : OptionalInput<Body[Name]>;
      }
    : Body;

type IsOptional<Body, Name extends keyof Body> =
  Partial<Pick<Body, Name>> extends Pick<Body, Name> ? true : false;

/** The request of an operation of the service. */
export type OperationRequest<Id extends OperationId> = TypedRequest<
  Types[Id],
  OptionalInput<RequestBody<Types[Id]>>
>;

/** The response of an operation of the service. */
export type OperationResponse<Id extends OperationId> = TypedResponse<Types[Id]>;

/**
 * Handles one operation. It is synchronous, and has no effects outside the world in its context. A writing operation is one
 * transaction, which a thrown problem rolls back.
 */
export type Handler<Id extends OperationId> = (
  request: OperationRequest<Id>,
  context: HandlerContext,
) => OperationResponse<Id>;
