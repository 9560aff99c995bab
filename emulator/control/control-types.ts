import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import type { operations } from "../../openapi/generated/control-plane-types.js";
import type { TypedResponse } from "../../openapi/operations/operation-types.js";
import type { Namespace } from "../namespaces/namespace.js";
import type { Namespaces } from "../namespaces/namespaces.js";
import type { JsonValue } from "../json/json-value.js";
import type { TypedRequest } from "../handlers/typed-operation.js";

/** A valid request to the control plane. */
export interface ControlRequest<Id extends ControlOperationId> extends Pick<
  TypedRequest<operations[Id]>,
  "path" | "query" | "body"
> {
  /** The body without loss; undefined for an in-process call. */
  readonly json?: JsonValue | undefined;
  /** The body of an operation that accepts a file. */
  readonly file?: Uint8Array | undefined;
  /** The media types that the caller accepts, as in the header `Accept`. */
  readonly accept?: string | undefined;
  /** The base URL that the client used for the namespace; undefined for an in-process call. */
  readonly baseUrl?: string;
}

/** The response body of an operation; the contract defines the status. */
export type ControlResponseBody<Id extends ControlOperationId> = TypedResponse<operations[Id]>["body"];

/** A response that is a file instead of JSON. */
export class ResponseFile {
  constructor(
    readonly mediaType: string,
    readonly name: string,
    readonly bytes: Uint8Array<ArrayBuffer>,
  ) {}
}

/** Handles a call of the control plane in its namespace. */
export type ControlHandler<Id extends ControlOperationId> = (
  request: ControlRequest<Id>,
  namespace: Namespace,
  namespaces: Namespaces,
) => ControlResponseBody<Id> extends undefined ? undefined : ControlResponseBody<Id> | ResponseFile;

export type ControlHandlers = { readonly [Id in ControlOperationId]: ControlHandler<Id> };
