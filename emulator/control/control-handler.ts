import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import type { operations } from "../../openapi/generated/control-plane-types.js";
import type { TypedAnswer, TypedRequest } from "../handlers/handler.js";
import type { Namespace } from "../namespace.js";

type Types = { [Id in ControlOperationId]: operations[Id] };
export type ControlRequestOf<Id extends ControlOperationId> = TypedRequest<Types[Id]>;
export type ControlAnswerOf<Id extends ControlOperationId> = TypedAnswer<Types[Id]>;

/** Answers one call of the control plane for the namespace it was made in. */
export type ControlHandler<Id extends ControlOperationId> = (
  request: ControlRequestOf<Id>,
  namespace: Namespace,
) => ControlAnswerOf<Id>;
