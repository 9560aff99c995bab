import { type ControlOperationId, controlPlaneOperations } from "../../openapi/control-plane/operations.js";
import { namespaceOperations } from "../../openapi/control-plane/namespaces.js";
import type { Namespace } from "../namespaces/namespace.js";
import type { Namespaces } from "../namespaces/namespaces.js";
import type { ControlHandler, ControlHandlers, ControlRequest } from "./control-types.js";
import { applyDueChanges } from "../world/apply-due-changes.js";
import { billingHandlers } from "./billing.js";
import { namespaceHandlers } from "./namespaces.js";
import { organizationHandlers } from "./organizations.js";
import { peopleHandlers } from "./people.js";
import { requestHandlers } from "./requests.js";
import { stateHandlers } from "./state.js";

/** The handlers of all operations. A missing handler is a type error. */
const controlHandlers: ControlHandlers = {
  ...billingHandlers,
  ...namespaceHandlers,
  ...organizationHandlers,
  ...peopleHandlers,
  ...requestHandlers,
  ...stateHandlers,
};

/** Calls the control plane, over HTTP or in-process. A call that fails changes nothing. */
export function callControlOperation<Id extends ControlOperationId>(
  id: Id,
  request: ControlRequest<Id>,
  namespace: Namespace,
  namespaces: Namespaces,
): ReturnType<ControlHandler<Id>> {
  const handle = controlHandlers[id] as unknown as ControlHandler<Id>;
  // These operations replace or copy the store, which is impossible in a transaction of the store.
  if (id === "resetEmulator" || id in namespaceOperations) return handle(request, namespace, namespaces);
  const { store, clock } = namespace.world;
  applyDueChanges(store, clock.now());
  const call = () => handle(request, namespace, namespaces);
  const { effect, routes } = controlPlaneOperations[id];
  if (effect === "read") return call();
  if ("method" in routes && routes.method !== "delete") store.reserve(0);
  return store.transaction(call);
}
