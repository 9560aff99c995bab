import { billingOperations } from "./billing.js";
import { namespaceOperations } from "./namespaces.js";
import { organizationOperations } from "./organizations.js";
import { peopleOperations } from "./people.js";
import { requestOperations } from "./requests.js";
import { stateOperations } from "./state.js";

/** What the emulator offers beside the service, under `/_emulator`. */
export const controlPlaneOperations = {
  ...stateOperations,
  ...peopleOperations,
  ...organizationOperations,
  ...billingOperations,
  ...namespaceOperations,
  ...requestOperations,
};

/** The operations of the control plane. */
export type ControlOperationId = keyof typeof controlPlaneOperations;
