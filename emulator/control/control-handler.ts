import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import type { Namespace } from "../namespaces/namespace.js";
import type { ControlAnswerOf, ControlRequestOf } from "./control-types.js";

/** Answers one call of the control plane for the namespace it was made in. */
export type ControlHandler<Id extends ControlOperationId> = (
  request: ControlRequestOf<Id>,
  namespace: Namespace,
) => ControlAnswerOf<Id>;
