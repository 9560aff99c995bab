import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import type { operations } from "../../openapi/generated/control-plane-types.js";
import type { Namespace } from "../namespaces/namespace.js";
import type { TypedResponse, TypedRequest } from "../handlers/typed-operation.js";

type Types = { [Id in ControlOperationId]: operations[Id] };

/** A request of the control plane; some are files. */
export type ControlRequest<Id extends ControlOperationId> = TypedRequest<Types[Id]> & {
  /** The body of an operation that takes a file. */
  readonly file?: Uint8Array;
  /** Where the client reached the namespace; nothing for a call of the same process. */
  readonly baseUrl?: string;
};

/** The body of its response; the contract says with which status. */
export type ControlResponseBody<Id extends ControlOperationId> = TypedResponse<Types[Id]>["body"];

/** A response that is a file for those who accept one. */
export class FileOrBody<Body> {
  readonly body: Body;
  readonly file: ResponseFile;

  constructor(body: Body, file: ResponseFile) {
    this.body = body;
    this.file = file;
  }
}

/** A file to download. */
interface ResponseFile {
  readonly mediaType: string;
  readonly name: string;
  readonly bytes: () => Uint8Array;
  /** Sends it to those as well who do not say that they accept it. */
  readonly isWanted?: boolean;
}

/** Answers one call of the control plane for the namespace it was made in. */
export type ControlHandler<Id extends ControlOperationId> = (
  request: ControlRequest<Id>,
  namespace: Namespace,
) => ControlResponseBody<Id> extends undefined
  ? undefined
  : ControlResponseBody<Id> | FileOrBody<ControlResponseBody<Id>>;

export type ControlHandlers = { readonly [Id in ControlOperationId]: ControlHandler<Id> };
