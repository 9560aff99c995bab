import type { operations } from "../../openapi/generated/service-types.js";
import type { OperationId } from "../../openapi/operations/register.js";
import type { Caller } from "../access/caller.js";
import type { TakeFault } from "../request/handler-faults.js";
import type { JsonValue } from "../json/json-value.js";
import type { World } from "../world/world.js";

/** What a handler works with: one world, at one moment, for one caller. */
export interface Context extends World {
  readonly caller: Caller;
  /** The time of the request in milliseconds since 1970. */
  readonly now: number;
  /** Asks the fault rules, where there are any, what the handler is to fail with. */
  readonly fault?: TakeFault | undefined;
  /** Address of the namespace as the client knows it, without a slash at the end. */
  readonly baseUrl: () => string;
}

type Types = { [Id in OperationId]: operations[Id] };
// an operation without parameters has an object without members
/* eslint-disable @typescript-eslint/no-generated-empty-object-type */
type PathOf<Operation> = Operation extends { parameters: { path: infer Path } } ? Path : Record<never, never>;
type QueryOf<Operation> = Operation extends { parameters: { query?: infer Query } }
  ? { readonly [Name in keyof NonNullable<Query>]?: string }
  : Record<never, never>;
/* eslint-enable @typescript-eslint/no-generated-empty-object-type */
type BodyOf<Operation> = Operation extends { requestBody: { content: { "application/json": infer Body } } }
  ? Body
  : undefined;

/** A body without the nulls that stand for members left out: they are gone before a handler sees it. */
type Given<Body> = Body extends readonly (infer Element)[]
  ? Given<Element>[]
  : Body extends object
    ? {
        [Name in keyof Body]: IsOptional<Body, Name> extends true
          ? Exclude<Given<Body[Name]>, null>
          : Given<Body[Name]>;
      }
    : Body;

type IsOptional<Body, Name extends keyof Body> =
  Partial<Pick<Body, Name>> extends Pick<Body, Name> ? true : false;

/** A request that fits the contract. */
export interface TypedRequest<Operation, Body = BodyOf<Operation>> {
  readonly path: Readonly<PathOf<Operation>>;
  /** Query parameters as text; they were checked against their schemas. */
  readonly query: QueryOf<Operation>;
  readonly body: Body;
  /** The same body without loss: every digit, every name in its order. Read free-form `data` from here. */
  readonly json: JsonValue | undefined;
  /** Bytes of the body as it was sent. */
  readonly bodyBytes: number;
  /** The body as it was sent; nothing where there is none. */
  readonly bytes?: Uint8Array | undefined;
}

type Answers<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses]: Responses[Status] extends { content: { "application/json": infer Body } }
        ? { readonly status: Status; readonly body: Body }
        : Responses[Status] extends { content?: never }
          ? { readonly status: Status; readonly body?: undefined }
          : never;
    }[keyof Responses]
  : never;

/** An answer that the contract declares for the operation; errors are thrown as problems. */
export type TypedAnswer<Operation> = Answers<Operation>;

/** The request of an operation of the service. */
export type RequestOf<Id extends OperationId> = TypedRequest<Types[Id], Given<BodyOf<Types[Id]>>>;

/** The answer of an operation of the service. */
export type AnswerOf<Id extends OperationId> = TypedAnswer<Types[Id]>;

/**
 * Answers one operation: synchronous, pure but for the world it is given. What a writing operation does is one
 * transaction; a thrown problem undoes it.
 */
export type Handler<Id extends OperationId> = (request: RequestOf<Id>, context: Context) => AnswerOf<Id>;
