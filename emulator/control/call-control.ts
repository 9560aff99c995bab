import { type ControlOperationId, controlPlaneOperations } from "../../openapi/control-plane/operations.js";
import { worldOperations } from "../../openapi/control-plane/worlds.js";
import type { Namespace } from "../namespaces/namespace.js";
import type { ControlHandler } from "./control-handler.js";
import type { ControlAnswerOf, ControlRequestOf } from "./control-types.js";
import { applyDueChanges } from "../world/apply-due-changes.js";
import { controlHandlers } from "./register.js";

/** Calls the control plane, over HTTP or from the same process: a call that fails has changed nothing. */
export function callControl<Id extends ControlOperationId>(
  id: Id,
  request: ControlRequestOf<Id>,
  namespace: Namespace,
): ControlAnswerOf<Id> {
  const handle = controlHandlers[id] as unknown as ControlHandler<Id>;
  // what deals with worlds as a whole replaces or copies the store, which no transaction of it can be around
  if (isOfWorlds(id)) return handle(request, namespace);
  const { store, clock } = namespace.world;
  applyDueChanges(store, clock.now());
  const call = () => handle(request, namespace);
  return controlPlaneOperations[id].effect === "write" ? store.transaction(call) : call();
}

function isOfWorlds(id: ControlOperationId): boolean {
  return id === "resetEmulator" || id in worldOperations;
}
