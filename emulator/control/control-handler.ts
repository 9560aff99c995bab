import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import type { operations } from "../../openapi/generated/control-plane-types.js";
import type { TypedAnswer, TypedRequest } from "../handlers/handler.js";
import type { Namespace } from "../namespace.js";

type Types = { [Id in ControlOperationId]: operations[Id] };

/** A request of the control plane; some are files, and some may be answered with one. */
export type ControlRequestOf<Id extends ControlOperationId> = TypedRequest<Types[Id]> & {
  /** The body of an operation that takes a file. */
  readonly file?: Uint8Array;
};
export type ControlAnswerOf<Id extends ControlOperationId> = TypedAnswer<Types[Id]> & {
  /** What to send in place of the body to those who accept it. */
  readonly file?: AnswerFile;
};

/** A file to download. */
export interface AnswerFile {
  readonly mediaType: string;
  readonly name: string;
  readonly bytes: () => Uint8Array;
}

/** Answers one call of the control plane for the namespace it was made in. */
export type ControlHandler<Id extends ControlOperationId> = (
  request: ControlRequestOf<Id>,
  namespace: Namespace,
) => ControlAnswerOf<Id>;
