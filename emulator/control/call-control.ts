import { type ControlOperationId, controlPlaneOperations } from "../../openapi/control-plane/operations.js";
import { settleSubscriptions } from "../billing/subscription.js";
import type { Namespace } from "../namespace.js";
import type { ControlAnswerOf, ControlHandler, ControlRequestOf } from "./control-handler.js";
import { controlHandlers } from "./table.js";

/** Calls the control plane, over HTTP or from the same process: a call that fails has changed nothing. */
export function callControl<Id extends ControlOperationId>(
  id: Id,
  request: ControlRequestOf<Id>,
  namespace: Namespace,
): ControlAnswerOf<Id> {
  const { store, clock } = namespace.world;
  settleSubscriptions(store, clock.now());
  const handle = controlHandlers[id] as unknown as ControlHandler<Id>;
  const call = () => handle(request, namespace);
  // a reset replaces the store, so it cannot run inside a transaction of it
  const isTransaction = controlPlaneOperations[id].effect === "write" && id !== "resetEmulator";
  return isTransaction ? store.transaction(call) : call();
}
