import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import type { operations } from "../../openapi/generated/control-plane-types.js";
import type { Namespace } from "../namespaces/namespace.js";
import type { Namespaces } from "../namespaces/namespaces.js";
import type { TypedResponse, TypedRequest } from "../handlers/typed-operation.js";

type Types = { [Id in ControlOperationId]: operations[Id] };

/** A request to the control plane, which may have a file as its body. */
export type ControlRequest<Id extends ControlOperationId> = TypedRequest<Types[Id]> & {
  /** The body of an operation that accepts a file. */
  readonly file?: Uint8Array;
  /** The base URL that the client used for the namespace; undefined for an in-process call. */
  readonly baseUrl?: string;
};

/** The response body of an operation; the contract defines the status. */
export type ControlResponseBody<Id extends ControlOperationId> = TypedResponse<Types[Id]>["body"];

/** A response that is a file for clients that accept it. */
export class BodyWithFile<Body> {
  constructor(
    readonly body: Body,
    readonly file: ResponseFile,
  ) {}
}

/** A file to download. */
interface ResponseFile {
  readonly mediaType: string;
  readonly name: string;
  readonly bytes: () => Uint8Array;
  /** Whether to send the file even to clients that do not explicitly accept it. */
  readonly isWanted?: boolean;
}

/** Handles a call of the control plane in its namespace. */
export type ControlHandler<Id extends ControlOperationId> = (
  request: ControlRequest<Id>,
  namespace: Namespace,
  namespaces: Namespaces,
) => ControlResponseBody<Id> extends undefined
  ? undefined
  : ControlResponseBody<Id> | BodyWithFile<ControlResponseBody<Id>>;

export type ControlHandlers = { readonly [Id in ControlOperationId]: ControlHandler<Id> };
